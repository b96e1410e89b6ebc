// The answer to a question that was asked beside the machine: sentences and lists, drawn on a board of its own.

import { BoardPanel } from "m220/board.js";
import { make } from "m220/dom.js";
import { isWhite, lettersOf, roleOf } from "m220/squares.js";
import { edges } from "m220/tables.js";
import { said, text } from "m220/text.js";

const TELL_EVERY_MS = 200;

/** What a service gives to be shown, as the board draws it. */
function viewOf({ fen, captions, lists }) {
  const pieces = new Map();
  lettersOf(fen).forEach((letter, index) => {
    if (letter !== "") pieces.set((index % 8) * 8 + 7 - (index >> 3), { white: isWhite(letter), role: roleOf(letter) });
  });
  const items = lists.flatMap((list) => list.items);
  for (const item of items) Object.assign(item, { way: item.ways[0] ?? [], text: said(item.text) });
  for (const list of lists) list.title = said(list.title);
  const arrows = edges(items.flatMap(({ ways }) => ways), pieces);
  return { pieces, fields: new Map(), arrows, captions: captions.map(said), lists };
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
    this.parent.replaceChildren();
    const { shown, equal, next, error } = await this.wait("answer.waiting", service, question, asking);
    if (this.asking !== asking) return null;
    if (error !== null) return this.end(error);
    this.tell(equal);
    const view = viewOf(shown);
    const board = make(this.parent, "div");
    new BoardPanel(board, board, { running: false }, () => view).draw();
    if (!next) return this.end(null);
    // The machine takes far longer: what the native program has found stands above while it works.
    const machine = await this.wait("answer.machine", next, question, asking);
    if (this.asking !== asking) return null;
    if (machine.error !== null) return this.end(machine.error);
    for (const sentence of machine.shown.captions) this.tell(sentence, "captions");
    this.tell(machine.equal);
    return this.end(null);
  }

  /** The answer of a service; until it is there, how long it has taken, and a button that stops it. */
  async wait(key, service, question, asking) {
    const begun = performance.now();
    const waiting = make(this.parent, "p", { className: "captions" });
    const tell = () => (waiting.textContent = text(key, { seconds: Math.round((performance.now() - begun) / 1000) }));
    tell();
    const telling = setInterval(tell, TELL_EVERY_MS);
    const stop = make(this.parent, "button", { type: "button", className: "answer-stop" }, text("answer.stop"));
    stop.addEventListener("click", () => asking.abort());
    const answer = await this.source.call(service, question, { signal: asking.signal });
    clearInterval(telling);
    for (const made of [waiting, stop]) made.remove();
    return answer;
  }

  tell(sentence, className = "equal") {
    if (sentence !== null) make(this.parent, "p", { className, textContent: said(sentence) });
  }

  end(error) {
    this.asking = null;
    return error === "stopped" ? text("answer.stopped") : error;
  }
}
