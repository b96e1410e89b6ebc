// The door: what this is, and six starts. It stands in place of the machine while the address names nothing else.

import { draw, make } from "m220/dom.js";
import { machineDrawing } from "m220/drawing.js";
import { drawPiece } from "m220/pieces.js";
import { SIX, fragmentTo } from "m220/starts.js";
import { text } from "m220/text.js";

const element = (id) => document.getElementById(id);

/** Five files of a board with these pieces, `[role, is white, file, rank]`, and a line over its squares. */
function corner(pieces, way = []) {
  const svg = draw(null, "svg", { viewBox: "0 0 225 135", class: "corner", "aria-hidden": "true" });
  for (let square = 0; square < 15; square++) {
    const [x, y] = [(square % 5) * 45, Math.floor(square / 5) * 45];
    draw(svg, "rect", { x, y, width: 45, height: 45, class: square % 2 === 0 ? "light" : "dark" });
  }
  for (const line of way) draw(svg, "path", { d: line, class: "way" });
  for (const [role, isWhite, x, y] of pieces) {
    drawPiece(svg, role, isWhite, { transform: `translate(${x * 45} ${y * 45})` });
  }
  return svg;
}

/** Lines of a page, or the holes of a punched card. */
function sheet(className, shapes) {
  const svg = draw(null, "svg", { viewBox: "0 0 225 135", class: `corner ${className}`, "aria-hidden": "true" });
  for (const [name, attributes] of shapes) draw(svg, name, attributes);
  return svg;
}

const BOOK = "M112 24C88 8 52 10 28 18v98c24-8 60-10 84 6 24-16 60-14 84-6V18c-24-8-60-10-84 6z";

const PICTURES = {
  story: () => sheet("book", [
    ["path", { d: BOOK, class: "paper" }],
    ...Array.from({ length: 7 }, (_, line) => ["path",
      { d: `M42 ${34 + line * 11}q30-7 58 3M125 ${37 + line * 11}q30-10 58-3`, class: "print" }]),
    ["path", { d: "M112 24v98", class: "print" }],
  ]),
  king: () => corner([["king", true, 0, 1]], [
    "M22 67H200", "M22 67L67 22H157L200 67", "M22 67L67 112H157L200 67", "M22 67L67 22L112 67L157 112L200 67",
    "M22 67L67 112L112 67L157 22L200 67",
  ]),
  experiment: () => corner(
    [["bishop", true, 0, 0], ["queen", false, 4, 0], ["knight", true, 3, 2], ["pawn", false, 2, 1]], ["M67 67L22 22"]),
  play: () => corner([["pawn", true, 1, 2], ["knight", false, 2, 0], ["pawn", true, 2, 1], ["bishop", false, 4, 0]]),
  mate: () => corner([["king", false, 4, 0], ["king", true, 3, 2], ["rook", true, 0, 2]], ["M22 112V22H180"]),
  program: () => sheet("card", [
    ["path", { d: "M40 16H205V119H20V36z", class: "paper" }],
    ...Array.from({ length: 60 }, (_, hole) => [hole % 15, Math.floor(hole / 15), hole])
      .filter(([, , hole]) => (hole * 7919) % 11 < 4)
      .map(([column, row]) => ["rect", { x: 34 + column * 11, y: 34 + row * 20, width: 6, height: 12, class: "hole" }]),
  ]),
};

export class Door {
  /** `has(name)` tells whether a start is there: a page from a server has no recording. */
  constructor(has) {
    this.has = has;
  }

  get open() {
    return !element("door").hidden;
  }

  show(isOpen) {
    element("door").hidden = !isOpen;
    document.documentElement.dataset.at = isOpen ? "door" : "machine";
    if (isOpen) this.build();
  }

  /** Anew, in the page's language. */
  build() {
    const door = element("door");
    door.replaceChildren();
    const head = make(door, "div", { className: "door-head" });
    make(head, "h1", { textContent: text("door.heading") });
    make(head, "p", { textContent: text("door.what") });
    const figure = make(door, "figure", {}, machineDrawing());
    make(figure, "figcaption", { textContent: text("door.drawing") });
    const list = make(door, "nav", { className: "starts", "aria-label": text("door.starts") });
    for (const name of SIX.filter(this.has)) {
      const card = make(list, "a", { href: fragmentTo(`start=${name}`), className: "start" }, PICTURES[name]());
      make(card, "strong", { textContent: text(`start.${name}`) });
      make(card, "span", { textContent: text(`start.${name}.about`) });
    }
    const foot = make(door, "div", { className: "door-foot" });
    for (const name of ["right", "sources", "about"]) {
      const part = make(foot, "section");
      make(part, "h2", { textContent: text(`door.${name}.heading`) });
      const maker = document.querySelector("meta[name=generator]").content;
      make(part, "p", { textContent: text(`door.${name}`, { maker }) });
    }
    // The site has the documents, too.
    const documents = document.querySelector("meta[name=documents]")?.content;
    if (documents !== undefined) {
      const href = `${documents}${document.documentElement.lang === "ru" ? "ru/" : ""}index.html`;
      make(make(foot.lastChild, "p"), "a", { href, className: "button", textContent: text("door.documents") });
    }
  }
}
