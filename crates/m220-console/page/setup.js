// A chess task for one of the project's programs: the position by mouse, keyboard or FEN, and the question.

import { draw, make, roving } from "m220/dom.js";
import { SHAPES } from "m220/pieces.js";
import { text } from "m220/text.js";

const LETTERS = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };
const FREE = "8/8/8/8/8/8/8/8 w - - 0 1";
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** Positions to start from. */
const EXAMPLES = {
  trajectories: FREE,
  bundle: FREE,
  attacks: "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30",
  mate: "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
};

const isWhite = (letter) => letter === letter.toUpperCase();

function piece(letter) {
  const svg = draw(null, "svg", { viewBox: "0 0 45 45", "aria-hidden": "true" });
  const d = SHAPES[LETTERS[letter.toUpperCase()]];
  draw(svg, "path", { d, "fill-rule": "evenodd", class: `piece ${isWhite(letter) ? "white" : "black"}` });
  return svg;
}

/** `white king` in the page's language. */
const named = (letter) => text(`piece.${isWhite(letter) ? "white" : "black"}.${LETTERS[letter.toUpperCase()]}`);

/** The 64 letters of a FEN, a8 first, "" for an empty square; null if the text is not a FEN. */
function lettersOf(fen) {
  const rows = fen.trim().split(/\s+/)[0].split("/");
  const squares = (sign) => (/[1-8]/.test(sign) ? Array(Number(sign)).fill("") : [sign]);
  const letters = rows.map((row) => [...row].flatMap(squares));
  const known = (sign) => sign === "" || Object.hasOwn(LETTERS, sign.toUpperCase());
  const fits = rows.length === 8 && letters.every((row) => row.length === 8 && row.every(known));
  return fits ? letters.flat() : null;
}

function fenOf(letters, rest) {
  const rows = Array.from({ length: 8 }, (_, row) => {
    const signs = letters.slice(row * 8, row * 8 + 8).map((letter) => letter || "1");
    return signs.join("").replace(/1+/g, (ones) => String(ones.length));
  });
  return `${rows.join("/")} ${rest.join(" ")}`;
}

export class Setup {
  constructor(source) {
    this.source = source;
    this.dialog = document.getElementById("setup");
    this.form = this.dialog.querySelector("form");
    this.board = this.dialog.querySelector(".setup-board");
    this.palette = this.dialog.querySelector(".palette");
    this.fen = this.form.elements.fen;
    this.tool = "from";
    this.letters = lettersOf(FREE);
    this.rest = ["w", "-", "-", "0", "1"];
    if (this.board.childElementCount === 0) this.build();
    this.form.onsubmit = (event) => this.submit(event);
    this.form.elements.program.onchange = () => this.question();
    this.form.elements.turn.onchange = () => {
      this.rest[0] = this.form.elements.turn.value;
      this.write();
    };
    this.fen.oninput = () => this.readFen();
    this.board.onclick = (event) => this.click(event.target.closest("button"));
    this.board.onpointerdown = (event) => this.lift(event);
    const put = (fen) => () => this.position(fen);
    this.form.elements.clear.onclick = put(FREE);
    this.form.elements.start.onclick = put(START);
    this.form.elements.named.oninput = () => {
      const chosen = this.positions?.find(({ name }) => name === this.form.elements.named.value);
      if (chosen !== undefined) this.position(chosen.fen);
    };
    this.palette.onclick = (event) => this.choose(event.target.closest("button"));
    for (const name of ["from", "to"]) this.form.elements[name].oninput = () => this.draw();
  }

  build() {
    for (let index = 0; index < 64; index++) {
      const square = make(this.board, "button", { type: "button", tabIndex: index === 0 ? 0 : -1 });
      square.dataset.square = "abcdefgh"[index % 8] + String(8 - (index >> 3));
      square.className = ((index % 8) + (index >> 3)) % 2 === 1 ? "dark" : "light";
      if (index % 8 === 0) square.dataset.rank = square.dataset.square[1];
      if (index >= 56) square.dataset.file = square.dataset.square[0];
    }
    roving(this.board, () => [...this.board.children], 8);
    for (const tool of ["from", "to", "", ..."KQRBNPkqrbnp"]) {
      const button = make(this.palette, "button", { type: "button" });
      button.dataset.tool = tool;
      if (tool.length === 1) button.append(piece(tool));
    }
  }

  /** The palette in the page's language. */
  label() {
    for (const button of this.palette.children) {
      const { tool } = button.dataset;
      if (tool.length !== 1) button.textContent = text(`tool.${tool || "empty"}`);
      const label = () => text(`tool.${tool || "empty"}.label`);
      button.setAttribute("aria-label", tool.length === 1 ? text("tool.put", { piece: named(tool) }) : label());
    }
  }

  /** A whole position in place of the one shown. */
  position(fen) {
    this.fen.value = fen;
    this.readFen();
  }

  /** A piece is dragged to another square, or off the board; the pointer may be a mouse or a finger. */
  lift(event) {
    const squares = [...this.board.children];
    const from = squares.indexOf(event.target.closest("button"));
    const letter = this.letters[from];
    if (from < 0 || letter === "" || event.button !== 0) return;
    const ghost = make(this.dialog, "div", { className: "ghost setup" }, piece(letter));
    const [x, y] = [event.clientX, event.clientY];
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
      const to = squares.indexOf(document.elementFromPoint(clientX, clientY)?.closest(".setup-board button"));
      if (to === from) return;
      this.letters[from] = "";
      if (to >= 0) this.letters[to] = letter;
      this.edited();
    };
    move(event);
    const { signal } = dragging;
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", drop, { signal });
    addEventListener("pointercancel", drop, { signal });
  }

  /** A position that was edited by hand loses its castling rights and its en passant square. */
  edited() {
    [this.rest[1], this.rest[2]] = ["-", "-"];
    this.write();
  }

  async name() {
    if (this.positions !== undefined) return;
    this.positions = [];
    const { document: list } = await this.source.call("positions", {}).catch(() => ({ document: null }));
    if (!Array.isArray(list)) return;
    this.positions = list;
    const options = list.map(({ name, title }) => Object.assign(new Option(title ?? name), { value: name }));
    document.getElementById("named-positions").replaceChildren(...options);
  }

  open() {
    this.label();
    this.question();
    this.dialog.showModal();
    this.name();
  }

  /** Updates the fields for the question. Its example replaces another example, never what the user has entered. */
  question() {
    const program = this.form.elements.program.value;
    // Kept by the element: the dialog outlives the page of one program.
    if (["", this.fen.dataset.example].includes(this.fen.value)) {
      this.fen.value = this.fen.dataset.example = EXAMPLES[program];
    }
    const single = program === "trajectories" || program === "bundle";
    if (single && this.form.elements.from.value === "") Object.assign(this.form.elements.from, { value: "a4" });
    if (single && this.form.elements.to.value === "") Object.assign(this.form.elements.to, { value: "h4" });
    this.choose(this.palette.querySelector(`[data-tool="${single ? "from" : "K"}"]`));
    this.readFen();
  }

  readFen() {
    const letters = lettersOf(this.fen.value);
    this.fen.setCustomValidity(letters === null ? text("setup.bad-fen") : "");
    if (letters !== null) {
      this.letters = letters;
      const rest = this.fen.value.trim().split(/\s+/).slice(1);
      this.rest = ["w", "-", "-", "0", "1"].map((usual, index) => rest[index] ?? usual);
      this.form.elements.turn.value = this.rest[0] === "b" ? "b" : "w";
    }
    this.draw();
  }

  write() {
    this.fen.value = fenOf(this.letters, this.rest);
    this.fen.setCustomValidity("");
    this.draw();
  }

  choose(button) {
    if (button === null) return;
    this.tool = button.dataset.tool;
    for (const other of this.palette.children) other.setAttribute("aria-pressed", String(other === button));
  }

  click(square) {
    if (square === null) return;
    if (this.tool === "from" || this.tool === "to") {
      this.form.elements[this.tool].value = square.dataset.square;
      if (this.tool === "from") this.choose(this.palette.querySelector('[data-tool="to"]'));
      this.draw();
      return;
    }
    const index = [...this.board.children].indexOf(square);
    this.letters[index] = this.letters[index] === this.tool ? "" : this.tool;
    this.edited();
  }

  draw() {
    const { from, to, program } = this.form.elements;
    const single = program.value === "trajectories" || program.value === "bundle";
    for (const element of this.dialog.querySelectorAll("[data-for]")) {
      element.hidden = !element.dataset.for.split(" ").includes(program.value);
    }
    for (const tool of ["from", "to"]) this.palette.querySelector(`[data-tool="${tool}"]`).hidden = !single;
    [...this.board.children].forEach((square, index) => {
      const letter = this.letters[index];
      square.replaceChildren(...(letter === "" ? [] : [piece(letter)]));
      square.classList.toggle("from", single && square.dataset.square === from.value);
      square.classList.toggle("to", single && square.dataset.square === to.value);
      const content = letter === "" ? text("square.empty") : named(letter);
      square.setAttribute("aria-label", `${square.dataset.square} ${content}`);
    });
  }

  async submit(event) {
    if (event.submitter?.value === "close") return;
    event.preventDefault();
    const { program, fen, from, to, piece: kind, horizon, moves, run } = this.form.elements;
    const question = { fen: fen.value };
    if (program.value === "trajectories" || program.value === "bundle") {
      Object.assign(question, { from: from.value, to: to.value });
      if (kind.value !== "") question.piece = kind.value;
    }
    if (program.value === "attacks") question.horizon = Number(horizon.value);
    if (program.value === "mate") question.moves = Number(moves.value);
    const { error } = await this.source.ask({ do: "task", task: program.value, question });
    this.dialog.querySelector(".setup-error").textContent = error ?? "";
    if (error !== null) return;
    this.dialog.close();
    this.source.welcomed = true;
    if (run.checked) await this.source.play();
  }
}
