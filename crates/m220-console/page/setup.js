// A chess task for one of the project's programs: the position by mouse, keyboard or FEN, and the question.

import { SHAPES } from "m220/pieces.js";

const SVG = "http://www.w3.org/2000/svg";
const LETTERS = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };
const FREE = "8/8/8/8/8/8/8/8 w - - 0 1";
/** Positions to start from. */
const EXAMPLES = {
  trajectories: FREE,
  bundle: FREE,
  attacks: "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30",
  mate: "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
};

function piece(letter) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 45 45");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", SHAPES[LETTERS[letter.toUpperCase()]]);
  path.setAttribute("fill-rule", "evenodd");
  path.setAttribute("class", `piece ${letter === letter.toUpperCase() ? "white" : "black"}`);
  svg.append(path);
  return svg;
}

/** The 64 letters of a FEN, a8 first, "" for an empty square; null if the text is not a FEN. */
function lettersOf(fen) {
  const rows = fen.trim().split(/\s+/)[0].split("/");
  const letters = rows.map((row) => [...row].flatMap((sign) => (/[1-8]/.test(sign) ? Array(Number(sign)).fill("") : [sign])));
  const fits = rows.length === 8 && letters.every((row) => row.length === 8 && row.every((sign) => sign === "" || sign.toUpperCase() in LETTERS));
  return fits ? letters.flat() : null;
}

function fenOf(letters, rest) {
  const rows = Array.from({ length: 8 }, (_, row) => letters.slice(row * 8, row * 8 + 8).map((letter) => letter || "1").join("").replace(/1+/g, (ones) => String(ones.length)));
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
    this.board.onkeydown = (event) => this.move(event);
    this.palette.onclick = (event) => this.choose(event.target.closest("button"));
    for (const name of ["from", "to"]) this.form.elements[name].oninput = () => this.draw();
  }

  build() {
    for (let index = 0; index < 64; index++) {
      const square = document.createElement("button");
      square.type = "button";
      square.dataset.square = "abcdefgh"[index % 8] + String(8 - (index >> 3));
      square.className = ((index % 8) + (index >> 3)) % 2 === 1 ? "dark" : "light";
      square.tabIndex = index === 0 ? 0 : -1;
      this.board.append(square);
    }
    for (const tool of ["from", "to", "", ..."KQRBNPkqrbnp"]) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.tool = tool;
      if (tool.length === 1) button.append(piece(tool));
      else button.textContent = { from: "Start", to: "Target", "": "Empty" }[tool];
      const colour = tool === tool.toUpperCase() ? "white" : "black";
      button.setAttribute("aria-label", tool.length === 1 ? `put a ${colour} ${LETTERS[tool.toUpperCase()]}` : { from: "choose the start", to: "choose the target", "": "empty a square" }[tool]);
      this.palette.append(button);
    }
  }

  open() {
    this.question();
    this.dialog.showModal();
  }

  /** Updates the fields for the question. Its example replaces another example, never what the user has entered. */
  question() {
    const program = this.form.elements.program.value;
    // Kept by the element: the dialog outlives the page of one program.
    if (["", this.fen.dataset.example].includes(this.fen.value)) this.fen.value = this.fen.dataset.example = EXAMPLES[program];
    const single = program === "trajectories" || program === "bundle";
    if (single && this.form.elements.from.value === "") Object.assign(this.form.elements.from, { value: "a4" });
    if (single && this.form.elements.to.value === "") Object.assign(this.form.elements.to, { value: "h4" });
    this.choose(this.palette.querySelector(`[data-tool="${single ? "from" : "K"}"]`));
    this.readFen();
  }

  readFen() {
    const letters = lettersOf(this.fen.value);
    this.fen.setCustomValidity(letters === null ? "eight ranks of eight squares, for instance 8/8/8/8/8/8/8/8 w - - 0 1" : "");
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
    // A position that was edited by hand loses its castling rights and its en passant square.
    [this.rest[1], this.rest[2]] = ["-", "-"];
    this.write();
  }

  move(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const squares = [...this.board.children];
    const to = squares.indexOf(document.activeElement) + by;
    if (to < 0 || to > 63) return;
    for (const square of squares) square.tabIndex = -1;
    squares[to].tabIndex = 0;
    squares[to].focus();
  }

  draw() {
    const { from, to, program } = this.form.elements;
    const single = program.value === "trajectories" || program.value === "bundle";
    for (const element of this.dialog.querySelectorAll("[data-for]")) element.hidden = !element.dataset.for.split(" ").includes(program.value);
    for (const tool of ["from", "to"]) this.palette.querySelector(`[data-tool="${tool}"]`).hidden = !single;
    [...this.board.children].forEach((square, index) => {
      const letter = this.letters[index];
      square.replaceChildren(...(letter === "" ? [] : [piece(letter)]));
      square.classList.toggle("from", single && square.dataset.square === from.value);
      square.classList.toggle("to", single && square.dataset.square === to.value);
      const content = letter === "" ? "empty" : `${letter === letter.toUpperCase() ? "white" : "black"} ${LETTERS[letter.toUpperCase()]}`;
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
    if (run.checked) await this.source.play();
  }
}
