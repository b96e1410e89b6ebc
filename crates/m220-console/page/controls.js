// The player: buttons, timeline, speed, counters, keys.

import { draw, make, put } from "m220/dom.js";
import { labelNear, phaseOf } from "m220/state.js";
import { text, worded } from "m220/text.js";
import { about, counted, duration, rateText } from "m220/units.js";
import { cellName } from "m220/words.js";

/** Modelled seconds per second, and the name of its text. */
const SPEEDS = [
  [1 / 1000, "1/1000"], [1 / 100, "1/100"], [1 / 30, "1/30"], [1 / 10, "1/10"], [1 / 3, "1/3"],
  [1, "1"], [10, "10"], [100, "100"], [Infinity, "all"],
];
/** The speed of a first visit: the king's trajectories take six seconds. */
const FIRST_SPEED = 1;
/** A replay initially takes about this long to play. */
const PLEASANT_SECONDS = 15;
/** The address follows the place in a replay, but browsers refuse more than a few changes a second. */
const ADDRESS_EVERY_MS = 500;

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
  const svg = draw(null, "svg", { viewBox: "0 0 16 16", "aria-hidden": "true" });
  draw(svg, "path", { d: SIGNS[name] });
  button.replaceChildren(svg);
}

/** The character of a key; on a keyboard of another script the Latin letter in its place. */
export function characterOf({ key, code }) {
  if (key.length > 1) return key;
  const letter = key.toLowerCase();
  return /\p{L}/u.test(letter) && !/[a-z]/.test(letter) && code.startsWith("Key") ? code.at(-1).toLowerCase() : letter;
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
    this.counter("time", text("counter.time"));
    this.counter("instructions", text("counter.instructions"));
    const { book } = source.state.description;
    if (book !== null) {
      this.counter("book", worded(`book.${book.source}`, book.source));
      this.counters.book.textContent = about(book.us);
    }
    if (source.kind === "live") this.counter("rate", text("counter.rate"));
    this.counter("state", text("counter.state"));
    this.keys();
  }

  /** Everything that a key or a button does: its name, the keys, the sign of its button. */
  actionsOf() {
    const { source } = this;
    const live = source.kind === "live";
    const change = (action) => () => {
      action();
      this.changed();
    };
    const press = (id) => () => document.getElementById(id).click();
    const [plain, shift] = [(...keys) => keys, (...keys) => keys.map((key) => `Shift ${key}`)];
    return [
      { name: live ? "again" : "begin", keys: plain("Home"), sign: "begin",
        run: change(() => (live ? source.restart() : source.seek(0))) },
      !live && { name: "backLabel", keys: [...shift("ArrowLeft"), "["], sign: "backLabel",
        run: change(() => source.stepLabel(-1)) },
      { name: "back", keys: plain("ArrowLeft"), sign: "back", run: change(() => source.step(-1)) },
      { name: "play", keys: plain(" ", "k"), sign: "play", run: change(() => this.play()) },
      { name: "on", keys: plain("ArrowRight"), sign: "on", run: change(() => source.step(1)) },
      { name: "onLabel", keys: [...shift("ArrowRight"), "]"], sign: "onLabel", run: change(() => source.stepLabel(1)) },
      !live && { name: "end", keys: plain("End"), sign: "end", run: change(() => source.seek(source.length)) },
      { name: "slower", keys: plain("-"), run: () => this.changeSpeed(-1) },
      { name: "faster", keys: plain("+", "="), run: () => this.changeSpeed(1) },
      { name: "theme", keys: plain("t"), run: press("theme-button") },
      { name: "keys", keys: plain("?", "h"), run: press("help-button") },
      live && { name: "debugger", keys: plain("/"), run: () => document.getElementById("command").focus() },
      live && { name: "task", keys: plain("c"), run: press("chess-button") },
    ].filter(Boolean);
  }

  play() {
    const { source } = this;
    if (source.state.running) source.pause();
    else source.play();
  }

  transport(parent) {
    for (const action of this.actions.filter((action) => action.sign !== undefined)) {
      const label = text(`key.${action.name}`);
      const button = make(parent, "button", { type: "button", "aria-label": label });
      button.dataset.explain = `${label} (${shownKey(action)})`;
      button.addEventListener("click", action.run);
      sign(button, action.sign);
      if (action.name !== "play") continue;
      button.classList.add("play");
      this.playButton = button;
    }
  }

  timeline(parent) {
    const { source } = this;
    const select = make(null, "select", { "aria-label": text("speed") });
    for (const [index, [, name]] of SPEEDS.entries()) select.append(new Option(text(`speed.${name}`), String(index)));
    select.addEventListener("change", () => this.setSpeed(Number(select.value)));
    const label = make(null, "label", { className: "speed" }, `${text("speed")} `, select);
    this.select = select;
    if (source.kind === "live") {
      parent.append(label);
      if (!source.speedChosen) this.setSpeed(FIRST_SPEED);
      return;
    }
    const slider = make(parent, "input", { type: "range", min: "0", max: String(source.length) });
    slider.setAttribute("aria-label", text("timeline"));
    slider.addEventListener("input", () => {
      source.pause();
      source.seek(Number(slider.value));
      this.changed();
    });
    parent.append(label);
    this.slider = slider;
    const [start, , end] = source.times;
    const wanted = Math.max((end - start) / 2e6 / PLEASANT_SECONDS, 1e-9);
    const distance = ([speed]) => Math.abs(Math.log(speed / wanted));
    const finite = SPEEDS.filter(([speed]) => Number.isFinite(speed));
    const nearest = finite.reduce((best, speed) => (distance(speed) < distance(best) ? speed : best));
    if (source.speedChosen) this.show(source.speed);
    else this.setSpeed(SPEEDS.indexOf(nearest));
  }

  setSpeed(index) {
    this.source.speedChosen = true;
    this.source.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))][0];
    this.show(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))][0]);
    this.changed();
  }

  show(speed) {
    const place = SPEEDS.findIndex(([other]) => other === speed);
    if (place >= 0) this.select.value = String(place);
  }

  changeSpeed(by) {
    this.setSpeed(Number(this.select.value) + by);
  }

  counter(name, title) {
    const value = make(null, "dd");
    value.dataset.counter = name;
    const term = make(null, "dt", {}, title);
    make(document.getElementById("counters"), "div", {}, term, value);
    this.counters[name] = value;
  }

  keys() {
    const dialog = document.getElementById("help");
    const table = document.getElementById("help-keys");
    for (const action of this.actions) {
      const row = table.insertRow();
      make(row.insertCell(), "kbd", {}, shownKey(action));
      row.insertCell().textContent = text(`key.${action.name}`);
    }
    document.getElementById("help-button").onclick = () => dialog.showModal();
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]") !== null) return;
      // An element in which the key has its own meaning keeps it.
      const at = event.target;
      if (at.matches("input:not([type=range]), textarea, select, [data-keys]")) return;
      if (at.matches("input[type=range]") && event.key !== " ") return;
      if (at.matches("button, a, summary") && event.key === " ") return;
      const character = characterOf(event);
      const pressed = event.shiftKey && character.length > 1 ? `Shift ${character}` : character;
      const action = this.actions.find(({ keys }) => keys.includes(pressed));
      if (action === undefined) return;
      event.preventDefault();
      action.run();
    }, { signal: this.signal });
  }

  draw(now) {
    const { source } = this;
    const { state } = source;
    if (this.slider !== undefined) {
      this.slider.value = String(source.position);
      this.address(now);
    } else if (document.activeElement !== this.select) this.show(source.speed);
    if (this.counters.rate !== undefined) put(this.counters.rate, state.running ? rateText(source.frame.rate) : "0");
    sign(this.playButton, state.running ? "pause" : "play");
    this.playButton.setAttribute("aria-label", text(state.running ? "key.pause" : "key.play"));
    put(this.counters.time, duration(state.halfMicroseconds));
    put(this.counters.instructions, counted(state.instructions));
    put(this.counters.state, this.stateText());
    this.counters.state.title = state.stop?.message ?? "";
  }

  stateText() {
    const { state } = this.source;
    const phase = phaseOf(this.source);
    const at = phase === "ended" ? state.stop.at : state.next;
    const place = `${cellName(at)} ${labelNear(state, at)}`.trim();
    const reason = worded(`stop.${state.stop?.reason}`, state.stop?.reason ?? "");
    if (phase === "ended") return text("state.ended", { reason, place });
    return text(`state.${phase}`, { place });
  }

  /** `#frame=N` in the address leads others to the same place. */
  address(now) {
    const { source } = this;
    if (source.state.running || source.position === this.addressed) return;
    if (now - this.addressedAt < ADDRESS_EVERY_MS) {
      this.changed();
      return;
    }
    const first = this.addressed === undefined;
    [this.addressed, this.addressedAt] = [source.position, now];
    if (first) return;
    const fragment = new URLSearchParams(location.hash.slice(1));
    fragment.delete("end");
    fragment.set("frame", String(source.position));
    history.replaceState(null, "", `#${fragment}`);
  }
}

const SHOWN = { " ": "Space", ArrowLeft: "←", ArrowRight: "→" };

function shownKey({ keys }) {
  const [first] = keys;
  const [key, shift] = first.startsWith("Shift ") ? [first.slice(6), "Shift "] : [first, ""];
  return shift + (SHOWN[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}
