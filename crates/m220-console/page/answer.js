// The answer to a question that was asked beside the machine: sentences and lists, drawn on a board of its own.

import { BoardPanel } from "m220/board.js";
import { make } from "m220/dom.js";
import { isWhite, lettersOf, roleOf } from "m220/squares.js";
import { text } from "m220/text.js";

const TELL_EVERY_MS = 200;

/** What is shown of an answer, as the board draws it: its lists and tables are pointed at, their ways drawn. */
function viewOf({ board, arrows, marks }, { parts }) {
  const pieces = new Map();
  lettersOf(board).forEach((letter, index) => {
    if (letter !== "") pieces.set((index % 8) * 8 + 7 - (index >> 3), { white: isWhite(letter), role: roleOf(letter) });
  });
  const lists = parts.flatMap((part) => {
    if (part.kind === "list") return [{ title: part.title, items: part.items }];
    if (part.kind !== "table") return [];
    const items = part.rows.map(({ cells, ways }) => ({ text: cells.join("  "), ways }));
    return [{ title: `${part.title} ${part.columns.map(({ name }) => name).join("  ")}`.trim(), items }];
  });
  for (const item of lists.flatMap(({ items }) => items)) item.way = item.ways[0] ?? [];
  const drawn = arrows.flatMap(({ way, side, width }) =>
    way.slice(1).map((to, step) => ({ from: way[step], to, share: width / 6, white: side !== "black" })));
  const fields = new Map(marks.filter(({ text }) => text !== "").map(({ square, text }) => [square, { bundle: [text] }]));
  return { pieces, fields, arrows: drawn, captions: [], lists };
}

export class Answer {
  constructor(parent, source) {
    Object.assign(this, { parent, source, asking: null });
  }

  stop() {
    this.asking?.abort();
  }

  /** Asks, and shows the answer; returns the sentence that says why there is none, or null. */
  async ask({ name, native_first: nativeFirst }, question) {
    this.stop();
    const asking = new AbortController();
    this.asking = asking;
    this.parent.replaceChildren();
    const engine = nativeFirst ? "native" : null;
    const reply = await this.wait("answer.waiting", name, question, asking, engine);
    if (this.asking !== asking) return null;
    if (reply.error !== null) return this.end(reply.error);
    this.tell(reply);
    if (!reply.next || !nativeFirst) return this.end(null);
    // The machine takes far longer: what the native program has found stands above while it works.
    const machine = await this.wait("answer.machine", name, question, asking, "both");
    if (this.asking !== asking) return null;
    if (machine.error !== null) return this.end(machine.error);
    this.sentences(machine.said === null ? [] : [machine.said.headline], "headline");
    this.sentences([...machine.engines, machine.trouble], "equal");
    return this.end(null);
  }

  /** The words of an answer, and its board. */
  tell({ said, shown, engines, trouble }) {
    if (said !== null) {
      this.sentences([said.headline], "headline");
      const proof = said.proof.map(({ number, san }) => `${number ?? ""}${san}`).join(" ");
      this.sentences([proof], "captions");
    }
    this.sentences([...engines, trouble], "equal");
    if (said === null) return;
    const board = make(this.parent, "div");
    const view = viewOf(shown, said);
    new BoardPanel(board, board, { running: false }, () => view).draw();
    for (const part of said.parts) {
      if (part.kind === "facts") {
        this.sentences([part.title, ...part.facts.map(({ name, value }) => `${name}: ${value.trim()}`)], "captions");
      } else if (part.kind === "text") this.sentences(part.lines, "captions");
    }
    this.sentences([...shown.legend, ...said.remarks], "captions");
  }

  /** The answer of a service; until it is there, how long it has taken, and a button that stops it. */
  async wait(key, service, question, asking, engine) {
    const begun = performance.now();
    const waiting = make(this.parent, "p", { className: "captions" });
    const tell = () => (waiting.textContent = text(key, { seconds: Math.round((performance.now() - begun) / 1000) }));
    tell();
    const telling = setInterval(tell, TELL_EVERY_MS);
    const stop = make(this.parent, "button", { type: "button", className: "answer-stop" }, text("answer.stop"));
    stop.addEventListener("click", () => asking.abort());
    const answer = await this.source.call(service, question, { signal: asking.signal, engine });
    clearInterval(telling);
    for (const made of [waiting, stop]) made.remove();
    return answer;
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
