// The board as the program's own tables show it.

import { draw, make, put, roving, save } from "m220/dom.js";
import { drawPiece } from "m220/pieces.js";
import { decode } from "m220/tables.js";
import { hasText, text } from "m220/text.js";

const SIZE = 45;
const EDGE = 14;
/** Reading the tables and drawing the board is slow, so it is not done for every animation frame. */
const DRAW_EVERY_MS = 60;

/** What the style sheet decides, and a picture without it must say. */
const STYLES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "text-anchor", "paint-order",
];

/** The marks of squares that the legend explains. */
const MARKS = ["open", "closed", "moves", "forward", "backward", "bundle"];

/** How many boards the page has had: the arrow heads of each have names of their own. */
let boards = 0;

const left = (square) => EDGE + (square >> 3) * SIZE;
const top = (square) => (7 - (square & 7)) * SIZE;

const nameOf = (square) => "abcdefgh"[square >> 3] + String((square & 7) + 1);

/** A name that is explained where it stands, if it is a term of the glossary. */
export function termed({ name, term }) {
  const made = make(null, "span", { textContent: name });
  const key = `term.${term}`;
  if (term === null || !hasText(key)) return made;
  made.dataset.explain = `${name}: ${text(key)}`;
  Object.assign(made, { className: "term", tabIndex: 0 });
  return made;
}

/** The head of a column in its width. */
function headOf(head) {
  const rest = " ".repeat(head.room - head.name.length);
  return head.figures ? [rest, termed(head), "  "] : [termed(head), `${rest}  `];
}

export class BoardPanel {
  /** `view` returns what is drawn, in the form of `decode`; null hides the panel, unless a game is played in it. */
  constructor(parent, panel, state, view = () => decode(state)) {
    Object.assign(this, { state, panel, view, number: ++boards });
    this.drawn = -Infinity;
    this.chosen = null;
    /** The line of a list that is pointed at: it is drawn in place of the chosen one. */
    this.pointed = null;
    this.captions = document.createElement("p");
    this.captions.className = "captions";
    const viewBox = `0 0 ${EDGE + 8 * SIZE} ${8 * SIZE + EDGE}`;
    this.svg = draw(null, "svg", { viewBox, class: "board", role: "img" });
    this.squares = draw(this.svg, "g", {});
    this.layers = ["fields", "arrows", "pieces", "numbers"].map((name) => draw(this.svg, "g", { class: name }));
    const marker = draw(this.svg, "defs", {});
    for (const side of ["white", "black"]) {
      const size = { viewBox: "0 0 6 6", refX: 4, refY: 3, markerWidth: 4, markerHeight: 4, orient: "auto" };
      const head = draw(marker, "marker", { id: this.head(side), ...size });
      draw(head, "path", { d: "M0 0L6 3L0 6z", class: `arrow-head ${side}` });
    }
    for (let square = 0; square < 64; square++) {
      const dark = ((square >> 3) + (square & 7)) % 2 === 0;
      const [x, y, name] = [left(square), top(square), dark ? "dark" : "light"];
      draw(this.squares, "rect", { x, y, width: SIZE, height: SIZE, class: name });
    }
    for (let index = 0; index < 8; index++) {
      const edge = (x, y, sign) => (draw(this.squares, "text", { x, y, class: "edge" }).textContent = sign);
      edge(EDGE / 2, top(index) + SIZE / 2 + 4, String(index + 1));
      edge(EDGE + index * SIZE + SIZE / 2, 8 * SIZE + EDGE - 3, "abcdefgh"[index]);
    }
    this.list = document.createElement("div");
    this.list.className = "found";
    this.legend = document.createElement("p");
    this.legend.className = "legend";
    this.save = make(null, "button", { type: "button", className: "save-picture", textContent: text("board.save") });
    this.save.addEventListener("click", () => save("board.svg", "image/svg+xml", this.picture()));
    this.tree = make(null, "pre", { className: "tree" });
    parent.append(this.svg, this.captions, this.legend, this.list, this.tree, this.save);
    this.content = "";
    this.lines = new Map();
    for (const type of ["pointermove", "pointerleave"]) this.svg.addEventListener(type, (event) => this.meet(event));
  }

  draw(now) {
    if (now !== undefined && this.state.running && now - this.drawn < DRAW_EVERY_MS) return;
    this.drawn = now ?? this.drawn;
    const view = this.view();
    // A game stands in its place.
    this.panel.hidden = view === null && this.panel.querySelector("#play:not([hidden])") === null;
    if (view === null) return;
    const { stop = null, description } = this.state;
    put(this.tree, (stop !== null && description?.tree) || "");
    const { fields: marked, arrows: drawn, captions: said, start, target } = view;
    const lines = JSON.stringify(view.lists.map(({ title, items }) => [title, items.map((item) => item.text)]));
    const content = JSON.stringify([[...view.pieces], [...marked], drawn, said, start, target, this.shown, lines]);
    if (content === this.content) return;
    this.content = content;
    const [fields, arrows, pieces, numbers] = this.layers;
    for (const layer of this.layers) layer.replaceChildren();
    for (const [square, field] of view.fields) this.field(fields, numbers, square, field);
    if (view.start !== undefined) this.frame(fields, view.start, "start");
    if (view.target !== undefined) this.frame(fields, view.target, "target");
    this.arrows(arrows, view);
    for (const [square, { white, role }] of view.pieces) {
      drawPiece(pieces, role, white, { transform: `translate(${left(square)} ${top(square)})` });
    }
    const captions = view.captions.join(" · ");
    this.captions.textContent = captions;
    const standing = [...view.pieces].map(([square, { white, role }]) =>
      `${text(`piece.${white ? "white" : "black"}.${role}`)} ${nameOf(square)}`);
    this.svg.setAttribute("aria-label", text("board.label", { pieces: standing.join(", "), captions }));
    this.legends(view);
    this.lists(view, lines);
  }

  head(side) {
    return `head-${side}-${this.number}`;
  }

  get shown() {
    return this.pointed ?? this.chosen;
  }

  /** Marks the lines whose ways pass the square under the pointer. */
  meet({ clientX, clientY, type }) {
    const { left: x, top: y, width } = this.svg.getBoundingClientRect();
    const unit = (EDGE + 8 * SIZE) / width;
    const [file, row] = [((clientX - x) * unit - EDGE) / SIZE, ((clientY - y) * unit) / SIZE].map(Math.floor);
    const isOn = type !== "pointerleave" && file >= 0 && file < 8 && row >= 0 && row < 8;
    const square = isOn ? file * 8 + 7 - row : null;
    if (square === this.met) return;
    this.met = square;
    for (const [button, item] of this.lines) {
      button.classList.toggle("met", square !== null && item.ways.some((way) => way.includes(square)));
    }
  }

  field(layer, numbers, square, field) {
    const [x, y] = [left(square), top(square)];
    const { open, closed, forward, backward, moves, bundle } = field;
    const label = field.label ?? bundle?.join("+");
    if (open !== undefined) {
      draw(layer, "circle", { cx: x + SIZE / 2, cy: y + SIZE / 2, r: SIZE / 2 - 2, class: "open" });
    }
    if (closed !== undefined) {
      const inner = SIZE - 6;
      const d = `M${x + 3} ${y + 3}l${inner} ${inner}m-${inner} 0l${inner} -${inner}`;
      draw(layer, "path", { d, class: "closed" });
    }
    if (moves !== undefined) {
      draw(layer, "rect", { x: x + 2, y: y + 2, width: SIZE - 4, height: SIZE - 4, class: "in-time" });
      draw(numbers, "text", { x: x + SIZE - 4, y: y + SIZE - 4, class: "moves" }).textContent = String(moves);
    }
    if (forward !== undefined) {
      draw(layer, "path", { d: `M${x + 1} ${y + 1}h${SIZE - 2}l-${SIZE - 2} ${SIZE - 2}z`, class: "forward" });
      draw(numbers, "text", { x: x + 2, y: y + 11, class: "step" }).textContent = `${forward}\u2192`;
    }
    if (backward !== undefined) {
      const d = `M${x + SIZE - 1} ${y + SIZE - 1}v-${SIZE - 2}l-${SIZE - 2} ${SIZE - 2}z`;
      draw(layer, "path", { d, class: "backward" });
      draw(numbers, "text", { x: x + SIZE - 2, y: y + SIZE - 3, class: "step end" }).textContent = `\u2190${backward}`;
    }
    if (label !== undefined) {
      draw(layer, "rect", { x: x + 3, y: y + 14, width: SIZE - 6, height: 17, rx: 3, class: "bundle" });
      draw(numbers, "text", { x: x + SIZE / 2, y: y + 26.5, class: "bundle-numbers" }).textContent = label;
    }
  }

  frame(layer, square, name) {
    const inset = name === "start" ? 2 : 3.5;
    const [x, y, size] = [left(square) + inset, top(square) + inset, SIZE - 2 * inset];
    draw(layer, "rect", { x, y, width: size, height: size, class: `frame ${name}` });
  }

  arrows(layer, view) {
    const chosen = view.lists.flatMap((list) => list.items).find((item) => item.text === this.shown);
    const dim = chosen !== undefined;
    const arrow = ({ from, to, share, white }, className) => {
      const centre = (square) => [left(square) + SIZE / 2, top(square) + SIZE / 2];
      const [[x1, y1], [x2, y2]] = [centre(from), centre(to)];
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const cut = view.pieces.has(to) ? 17 : 10;
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      draw(layer, "line", {
        x1: x1 + dx * 9, y1: y1 + dy * 9, x2: x2 - dx * cut, y2: y2 - dy * cut,
        class: `arrow ${white ? "white" : "black"} ${className}`,
        "stroke-width": (1.2 + 3.2 * Math.sqrt(Math.min(1, share))).toFixed(2),
        "marker-end": `url(#${this.head(white ? "white" : "black")})`,
      });
    };
    for (const each of view.arrows) arrow(each, dim ? "dim" : "");
    if (dim) {
      const white = view.pieces.get(chosen.way[0])?.white ?? true;
      for (const way of chosen.ways ?? [chosen.way]) {
        for (let step = 1; step < way.length; step++) {
          arrow({ from: way[step - 1], to: way[step], share: 1, white }, "chosen");
        }
      }
    }
  }

  /** The board as a picture of its own, with the colours of the page. */
  picture() {
    const copy = this.svg.cloneNode(true);
    const [shown, drawn] = [this.svg, copy].map((svg) => [svg, ...svg.querySelectorAll("*")]);
    shown.forEach((element, index) => {
      const style = getComputedStyle(element);
      for (const name of STYLES) drawn[index].setAttribute(name, style.getPropertyValue(name));
      drawn[index].removeAttribute("class");
    });
    const [, , width, height] = copy.getAttribute("viewBox").split(" ");
    for (const [name, value] of [["width", width], ["height", height]]) copy.setAttribute(name, value);
    return new XMLSerializer().serializeToString(copy);
  }

  legends(view) {
    const has = (name) => [...view.fields.values()].some((field) => field[name] !== undefined);
    const parts = MARKS.filter(has).map((name) => text(`board.${name}`));
    if (view.arrows.some((arrow) => !arrow.white)) parts.push(text("board.dashed"));
    put(this.legend, parts.join(" · "));
  }

  lists(view, lines) {
    if (lines === this.listed) return;
    this.listed = lines;
    this.list.replaceChildren();
    this.lines.clear();
    for (const { title, heads = [], items } of view.lists) {
      const heading = make(null, "h3", { textContent: title });
      const list = document.createElement("ol");
      const named = title || heads.map(({ name }) => name).join(", ");
      if (named !== "") list.setAttribute("aria-label", named);
      if (heads.length > 0) make(list, "li", { className: "heads" }, ...heads.flatMap((head) => headOf(head)));
      const buttons = items.map((item, index) => {
        const button = make(null, "button", { type: "button", textContent: item.text, tabIndex: index === 0 ? 0 : -1 });
        button.setAttribute("aria-pressed", String(item.text === this.chosen));
        this.lines.set(button, item);
        const point = (pointed) => () => {
          this.pointed = pointed;
          this.draw();
        };
        if (item.way.length > 1) button.addEventListener("pointerenter", point(item.text));
        button.addEventListener("pointerleave", point(null));
        button.addEventListener("click", () => {
          this.chosen = this.chosen === item.text ? null : item.text;
          for (const other of buttons) other.setAttribute("aria-pressed", String(other.textContent === this.chosen));
          this.draw();
        });
        make(list, "li", {}, button);
        return button;
      });
      // Hundreds of ways are one stop of the tab key.
      roving(list, () => buttons);
      if (title !== "") this.list.append(heading);
      this.list.append(list);
    }
  }
}
