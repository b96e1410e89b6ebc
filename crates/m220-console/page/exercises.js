// The exercises in the editor: a task, hints one by one, and a check that says what still fails while one types.

import { make } from "m220/dom.js";
import { remember, remembered } from "m220/kept.js";
import { text } from "m220/text.js";

const element = (id) => document.getElementById(id);
const SOLVED = "m220-exercises";
/** What was written for an exercise is kept under its name after this. */
const WRITTEN = "m220-exercise-";
const fileOf = ({ name }) => `${name}.m220`;
const codeOf = (program) => program.replace(/;.*|\s/g, "");

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
    element("exercise-start").onclick = () => editor.put(editor.name, this.exercise.start);
    element("exercise-hint").onclick = () => this.hint();
    element("exercise-solution").onclick = () => editor.put(editor.name, this.exercise.solution);
    element("exercise-next").onclick = () => this.choose(this.next.name);
    element("exercise-end").onclick = () => this.end();
  }

  /** The exercises, in the language of the page. */
  async list() {
    const { document: all } = await this.source.call("exercises", {});
    this.all = all ?? [];
    this.keep(this.editor.name, this.editor.area.value);
    this.follow();
    this.show();
    if (this.exercise !== undefined) this.editor.look();
  }

  of(file) {
    return this.all?.find((exercise) => fileOf(exercise) === file);
  }

  /** The exercise is that of the program in the editor, by its name. */
  follow() {
    const exercise = this.of(this.editor.name);
    if (exercise === this.exercise) return;
    if (exercise?.name !== this.exercise?.name) Object.assign(this, { hints: 0, failures: null });
    this.exercise = exercise;
    this.show();
  }

  /** Keeps what the visitor wrote for an exercise; that is not its beginning, nor a solution which was shown. */
  keep(file, program) {
    const exercise = this.of(file);
    if (exercise === undefined || [exercise.start, exercise.solution].includes(program)) return;
    remember(WRITTEN + exercise.name, program);
  }

  get next() {
    return this.all[this.all.indexOf(this.exercise) + 1];
  }

  choose(name) {
    const exercise = this.all.find((one) => one.name === name);
    if (exercise !== undefined) this.editor.put(fileOf(exercise), remembered(WRITTEN + name) || exercise.start);
    else this.end();
  }

  /** The text stays, as a program of no exercise. */
  end() {
    element("editor-name").value = "program.m220";
    this.editor.typed();
    this.editor.look();
  }

  hint() {
    this.hints += 1;
    this.show();
  }

  /** Checks a program without errors, which are told elsewhere; a newer text takes the place of one that still runs. */
  async check(isWhole) {
    this.checking?.abort();
    const checking = new AbortController();
    this.checking = checking;
    const { exercise } = this;
    if (exercise === undefined) return;
    const question = { name: exercise.name, text: this.editor.area.value };
    const { signal } = checking;
    const found = isWhole ? (await this.source.call("check", question, { signal })).document : null;
    if (this.checking !== checking || this.exercise !== exercise) return;
    this.failures = found?.failures ?? null;
    // A solution that was shown counts from the first change to more than its comments.
    if (this.failures?.length === 0 && codeOf(question.text) !== codeOf(exercise.solution)) {
      // Another window may have solved others.
      this.solved = new Set([...solvedSoFar(), ...this.solved, exercise.name]);
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
