// A chess task: the position by mouse, keyboard or FEN, and the question; put to the machine, or answered beside it.

import { Answer } from "m220/answer.js";
import { make } from "m220/dom.js";
import { foundOf } from "m220/find.js";
import { FREE, START, Squares, fenOf, lettersOf, named, piece } from "m220/squares.js";
import { currentLanguage, text } from "m220/text.js";

/** The fields that stand in the dialog from the beginning; the others are made as the tasks name them. */
const STANDING = ["fen", "from", "to", "piece"];

export class Setup {
  constructor(source) {
    this.source = source;
    this.dialog = document.getElementById("setup");
    this.form = this.dialog.querySelector("form");
    this.palette = this.dialog.querySelector(".palette");
    this.fen = this.form.elements.fen;
    this.tool = "from";
    this.rest = ["w", "-", "-", "0", "1"];
    const board = this.dialog.querySelector(".setup-board");
    this.squares = new Squares(board, { click: (name) => this.click(name), drag: (...way) => this.drag(...way) });
    this.answer = new Answer(this.dialog.querySelector(".answer"), source);
    if (this.palette.childElementCount === 0) this.build();
    const { elements } = this.form;
    this.form.onsubmit = (event) => this.submit(event);
    elements.program.onchange = () => this.question();
    elements.turn.onchange = () => {
      this.rest[0] = elements.turn.value;
      this.write();
    };
    this.fen.oninput = () => this.readFen();
    this.form.oninput = () => this.outdate();
    this.dialog.onclose = () => this.answer.stop();
    const put = (fen) => () => this.position(fen);
    elements.clear.onclick = put(FREE);
    elements.start.onclick = put(START);
    this.hits = this.dialog.querySelector(".hits");
    elements.named.oninput = () => this.search(elements.named.value);
    elements.named.onkeydown = (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.hits.querySelector("button")?.click();
    };
    this.palette.onclick = (event) => this.choose(event.target.closest("button"));
    for (const name of ["from", "to"]) elements[name].oninput = () => this.draw();
  }

  build() {
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

  /** Offers the known positions that what was typed may mean. */
  search(typed) {
    const found = foundOf(this.source.positions ?? [], typed);
    const buttons = found.map(({ title, fen }) => {
      const button = make(null, "button", { type: "button", textContent: title });
      button.addEventListener("click", () => {
        this.form.elements.named.value = title;
        this.hits.replaceChildren();
        this.position(fen);
      });
      return button;
    });
    this.hits.replaceChildren(...buttons);
    const isVain = buttons.length === 0 && typed.trim() !== "";
    if (isVain) make(this.hits, "p", { className: "captions", textContent: text("setup.none") });
  }

  /** A whole position in place of the one shown. */
  position(fen) {
    this.fen.value = fen;
    this.readFen();
  }

  drag(from, to) {
    const letters = [...this.squares.letters];
    const letter = letters[this.squares.index(from)];
    letters[this.squares.index(from)] = "";
    if (to !== null) letters[this.squares.index(to)] = letter;
    this.edited(letters);
  }

  /** A position that was edited by hand loses its castling rights and its en passant square. */
  edited(letters) {
    this.squares.letters = letters;
    [this.rest[1], this.rest[2]] = ["-", "-"];
    this.write();
  }

  /** The tasks there are, and the known positions; asked for once. */
  async know() {
    // The tasks speak the language of the page.
    if (this.source.tasks === undefined || this.language !== currentLanguage()) {
      this.language = currentLanguage();
      const asked = ["tasks", "positions"].map((service) => this.source.call(service, {}));
      const [tasks, known] = await Promise.all(asked);
      this.source.tasks = tasks.document ?? undefined;
      this.source.positions = known.document?.positions ?? [];
      this.source.onnotice(tasks.error ?? "");
    }
    const { tasks = [] } = this.source;
    const { program } = this.form.elements;
    const chosen = program.value;
    program.replaceChildren(...tasks.map(({ name, title }) => new Option(title, name)));
    if (chosen !== "") program.value = chosen;
    const fields = tasks.flatMap((task) => task.fields).filter(({ name }) => !STANDING.includes(name));
    const made = new Map(fields.map((field) => [field.name, this.field(field)]));
    this.dialog.querySelector(".task-fields").replaceChildren(...made.values());
  }

  /** The label with the input of a field, which keeps what was entered before. */
  field({ name, kind, label, value: usual, range }) {
    const type = kind === "number" ? "number" : "text";
    const value = this.form.elements[name]?.value ?? usual;
    const input = make(null, "input", { type, name, value, autocomplete: "off" });
    if (range !== null) [input.min, input.max] = range;
    const made = make(null, "label", {}, make(null, "span", { textContent: label }), input);
    made.dataset.field = name;
    return made;
  }

  /** The task that is chosen. */
  get task() {
    const { tasks = [] } = this.source;
    return tasks.find(({ name }) => name === this.form.elements.program.value) ?? tasks[0];
  }

  has(name) {
    return this.task.fields.some((field) => field.name === name);
  }

  /** Opens the form, at a task and with values for some of its fields if they are given. */
  async open(task, values = {}) {
    await this.know();
    if (this.source.tasks === undefined || this.dialog.open) return;
    this.label();
    if (task !== undefined) this.form.elements.program.value = task;
    this.question();
    for (const [name, value] of Object.entries(values)) this.form.elements[name].value = value;
    if (values.fen !== undefined) this.readFen();
    this.dialog.showModal();
  }

  /** An answer and an error stand only as long as what was asked. */
  outdate() {
    if (this.task === undefined) return;
    const asked = JSON.stringify([this.task.name, this.asked(), currentLanguage()]);
    if (asked === this.answered) return;
    this.answered = asked;
    this.answer.clear();
    this.say(null);
  }

  /** Updates the fields for the question. Its example replaces another example, never what the user has entered. */
  question() {
    // Kept by the element: the dialog outlives the page of one program. An emptied field is an entry too.
    if (this.fen.value === (this.fen.dataset.example ?? "")) {
      this.fen.value = this.fen.dataset.example = this.task.example;
    }
    const single = this.has("from");
    const { elements } = this.form;
    if (single && elements.from.value === "") elements.from.value = "a4";
    if (single && elements.to.value === "") elements.to.value = "h4";
    this.choose(this.palette.querySelector(`[data-tool="${single ? "from" : "K"}"]`));
    elements.load.disabled = elements.run.disabled = !this.task.on_machine;
    this.readFen();
  }

  readFen() {
    const letters = lettersOf(this.fen.value);
    this.fen.setCustomValidity(letters === null ? text("setup.bad-fen") : "");
    if (letters !== null) {
      this.squares.letters = letters;
      const rest = this.fen.value.trim().split(/\s+/).slice(1);
      this.rest = ["w", "-", "-", "0", "1"].map((usual, index) => rest[index] ?? usual);
      this.form.elements.turn.value = this.rest[0] === "b" ? "b" : "w";
    }
    this.draw();
  }

  write() {
    this.fen.value = fenOf(this.squares.letters, this.rest);
    this.fen.setCustomValidity("");
    this.draw();
  }

  choose(button) {
    if (button === null) return;
    this.tool = button.dataset.tool;
    for (const other of this.palette.children) other.setAttribute("aria-pressed", String(other === button));
  }

  click(name) {
    if (this.tool === "from" || this.tool === "to") {
      this.form.elements[this.tool].value = name;
      if (this.tool === "from") this.choose(this.palette.querySelector('[data-tool="to"]'));
      this.draw();
      return;
    }
    const letters = [...this.squares.letters];
    const index = this.squares.index(name);
    letters[index] = letters[index] === this.tool ? "" : this.tool;
    this.edited(letters);
  }

  draw() {
    const { from, to } = this.form.elements;
    for (const field of this.dialog.querySelectorAll("[data-field]")) {
      field.hidden = !this.has(field.dataset.field);
      // What is not seen keeps nobody from going on.
      field.querySelector("input, select").disabled = field.hidden;
    }
    const single = this.has("from");
    for (const tool of ["from", "to"]) this.palette.querySelector(`[data-tool="${tool}"]`).hidden = !single;
    this.outdate();
    this.squares.draw(this.squares.letters, single ? { from: [from.value], to: [to.value] } : {});
  }

  /** The question as its task asks it. */
  asked() {
    const asked = this.task.fields.map(({ name, kind }) => {
      const { value } = this.form.elements[name];
      return [name, kind === "number" && value !== "" ? Number(value) : value];
    });
    return Object.fromEntries(asked.filter(([, value]) => value !== ""));
  }

  say(error) {
    this.dialog.querySelector(".setup-error").textContent = error ?? "";
  }

  /** Asks what stands in the form. */
  async ask(isBrief) {
    this.say(await this.answer.ask(this.task, this.asked(), isBrief));
  }

  async submit(event) {
    const button = event.submitter?.value;
    if (button === "close") return;
    event.preventDefault();
    // The tasks have not come yet.
    if (this.task === undefined) return;
    if (button === "ask") {
      await this.ask();
      return;
    }
    const { error } = await this.source.ask({ do: "task", task: this.task.name, question: this.asked() });
    this.say(error);
    if (error !== null) return;
    this.dialog.close();
    this.source.welcomed = true;
    if (this.form.elements.run.checked) await this.source.play();
  }
}
