// A board of 64 buttons whose pieces are chosen, clicked and dragged, by mouse, finger or keyboard.

import { draw, make, roving } from "m220/dom.js";
import { drawPiece } from "m220/pieces.js";
import { text } from "m220/text.js";

const LETTERS = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };
export const FREE = "8/8/8/8/8/8/8/8 w - - 0 1";
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export const isWhite = (letter) => letter === letter.toUpperCase();
export const roleOf = (letter) => LETTERS[letter.toUpperCase()];

/** A piece as a drawing. */
export function piece(letter) {
  const svg = draw(null, "svg", { viewBox: "0 0 45 45", "aria-hidden": "true" });
  drawPiece(svg, roleOf(letter), isWhite(letter));
  return svg;
}

/** `white king` in the page's language. */
export const named = (letter) => text(`piece.${isWhite(letter) ? "white" : "black"}.${roleOf(letter)}`);

/** The 64 letters of a FEN, a8 first, "" for an empty square; null if the text is not a FEN. */
export function lettersOf(fen) {
  const rows = fen.trim().split(/\s+/)[0].split("/");
  const squares = (sign) => (/[1-8]/.test(sign) ? Array(Number(sign)).fill("") : [sign]);
  const letters = rows.map((row) => [...row].flatMap(squares));
  const known = (sign) => sign === "" || Object.hasOwn(LETTERS, sign.toUpperCase());
  const fits = rows.length === 8 && letters.every((row) => row.length === 8 && row.every(known));
  return fits ? letters.flat() : null;
}

export function fenOf(letters, rest) {
  const rows = Array.from({ length: 8 }, (_, row) => {
    const signs = letters.slice(row * 8, row * 8 + 8).map((letter) => letter || "1");
    return signs.join("").replace(/1+/g, (ones) => String(ones.length));
  });
  return `${rows.join("/")} ${rest.join(" ")}`;
}

export class Squares {
  /** `click(name)` and `drag(from, to)` are told of squares by name; a piece dropped off the board goes to null. */
  constructor(board, { click, drag }) {
    this.board = board;
    this.drag = drag;
    this.letters = lettersOf(FREE);
    // The element outlives the page of one program.
    if (board.childElementCount === 0) this.build();
    board.onclick = (event) => {
      const name = event.target.closest("button")?.dataset.square;
      if (name !== undefined) click(name);
    };
    board.onpointerdown = (event) => this.lift(event);
  }

  build() {
    for (let index = 0; index < 64; index++) {
      const square = make(this.board, "button", { type: "button", tabIndex: index === 0 ? 0 : -1 });
      square.dataset.square = "abcdefgh"[index % 8] + String(8 - (index >> 3));
      square.className = ((index % 8) + (index >> 3)) % 2 === 1 ? "dark" : "light";
    }
    this.coordinates();
    roving(this.board, () => [...this.board.children], 8);
  }

  /** Ranks beside the left squares, files below the bottom ones. */
  coordinates() {
    for (const [index, { dataset }] of [...this.board.children].entries()) {
      const [file, rank] = dataset.square;
      delete dataset.rank;
      delete dataset.file;
      if (index % 8 === 0) dataset.rank = rank;
      if (index >= 56) dataset.file = file;
    }
  }

  /** The board from Black's side, or from White's. */
  flip(flipped) {
    if ((this.board.firstChild.dataset.square === "h1") === flipped) return;
    const focused = document.activeElement;
    this.board.append(...[...this.board.children].reverse());
    if (this.board.contains(focused)) focused.focus();
    this.coordinates();
  }

  /** A piece is dragged to another square, or off the board; the pointer may be a mouse or a finger. */
  lift(event) {
    const from = event.target.closest("button");
    const letter = this.letters[this.index(from?.dataset.square ?? "a8")];
    if (from === null || letter === "" || event.button !== 0) return;
    const ghost = make(this.board.parentElement, "div", { className: "ghost" }, piece(letter));
    const { clientX: x, clientY: y, pointerId } = event;
    let moved = false;
    const move = ({ clientX, clientY }) => {
      moved ||= Math.hypot(clientX - x, clientY - y) > 6;
      ghost.hidden = !moved;
      ghost.style.left = `${clientX}px`;
      ghost.style.top = `${clientY}px`;
    };
    const dragging = new AbortController();
    const drop = ({ clientX, clientY, type }) => {
      dragging.abort();
      ghost.remove();
      if (!moved || type === "pointercancel") return;
      const to = document.elementFromPoint(clientX, clientY)?.closest("button");
      if (to === from) return;
      this.drag(from.dataset.square, this.board.contains(to ?? null) ? to.dataset.square : null);
    };
    move(event);
    const { signal } = dragging;
    // Another finger does not take part.
    const listen = (type, act) => addEventListener(type, (of) => of.pointerId === pointerId && act(of), { signal });
    listen("pointermove", move);
    listen("pointerup", drop);
    listen("pointercancel", drop);
  }

  index(name) {
    return 8 * (8 - Number(name[1])) + "abcdefgh".indexOf(name[0]);
  }

  /** Draws pieces; `marks` names a class for some squares, and in a game the `goals` of the piece that is chosen. */
  draw(letters, marks = {}) {
    this.letters = letters;
    for (const square of this.board.children) {
      const letter = letters[this.index(square.dataset.square)];
      square.replaceChildren(...(letter === "" ? [] : [piece(letter)]));
      const isMarked = (name) => (marks[name] ?? []).includes(square.dataset.square);
      for (const name of ["from", "to"]) square.classList.toggle(name, isMarked(name));
      const content = letter === "" ? text("square.empty") : named(letter);
      const goal = isMarked("goals") ? `, ${text("square.goal")}` : "";
      square.setAttribute("aria-label", `${square.dataset.square} ${content}${goal}`);
      square.ariaPressed = marks.goals !== undefined && isMarked("from") ? "true" : null;
    }
  }
}
