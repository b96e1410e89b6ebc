// The instructions beside the editor: what the one at the cursor does, names that complete what is typed, the table.

import { make } from "m220/dom.js";
import { text } from "m220/text.js";
import { counted } from "m220/units.js";

const element = (id) => document.getElementById(id);
/** So many names are offered at once. */
const MOST_OFFERED = 6;

export class Reference {
  constructor(source, area) {
    this.source = source;
    this.area = area;
    this.rows = [];
    document.addEventListener("selectionchange", () => {
      if (document.activeElement === area) this.look();
    });
  }

  /** The table of the machine that the program names. */
  async open() {
    const model = /^\s*model\s+(m220|m20|itep)\b/mu.exec(this.area.value)?.[1] ?? "m220";
    const asked = `${model} ${document.documentElement.lang}`;
    if (this.asked === asked) return;
    this.asked = asked;
    const { document: rows } = await this.source.call("opcodes", { model });
    if (this.asked !== asked) return;
    this.rows = rows ?? [];
    const heads = ["code", "name", "operands", "does", "m20", "m220"].map((head) => text(`reference.${head}`));
    const line = (cells, tag) => make(null, "tr", {}, ...cells.map((cell) => make(null, tag, { textContent: cell })));
    const lines = this.rows.map((row) => {
      const times = ["m20_us", "m220_us"].map((model) => this.time(row, model));
      return line([row.code, `${row.latin} ${row.cyrillic}`, row.operands, this.does(row), ...times], "td");
    });
    const head = make(null, "thead", {}, line(heads, "th"));
    element("reference-table").replaceChildren(head, make(null, "tbody", {}, ...lines));
    this.look();
  }

  does(row) {
    return row.omega === null ? row.summary : text("reference.omega", row);
  }

  time(row, model) {
    return `${counted(row[model])}${row.is_longer_by_places ? "+" : ""}`;
  }

  /** The word in the place of an instruction's name up to the cursor, and the rest of it. */
  wordHere() {
    const { selectionStart: at, selectionEnd: end, value } = this.area;
    if (at !== end) return null;
    const before = value.slice(value.lastIndexOf("\n", at - 1) + 1, at);
    const [, begun] = /^(?:\s*[\p{L}_.][\p{L}\d_.]*:)?\s*(\p{L}*\d?)$/u.exec(before) ?? [];
    const [rest] = /^[\p{L}\d]*/u.exec(value.slice(at));
    return begun === undefined ? null : { begun, rest, at };
  }

  /** The instruction on the cursor's line. */
  rowHere() {
    const { selectionStart: at, value } = this.area;
    const line = value.slice(value.lastIndexOf("\n", at - 1) + 1).split(/[\n;]/u)[0];
    const [, name] = /^(?:\s*[\p{L}_.][\p{L}\d_.]*:)?\s*([\p{L}\d]+)/u.exec(line) ?? [];
    const capital = name?.toUpperCase();
    return this.rows.find(({ latin, cyrillic }) => latin === capital || cyrillic === capital);
  }

  offered() {
    const word = this.wordHere();
    if (word === null || word.begun === "" || word.rest !== "") return [];
    const begun = word.begun.toUpperCase();
    const names = this.rows.flatMap(({ latin, cyrillic }) => [latin, cyrillic]);
    return names.filter((name) => name.startsWith(begun) && name !== begun).slice(0, MOST_OFFERED);
  }

  look() {
    const row = this.rowHere();
    const told = row && { ...row, does: this.does(row), m220: this.time(row, "m220_us") };
    element("reference-here").textContent = told ? text("reference.line", told) : "";
    const buttons = this.offered().map((name) => {
      const button = make(null, "button", { type: "button", textContent: name });
      button.addEventListener("click", () => this.complete(name));
      return button;
    });
    element("reference-offered").replaceChildren(...buttons);
  }

  /** Puts the whole name in place of its beginning; Ctrl+Z takes it back. */
  complete(name) {
    const word = this.wordHere();
    if (word === null || name === undefined) return;
    this.area.focus();
    this.area.setSelectionRange(word.at - word.begun.length, word.at);
    document.execCommand("insertText", false, `${name} `);
    this.look();
  }
}
