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
/** Keys that count in one place only: a game, and the editor of programs. */
const ELSEWHERE = { turn: "F", run: "Ctrl Enter", complete: "Ctrl Space", leave: "Shift Tab" };
/** How long a run is shown, in seconds, if its length is known and no speed was chosen. */
const SHOWN_SECONDS = 10;
/** A run of unknown length begins at this speed, which doubles every so many seconds: an hour takes twelve. */
const FIRST_PACE = 1 / 200;
const PACE_DOUBLES = 0.6;
/** Faster than this, the machine runs as fast as it can. */
const FASTEST_PACE = 10_000;
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

/** Whether the door or the story stands in place of the machine. */
const isCovered = () => document.documentElement.dataset.at === "door" || !document.getElementById("story").hidden;

export class Controls {
  constructor(source, changed, signal) {
    this.source = source;
    this.signal = signal;
    this.changed = changed;
    this.counters = {};
    this.actions = this.actionsOf();
    this.transport(document.getElementById("transport"));
    this.timeline(document.getElementById("timeline"));
    this.clock(document.getElementById("counters"));
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
      live && { name: "reverse", keys: [...shift("ArrowLeft"), "["], sign: "backLabel", run: () => source.reverse() },
      { name: "back", keys: plain("ArrowLeft"), sign: "back", run: change(() => source.step(-1)) },
      { name: "play", keys: plain(" ", "k"), sign: "play", run: change(() => this.play()) },
      { name: "on", keys: plain("ArrowRight"), sign: "on", run: change(() => source.step(1)) },
      { name: "onLabel", keys: [...shift("ArrowRight"), "]"], sign: "onLabel", run: change(() => source.stepLabel(1)) },
      !live && { name: "end", keys: plain("End"), sign: "end", run: change(() => source.seek(source.length)) },
      { name: "slower", keys: plain("-"), run: () => this.changeSpeed(-1) },
      { name: "faster", keys: plain("+", "="), run: () => this.changeSpeed(1) },
      { name: "theme", keys: plain("t"), run: press("theme-button") },
      { name: "keys", keys: plain("?", "h"), run: press("help-button") },
      live && { name: "debugger", keys: plain("/"), run: () => this.debugger(press) },
      live && { name: "task", keys: plain("c"), run: press("chess-button") },
    ].filter(Boolean);
  }

  /** The command line of the debugger, whose panel may be put away. */
  debugger(press) {
    if (document.documentElement.dataset.layer === "visitor") press("layer-button")();
    document.querySelector('[data-tab="debugger"]').click();
    document.getElementById("command").focus();
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
      if (action.name === "reverse") this.reverseButton = button;
      if (action.name !== "play") continue;
      button.classList.add("play");
      this.playButton = button;
    }
  }

  timeline(parent) {
    const { source } = this;
    const select = make(null, "select", { "aria-label": text("speed") });
    for (const [index, [, name]] of SPEEDS.entries()) {
      select.append(new Option(worded(`speed.${name}`, name), String(index)));
    }
    select.prepend(new Option(text("speed.fit"), "fit"));
    this.other = new Option("", "-1");
    this.other.hidden = true;
    select.append(this.other);
    select.addEventListener("change", () => {
      if (select.value === "fit") this.fit();
      else this.setSpeed(Number(select.value));
    });
    this.pace = make(null, "span", { className: "pace" });
    this.done = make(null, "span", { className: "pace" });
    const label = make(null, "label", { className: "speed" }, `${text("speed")} `, select);
    this.select = select;
    if (source.kind === "live") {
      parent.append(label, this.pace, this.done);
      if (!source.speedChosen) this.fit();
      return;
    }
    const slider = make(parent, "input", { type: "range", min: "0", max: String(source.length) });
    slider.setAttribute("aria-label", text("timeline"));
    slider.addEventListener("input", () => {
      source.pause();
      source.seek(Number(slider.value));
      this.changed();
    });
    parent.append(label, this.pace, this.done);
    this.slider = slider;
    if (source.speedChosen) this.show();
    else this.fit();
  }

  /** The whole run is shown in about ten seconds, whatever its length. */
  fit() {
    const { source } = this;
    source.speedChosen = source.fit = true;
    if (source.kind === "live") this.ease(0);
    else source.speed = Math.max((source.times[2] - source.times[0]) / 2e6 / SHOWN_SECONDS, 1e-9);
    this.show();
    this.changed();
  }

  /** The speed after so many seconds of the run: even if its length is known, and else ever faster. */
  ease(seconds) {
    const { source } = this;
    const { length } = source;
    const half = 2 ** Math.round((2 * seconds) / PACE_DOUBLES);
    const wanted = length === undefined ? FIRST_PACE * Math.sqrt(half) : length / 2e6 / SHOWN_SECONDS;
    if (wanted !== this.eased) source.pace(wanted > FASTEST_PACE ? Infinity : wanted);
    this.eased = wanted;
  }

  setSpeed(index) {
    Object.assign(this.source, { speedChosen: true, fit: false });
    this.source.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))][0];
    this.show();
    this.changed();
  }

  show() {
    const { speed, fit } = this.source;
    const place = SPEEDS.findIndex(([other]) => other === speed);
    // A speed that is not in the list, such as that of a game, is told in its place.
    this.other.textContent = paceText(speed);
    this.select.value = fit ? "fit" : String(place);
    put(this.pace, fit ? paceText(speed) : "");
  }

  /** From the fitting speed one goes to the next slower or faster of the list. */
  changeSpeed(by) {
    const { speed, fit } = this.source;
    const place = SPEEDS.findIndex(([other]) => other >= speed);
    this.setSpeed(by > 0 && (fit || SPEEDS[place][0] > speed) ? place : place + by);
  }

  /** A dial beside the time of a run that takes minutes or more. */
  clock(parent) {
    const svg = draw(null, "svg", { viewBox: "-16 -16 32 32", class: "clock", "aria-hidden": "true" });
    draw(svg, "circle", { r: 14 });
    this.hands = [8, 12].map((length) => draw(svg, "path", { d: `M0 0V-${length}` }));
    this.dial = make(parent, "div", { hidden: true }, svg);
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
    const line = (keys, name) => {
      const row = table.insertRow();
      make(row.insertCell(), "kbd", {}, keys);
      row.insertCell().textContent = text(`key.${name}`);
    };
    for (const action of this.actions) line(shownKey(action), action.name);
    // What a game and the editor know themselves.
    if (this.source.kind === "live") Object.entries(ELSEWHERE).forEach(([name, keys]) => line(keys, name));
    document.getElementById("help-button").onclick = () => dialog.showModal();
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]") !== null) return;
      // An element in which the key has its own meaning keeps it.
      const at = event.target;
      // What covers the machine, and what is scrolled by keys, is not the machine.
      if (isCovered() || at.closest("pre[tabindex]") !== null) return;
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
    if (source.fit && source.kind === "live") {
      if (state.instructions === 0) this.running = 0;
      else if (state.running) this.running += Math.min(0.1, (now - this.drawn) / 1000 || 0);
      if (state.running || state.instructions === 0) this.ease(this.running);
    }
    this.drawn = now;
    if (this.slider !== undefined) {
      this.slider.value = String(source.position);
      this.slider.ariaValueText = duration(state.halfMicroseconds);
      this.address(now);
    } else if (document.activeElement !== this.select) this.show();
    if (this.counters.rate !== undefined) put(this.counters.rate, state.running ? rateText(source.frame.rate) : "0");
    if (this.reverseButton !== undefined) this.reverseButton.hidden = source.frame.breakpoints.length === 0;
    this.progress();
    sign(this.playButton, state.running ? "pause" : "play");
    this.playButton.setAttribute("aria-label", text(state.running ? "key.pause" : "key.play"));
    const minutes = state.halfMicroseconds / 2e6 / 60;
    this.dial.hidden = minutes < 1;
    const turns = [minutes / 720, minutes / 60];
    turns.forEach((turn, place) => this.hands[place].setAttribute("transform", `rotate(${turn * 360})`));
    put(this.counters.time, duration(state.halfMicroseconds));
    put(this.counters.instructions, counted(state.instructions));
    put(this.counters.state, this.stateText());
    // The one line that is read aloud: what the machine is at, when that changes.
    const phase = phaseOf(source);
    const isTold = !document.getElementById("next").hidden || globalThis.m220?.play?.isShown;
    if (phase !== this.told && !isTold) put(document.getElementById("status"), this.stateText());
    this.told = phase;
    this.counters.state.title = state.stop?.message ?? "";
  }

  /** How far a task of hours has come, where the program's view says it, and how long the rest may take. */
  progress() {
    const { progress: [done, all] = [], halfMicroseconds, stop } = this.source.state;
    if (!(all > 0) || stop !== null) return put(this.done, "");
    const rest = (halfMicroseconds / 2 / done) * (all - done);
    return put(this.done, done > 0 && done < all ? text("progress.rest", { done, all, time: about(rest) })
      : text("progress", { done, all }));
  }

  stateText() {
    const { state } = this.source;
    const phase = phaseOf(this.source);
    // The frame that tells of the end may come before the state of the machine.
    const at = (phase === "ended" ? state.stop?.at : null) ?? state.next;
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

/** `now 1/175 of the M-220`, `now 30 times the M-220`. */
function paceText(speed) {
  if (!Number.isFinite(speed)) return text("pace.all");
  const digits = { maximumSignificantDigits: 2 };
  return speed < 1 ? text("pace.part", { part: counted(1 / speed, digits) })
    : text("pace.times", { times: counted(speed, digits) });
}

const SHOWN = { " ": "Space", ArrowLeft: "←", ArrowRight: "→" };

function shownKey({ keys }) {
  const [first] = keys;
  const [key, shift] = first.startsWith("Shift ") ? [first.slice(6), "Shift "] : [first, ""];
  return shift + (SHOWN[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}
