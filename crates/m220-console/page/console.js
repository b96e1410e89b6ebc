// Controls that only a live machine has: loading, chess tasks, INPUT, devices, and the debugger's command line.

import { bytesOf, make, put, refusalOf, save } from "m220/dom.js";
import { replayPage } from "m220/replay-page.js";
import { Setup } from "m220/setup.js";
import { currentLanguage, hasText, text } from "m220/text.js";

/** The most characters of the debugger's output that stay on the page. */
const MOST_SAID = 50_000;
const DEVICES = ["drum:0", "tape:0", "tape:1", "tape:2", "tape:3"];
const deviceName = (name) => {
  const [kind, number] = name.split(":");
  return text(`device.${kind}`, { number });
};
/** Where a dropped file goes by the end of its name; any other is a program. */
const DROPPED = { cdr: "cards", drum: "drum:0", tape: "tape:0" };
const placeOf = ({ name }) => DROPPED[name.split(".").at(-1)] ?? "program";
/** What can be kept as a file, and the file's name. */
const KEPT = new Map(Object.entries({
  image: "program.elf", deck: "program.m20", replay: "replay.html", machine: "stopped.m220-machine",
}));
for (const name of DEVICES) KEPT.set(name, `${name.replace(":", "-")}.${name.split(":")[0]}`);

/** What the page says of a register that a line asks help for, in Russian; the debugger tells the rest itself. */
function registerAskedFor(line) {
  const [, word = ""] = /^\s*(?:help|h|\?)\s+(\S+)\s*$/i.exec(line) ?? [];
  const register = `register.${word.toUpperCase()}`;
  return currentLanguage() === "ru" && hasText(register) ? text(register) : null;
}

export class ConsoleBar {
  constructor(parent, bar, source) {
    this.source = source;
    // One dialog for all programs: a new program builds the page anew while the dialog may be open.
    source.setup ??= new Setup(source);
    const button = (name, action) => {
      const made = make(parent, "button", { type: "button", textContent: text(`console.${name}`) });
      made.addEventListener("click", action);
      return made;
    };
    document.getElementById("chess-button").onclick = () => source.setup.open();
    this.file(parent, "program", "program", ".m220,.m20,.elf,*");
    this.file(parent, "cards", "cards", ".cdr,*");
    const media = make(parent, "span", { className: "group" });
    this.device = make(media, "select", { "aria-label": text("console.device") });
    this.device.append(...DEVICES.map((name) => new Option(deviceName(name), name)));
    this.file(media, "mount", () => this.device.value, "*");
    this.keep(parent);
    const input = button("input", () => {
      const cards = source.frame?.devices.find(({ device }) => device === "cards");
      if (!(cards?.holds > 0)) return source.onnotice(text("console.no-cards"));
      return source.tell({ do: "input" });
    });
    input.id = "input-button";
    input.dataset.explain = text("explain.INPUT");
    this.devices = make(bar, "p", { className: "devices" });
    this.output = make(bar, "pre", { className: "said", tabIndex: 0, hidden: true, "aria-live": "polite" });
    this.output.setAttribute("aria-label", text("console.said"));
    const line = make(bar, "form", { className: "command" });
    const placeholder = "help    break joined    print RA    set 0100 = =1.5";
    this.input = make(line, "input", { type: "text", id: "command", autocomplete: "off", spellcheck: false });
    this.input.placeholder = placeholder;
    this.input.setAttribute("aria-label", text("panel.debugger"));
    this.history = [];
    this.place = 0;
    line.addEventListener("submit", (event) => {
      event.preventDefault();
      this.command(this.input.value);
    });
    this.input.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      this.place = Math.max(0, Math.min(this.history.length, this.place + by));
      this.input.value = this.history[this.place] ?? "";
    });
  }

  /** What can be kept as a file, and the button that does it: the arrow keys go through the names. */
  keep(parent) {
    const menu = make(parent, "select", { id: "keep", "aria-label": text("console.keep") });
    const names = [...KEPT.keys()];
    menu.append(...names.map((name) => new Option(deviceName(name), name)));
    const button = make(parent, "button", { type: "button", textContent: text("console.keep") });
    button.addEventListener("click", async () => {
      const chosen = menu.value;
      const name = KEPT.get(chosen);
      const [file, number = "0"] = chosen.split(":");
      const { text: content, error } = await this.source.tell({ do: "save", file, number: Number(number) });
      if (error !== null) return;
      const bytes = bytesOf(content);
      if (bytes.length === 0) return this.source.onnotice(text("console.nothing", { name: deviceName(chosen) }));
      if (file !== "replay") return save(name, "application/octet-stream", bytes);
      save(name, "text/html", await replayPage(`${this.source.state.description.title} · M-220`, bytes));
    });
  }

  file(parent, name, kind, accept) {
    const input = make(parent, "input", { type: "file", accept, hidden: true, multiple: kind === "program" });
    const button = make(parent, "button", { type: "button", textContent: text(`console.${name}`) });
    button.dataset.upload = typeof kind === "string" ? kind : "device";
    button.addEventListener("click", () => input.click());
    input.addEventListener("change", async () => {
      const files = [...input.files];
      if (files.length > 0) await this.upload(typeof kind === "string" ? kind : kind(), files);
      input.value = "";
    });
  }

  /** Dropped files, each where its name says; the texts of a program come together, after the devices are filled. */
  async drop(files) {
    const program = files.filter((file) => placeOf(file) === "program");
    for (const file of files) if (!program.includes(file)) await this.upload(placeOf(file), [file]);
    if (program.length > 0) await this.upload("program", program);
  }

  /** Gives files to the machine: for a device, or the texts of a program. */
  async upload(kind, files) {
    const refusal = await refusalOf(files);
    if (refusal !== null) return this.source.onnotice(text(refusal));
    const [name, number] = kind.split(":");
    const { text: done, error } = await this.source.upload(name, number ?? 0, ...files);
    this.source.onnotice(error ?? "");
    if (error !== null || done !== "") this.say(error ?? done);
    return undefined;
  }

  async command(line) {
    if (line.trim() === "") return undefined;
    this.history.push(line);
    this.place = this.history.length;
    this.input.value = "";
    const register = registerAskedFor(line);
    if (register !== null) return this.say(`> ${line}\n${register}`);
    const { text: answer, error } = await this.source.ask({ do: "debugger", line });
    return this.say(`> ${line}\n${error ?? answer}`);
  }

  /** Adds to what was said before; the oldest goes. Only what is new is read aloud. */
  say(sentence) {
    this.output.append(`${sentence.trimEnd()}\n`.slice(-MOST_SAID));
    while (this.output.textContent.length > MOST_SAID) this.output.firstChild.remove();
    this.output.hidden = false;
    this.output.scrollTop = this.output.scrollHeight;
  }

  draw() {
    const used = (this.source.frame?.devices ?? []).filter(({ holds }) => holds > 0);
    put(this.devices, used.map(({ device, ...told }) => text(`holds.${device}`, told)).join(" · "));
  }
}
