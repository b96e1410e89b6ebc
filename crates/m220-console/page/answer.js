// The answer to a question that was asked beside the machine: sentences and lists, drawn on a board of its own.

import { BoardPanel } from "m220/board.js";
import { make } from "m220/dom.js";
import { isWhite, lettersOf, roleOf } from "m220/squares.js";
import { edges } from "m220/tables.js";
import { text } from "m220/text.js";

const TELL_EVERY_MS = 200;

/** What a service gives to be shown, as the board draws it. */
function viewOf({ fen, captions, lists }) {
  const pieces = new Map();
  lettersOf(fen).forEach((letter, index) => {
    if (letter !== "") pieces.set((index % 8) * 8 + 7 - (index >> 3), { white: isWhite(letter), role: roleOf(letter) });
  });
  const items = lists.flatMap((list) => list.items);
  for (const item of items) item.way = item.ways[0] ?? [];
  const arrows = edges(items.flatMap(({ ways }) => ways), pieces);
  return { pieces, fields: new Map(), arrows, captions, lists };
}

export class Answer {
  constructor(parent, source) {
    Object.assign(this, { parent, source, asking: null });
  }

  stop() {
    this.asking?.abort();
  }

  /** Asks, and shows the answer; returns the sentence that says why there is none, or null. */
  async ask(service, question) {
    this.stop();
    const asking = new AbortController();
    this.asking = asking;
    const begun = performance.now();
    const waiting = make(null, "p", { className: "captions" });
    const tell = () => {
      waiting.textContent = text("answer.waiting", { seconds: Math.round((performance.now() - begun) / 1000) });
    };
    tell();
    const telling = setInterval(tell, TELL_EVERY_MS);
    const stop = make(null, "button", { type: "button", textContent: text("answer.stop"), className: "answer-stop" });
    stop.addEventListener("click", () => asking.abort());
    this.parent.replaceChildren(waiting, stop);
    const { shown, equal, error } = await this.source.call(service, question, { signal: asking.signal });
    clearInterval(telling);
    if (this.asking !== asking) return null;
    this.asking = null;
    this.parent.replaceChildren();
    if (error !== null) return error === "stopped" ? text("answer.stopped") : error;
    if (equal !== null) make(this.parent, "p", { className: "equal", textContent: equal });
    const view = viewOf(shown);
    const board = make(this.parent, "div");
    new BoardPanel(board, board, { running: false }, () => view).draw();
    return null;
  }
}
