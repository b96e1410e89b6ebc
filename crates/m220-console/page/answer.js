// The answer to a question that was asked beside the machine: sentences and lists, drawn on a board of its own.

import { BoardPanel, termed } from "m220/board.js";
import { make, put, roving } from "m220/dom.js";
import { isWhite, lettersOf, roleOf } from "m220/squares.js";
import { text } from "m220/text.js";

const TELL_EVERY_MS = 200;

const numberOf = (square) => "abcdefgh".indexOf(square[0]) * 8 + Number(square[1]) - 1;

/** The pieces of a FEN by their squares. */
function piecesOf(fen) {
  const pieces = new Map();
  lettersOf(fen).forEach((letter, index) => {
    if (letter !== "") pieces.set((index % 8) * 8 + 7 - (index >> 3), { white: isWhite(letter), role: roleOf(letter) });
  });
  return pieces;
}

/** A table as a list whose lines are set in columns. */
function tableOf({ title, columns, rows }) {
  const widths = columns.map(({ name }, column) =>
    Math.max(name.length, ...rows.map(({ cells }) => cells[column].length)));
  const set = (word, column) =>
    (columns[column].figures ? word.padStart(widths[column]) : word.padEnd(widths[column]));
  const items = rows.map(({ cells, ways }) => ({ text: cells.map(set).join("  ").trimEnd(), ways }));
  return { title, heads: columns.map((column, place) => ({ ...column, room: widths[place] })), items };
}

/** What is shown of an answer, as the board draws it: its lists and tables are pointed at, their ways drawn. */
function viewOf({ board, arrows, marks }, { parts }) {
  const pieces = piecesOf(board);
  const lists = parts.flatMap((part) => {
    if (part.kind === "list") return [{ title: part.title, items: part.items }];
    if (part.kind !== "table") return [];
    return [tableOf(part)];
  });
  for (const item of lists.flatMap(({ items }) => items)) item.way = item.ways[0] ?? [];
  const drawn = arrows.flatMap(({ way, side, width }) =>
    way.slice(1).map((to, step) => ({ from: way[step], to, share: width / 6, white: side !== "black" })));
  const texts = marks.filter(({ text }) => text !== "");
  const fields = new Map(texts.map(({ square, text }) => [square, { label: text }]));
  return { pieces, fields, arrows: drawn, captions: [], lists };
}

export class Answer {
  /** The element after the parent's is read aloud: it holds one sentence, and not the boards and lists. */
  constructor(parent, source) {
    Object.assign(this, { parent, source, aloud: parent.nextElementSibling, asking: null });
  }

  stop() {
    this.asking?.abort();
  }

  /** Takes the answer away. */
  clear() {
    this.stop();
    this.asking = null;
    this.parent.replaceChildren();
    put(this.aloud, "");
  }

  /**
   * Asks, and shows the answer; returns the sentence that says why there is none, or null. A brief answer is the native
   * one alone, where that comes first.
   */
  async ask({ name, native_first: nativeFirst }, question, isBrief = false) {
    this.stop();
    const asking = new AbortController();
    this.asking = asking;
    this.parent.replaceChildren();
    const engine = nativeFirst ? "native" : null;
    const reply = await this.wait("answer.waiting", name, question, asking, engine);
    if (this.asking !== asking) return null;
    if (reply.error !== null) return this.end(reply.error);
    this.tell(reply);
    this.show();
    if (isBrief || !reply.next || !nativeFirst) return this.end(null);
    // The machine takes far longer: what the native program has found stands above while it works.
    const machine = await this.wait("answer.machine", name, question, asking, "both");
    if (this.asking !== asking) return null;
    if (machine.error !== null) return this.end(machine.error);
    // Where the machine has no room for the native program's rule, it has one of its own.
    if (machine.said?.headline !== reply.said?.headline) {
      this.sentences([text("answer.simpler")], "captions");
      this.headline(machine.said);
    }
    this.sentences([...machine.engines, machine.trouble], "equal");
    this.sentences(machine.notes.filter((note) => !reply.notes.includes(note)), "captions");
    return this.end(null);
  }

  /** Scrolls the dialog to it, and not the page that this one may stand in. */
  show() {
    const dialog = this.parent.closest("dialog");
    const [own, room] = [this.parent, dialog].map((box) => box.getBoundingClientRect());
    dialog.scrollBy(0, Math.max(0, Math.min(own.top - room.top, own.bottom - room.bottom)));
  }

  /** The words of an answer, and its board. */
  tell({ said, shown, engines, trouble, notes }) {
    this.headline(said);
    this.sentences([...engines, trouble], "equal");
    this.sentences(notes, "captions");
    if (said === null) return;
    const view = viewOf(shown, said);
    const proof = make(this.parent, "p", { className: "proof" });
    const board = make(this.parent, "div");
    const panel = new BoardPanel(board, board, { running: false }, () => view);
    panel.draw();
    this.proof(proof, said.proof, view, panel);
    for (const part of said.parts) {
      if (part.kind === "facts") {
        this.sentences([part.title], "captions");
        for (const fact of part.facts) {
          make(this.parent, "p", { className: "captions" }, termed(fact), `: ${fact.value.trim()}`);
        }
      } else if (part.kind === "text") this.sentences(part.lines, "captions");
    }
    this.sentences([...shown.legend, ...said.remarks], "captions");
  }

  /** The moves that prove it: each shows the position after it, and again the one of the question. */
  proof(parent, moves, view, panel) {
    const first = { ...view };
    const buttons = moves.map(({ number, san, uci, fen }) => {
      const button = make(parent, "button", { type: "button", textContent: `${number ?? ""}${san}` });
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        const isShown = button.getAttribute("aria-pressed") === "true";
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === button && !isShown));
        const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)].map(numberOf);
        const arrows = [{ from, to, share: 1, white: fen.split(" ")[1] === "b" }];
        Object.assign(view, isShown ? first : { pieces: piecesOf(fen), fields: new Map(), arrows });
        panel.draw();
      });
      return button;
    });
    roving(parent, () => buttons);
    if (buttons.length === 0) parent.remove();
  }

  /** The answer of a service; until it is there, how long it has taken, and a button that stops it. */
  async wait(key, service, question, asking, engine) {
    const begun = performance.now();
    const waiting = make(this.parent, "p", { className: "captions" });
    const tell = () => put(waiting, text(key, { seconds: Math.round((performance.now() - begun) / 1000) }));
    tell();
    put(this.aloud, waiting.textContent);
    const telling = setInterval(tell, TELL_EVERY_MS);
    const stop = make(this.parent, "button", { type: "button", className: "answer-stop" }, text("answer.stop"));
    stop.addEventListener("click", () => asking.abort());
    const answer = await this.source.call(service, question, { signal: asking.signal, engine });
    clearInterval(telling);
    for (const made of [waiting, stop]) made.remove();
    return answer;
  }

  headline(said) {
    if (said === null) return;
    this.sentences([said.headline], "headline");
    put(this.aloud, said.headline);
  }

  sentences(list, className) {
    for (const sentence of list) {
      if (sentence) make(this.parent, "p", { className, textContent: sentence });
    }
  }

  end(error) {
    this.asking = null;
    return error === "stopped" ? text("answer.stopped") : error;
  }
}
