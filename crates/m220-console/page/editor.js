// A program of the visitor's own: written here, assembled while it is typed, loaded into the machine.

import { make, refusalOf, save } from "m220/dom.js";
import { Exercises } from "m220/exercises.js";
import { isReloaded, remember, remembered } from "m220/kept.js";
import { sourcesOf } from "m220/live.js";
import { Reference } from "m220/reference.js";
import { text } from "m220/text.js";
import { counted } from "m220/units.js";

const element = (id) => document.getElementById(id);
/** The assembler is asked when the keys have rested so long. */
const REST_MS = 250;
const first = () => [
  "; 1 + 2 + ... + 10",
  "origin 0100",
  "start begin",
  "begin:  ADD     one, i, i",
  "        ADD     sum, i, sum",
  `        SUB     last, i, 0              ; ${text("editor.first")}`,
  "        JN      0, begin",
  "        STOP",
  "one:    number  1.0",
  "last:   number  9.5",
  "i:      reserve 1",
  "sum:    reserve 1",
  "",
].join("\n");

const KEPT = "m220-program";

/** What was written at the last visit, or else a first program. */
function kept() {
  try {
    const { name, text: written } = JSON.parse(remembered(KEPT));
    if (typeof name === "string" && written.trim() !== "") return { name, text: written };
  } catch {
    // Nothing was kept, or it cannot be read.
  }
  return { name: "program.m220", text: first() };
}

export class Editor {
  constructor(source) {
    this.source = source;
    this.files = new Map();
    this.asking = null;
    // From the text of one program to that of another, as undoing goes too: the name of the other.
    this.changes = new Map();
    this.before = "";
    this.area = element("editor-text");
    this.area.oninput = (event) => this.typed(event);
    this.area.onscroll = () => this.follow();
    this.area.onkeydown = (event) => this.key(event);
    this.exercises = new Exercises(source, this);
    this.reference = new Reference(source, this.area);
    element("editor-button").onclick = () => this.open();
    element("editor-name").onchange = () => this.typed();
    element("editor-load").onclick = () => this.load(false);
    element("editor-save").onclick = () => save(this.name, "text/plain", this.area.value);
    element("editor-open").onclick = () => element("editor-files").click();
    element("editor-files").onchange = () => this.read([...element("editor-files").files]);
    element("editor-examples").onchange = () => this.example(element("editor-examples").value);
    element("editor-labels").onchange = () => this.go(Number(element("editor-labels").value));
  }

  get name() {
    return element("editor-name").value.trim() || "program.m220";
  }

  async open() {
    element("editor").showModal();
    const { loaded } = this.source;
    if (this.area.value === "") {
      const { name, text: written } = kept();
      this.put(name, written);
      // What is in core is shown, unless it is an earlier state of what was written.
      const isEarlier = isReloaded() && loaded?.question.root === name;
      if (loaded?.task === "source" && !isEarlier) this.take(loaded.question.root, loaded.question.files);
    }
    else this.look();
    this.area.focus();
    this.reference.open();
    this.exercises.list();
    if (this.sources !== undefined) return;
    const answer = await this.source.call("sources", {});
    this.sources = answer.document ?? [];
    // A text that another one includes is no program, nor is a sheet of data.
    const isIncluded = (name) => this.sources.some((other) => other.text.includes(`include "${name}"`));
    const names = this.sources.filter(({ name, text }) => /^\s*start\s/m.test(text) && !isIncluded(name))
      .map(({ name }) => new Option(name));
    element("editor-examples").replaceChildren(new Option(text("editor.examples"), ""), ...names);
  }

  /** Files of the visitor's; the program is shown, all may be included. */
  async read(files) {
    const refusal = await refusalOf(files);
    if (refusal !== null) element("editor-said").textContent = text(refusal);
    if (refusal !== null || files.length === 0) return;
    const { root, files: read } = await sourcesOf(files);
    element("editor-files").value = "";
    this.take(root, read);
  }

  take(root, files) {
    for (const file of files) this.files.set(file.name, file.text);
    this.put(root, this.files.get(root) ?? "");
  }

  example(name) {
    const found = this.sources.find((source) => source.name === name);
    element("editor-examples").value = "";
    if (found !== undefined) this.put(found.name, found.text);
  }

  put(name, content) {
    const left = this.area.value;
    this.changes.set(`${left}\0${content}`, name).set(`${content}\0${left}`, this.name);
    element("editor-name").value = name;
    // By the browser's own editing: Ctrl+Z brings back what was replaced. It may be told line by line.
    this.isPutting = true;
    this.area.focus();
    this.area.select();
    document.execCommand("insertText", false, content);
    if (this.area.value !== content) this.area.value = content;
    this.isPutting = false;
    this.typed();
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = 0;
    this.look();
  }

  typed(event) {
    if (this.isPutting) return;
    const { value } = this.area;
    const other = this.changes.get(`${this.before}\0${value}`);
    if (event?.inputType?.startsWith("history") && other !== undefined) element("editor-name").value = other;
    this.before = value;
    this.show(null);
    remember(KEPT, JSON.stringify({ name: this.name, text: value }));
    this.exercises.keep(this.name, value);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.look(), REST_MS);
  }

  /** Tab writes spaces here; Shift and Tab leave, and so does Escape. */
  key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.load(true);
      return;
    }
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.reference.complete(this.reference.offered()[0]);
      return;
    }
    if (event.key !== "Tab" || event.shiftKey) return;
    event.preventDefault();
    this.area.setRangeText("  ", this.area.selectionStart, this.area.selectionEnd, "end");
    this.typed();
  }

  /** The program with what it includes, and what that includes; the other files stay here. */
  question() {
    this.files.set(this.name, this.area.value);
    const names = new Set([this.name]);
    for (const name of names) {
      for (const other of this.files.keys()) if (this.files.get(name).includes(`"${other}"`)) names.add(other);
    }
    return { root: this.name, files: [...names].map((name) => ({ name, text: this.files.get(name) })) };
  }

  /** Asks the assembler; a newer text takes the place of a question that is still open. */
  async look() {
    this.exercises.follow();
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    const { signal } = asking;
    const { document: found, error } = await this.source.call("assemble", this.question(), { signal });
    if (this.asking !== asking) return;
    this.asking = null;
    if (error === null) {
      this.show(found);
      this.reference.open();
      this.exercises.check(found.words !== null);
    } else element("editor-said").textContent = error;
  }

  /** Marks the lines with errors, each with its sentence at its end. */
  show(found) {
    const remarks = found === null ? [] : [...found.errors, ...found.warnings];
    const byLine = new Map();
    for (const remark of remarks) {
      if (remark.file === this.name && !byLine.has(remark.line)) byLine.set(remark.line, remark);
    }
    const lines = this.area.value.split("\n").map((line, index) => {
      const made = make(null, "div", { textContent: line === "" ? " " : line });
      const remark = byLine.get(index + 1);
      if (remark !== undefined) {
        made.className = found.errors.includes(remark) ? "error" : "warning";
        make(made, "span", { textContent: remark.message });
      }
      return made;
    });
    element("editor-marks").replaceChildren(...lines);
    // On paper it stands above them.
    element("editor-marks").dataset.name = this.name;
    this.follow();
    const list = remarks.map(({ file, line, column, message, help }) => {
      const place = `${file}:${line}:${column}: ${message}${help === null ? "" : ` (${help})`}`;
      const isHere = file === this.name;
      // A text of the laboratory's own, which nobody edits here.
      if (!isHere && !this.files.has(file)) return make(null, "li", { textContent: place });
      const button = make(null, "button", { type: "button", textContent: place });
      button.addEventListener("click", () => {
        if (!isHere) this.put(file, this.files.get(file));
        this.go(line);
      });
      return make(null, "li", {}, button);
    });
    element("editor-errors").replaceChildren(...list);
    const labels = [...this.area.value.matchAll(/^[ \t]*([\p{L}_.][\p{L}\d_.]*):/gmu)];
    const lineOf = (at) => this.area.value.slice(0, at).split("\n").length;
    const options = labels.map((label) => new Option(label[1], lineOf(label.index)));
    element("editor-labels").replaceChildren(new Option(text("editor.labels"), ""), ...options);
    if (found !== null) {
      element("editor-said").textContent = found.words === null
        ? text("editor.errors", { count: found.errors.length })
        : text("editor.good", { words: counted(found.words), start: found.start ?? "0001" });
    }
    element("editor-load").disabled = found === null || found.words === null;
  }

  follow() {
    const marks = element("editor-marks");
    marks.scrollTop = this.area.scrollTop;
    marks.scrollLeft = this.area.scrollLeft;
  }

  /** The cursor on a line, in view. */
  go(line) {
    if (!(line > 0)) return;
    const at = this.area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    this.area.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(this.area).lineHeight));
    element("editor-labels").value = "";
  }

  /** Loads the program, and runs it at once if that is wanted. */
  async load(isRun = false) {
    const { error } = await this.source.ask({ do: "task", task: "source", question: this.question() });
    element("editor-said").textContent = error ?? "";
    if (error !== null) return;
    this.source.welcomed = true;
    element("editor").close();
    if (isRun) await this.source.play();
  }
}
