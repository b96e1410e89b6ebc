// A step opened into its parts: what the processor does with one instruction, from the fetch to Omega. What it found is
// read before the step, what it left behind after it.

import { make } from "m220/dom.js";
import { text } from "m220/text.js";
import { counted } from "m220/units.js";
import { a1, a2, a3, cellName, code, grouped, modified, octal } from "m220/words.js";

const CELLS = 4096;
const CUBES = ["RPA1", "RPA2", "RPA3"];

/** The next instruction of a machine at rest, with its effective addresses and what stands there. */
function stepOf(state) {
  const at = state.next;
  const word = (at % CELLS) === 0 ? state.register("RR") : state.word(at);
  const bits = code(word);
  const { name, roles } = state.description.opcodes[bits];
  const ra = state.register("RA");
  const marks = modified(word);
  const fields = [a1(word), a2(word), a3(word)].map((field, index) => {
    const address = (field + (marks[index] ? ra : 0)) % CELLS;
    const role = roles[index];
    const cell = (role === "j" ? Math.floor(at / CELLS) : state.register(CUBES[index])) * CELLS + address;
    return { field, address, cell, role, isModified: marks[index], held: address === 0 ? 0 : state.word(cell) };
  });
  return { at, word, bits, name, fields, ra, omega: state.register("OMEGA"), instructions: state.instructions };
}

export class Parts {
  constructor(parent, source) {
    Object.assign(this, { source, box: parent, next: null, seen: null, told: null, rows: [] });
    parent.replaceChildren(make(null, "summary", { textContent: text("parts.heading") }));
    this.said = make(parent, "p", { className: "captions" });
    this.list = make(parent, "ol");
    parent.ontoggle = () => this.open();
    if (parent.open) this.open();
  }

  /** The table of instructions speaks the reader's language; a recording has only their names. */
  async open() {
    this.draw();
    const { state } = this.source;
    if (!this.box.open || this.rows.length > 0 || this.source.call === undefined) return;
    this.rows = (await this.source.call("opcodes", { model: state.description.model })).document ?? [];
    // What was shown meanwhile had only the names.
    if (this.told !== null && !state.running) this.tell(...this.told);
  }

  draw() {
    const { state } = this.source;
    if (!this.box.open || state.running) return;
    const next = stepOf(state);
    // A word or a register that was set is seen as well as a step.
    const seen = JSON.stringify(next);
    if (seen === this.seen) return;
    const done = this.next?.instructions + 1 === next.instructions ? this.next : null;
    Object.assign(this, { next, seen });
    // Behind a halt stands no program.
    const isOver = done === null && state.stop?.reason === "halt";
    this.told = isOver ? null : [done ?? this.next, done !== null];
    if (!isOver) return this.tell(...this.told);
    this.said.textContent = "";
    this.list.replaceChildren();
    return undefined;
  }

  /** The six parts; of a step that is not done yet, store and Omega are left open. */
  tell({ at, word, bits, name, fields, ra, omega, instructions }, isDone) {
    const { state } = this.source;
    const cells = fields.filter(({ role }) => role === "r");
    const modified = fields.filter(({ isModified }) => isModified);
    const place = ({ cell }) => cellName(cell);
    const target = fields[2].role === "w" ? fields[2] : null;
    const result = isDone ? grouped(target?.address > 0 ? state.word(target.cell) : state.register("RR")) : "…";
    const row = this.rows[bits];
    const parts = {
      fetch: text("parts.fetch", { cell: cellName(at), word: grouped(word) }),
      modify: modified.length === 0 ? text("parts.modify-none")
        : text("parts.modify", { ra: octal(ra, 4), sums: modified.map(({ field, address }) =>
          `${octal(field, 4)} + ${octal(ra, 4)} = ${octal(address, 4)}`).join("; ") }),
      operands: cells.length === 0 ? text("parts.operands-none")
        : cells.map((cell) => `${place(cell)}: ${grouped(cell.held)}`).join("; "),
      operation: row === undefined ? name : `${name}: ${row.summary}`,
      store: target === null ? text("parts.store-none")
        : text(target.address === 0 ? "parts.store-lost" : "parts.store", { cell: place(target), word: result }),
      omega: text("parts.omega", { before: omega, after: isDone ? state.register("OMEGA") : "…" }),
    };
    this.said.textContent = text(isDone ? "parts.done" : "parts.next", { number: counted(instructions + 1) });
    this.list.replaceChildren(...Object.entries(parts).map(([part, told]) =>
      make(null, "li", {}, make(null, "strong", { textContent: text(`parts.${part}.name`) }), ` ${told}`)));
  }
}
