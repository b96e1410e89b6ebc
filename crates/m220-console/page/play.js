// A game against a program: the visitor's moves by mouse, finger or keyboard, the program's by its service. Bell's
// program and the map think in the machine that is shown, and the move is made when the machine has found it.

import { make, refusalOf, save } from "m220/dom.js";
import { claimable, drawnBy, pgnOf } from "m220/game.js";
import { remember, remembered } from "m220/kept.js";
import { START, Squares, isWhite, lettersOf, named, piece } from "m220/squares.js";
import { decode } from "m220/tables.js";
import { inLetters, sentences, text } from "m220/text.js";
import { duration } from "m220/units.js";

const element = (id) => document.getElementById(id);
/** The longest listing or score that is read, in bytes. */
const MOST_FILE = 1 << 20;
/** Where the game is kept. */
const KEPT = "m220-game";
/** How often the machine that thinks is looked at. */
const LOOK_MS = 50;
/** The programs that think in the machine, each by its task with the question that its reply answered. */
const TASKS = {
  bell: (fen) => ({ task: "bell", question: { fen, cut_off: true } }),
  map: (fen, { share, horizon }) => ({ task: "best", question: { fen, share, horizon_limit: horizon } }),
};
const RESULTS = ["1-0", "0-1", "1/2-1/2"];
const REASONS = ["checkmate", "stalemate", "resigned", "scored", "material", "threefold", "fivefold", "fifty",
  "seventy-five"];

export class Play {
  constructor(source) {
    const nothing = { thinking: null, isLoading: false, flipped: false, speedBefore: null, left: null };
    Object.assign(this, { source, deck: "", ...nothing });
    this.onshow = () => {};
    this.clear();
    const board = document.querySelector("#play .setup-board");
    this.squares = new Squares(board, { click: (name) => this.click(name), drag: (from, to) => this.move(from, to) });
    const acts = {
      "play-button": () => this.show(element("play").hidden),
      "play-close": () => this.show(false),
      "play-new": () => this.begin(),
      "play-back": () => this.takeBack(),
      "play-return": () => {
        const { left } = this;
        this.left = null;
        return this.load(left, true);
      },
      "play-stop": () => this.stop(),
      "play-flip": () => this.flip(),
      "play-resign": () => this.end(this.white ? "0-1" : "1-0", "resigned"),
      "play-claim": () => this.end("1/2-1/2", claimable(this.fens)),
      "play-copy": () => this.copy(),
      "play-save": () => save("game.pgn", "application/x-chess-pgn", this.score()),
      "play-load": () => element("play-score").click(),
      "play-open": () => element("play-deck").click(),
    };
    for (const [id, act] of Object.entries(acts)) element(id).onclick = act;
    for (const id of ["play-deck", "play-score"]) element(id).onchange = () => this.read(element(id).files[0]);
    element("play-against").onchange = () => this.change();
    element("play-side").onchange = () => this.change();
    // Wherever the focus is: on a fresh page nothing has it.
    document.addEventListener("keydown", (event) => this.key(event));
  }

  clear() {
    // A game of a link or a score takes the place of the visitor's own only once it is gone on with.
    this.isOwn = true;
    // Those of a score that was opened.
    this.tags = null;
    Object.assign(this, { moves: [], sans: [], fens: [START], clock: 0, over: null, at: 0, from: null });
  }

  async show(shown) {
    element("play").hidden = !shown;
    element("board").hidden = shown;
    // The panel is there without a board of the program, too.
    this.source.fresh = true;
    element("play-button").setAttribute("aria-pressed", String(shown));
    if (!shown) return this.leave();
    this.onshow();
    // What the program thinks of is not waited for.
    if (this.legal !== undefined) this.answer();
    else if (!(await this.restore())) await this.begin();
  }

  /** The machine is as fast again as it was before the game. */
  leave() {
    this.halt();
    if (this.speedBefore !== null) Object.assign(this.source, this.speedBefore);
    this.speedBefore = null;
  }

  /** Whether the program in core is one of this game. */
  owns(loaded) {
    return this.isLoading || this.fens.includes(loaded?.question?.fen);
  }

  get isShown() {
    return !element("play").hidden;
  }

  /** Another program, or the other side: the same game goes on. */
  async change() {
    element("play-listing").hidden = element("play-against").value !== "itep";
    this.interrupt();
    this.turn(!this.white);
    this.keep();
    this.say(this.standing);
    this.draw();
    return this.answer();
  }

  flip() {
    this.turn(!this.flipped);
    this.draw();
  }

  turn(flipped) {
    this.flipped = flipped;
    this.squares.flip(flipped);
  }

  key(event) {
    if (!element("play").checkVisibility() || document.querySelector("dialog[open]") !== null) return undefined;
    if (event.key === "Escape" && !element("play-promotion").hidden) return this.draw();
    const isTyped = event.target.closest("input, select") !== null || event.ctrlKey || event.metaKey || event.altKey;
    if (isTyped) return undefined;
    return event.key.toLowerCase() === "f" ? this.flip() : undefined;
  }

  /** The visitor's own copy of the institute's listing stays in this page; a score is opened. */
  async read(file) {
    if (file === undefined) return;
    const refusal = await refusalOf([file], MOST_FILE);
    for (const id of ["play-deck", "play-score"]) element(id).value = "";
    if (refusal !== null) return this.say(text(refusal));
    const content = await file.text();
    if (/\.pgn$/i.test(file.name) || /^\s*\[/.test(content)) return this.openScore(content);
    this.deck = content;
    element("play-name").textContent = file.name;
    element("play-against").value = "itep";
    return this.change();
  }

  async openScore(pgn) {
    const { document: score, error } = await this.source.call("score", { pgn });
    if (error !== null) return this.say(error);
    if (score.start !== START) return this.say(text("play.other-start"));
    const { player, side } = this.shared();
    const taken = await this.load({ player, side, moves: score.moves.map(({ uci }) => uci).join(" ") });
    if (!taken) return;
    const { tags, result, damage, notes } = score;
    this.tags = tags;
    const isOver = damage === null && RESULTS.includes(result);
    if (this.over === null && isOver) this.end(result, "scored");
    const said = sentences([damage ?? (this.over === null ? "" : this.ending()), ...notes]);
    if (said !== "") this.say(said);
  }

  say(sentence) {
    element("play-said").textContent = sentence;
  }

  async begin() {
    this.halt();
    this.setAside();
    this.clear();
    this.turn(!this.white);
    await this.look();
    return this.answer();
  }

  /** The game as plain values, for a link and for the next visit. */
  shared() {
    const [player, side] = [element("play-against").value, element("play-side").value];
    const over = this.over === null ? "" : `${this.over.result} ${this.over.reason}`;
    return { moves: this.moves.join(" "), player, side, clock: this.clock, over };
  }

  keep() {
    if (this.isOwn) remember(KEPT, JSON.stringify({ ...this.shared(), left: this.left }));
  }

  /** A game with a move of the visitor's that gives way to another one can be gone back to. */
  setAside() {
    if (this.moves.length > (this.white ? 0 : 1)) this.left = this.shared();
  }

  async restore() {
    try {
      const kept = JSON.parse(remembered(KEPT));
      const isRestored = await this.load(kept, true);
      this.left ??= kept?.left ?? null;
      this.draw();
      return isRestored;
    } catch {
      return false;
    }
  }

  /** Takes a game of a link or of the last visit; whether it is one. The game before stays if it is not. */
  async load(game, isOwn = false) {
    const { moves, player, side, clock = 0, over = "" } = game ?? {};
    const players = [...element("play-against").options].map(({ value }) => value);
    const [result, reason] = over === "" ? [null, null] : String(over).split(" ");
    const fits = typeof moves === "string" && players.includes(player) && ["white", "black"].includes(side)
      && Number.isSafeInteger(clock) && clock >= 0
      && (result === null || (RESULTS.includes(result) && REASONS.includes(reason)));
    if (!fits) return false;
    this.halt();
    const loading = { moves: [], sans: [], fens: [START] };
    this.loading = loading;
    if (moves !== "") {
      const { document: score, error } = await this.source.call("score", { pgn: moves });
      if (this.loading !== loading) return true;
      if (error !== null || score.damage !== null || score.moves[0]?.fen !== START) return false;
      for (const { uci, san, after } of score.moves) this.made({ uci, san, fen: after }, loading);
    }
    this.setAside();
    element("play-against").value = player;
    element("play-side").value = side;
    Object.assign(this, loading, { clock, from: null, at: loading.moves.length, over: null, isOwn, tags: null });
    if (result !== null) this.over = { result, reason };
    element("play-listing").hidden = player !== "itep";
    this.turn(!this.white);
    await this.look();
    const answered = this.answer();
    if (this.visitorsTurn) await answered;
    return true;
  }

  get white() {
    return element("play-side").value === "white";
  }

  get visitorsTurn() {
    return (this.fens.at(-1).split(" ")[1] === "w") === this.white;
  }

  /** Whether the legal moves are those of the position on the board. */
  get isKnown() {
    return this.legal !== undefined && this.legalAt === this.fens.at(-1);
  }

  /** Whether the visitor may move now. */
  get isFree() {
    const isLast = this.at === this.moves.length;
    return this.thinking === null && this.over === null && this.visitorsTurn && isLast && this.isKnown;
  }

  /** The position and its legal moves. */
  async look() {
    const fen = this.fens.at(-1);
    const { document: legal, error } = await this.source.call("legal", { fen });
    if (fen !== this.fens.at(-1)) return undefined;
    if (error !== null) return this.say(error);
    Object.assign(this, { legal, legalAt: fen });
    if (this.over === null && legal.end === "checkmate") {
      this.over = { result: legal.turn === "white" ? "0-1" : "1-0", reason: "checkmate" };
    }
    const drawn = legal.end ?? drawnBy(this.fens);
    if (this.over === null && drawn !== null) this.over = { result: "1/2-1/2", reason: drawn };
    this.say(this.standing);
    this.keep();
    return this.draw();
  }

  /** A sentence to the visitor who is to move, and that a check stands. */
  told(key, values) {
    return sentences([text(key, values), this.legal.check && text("play.check")]);
  }

  /** How the game ended, or that the visitor is to move. */
  get standing() {
    if (this.over !== null) return this.ending();
    return this.visitorsTurn && this.isKnown ? this.told("play.turn") : "";
  }

  ending() {
    return `${text(`play.${this.over.reason}`)} ${this.over.result.replace("1/2-1/2", "½–½").replace("-", "–")}`;
  }

  end(result, reason) {
    this.interrupt();
    this.over = { result, reason };
    this.say(this.ending());
    this.keep();
    this.draw();
  }

  /** The position after a number of half-moves. */
  goTo(at) {
    this.at = Math.max(0, Math.min(at, this.moves.length));
    this.from = null;
    this.draw();
  }

  draw() {
    const list = element("play-moves");
    const choice = element("play-promotion");
    const hadFocus = [list, choice].some((part) => part.contains(document.activeElement));
    choice.hidden = true;
    const last = this.moves[this.at - 1];
    const from = this.from === null ? [] : [this.from];
    const moves = this.from === null ? [] : this.legal.moves.filter(({ uci }) => uci.startsWith(this.from));
    const goals = moves.map(({ uci }) => uci.slice(2, 4));
    const played = this.from === null && last !== undefined ? [last.slice(0, 2), last.slice(2, 4)] : [];
    this.squares.draw(lettersOf(this.fens[this.at]), { from, to: [...played, ...goals], goals });
    list.replaceChildren();
    for (const [index, san] of this.sans.entries()) {
      if (index % 2 === 0) list.append(`${index / 2 + 1}. `);
      const move = make(list, "button", { type: "button", textContent: inLetters(san) });
      move.onclick = () => this.goTo(index + 1);
      if (index + 1 === this.at) move.setAttribute("aria-current", "step");
      list.append(" ");
    }
    const current = list.querySelector("[aria-current]");
    current?.scrollIntoView({ block: "nearest" });
    if (hadFocus) current?.focus();
    element("play-back").disabled = this.moves.length === 0;
    element("play-return").hidden = this.left === null;
    element("play-clock").textContent = text("play.clock", { time: duration(this.clock) });
    // Who was who stays as it was when the game ended.
    for (const id of ["play-side", "play-against"]) element(id).disabled = this.over !== null;
    element("play-resign").disabled = this.over !== null || this.moves.length === 0;
    element("play-claim").hidden = this.over !== null || !this.visitorsTurn || claimable(this.fens) === null;
  }

  click(name) {
    if (this.at < this.moves.length) return this.goTo(this.moves.length);
    if (!this.visitorsTurn && this.thinking === null) return this.answer();
    if (!this.isFree) return;
    const letter = this.squares.letters[this.squares.index(name)];
    const isOwn = letter !== "" && isWhite(letter) === this.white;
    if (!isOwn && this.from !== null) return this.move(this.from, name);
    if (isOwn) this.from = this.from === name ? null : name;
    const isStuck = this.from !== null && !this.legal.moves.some(({ uci }) => uci.startsWith(name));
    if (isStuck) this.say(this.told("play.stuck", { square: name }));
    this.draw();
  }

  move(from, to) {
    this.from = null;
    const wanted = this.isFree ? this.legal.moves.filter(({ uci }) => uci.slice(0, 4) === from + to) : [];
    this.draw();
    if (wanted.length > 1) return this.promote(wanted);
    // Off the board a piece is only put back.
    if (this.isFree && wanted.length === 0 && to !== null) this.say(this.told("play.illegal", { from, to }));
    return wanted.length === 1 ? this.play(wanted[0]) : undefined;
  }

  /** A pawn on its last rank: the pieces that it may become, over the board. */
  promote(wanted) {
    const choice = element("play-promotion");
    choice.replaceChildren();
    for (const sign of ["q", "r", "b", "n"]) {
      const move = wanted.find(({ uci }) => uci[4] === sign);
      if (move === undefined) continue;
      const letter = this.white ? sign.toUpperCase() : sign;
      const button = make(choice, "button", { type: "button", onclick: () => this.play(move) }, piece(letter));
      button.setAttribute("aria-label", named(letter));
    }
    choice.hidden = false;
    choice.firstChild?.focus();
  }

  async play(move) {
    // A second click on a promotion comes too late.
    if (!this.isFree) return undefined;
    this.isOwn = true;
    this.made(move);
    this.at = this.moves.length;
    await this.look();
    return this.answer();
  }

  made({ uci, san, fen }, game = this) {
    game.moves.push(uci);
    game.sans.push(san);
    game.fens.push(fen);
    // At once: a reload loses no move.
    if (game === this) this.keep();
  }

  /** At the visitor's wish: the machine stands still, and a click on the board lets the program go on. */
  stop() {
    this.interrupt();
    this.say(text("play.stopped"));
  }

  /** Ends what the program is at, also in the machine. */
  interrupt() {
    if (this.thinking !== null) this.source.ask({ do: "pause" });
    this.halt();
  }

  /** Ends what the program is at. */
  halt() {
    this.thinking?.abort();
    this.thinking = null;
    clearInterval(this.ticking);
    element("play-at").textContent = "";
    element("play-stop").hidden = true;
  }

  /** The program's move, if it is its turn. */
  async answer() {
    if (this.over !== null || this.thinking !== null || !this.isKnown) return;
    const player = element("play-against").value;
    if (this.visitorsTurn) return this.prepare(player);
    if (player === "itep" && this.deck === "") return this.say(text("play.no-listing"));
    const thinking = new AbortController();
    this.thinking = thinking;
    element("play-stop").hidden = false;
    this.say(text("play.thinking"));
    const begun = Date.now();
    this.ticking = setInterval(() => {
      element("play-at").textContent = text("play.for", { seconds: Math.round((Date.now() - begun) / 1000) });
    }, 500);
    const question = { player, fen: START, moves: this.moves, deck: player === "itep" ? this.deck : "" };
    const { document: made, error } = await this.source.call("reply", question, { signal: thinking.signal });
    if (this.thinking !== thinking) return;
    clearInterval(this.ticking);
    const isShown = error === null && made.uci !== null && made.native === null && player in TASKS;
    if (isShown) await this.watch(TASKS[player](this.fens.at(-1), made), made, thinking.signal);
    if (this.thinking !== thinking) return;
    this.halt();
    if (error !== null) return this.say(error === "stopped" ? text("answer.stopped") : error);
    // A program that may claim a draw does.
    if (made.uci === null) return this.end("1/2-1/2", claimable(this.fens));
    const isSeen = this.at === this.moves.length;
    this.clock += made.half_microseconds ?? 0;
    this.made(made);
    if (isSeen) this.at = this.moves.length;
    await this.look();
    if (this.over !== null) return;
    const by = made.native ?? (isShown ? text("play.by-machine", { time: duration(made.half_microseconds ?? 0) }) : "");
    this.say(sentences([`${inLetters(made.san)}: ${made.reason}`, by, this.standing]));
  }

  /** The program that plays stands in the machine before its first move. */
  prepare(player) {
    const { loaded, state } = this.source;
    const wanted = TASKS[player]?.(this.fens.at(-1), {});
    if (wanted !== undefined && loaded?.task !== wanted.task && !state.running) return this.put(wanted);
  }

  /** A question of this game into the machine. */
  async put(wanted) {
    this.isLoading = true;
    const { error } = await this.source.ask({ do: "task", ...wanted });
    this.isLoading = false;
    return error;
  }

  /** The same question in the machine that is shown, at a speed at which it takes the seconds that were chosen. */
  async watch(wanted, { half_microseconds: halves }, signal) {
    const { source } = this;
    const { state } = source;
    if ((await this.put(wanted)) !== null || signal.aborted) return;
    const seconds = Number(element("play-seconds").value);
    const atOnce = seconds === 0;
    const factor = Math.min(1000, Math.max(1 / 1000, (halves ?? 0) / 2e6 / (seconds || 1)));
    this.speedBefore ??= { speed: source.speed, fit: source.fit };
    source.speed = atOnce ? Infinity : factor;
    await source.play();
    if (atOnce || signal.aborted) return;
    const number = Math.floor(this.moves.length / 2) + 1;
    this.say(text("play.watching", { number, time: duration(halves ?? 0), seconds }));
    // Until the program's own first frame has come, the state is that of the run before.
    const hasEnded = () => source.state !== state && !source.isNew && source.frame?.phase === "ended";
    const isOver = () => signal.aborted || hasEnded() || element("play-seconds").value === "0"
      || source.loaded?.question?.fen !== wanted.question.fen;
    await new Promise((resolve) => {
      const look = () => {
        if (isOver()) return resolve();
        // What it is at, in words: the move it tries, the best so far, how many are judged.
        const captions = source.state === state ? [] : (decode(source.state)?.captions ?? []);
        element("play-at").textContent = captions.join(" \u00b7 ");
        return setTimeout(look, LOOK_MS);
      };
      look();
    });
    if (element("play-seconds").value === "0") source.speed = Infinity;
  }

  async takeBack() {
    this.interrupt();
    // The visitor's word can be taken back without the moves.
    const words = ["resigned", "scored", ...(this.visitorsTurn ? ["threefold", "fifty"] : [])];
    if (words.includes(this.over?.reason)) {
      this.over = null;
      await this.look();
      return this.answer();
    }
    const count = this.visitorsTurn && this.moves.length > 1 ? 2 : 1;
    if (this.moves.length === 0) return;
    this.isOwn = true;
    for (const list of [this.moves, this.sans, this.fens]) list.splice(-count);
    Object.assign(this, { over: null, at: this.moves.length, from: null });
    await this.look();
    return this.answer();
  }

  score() {
    const against = element("play-against");
    const program = against.options[against.selectedIndex].textContent;
    const visitor = text("play.visitor");
    const [white, black] = this.white ? [visitor, program] : [program, visitor];
    const result = this.over?.result ?? "*";
    const own = [["Event", "The M-220 chess laboratory"], ["White", white], ["Black", black], ["Result", result]];
    // Who gave an opened game up, and where it was played, is as it was until the visitor goes on with it.
    return pgnOf({ tags: this.isOwn || this.tags === null ? own : this.tags, sans: this.sans, result });
  }

  async copy() {
    const done = await navigator.clipboard.writeText(this.score()).then(() => "share.copied", () => "play.not-copied");
    this.say(text(done));
  }
}
