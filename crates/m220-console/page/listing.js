// The program's text around the current instruction.

import { cellName, grouped, instructionText } from "m220/words.js";
import { labelNear } from "m220/state.js";

const LINES = 21;
/** While the machine runs the window follows it, but not faster than can be read. */
const FOLLOW_EVERY_MS = 350;

export class Listing {
  constructor(parent, source) {
    const { state } = source;
    this.source = source;
    this.state = state;
    this.moved = -Infinity;
    this.first = null;
    /** For each cell of the source its file and line. */
    this.lineOf = new Map();
    this.cellsOf = new Map();
    for (const [cell, file, line] of state.description.lines) {
      this.lineOf.set(cell, { file, line });
      const key = `${file}:${line}`;
      if (!this.cellsOf.has(key)) this.cellsOf.set(key, cell);
    }
    this.texts = state.description.files.map((file) => file.text.split("\n"));
    this.place = document.createElement("p");
    this.place.className = "listing-place";
    const table = document.createElement("table");
    table.className = "listing";
    const caption = table.createCaption();
    caption.className = "hidden";
    caption.textContent = "Lines around the instruction at work";
    const columns = document.createElement("colgroup");
    columns.append(...["mark", "cell", "word", "text"].map((name) => {
      const column = document.createElement("col");
      column.className = name;
      return column;
    }));
    table.append(columns);
    this.rows = Array.from({ length: LINES }, () => {
      const row = table.insertRow();
      const [mark, cell, word, text] = ["mark", "cell", "word", "text"].map((name) => {
        const made = row.insertCell();
        made.className = name;
        return made;
      });
      const made = { row, mark, cell, word, text, content: "", of: undefined };
      if (source.kind === "live") {
        cell.title = "set a breakpoint here, or take it away";
        cell.addEventListener("click", () => made.of !== undefined && source.tell({ do: "breakpoint", cell: made.of }));
      }
      return made;
    });
    parent.append(this.place, table);
  }

  draw(now) {
    const { state } = this;
    const at = state.running ? state.at : (state.stop?.at ?? state.next);
    const line = this.lineOf.get(at);
    const file = line?.file ?? -1;
    const index = line === undefined ? at : line.line;
    const inside = this.first !== null && file === this.file && index >= this.first + 3 && index < this.first + LINES - 3;
    if (!inside && (!state.running || now - this.moved > FOLLOW_EVERY_MS)) {
      this.file = file;
      this.first = index - 8;
      this.moved = now;
    }
    const name = file >= 0 ? `${state.description.files[file].name}:${index}` : "no source line";
    this.place.textContent = `${cellName(at)} ${labelNear(state, at)} · ${name}`;
    for (const [offset, row] of this.rows.entries()) this.drawRow(row, this.first + offset, at);
  }

  drawRow(row, index, at) {
    const { state } = this;
    const bySource = this.file >= 0;
    const cell = bySource ? this.cellsOf.get(`${this.file}:${index}`) : index;
    const known = cell !== undefined && cell >= 0 && cell < state.cells;
    const word = known ? state.core[cell] : 0;
    const changed = known && word !== state.loaded[cell];
    const isNext = known && (cell === at || (bySource && this.lineOf.get(at)?.file === this.file && this.lineOf.get(at)?.line === index));
    const shown = isNext ? at : cell;
    let text = bySource ? (this.texts[this.file]?.[index - 1] ?? "") : known ? instructionText(word, state.description, state.labels, cell >> 12) : "";
    let comment = "";
    const semicolon = bySource ? text.indexOf(";") : -1;
    if (semicolon >= 0) [text, comment] = [text.slice(0, semicolon), text.slice(semicolon)];
    const now = changed && bySource ? instructionText(state.core[shown], state.description, state.labels, shown >> 12) : "";
    const stop = known && (this.source.frame?.breakpoints ?? []).includes(shown);
    row.of = known ? shown : undefined;
    const content = [isNext, stop, shown, known && state.core[shown], text, now].join("|");
    if (row.content === content) return;
    row.content = content;
    row.row.className = `${isNext ? "next" : ""} ${stop ? "stop" : ""}`;
    if (isNext) row.row.setAttribute("aria-current", "true");
    else row.row.removeAttribute("aria-current");
    row.mark.textContent = stop ? "●" : isNext ? "▸" : changed ? "~" : "";
    row.mark.title = changed ? "changed since loading" : "";
    row.cell.textContent = known ? cellName(shown) : "";
    row.word.textContent = known ? grouped(state.core[shown]) : "";
    row.text.textContent = text;
    const add = (className, content) => {
      const span = document.createElement("span");
      span.className = className;
      span.textContent = content;
      row.text.append(span);
    };
    if (comment !== "") add("comment", comment);
    if (now !== "") add("changed", `now ${now}`);
  }
}
