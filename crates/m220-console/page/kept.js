// The machine of this window, kept over a reload: a run that was begun is not lost. It goes when the window is closed.

import { bytesOf } from "m220/dom.js";

const NAME = "m220-machine";
/** A machine that runs is kept at most so often, in milliseconds. */
const EVERY_MS = 3000;

export class Kept {
  constructor(source) {
    this.source = source;
    this.at = -Infinity;
    this.last = "";
  }

  draw(now) {
    const { state: { instructions, running }, frame } = this.source;
    const stands = `${instructions} ${frame.breakpoints}`;
    const isSame = stands === this.last && frame.cells.length === 0;
    if (isSame || (running && now - this.at < EVERY_MS)) return;
    [this.at, this.last] = [now, stands];
    this.keep();
  }

  async keep() {
    const { source } = this;
    const { loaded, state, frame } = source;
    const { printed, punched, description: { title } } = state;
    const { text: machine, error } = await source.ask({ do: "save", file: "machine", number: 0 });
    const paper = { printed, punched };
    const whole = { hash: location.hash, loaded, title, machine, paper, stops: frame.breakpoints,
      stood: { instructions: state.instructions, phase: frame.phase, stop: frame.stop } };
    try {
      // A game is kept as its moves.
      const isGame = globalThis.m220.play?.isShown === true;
      if (error === null && state.instructions > 0 && !isGame) sessionStorage.setItem(NAME, JSON.stringify(whole));
      else sessionStorage.removeItem(NAME);
    } catch {
      // Without room, or without storage, the machine is as long there as the page.
    }
  }
}

/** What a visitor wrote in the fields that are marked so, kept over a reload as the machine is. */
export function keepWritten() {
  const fields = [...document.querySelectorAll("[data-kept]")];
  try {
    for (const field of fields) field.value = sessionStorage.getItem(`m220-${field.dataset.kept}`) ?? field.value;
  } catch {
    // Without storage they begin empty.
    return;
  }
  addEventListener("pagehide", () => {
    for (const { dataset, value } of fields) {
      // An example of the page was not written by the visitor.
      if (value === (dataset.example ?? "")) sessionStorage.removeItem(`m220-${dataset.kept}`);
      else sessionStorage.setItem(`m220-${dataset.kept}`, value.slice(0, 100_000));
    }
  });
}

/** Keeps a text over a reload by its own window, and for windows to come by the last that wrote. */
export function remember(name, value) {
  try {
    for (const storage of [sessionStorage, localStorage]) storage.setItem(name, value);
  } catch {
    // Without storage it lasts as long as the page.
  }
}

/** What was kept under a name; null if nothing was. */
export function remembered(name) {
  try {
    return sessionStorage.getItem(name) ?? localStorage.getItem(name);
  } catch {
    return null;
  }
}

export const isReloaded = () => performance.getEntriesByType("navigation")[0]?.type === "reload";

/** What this window kept under the same address, if it has just been reloaded. */
function keptHere() {
  if (!isReloaded()) return null;
  try {
    const found = JSON.parse(sessionStorage.getItem(NAME));
    return found?.hash === location.hash ? found : null;
  } catch {
    return null;
  }
}

/** Read before this page keeps anything itself. */
const kept = keptHere();

/** Puts the kept machine in its place again; returns whether there was one. */
export async function goOn(source) {
  if (kept === null || (kept.loaded !== null && (await source.ask(kept.loaded)).error !== null)) return false;
  const file = new File([bytesOf(kept.machine)], kept.title);
  // Whatever its title is, it is a machine and no source text.
  const { error } = await source.backend.upload("program", 0, file);
  if (error !== null) return false;
  Object.assign(source, { loaded: kept.loaded, paper: kept.paper, stood: kept.stood, welcomed: true });
  for (const cell of kept.stops) await source.ask({ do: "breakpoint", cell });
  return true;
}
