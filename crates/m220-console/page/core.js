// Core as maps of 64 x 64 cells, one for each cube. A cell that is executed is filled, one that is read shows its upper
// left half, one that is written its lower right half, so that the shapes alone are enough without colours.

import { make, put, stepOf } from "m220/dom.js";
import { labelNear } from "m220/state.js";
import { text } from "m220/text.js";
import { cellName, grouped, instructionText } from "m220/words.js";

const SIDE = 64;
/** The glow of a cell in steps of brightness, of which 0 is one. */
const LEVELS = 6;
const STEPS = LEVELS + 1;
const level = (heat) => Math.ceil(heat * LEVELS);

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
    const legend = document.createElement("p");
    legend.className = "legend";
    for (const name of ["executed", "read", "written", "full"]) {
      make(legend, "span", {}, make(null, "i", { className: `key ${name}` }), text(`core.${name}`));
    }
    parent.append(legend, this.maps, this.inspector, ...(source.kind === "live" ? [this.editor()] : []));
    document.addEventListener("m220-theme", () => (this.colours = null), { signal });
    // Measured only when it changes: asking for a width makes the browser lay the page out.
    this.resized = new ResizeObserver(() => {
      for (const cube of this.cubes) {
        cube.size = Math.max(2, Math.floor((cube.canvas.clientWidth * devicePixelRatio) / SIDE));
      }
      this.draw();
    });
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

  /** Every cube up to the last one that is not empty gets a map, and the first one always does. */
  ensure() {
    const { state } = this;
    const last = state.core.findLastIndex((word) => word !== 0);
    for (let cube = this.cubes.length; cube === 0 || cube * SIDE * SIDE <= last; cube++) {
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
      const drawn = new Int16Array(SIDE * SIDE).fill(-1);
      this.cubes.push({ canvas, context: canvas.getContext("2d"), size: 2, drawn });
      this.resized.observe(canvas);
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
      for (const cube of this.cubes) cube.drawn.fill(-1);
    }
    this.cubes.forEach((cube, number) => this.drawCube(cube, number * SIDE * SIDE));
    this.inspect();
  }

  /** Draws the cells that look otherwise than before. */
  drawCube({ canvas, context, size, drawn }, first) {
    const { state, colours, selected } = this;
    if (canvas.width !== size * SIDE) {
      canvas.width = canvas.height = size * SIDE;
      drawn.fill(-1);
    }
    const inner = size > 4 ? size - 1 : size;
    const { executed, read, written } = state.heat;
    const paint = (colour, light, draw) => {
      if (light === 0) return;
      context.globalAlpha = light / LEVELS;
      context.fillStyle = colour;
      draw();
    };
    for (let index = 0; index < SIDE * SIDE; index++) {
      const cell = first + index;
      const [isFull, run] = [state.core[cell] !== 0, level(executed[cell])];
      const [fetched, stored] = [level(read[cell]), level(written[cell])];
      const look = ((Number(isFull) * STEPS + run) * STEPS + fetched) * STEPS + stored;
      if (look === drawn[index]) continue;
      drawn[index] = look;
      const [x, y] = [(index % SIDE) * size, Math.floor(index / SIDE) * size];
      const [right, low] = [x + inner, y + inner];
      paint(colours.empty, LEVELS, () => context.fillRect(x, y, size, size));
      const whole = () => context.fillRect(x, y, inner, inner);
      if (isFull) paint(colours.full, LEVELS, whole);
      paint(colours.executed, run, whole);
      paint(colours.read, fetched, () => triangle(context, [x, y], [right, y], [x, low]));
      paint(colours.written, stored, () => triangle(context, [right, low], [right, y], [x, low]));
    }
    if (selected === null || selected < first || selected >= first + SIDE * SIDE) return;
    const [column, row] = [selected % SIDE, Math.floor((selected - first) / SIDE)];
    context.globalAlpha = 1;
    context.strokeStyle = colours.chosen;
    context.lineWidth = Math.max(1, size / 4);
    context.strokeRect(column * size - 1, row * size - 1, size + 1, size + 1);
    // The frame lies over the neighbours: they are drawn anew with the next picture.
    for (const middle of [-SIDE, 0, SIDE].map((by) => selected - first + by)) {
      drawn.fill(-1, Math.max(0, middle - 1), Math.max(0, middle + 2));
    }
  }

  inspect() {
    const { state, selected } = this;
    if (selected === null) {
      put(this.inspector, text("core.choose"));
      return;
    }
    const word = state.core[selected];
    const reading = word === 0 ? "0" : instructionText(word, state.description, state.labels, selected >> 12);
    put(this.inspector, `${cellName(selected)} ${labelNear(state, selected)}  ${grouped(word)}  ${reading}`);
  }
}

function triangle(context, ...points) {
  context.beginPath();
  points.forEach(([x, y]) => context.lineTo(x, y));
  context.fill();
}
