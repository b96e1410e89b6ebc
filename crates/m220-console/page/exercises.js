// The exercises in the editor: a task, hints one by one, and a check that says what still fails while one types.

import { make } from "m220/dom.js";
import { text } from "m220/text.js";

const element = (id) => document.getElementById(id);
const SOLVED = "m220-exercises";

function solvedSoFar() {
  try {
    const names = JSON.parse(localStorage.getItem(SOLVED));
    return new Set(Array.isArray(names) ? names : []);
  } catch {
    return new Set();
  }
}

export class Exercises {
  constructor(source, editor) {
    this.source = source;
    this.editor = editor;
    this.solved = solvedSoFar();
    this.hints = 0;
    element("editor-exercises").onchange = () => this.choose(element("editor-exercises").value);
    element("exercise-hint").onclick = () => this.hint();
    element("exercise-solution").onclick = () => editor.put(this.fileName, this.exercise.solution);
    element("exercise-next").onclick = () => this.choose(this.next.name);
    element("exercise-end").onclick = () => this.choose("");
  }

  /** The exercises, in the language of the page. */
  async list() {
    const { document: all } = await this.source.call("exercises", {});
    this.all = all ?? [];
    this.exercise = this.all.find(({ name }) => name === this.exercise?.name);
    this.show();
  }

  get fileName() {
    return `${this.exercise.name}.m220`;
  }

  get next() {
    return this.all[this.all.indexOf(this.exercise) + 1];
  }

  choose(name) {
    this.exercise = this.all.find((exercise) => exercise.name === name);
    this.hints = 0;
    this.failures = null;
    if (this.exercise !== undefined) this.editor.put(this.fileName, this.exercise.start);
    this.show();
  }

  hint() {
    this.hints += 1;
    this.show();
  }

  /** Checks the program, if it is that of the exercise; a newer text takes the place of one that still runs. */
  async check(name, program) {
    this.checking?.abort();
    const { exercise } = this;
    if (exercise === undefined || name !== this.fileName) return;
    const checking = new AbortController();
    this.checking = checking;
    const question = { name: exercise.name, text: program };
    const { document: found } = await this.source.call("check", question, { signal: checking.signal });
    if (this.checking !== checking || this.exercise !== exercise) return;
    this.failures = found?.failures ?? null;
    if (this.failures?.length === 0) {
      this.solved.add(exercise.name);
      try {
        localStorage.setItem(SOLVED, JSON.stringify([...this.solved]));
      } catch {
        // Without storage it is known as long as the page is open.
      }
    }
    this.show();
  }

  show() {
    const mark = (name) => (this.solved.has(name) ? "\u2713 " : "");
    const option = ({ name, title }) => new Option(`${mark(name)}${name.slice(0, 2)} ${title}`, name);
    const choice = element("editor-exercises");
    choice.replaceChildren(new Option(text("editor.exercises"), ""), ...this.all.map(option));
    choice.value = this.exercise?.name ?? "";
    element("exercise").hidden = this.exercise === undefined;
    if (this.exercise === undefined) return;
    const { title, task, hints } = this.exercise;
    element("exercise-title").textContent = title;
    element("exercise-task").textContent = task;
    const items = (lines) => lines.map((line) => make(null, "li", { textContent: line }));
    element("exercise-hints").replaceChildren(...items(hints.slice(0, this.hints)));
    element("exercise-hint").hidden = this.hints >= hints.length;
    const isSolved = this.failures?.length === 0;
    const said = isSolved ? [text("exercise.solved")] : this.failures ?? [];
    element("exercise-said").replaceChildren(...items(said));
    element("exercise").classList.toggle("solved", isSolved);
    element("exercise-next").hidden = !isSolved || this.next === undefined;
  }
}
