// The board as the program's own tables show it.

import { SHAPES } from "m220/pieces.js";
import { decode, squareName } from "m220/tables.js";

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 45;
const EDGE = 14;
/** Reading the tables and drawing the board is slow, so it is not done for every animation frame. */
const DRAW_EVERY_MS = 60;

function make(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  parent?.append(made);
  return made;
}

const left = (square) => EDGE + (square >> 3) * SIZE;
const top = (square) => (7 - (square & 7)) * SIZE;

export class BoardPanel {
  constructor(parent, panel, state) {
    this.state = state;
    this.panel = panel;
    this.drawn = -Infinity;
    this.chosen = null;
    this.captions = document.createElement("p");
    this.captions.className = "captions";
    this.svg = make("svg", { viewBox: `0 0 ${EDGE + 8 * SIZE} ${8 * SIZE + EDGE}`, class: "board", role: "img" });
    this.squares = make("g", {}, this.svg);
    this.layers = ["fields", "arrows", "pieces", "numbers"].map((name) => make("g", { class: name }, this.svg));
    const marker = make("defs", {}, this.svg);
    for (const side of ["white", "black"]) {
      const head = make("marker", { id: `head-${side}`, viewBox: "0 0 6 6", refX: 4, refY: 3, markerWidth: 4, markerHeight: 4, orient: "auto" }, marker);
      make("path", { d: "M0 0L6 3L0 6z", class: `arrow-head ${side}` }, head);
    }
    for (let square = 0; square < 64; square++) {
      const dark = ((square >> 3) + (square & 7)) % 2 === 0;
      make("rect", { x: left(square), y: top(square), width: SIZE, height: SIZE, class: dark ? "dark" : "light" }, this.squares);
    }
    for (let index = 0; index < 8; index++) {
      make("text", { x: EDGE / 2, y: top(index) + SIZE / 2 + 4, class: "edge" }, this.squares).textContent = String(index + 1);
      make("text", { x: EDGE + index * SIZE + SIZE / 2, y: 8 * SIZE + EDGE - 3, class: "edge" }, this.squares).textContent = "abcdefgh"[index];
    }
    this.list = document.createElement("div");
    this.list.className = "found";
    this.legend = document.createElement("p");
    this.legend.className = "legend";
    parent.append(this.svg, this.captions, this.legend, this.list);
    this.content = "";
  }

  draw(now) {
    if (now !== undefined && this.state.running && now - this.drawn < DRAW_EVERY_MS) return;
    this.drawn = now ?? this.drawn;
    const view = decode(this.state);
    this.panel.hidden = view === null;
    if (view === null) return;
    const content = JSON.stringify([[...view.pieces], [...view.fields], view.arrows, view.captions, view.start, view.target, this.chosen, view.lists.map((list) => list.title)]);
    if (content === this.content) return;
    this.content = content;
    const [fields, arrows, pieces, numbers] = this.layers;
    for (const layer of this.layers) layer.replaceChildren();
    for (const [square, field] of view.fields) this.field(fields, numbers, square, field);
    if (view.start !== undefined) this.frame(fields, view.start, "start");
    if (view.target !== undefined) this.frame(fields, view.target, "target");
    this.arrows(arrows, view);
    for (const [square, { white, role }] of view.pieces) {
      make("path", { d: SHAPES[role], transform: `translate(${left(square)} ${top(square)})`, class: `piece ${white ? "white" : "black"}`, "fill-rule": "evenodd" }, pieces);
    }
    const text = view.captions.join(" · ");
    this.captions.textContent = text;
    this.svg.setAttribute("aria-label", `Board. ${text}`);
    this.legends(view);
    this.lists(view);
  }

  field(layer, numbers, square, field) {
    const [x, y] = [left(square), top(square)];
    const { forward, backward, moves, bundle } = field;
    if (moves !== undefined) {
      make("rect", { x: x + 2, y: y + 2, width: SIZE - 4, height: SIZE - 4, class: "in-time" }, layer);
      make("text", { x: x + SIZE - 4, y: y + SIZE - 4, class: "moves" }, numbers).textContent = String(moves);
    }
    if (forward !== undefined) {
      make("path", { d: `M${x + 1} ${y + 1}h${SIZE - 2}l-${SIZE - 2} ${SIZE - 2}z`, class: "forward" }, layer);
      make("text", { x: x + 2, y: y + 11, class: "step" }, numbers).textContent = `${forward}\u2192`;
    }
    if (backward !== undefined) {
      make("path", { d: `M${x + SIZE - 1} ${y + SIZE - 1}v-${SIZE - 2}l-${SIZE - 2} ${SIZE - 2}z`, class: "backward" }, layer);
      make("text", { x: x + SIZE - 2, y: y + SIZE - 3, class: "step end" }, numbers).textContent = `\u2190${backward}`;
    }
    if (bundle !== undefined) {
      make("rect", { x: x + 3, y: y + 14, width: SIZE - 6, height: 17, rx: 3, class: "bundle" }, layer);
      make("text", { x: x + SIZE / 2, y: y + 26.5, class: "bundle-numbers" }, numbers).textContent = bundle.join("+");
    }
  }

  frame(layer, square, name) {
    const inset = name === "start" ? 2 : 3.5;
    make("rect", { x: left(square) + inset, y: top(square) + inset, width: SIZE - 2 * inset, height: SIZE - 2 * inset, class: `frame ${name}` }, layer);
  }

  arrows(layer, view) {
    const chosen = this.chosen === null ? null : view.lists.flatMap((list) => list.items).find((item) => item.text === this.chosen);
    const dim = chosen !== null && chosen !== undefined;
    const draw = ({ from, to, share, white }, className) => {
      const centre = (square) => [left(square) + SIZE / 2, top(square) + SIZE / 2];
      const [[x1, y1], [x2, y2]] = [centre(from), centre(to)];
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const cut = view.pieces.has(to) ? 17 : 10;
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      make("line", {
        x1: x1 + dx * 9, y1: y1 + dy * 9, x2: x2 - dx * cut, y2: y2 - dy * cut,
        class: `arrow ${white ? "white" : "black"} ${className}`,
        "stroke-width": (1.2 + 3.2 * Math.sqrt(Math.min(1, share))).toFixed(2),
        "marker-end": `url(#head-${white ? "white" : "black"})`,
      }, layer);
    };
    for (const arrow of view.arrows) draw(arrow, dim ? "dim" : "");
    if (dim) {
      const piece = view.pieces.get(chosen.way[0]);
      for (const way of chosen.ways ?? [chosen.way]) {
        for (let step = 1; step < way.length; step++) draw({ from: way[step - 1], to: way[step], share: 1, white: piece?.white ?? true }, "chosen");
      }
    }
  }

  legends(view) {
    const has = (name) => [...view.fields.values()].some((field) => field[name] !== undefined);
    const parts = [];
    if (has("moves")) parts.push("number: moves from the start or to the target, the greater of the two");
    if (has("forward")) parts.push("n\u2192 reached from the start in n moves");
    if (has("backward")) parts.push("\u2190n reached from the target in n moves");
    if (has("bundle")) parts.push("a+b: a moves from the start, b to the target");
    if (view.arrows.some((arrow) => !arrow.white)) parts.push("dashed arrows: Black");
    const text = parts.join(" · ");
    if (this.legend.textContent !== text) this.legend.textContent = text;
  }

  lists(view) {
    const key = view.lists.map((list) => `${list.title}${list.items.length}`).join();
    if (key === this.listed) return;
    this.listed = key;
    this.list.replaceChildren();
    for (const { title, items } of view.lists) {
      const heading = document.createElement("h3");
      heading.textContent = title;
      const list = document.createElement("ol");
      list.tabIndex = 0;
      list.setAttribute("aria-label", title);
      for (const item of items) {
        const entry = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = item.text;
        button.setAttribute("aria-pressed", "false");
        button.addEventListener("click", () => {
          this.chosen = this.chosen === item.text ? null : item.text;
          for (const other of list.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other.textContent === this.chosen));
          this.draw();
        });
        entry.append(button);
        list.append(entry);
      }
      this.list.append(heading, list);
    }
  }
}

export { squareName };
