// Controls that only a live machine has: loading, chess tasks, INPUT, devices, and the debugger's command line.

import { Setup } from "m220/setup.js";

function make(parent, name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  parent?.append(made);
  return made;
}

export class ConsoleBar {
  constructor(parent, source) {
    this.source = source;
    this.setup = new Setup(source);
    const bar = make(parent, "section", { className: "live-bar" });
    bar.setAttribute("aria-label", "Console");
    const buttons = make(bar, "div", { className: "live-buttons" });
    make(buttons, "button", { type: "button", textContent: "Chess task…", id: "chess-button" }).addEventListener("click", () => this.setup.open());
    this.file(buttons, "Load a program…", "program", ".m220,.m20,.elf,*");
    this.file(buttons, "Cards…", "cards", ".cdr,*");
    this.number = make(null, "select", { ariaLabel: "Which device" });
    for (const [value, text] of [["drum:0", "drum 0"], ["tape:0", "tape 0"], ["tape:1", "tape 1"], ["tape:2", "tape 2"], ["tape:3", "tape 3"]]) {
      this.number.append(new Option(text, value));
    }
    const media = make(buttons, "span", { className: "group" });
    media.append(this.number);
    this.file(media, "Mount…", () => this.number.value, "*");
    make(buttons, "button", { type: "button", textContent: "INPUT", id: "input-button", title: "Read the card deck to cell 0001 and on" }).addEventListener("click", () => source.tell({ do: "input" }));
    this.devices = make(buttons, "span", { className: "devices" });
    const line = make(bar, "form", { className: "command" });
    const label = make(line, "label", {}, "Debugger ");
    this.input = make(label, "input", { type: "text", id: "command", autocomplete: "off", spellcheck: false, placeholder: "help    break joined    print RA    set 0100 = =1.5" });
    this.output = make(bar, "pre", { className: "said", hidden: true, tabIndex: 0 });
    this.output.setAttribute("aria-live", "polite");
    this.output.setAttribute("aria-label", "What the debugger says");
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

  file(parent, text, kind, accept) {
    const input = make(null, "input", { type: "file", accept, hidden: true });
    const button = make(parent, "button", { type: "button", textContent: text });
    button.dataset.upload = typeof kind === "string" ? kind : "device";
    button.addEventListener("click", () => input.click());
    input.addEventListener("change", async () => {
      const [file] = input.files;
      if (file === undefined) return;
      const [name, number] = (typeof kind === "string" ? kind : kind()).split(":");
      const { text, error } = await this.source.upload(name, number ?? 0, file);
      this.say(error ?? text);
      input.value = "";
    });
    parent.append(input);
  }

  async command(line) {
    if (line.trim() === "") return;
    this.history.push(line);
    this.place = this.history.length;
    this.input.value = "";
    const { text, error } = await this.source.ask({ do: "debugger", line });
    this.say(error ?? text);
  }

  say(text) {
    this.output.hidden = text === "";
    this.output.textContent = text;
  }

  draw() {
    const text = (this.source.frame?.devices ?? []).filter((device) => !device.endsWith("blank") && !device.endsWith("empty")).join(" · ");
    if (this.devices.textContent !== text) this.devices.textContent = text;
  }
}
