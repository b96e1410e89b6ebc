// The player: buttons, timeline, speed, counters, keys.

import { cellName } from "m220/words.js";
import { labelNear } from "m220/state.js";

/** Modelled seconds per second. */
const SPEEDS = [
  [1 / 1000, "1/1000 of the M-220"],
  [1 / 100, "1/100 of the M-220"],
  [1 / 30, "1/30"],
  [1 / 10, "1/10"],
  [1 / 3, "1/3"],
  [1, "the M-220's own speed"],
  [10, "10 times"],
  [100, "100 times"],
  [Infinity, "all at once"],
];
/** A replay initially takes about this long to play. */
const PLEASANT_SECONDS = 15;

/** Modelled time in a suitable unit. */
export function duration(halfMicroseconds) {
  const seconds = halfMicroseconds / 2e6;
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds / 60) % 60)} min`;
  if (seconds >= 60) return `${Math.floor(seconds / 60)} min ${(seconds % 60).toFixed(0)} s`;
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  return `${(seconds * 1000).toFixed(2)} ms`;
}

export const counted = (number) => number.toLocaleString("en-GB");

/** The signs on the buttons, in a square of 16 units. */
const SIGNS = {
  begin: "M2 2h2.500v12H2zM14 2v12L5 8z",
  backLabel: "M8 2v12L1 8zM15 2v12L8 8z",
  back: "M11 3v10L4 8z",
  play: "M3 1.500v13L14 8z",
  pause: "M3 2h3.500v12H3zM9.500 2H13v12H9.500z",
  on: "M5 3v10l7-5z",
  onLabel: "M1 2v12l7-6zM8 2v12l7-6z",
  end: "M2 2v12l9-6zM11.500 2H14v12h-2.500z",
};

function sign(button, name) {
  if (button.dataset.sign === name) return;
  button.dataset.sign = name;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SIGNS[name]);
  svg.append(path);
  button.replaceChildren(svg);
}

/** Instructions per second. */
function rateText(rate) {
  return rate >= 1e6 ? `${(rate / 1e6).toFixed(1)} million` : counted(Math.round(rate));
}

function button(parent, label, name, keys, action) {
  const made = document.createElement("button");
  made.type = "button";
  sign(made, name);
  made.setAttribute("aria-label", label);
  made.title = keys === "" ? label : `${label} (${keys})`;
  made.addEventListener("click", action);
  parent.append(made);
  return made;
}

export class Controls {
  constructor(source, changed, signal) {
    this.source = source;
    this.signal = signal;
    this.changed = changed;
    this.counters = {};
    this.actions = this.actionsOf();
    this.transport(document.getElementById("transport"));
    this.timeline(document.getElementById("timeline"));
    this.counter("time", "M-220 time");
    this.counter("instructions", "instructions");
    const { book } = source.state.description;
    if (book !== null) {
      this.counter("book", book.source);
      this.counters.book.textContent = duration(book.us * 2);
    }
    if (source.kind === "live") this.counter("rate", "a second");
    this.counter("state", "state");
    this.keys();
  }

  /** Everything that a key or a button does: name, keys, its description. */
  actionsOf() {
    const { source } = this;
    const change = (action) => () => {
      action();
      this.changed();
    };
    const actions = [
      { keys: ["Space", "KeyK"], shown: "Space", text: "play or pause", run: change(() => (source.state.running ? source.pause() : source.play())) },
      { keys: ["ArrowRight"], shown: "→", text: "one instruction on", run: change(() => source.step(1)) },
      { keys: ["ArrowLeft"], shown: "←", text: "one instruction back", run: change(() => source.step(-1)) },
      { keys: ["Shift+ArrowRight", "BracketRight"], shown: "Shift →", text: "to the next label", run: change(() => source.stepLabel(1)) },
      { keys: ["Shift+ArrowLeft", "BracketLeft"], shown: "Shift ←", text: "to the label before", live: false, run: change(() => source.stepLabel(-1)) },
      { keys: ["Home"], shown: "Home", text: "to the beginning", run: change(() => (source.kind === "live" ? source.restart() : source.seek(0))) },
      { keys: ["End"], shown: "End", text: "to the end", live: false, run: change(() => source.seek(source.length)) },
      { keys: ["Minus"], shown: "-", text: "slower", run: () => this.changeSpeed(-1) },
      { keys: ["Equal"], shown: "=", text: "faster", run: () => this.changeSpeed(1) },
      { keys: ["KeyT"], shown: "T", text: "dark or light", run: () => document.getElementById("theme-button").click() },
      { keys: ["Shift+Slash", "KeyH"], shown: "?", text: "this list", run: () => document.getElementById("help").showModal() },
      { keys: ["Slash"], shown: "/", text: "the debugger's command line", live: true, run: () => document.getElementById("command").focus() },
      { keys: ["KeyC"], shown: "C", text: "a chess task", live: true, run: () => document.getElementById("chess-button").click() },
    ];
    const live = source.kind === "live";
    const here = actions.filter((action) => (live ? action.live !== false : action.live !== true));
    if (live) Object.assign(here.find((action) => action.keys.includes("Home")), { text: "load the program again" });
    return here;
  }

  action(keys) {
    return this.actions.find((action) => action.keys.includes(keys));
  }

  transport(parent) {
    const make = (key, text) => {
      if (this.action(key) === undefined) return null;
      const { text: label, shown, run } = this.action(key);
      return button(parent, label, text, shown, run);
    };
    make("Home", "begin");
    make("BracketLeft", "backLabel");
    make("ArrowLeft", "back");
    this.playButton = make("Space", "play");
    this.playButton.classList.add("play");
    make("ArrowRight", "on");
    make("BracketRight", "onLabel");
    make("End", "end");
  }

  timeline(parent) {
    const { source } = this;
    const select = document.createElement("select");
    select.setAttribute("aria-label", "Speed");
    for (const [index, [, text]] of SPEEDS.entries()) select.append(new Option(text, String(index)));
    select.addEventListener("change", () => this.setSpeed(Number(select.value)));
    const label = document.createElement("label");
    label.className = "speed";
    label.append("Speed ", select);
    this.select = select;
    if (source.kind === "live") {
      parent.append(label);
      return;
    }
    const slider = document.createElement("input");
    slider.type = "range";
    slider.min = "0";
    slider.max = String(source.length);
    slider.setAttribute("aria-label", "Place in the run");
    slider.addEventListener("input", () => {
      source.pause();
      source.seek(Number(slider.value));
      this.changed();
    });
    parent.append(slider, label);
    this.slider = slider;
    const [start, , end] = source.times;
    const wanted = (end - start) / 2e6 / PLEASANT_SECONDS;
    const near = (speed) => Math.abs(Math.log(speed / Math.max(wanted, 1e-9)));
    const finite = SPEEDS.map(([speed]) => speed).filter(Number.isFinite);
    this.setSpeed(finite.indexOf(finite.reduce((best, speed) => (near(speed) < near(best) ? speed : best))));
  }

  setSpeed(index) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, index));
    this.source.speed = SPEEDS[this.speed][0];
    this.select.value = String(this.speed);
    this.changed();
  }

  changeSpeed(by) {
    if (this.source.kind === "live") this.speed = Number(this.select.value);
    this.setSpeed(this.speed + by);
  }

  counter(name, title) {
    const [term, value] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = title;
    value.dataset.counter = name;
    const group = document.createElement("div");
    group.append(term, value);
    document.getElementById("counters").append(group);
    this.counters[name] = value;
  }

  keys() {
    const dialog = document.getElementById("help");
    const table = document.getElementById("help-keys");
    for (const { shown, text } of this.actions) {
      const row = table.insertRow();
      const key = document.createElement("kbd");
      key.textContent = shown;
      row.insertCell().append(key);
      row.insertCell().textContent = text;
    }
    document.getElementById("help-button").onclick = () => dialog.showModal();
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || dialog.open) return;
      // An element in which the key has its own meaning keeps it.
      const at = event.target;
      if (at.matches("input[type=text], textarea, select, [data-keys]")) return;
      if (at.matches("input[type=range]") && event.code !== "Space") return;
      if (at.matches("button, a, summary") && event.code === "Space") return;
      const action = this.action((event.shiftKey ? "Shift+" : "") + event.code);
      if (action === undefined) return;
      event.preventDefault();
      action.run();
    }, { signal: this.signal });
  }

  draw() {
    const { source } = this;
    const { state } = source;
    if (this.slider !== undefined) this.slider.value = String(source.position);
    else if (document.activeElement !== this.select) {
      const place = SPEEDS.findIndex(([speed]) => speed === source.speed);
      if (place >= 0) this.select.value = String(place);
    }
    if (this.counters.rate !== undefined) this.counters.rate.textContent = state.running ? rateText(source.frame.rate) : "0";
    sign(this.playButton, state.running ? "pause" : "play");
    this.playButton.setAttribute("aria-label", state.running ? "pause" : "play");
    this.counters.time.textContent = duration(state.halfMicroseconds);
    this.counters.instructions.textContent = counted(state.instructions);
    const place = `${cellName(state.next)} ${labelNear(state, state.next)}`;
    const stopped = state.stop === null ? `at ${place}` : `${state.stop.reason} at ${cellName(state.stop.at)}`;
    this.counters.state.textContent = state.running ? "running" : stopped;
  }
}
