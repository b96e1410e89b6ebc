// A game against a program: the visitor's moves by mouse or keyboard, the program's by its service. Bell's program is
// loaded into the machine as well, so that the lamps show it at work.

import { refusalOf } from "m220/dom.js";
import { START, Squares, isWhite, lettersOf } from "m220/squares.js";
import { text } from "m220/text.js";
import { duration } from "m220/units.js";

const element = (id) => document.getElementById(id);
/** The longest listing that is read, in bytes. */
const MOST_LISTING = 1 << 20;

export class Play {
  constructor(source) {
    this.source = source;
    this.deck = "";
    this.thinking = null;
    const board = document.querySelector("#play .setup-board");
    this.squares = new Squares(board, { click: (name) => this.click(name), drag: (from, to) => this.move(from, to) });
    element("play-button").onclick = () => this.show(element("play").hidden);
    element("play-close").onclick = () => this.show(false);
    element("play-new").onclick = () => this.begin();
    element("play-back").onclick = () => this.takeBack();
    element("play-stop").onclick = () => this.thinking?.abort();
    element("play-open").onclick = () => element("play-deck").click();
    element("play-deck").onchange = () => this.read(element("play-deck").files[0]);
    element("play-against").onchange = () => this.choose();
  }

  show(shown) {
    element("play").hidden = !shown;
    element("board").hidden = shown;
    // The panel is there without a board of the program, too.
    this.source.fresh = true;
    element("play-button").setAttribute("aria-pressed", String(shown));
    if (shown && this.legal === undefined) this.begin();
    if (!shown) this.thinking?.abort();
  }

  choose() {
    element("play-listing").hidden = element("play-against").value !== "itep";
  }

  /** The visitor's own copy of the institute's listing stays in this page. */
  async read(file) {
    if (file === undefined) return;
    const refusal = await refusalOf([file], MOST_LISTING);
    if (refusal !== null) return this.say(text(refusal));
    this.deck = await file.text();
    element("play-name").textContent = file.name;
    element("play-against").value = "itep";
    this.choose();
    return this.begin();
  }

  say(sentence) {
    element("play-said").textContent = sentence;
  }

  async begin() {
    this.thinking?.abort();
    Object.assign(this, { moves: [], sans: [], clock: 0, from: null, fens: [START] });
    await this.look();
    return this.answer();
  }

  get white() {
    return element("play-side").value === "white";
  }

  get visitorsTurn() {
    return (this.legal?.turn === "white") === this.white;
  }

  /** The position and its legal moves. */
  async look() {
    const fen = this.fens.at(-1);
    const { document: legal, error } = await this.source.call("legal", { fen });
    if (fen !== this.fens.at(-1)) return undefined;
    if (error !== null) return this.say(error);
    this.legal = legal;
    this.say(legal.end === null ? "" : text(`play.${legal.end}`));
    return this.draw();
  }

  draw() {
    const last = this.moves.at(-1);
    const from = this.from === null ? [] : [this.from];
    const goals = this.from === null ? [] : this.legal.moves.filter(({ uci }) => uci.startsWith(this.from));
    const played = this.from === null && last !== undefined ? [last.slice(0, 2), last.slice(2, 4)] : [];
    const to = [...played, ...goals.map(({ uci }) => uci.slice(2, 4))];
    this.squares.draw(lettersOf(this.fens.at(-1)), { from, to });
    const numbered = this.sans.map((san, index) => (index % 2 === 0 ? `${index / 2 + 1}.${san}` : san));
    element("play-moves").textContent = numbered.join(" ");
    element("play-clock").textContent = text("play.clock", { time: duration(this.clock) });
  }

  click(name) {
    if (this.thinking !== null || !this.visitorsTurn) return;
    const letter = this.squares.letters[this.squares.index(name)];
    if (letter !== "" && isWhite(letter) === this.white) this.from = this.from === name ? null : name;
    else if (this.from !== null) return this.move(this.from, name);
    this.draw();
  }

  /** A pawn on its last rank becomes what the visitor has chosen. */
  async move(from, to) {
    this.from = null;
    const wanted = this.legal.moves.filter(({ uci }) => uci.startsWith(from + to));
    const chosen = wanted.find(({ uci }) => uci.length === 4 || uci[4] === element("play-promotion").value);
    if (chosen === undefined || this.thinking !== null || !this.visitorsTurn) return this.draw();
    this.made(chosen);
    await this.look();
    return this.answer();
  }

  made({ uci, san, fen }) {
    this.moves.push(uci);
    this.sans.push(san);
    this.fens.push(fen);
  }

  /** The program's move, if it is its turn. */
  async answer() {
    if (this.legal.end !== null || this.visitorsTurn) return;
    const player = element("play-against").value;
    if (player === "itep" && this.deck === "") return this.say(text("play.no-listing"));
    const thinking = new AbortController();
    this.thinking = thinking;
    element("play-stop").hidden = false;
    this.say(text("play.thinking"));
    if (player === "bell") this.light(this.fens.at(-1));
    const question = { player, fen: this.fens[0], moves: this.moves, deck: player === "itep" ? this.deck : "" };
    const { document: made, error } = await this.source.call("reply", question, { signal: thinking.signal });
    if (this.thinking !== thinking) return;
    this.thinking = null;
    element("play-stop").hidden = true;
    if (error !== null) return this.say(error === "stopped" ? text("answer.stopped") : error);
    if (made.uci === null) return this.say(made.end);
    this.clock += made.half_microseconds ?? 0;
    this.made(made);
    await this.look();
    this.say(made.end === null ? `${made.san}: ${made.reason}` : made.end);
  }

  /** The same question in the machine that is shown. */
  async light(fen) {
    const { error } = await this.source.ask({ do: "task", task: "bell", question: { fen, cut_off: true } });
    if (error === null) await this.source.play();
  }

  takeBack() {
    this.thinking?.abort();
    this.thinking = null;
    const count = this.visitorsTurn ? 2 : 1;
    if (this.moves.length < count) return;
    for (const list of [this.moves, this.sans, this.fens]) list.splice(-count);
    this.look();
  }
}
