// The machine of this window, kept over a reload: a run that was begun is not lost. It goes when the window is closed.

import { bytesOf } from "m220/dom.js";

const NAME = "m220-machine";
/** A machine that runs is kept at most so often, in milliseconds. */
const EVERY_MS = 3000;

export class Kept {
  constructor(source) {
    this.source = source;
    this.at = -Infinity;
    this.instructions = 0;
  }

  draw(now) {
    const { instructions, running } = this.source.state;
    if (instructions === this.instructions || (running && now - this.at < EVERY_MS)) return;
    [this.at, this.instructions] = [now, instructions];
    this.keep();
  }

  async keep() {
    const { source } = this;
    const { loaded, state, frame } = source;
    const { printed, punched } = state;
    const { text: machine, error } = await source.ask({ do: "save", file: "machine", number: 0 });
    const title = state.description.title;
    const kept = { hash: location.hash, loaded, title, machine, paper: { printed, punched }, stops: frame.breakpoints };
    try {
      if (error === null && state.instructions > 0) sessionStorage.setItem(NAME, JSON.stringify(kept));
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

/** What this window kept under the same address, if it has just been reloaded. */
function keptHere() {
  if (performance.getEntriesByType("navigation")[0]?.type !== "reload") return null;
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME));
    return kept?.hash === location.hash ? kept : null;
  } catch {
    return null;
  }
}

/** Puts the kept machine in its place again; returns whether there was one. */
export async function goOn(source) {
  const kept = keptHere();
  if (kept === null || (kept.loaded !== null && (await source.ask(kept.loaded)).error !== null)) return false;
  const file = new File([bytesOf(kept.machine)], kept.title);
  const { error } = await source.upload("program", 0, file);
  if (error !== null) return false;
  Object.assign(source, { loaded: kept.loaded, paper: kept.paper, welcomed: true });
  for (const cell of kept.stops) await source.ask({ do: "breakpoint", cell });
  return true;
}
