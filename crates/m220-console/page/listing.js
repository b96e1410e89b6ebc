// The program's text around the current instruction.

import { make, put } from "m220/dom.js";
import { labelNear } from "m220/state.js";
import { currentLanguage, text } from "m220/text.js";
import { cellName, grouped, instructionText } from "m220/words.js";

/** Lines of the window where its height is not known, and at least. */
const LINES = 21;
const FEWEST_LINES = 7;
/** How far a key moves long lines, in pixels. */
const SIDEWAYS = 40;
/** While the machine runs at its own speed or faster, the window follows it no faster than can be read. */
const FOLLOW_EVERY_MS = 350;

export class Listing {
  constructor(parent, source) {
    const { state } = source;
    this.source = source;
    this.state = state;
    this.moved = -Infinity;
    this.first = null;
    /** The line on which the keyboard stands; null while the window follows the machine. */
    this.cursor = null;
    /** For each cell of the source its file and line. */
    this.lineOf = new Map();
    this.cellsOf = new Map();
    for (const [cell, file, line] of state.description.lines) {
      this.lineOf.set(cell, { file, line });
      const key = `${file}:${line}`;
      if (!this.cellsOf.has(key)) this.cellsOf.set(key, cell);
    }
    this.comments = {};
    if (currentLanguage() === "ru") this.translate();
    this.texts = state.description.files.map((file) => file.text.split("\n"));
    this.place = make(parent, "p", { className: "listing-place" });
    this.box = make(parent, "div", { className: "listing-box", tabIndex: 0, role: "group" });
    const live = source.kind === "live";
    this.box.setAttribute("aria-label", text(live ? "listing.live" : "listing.replay"));
    this.table = make(this.box, "table", { className: "listing" });
    this.rows = Array.from({ length: LINES }, () => this.row(live));
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("blur", () => this.leave());
    // Measured only when it changes: asking for a height makes the browser lay the page out.
    new ResizeObserver(() => {
      this.fit();
      this.draw(performance.now());
    }).observe(this.box);
  }

  /** The comments of the programs that come with the page are there in Russian too. */
  async translate() {
    const { document: comments } = (await this.source.call?.("comments", {})) ?? {};
    this.comments = comments ?? {};
    this.draw(performance.now());
  }

  row(live) {
    const row = this.table.insertRow();
    const made = { row, content: "", of: undefined };
    for (const name of ["mark", "cell", "word", "text"]) made[name] = make(row, "td", { className: name });
    if (live) {
      for (const place of [made.mark, made.cell]) {
        place.title = text("listing.breakpoint");
        place.addEventListener("click", () => this.breakpoint(made.of));
      }
    }
    return made;
  }

  breakpoint(cell) {
    if (cell !== undefined && this.source.kind === "live") this.source.tell({ do: "breakpoint", cell });
  }

  /** The keyboard chooses a line and reads it to its end; the window stays there until Escape or the focus leaves. */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const by = { ArrowUp: -1, ArrowDown: 1, PageUp: -this.lines, PageDown: this.lines }[event.key];
    if (by !== undefined) {
      const last = this.file >= 0 ? this.texts[this.file].length : this.state.cells - 1;
      this.cursor = Math.max(this.file >= 0 ? 1 : 0, Math.min(last, (this.cursor ?? this.current) + by));
      this.first = Math.min(this.cursor, Math.max(this.first, this.cursor - this.lines + 1));
    } else if ((event.key === "Enter" || event.key === "b") && this.cursor !== null) {
      this.breakpoint(this.rows[this.cursor - this.first]?.of);
    } else if (event.key === "Escape" && this.cursor !== null) this.cursor = null;
    else if (/^Arrow(Left|Right)$/.test(event.key) && this.cursor !== null) {
      this.box.scrollLeft += event.key === "ArrowLeft" ? -SIDEWAYS : SIDEWAYS;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.draw(performance.now());
  }

  leave() {
    this.cursor = null;
    this.draw(performance.now());
  }

  /** As many lines as the window is high. */
  fit() {
    const height = this.table.rows[0].offsetHeight || 18;
    const room = Math.floor((this.box.clientHeight - 2) / height);
    this.lines = this.fixed() ? Math.max(FEWEST_LINES, Math.min(room, 80)) : LINES;
    while (this.rows.length < this.lines) this.rows.push(this.row(this.source.kind === "live"));
    for (const [index, { row }] of this.rows.entries()) row.hidden = index >= this.lines;
  }

  /** Whether the page gives the listing its height, or the listing the page. */
  fixed() {
    return getComputedStyle(this.box).overflowY === "hidden";
  }

  draw(now) {
    const { state } = this;
    if (this.lines === undefined) this.fit();
    const at = state.running ? state.at : (state.stop?.at ?? state.next);
    const line = this.lineOf.get(at);
    const file = line?.file ?? -1;
    const index = line === undefined ? at : line.line;
    if (this.cursor === null) {
      this.current = index;
      const margin = Math.min(3, this.lines >> 2);
      const inside = this.first !== null && file === this.file
        && index >= this.first + margin && index < this.first + this.lines - margin;
      const readable = !state.running || this.source.speed < 1;
      if (!inside && (readable || now - this.moved > FOLLOW_EVERY_MS)) {
        this.file = file;
        this.first = Math.max(file >= 0 ? 1 : 0, index - Math.floor(this.lines / 3));
        this.moved = now;
      }
    }
    const name = file >= 0 ? `${state.description.files[file].name}:${index}` : text("listing.no-source");
    put(this.place, `${cellName(at)} ${labelNear(state, at)} · ${name}`);
    for (const [offset, row] of this.rows.entries()) {
      if (offset < this.lines) this.drawRow(row, this.first + offset, at);
    }
  }

  drawRow(row, index, at) {
    const { state } = this;
    const bySource = this.file >= 0;
    const cell = bySource ? this.cellsOf.get(`${this.file}:${index}`) : index;
    const known = cell !== undefined && cell >= 0 && cell < state.cells;
    const changed = known && state.core[cell] !== state.loaded[cell];
    const line = this.lineOf.get(at);
    const isNext = known && (cell === at || (bySource && line?.file === this.file && line?.line === index));
    const shown = isNext ? at : cell;
    const word = known ? state.core[shown] : 0;
    const reading = known ? instructionText(word, state.description, state.labels, shown >> 12) : "";
    const source = bySource ? (this.texts[this.file]?.[index - 1] ?? "") : reading;
    const written = source.replace(/;.*$/, (comment) => this.comments[comment.trimEnd()] ?? comment);
    const semicolon = bySource ? written.indexOf(";") : -1;
    const [code, comment] = semicolon < 0 ? [written, ""] : [written.slice(0, semicolon), written.slice(semicolon)];
    const now = changed && bySource ? text("listing.now", { instruction: reading }) : "";
    const stop = known && (this.source.frame?.breakpoints ?? []).includes(shown);
    const chosen = this.cursor === index;
    row.of = known ? shown : undefined;
    const content = [isNext, stop, chosen, shown, word, written, now].join("|");
    if (row.content === content) return;
    row.content = content;
    row.row.className = [isNext && "next", stop && "stop", chosen && "chosen"].filter(Boolean).join(" ");
    if (isNext) row.row.setAttribute("aria-current", "true");
    else row.row.removeAttribute("aria-current");
    put(row.mark, stop ? "●" : isNext ? "▸" : changed ? "~" : "");
    put(row.cell, known ? cellName(shown) : "");
    put(row.word, known ? grouped(word) : "");
    row.text.textContent = code;
    row.text.title = [written.trim(), now].filter(Boolean).join("\n");
    if (comment !== "") make(row.text, "span", { className: "comment", textContent: comment });
    if (now !== "") make(row.text, "span", { className: "changed", textContent: now });
  }
}
