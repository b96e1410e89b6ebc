// Core as maps of 64 x 64 cells, one for each cube. A cell that is executed is filled, one that is read shows its upper
// left half, one that is written its lower right half, so that the shapes alone are enough without colours.

import { make, stepOf } from "m220/dom.js";
import { labelNear } from "m220/state.js";
import { text } from "m220/text.js";
import { cellName, grouped, instructionText } from "m220/words.js";

const SIDE = 64;

export class CorePanel {
  constructor(parent, source, signal) {
    const { state } = source;
    this.source = source;
    this.state = state;
    this.cubes = [];
    this.selected = null;
    this.maps = document.createElement("div");
    this.maps.className = "core-maps";
    this.inspector = document.createElement("p");
    this.inspector.className = "inspector";
    this.inspector.setAttribute("aria-live", "polite");
    const legend = document.createElement("p");
    legend.className = "legend";
    for (const name of ["executed", "read", "written", "full"]) {
      make(legend, "span", {}, make(null, "i", { className: `key ${name}` }), text(`core.${name}`));
    }
    parent.append(this.maps, this.inspector, ...(source.kind === "live" ? [this.editor()] : []), legend);
    document.addEventListener("m220-theme", () => (this.colours = null), { signal });
  }

  /** A new word for the chosen cell, as the debugger's `set` takes it. */
  editor() {
    const form = document.createElement("form");
    form.className = "editor";
    const input = make(form, "input", { type: "text", spellcheck: false, autocomplete: "off" });
    input.placeholder = text("core.new-word");
    input.setAttribute("aria-label", text("core.set"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (this.selected === null || input.value.trim() === "") return;
      await this.source.tell({ do: "debugger", line: `set ${cellName(this.selected)} = ${input.value}` });
      input.value = "";
    });
    return form;
  }

  /** Every cube that is not empty gets a map, and the first one always does. */
  ensure() {
    const { state } = this;
    for (let cube = this.cubes.length; cube < state.description.cubes; cube++) {
      const from = cube * SIDE * SIDE;
      const used = cube === 0 || state.core.subarray(from, from + SIDE * SIDE).some((word) => word !== 0);
      if (!used) break;
      const figure = document.createElement("figure");
      const canvas = document.createElement("canvas");
      canvas.tabIndex = 0;
      canvas.dataset.keys = "";
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", text("core.cube", { cube }));
      const caption = document.createElement("figcaption");
      caption.textContent = state.description.cubes > 1 ? text("core.caption", { cube }) : "";
      canvas.addEventListener("pointermove", (event) => {
        if (event.buttons === 0 && event.pointerType !== "mouse") return;
        this.select(cube, event.offsetX / canvas.clientWidth, event.offsetY / canvas.clientHeight);
      });
      canvas.addEventListener("pointerdown", (event) => {
        this.select(cube, event.offsetX / canvas.clientWidth, event.offsetY / canvas.clientHeight);
      });
      canvas.addEventListener("keydown", (event) => this.key(event, cube));
      figure.append(canvas, caption);
      this.maps.append(figure);
      this.cubes.push({ canvas, context: canvas.getContext("2d") });
    }
  }

  select(cube, x, y) {
    const [column, row] = [Math.floor(x * SIDE), Math.floor(y * SIDE)];
    if (column < 0 || row < 0 || column >= SIDE || row >= SIDE) return;
    this.selected = cube * SIDE * SIDE + row * SIDE + column;
    this.draw();
  }

  key(event, cube) {
    const by = stepOf(event.key, SIDE);
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const from = this.selected ?? cube * SIDE * SIDE;
    this.selected = Math.max(0, Math.min(this.state.cells - 1, from + by));
    this.draw();
  }

  draw() {
    this.ensure();
    if (!this.colours) {
      const style = getComputedStyle(document.documentElement);
      const names = ["empty", "full", "executed", "read", "written", "chosen"];
      this.colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--core-${name}`).trim()]));
    }
    this.cubes.forEach(({ canvas, context }, cube) => this.drawCube(canvas, context, cube));
    this.inspect();
  }

  drawCube(canvas, context, cube) {
    const { state, colours } = this;
    const size = Math.max(2, Math.floor((canvas.clientWidth * devicePixelRatio) / SIDE));
    if (canvas.width !== size * SIDE) canvas.width = canvas.height = size * SIDE;
    context.globalAlpha = 1;
    context.fillStyle = colours.empty;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const gap = size > 4 ? 1 : 0;
    const inner = size - gap;
    for (let index = 0; index < SIDE * SIDE; index++) {
      const cell = cube * SIDE * SIDE + index;
      const [x, y] = [(index % SIDE) * size, Math.floor(index / SIDE) * size];
      if (state.core[cell] !== 0) {
        context.globalAlpha = 1;
        context.fillStyle = colours.full;
        context.fillRect(x, y, inner, inner);
      }
      const [executed, read, written] = [state.heat.executed[cell], state.heat.read[cell], state.heat.written[cell]];
      if (executed > 0) {
        context.globalAlpha = executed;
        context.fillStyle = colours.executed;
        context.fillRect(x, y, inner, inner);
      }
      if (read > 0) triangle(context, colours.read, read, [x, y], [x + inner, y], [x, y + inner]);
      const [right, low] = [x + inner, y + inner];
      if (written > 0) triangle(context, colours.written, written, [right, low], [right, y], [x, low]);
    }
    if (this.selected !== null && Math.floor(this.selected / (SIDE * SIDE)) === cube) {
      const index = this.selected % (SIDE * SIDE);
      context.globalAlpha = 1;
      context.strokeStyle = colours.chosen;
      context.lineWidth = Math.max(1, size / 4);
      context.strokeRect((index % SIDE) * size - 1, Math.floor(index / SIDE) * size - 1, size + 1, size + 1);
    }
  }

  inspect() {
    const { state, selected } = this;
    if (selected === null) {
      this.inspector.textContent = text("core.choose");
      return;
    }
    const word = state.core[selected];
    const reading = word === 0 ? "0" : instructionText(word, state.description, state.labels, selected >> 12);
    this.inspector.textContent = `${cellName(selected)} ${labelNear(state, selected)}  ${grouped(word)}  ${reading}`;
  }
}

function triangle(context, colour, alpha, ...points) {
  context.globalAlpha = alpha;
  context.fillStyle = colour;
  context.beginPath();
  points.forEach(([x, y]) => context.lineTo(x, y));
  context.fill();
}
