// The dialog that makes a link of what the page shows, and the other end: what a link brings.

import { MOST_INSTRUCTIONS, packed, unpacked } from "m220/share.js";
import { text } from "m220/text.js";
import { counted } from "m220/units.js";

const element = (id) => document.getElementById(id);
const refusal = (error) => text(`share.${error.reason ?? "damaged"}`);

/** Loads what the address holds. Nothing is run: a place within a run is reached by the first press of play. */
export async function openShared(source, notice) {
  try {
    const place = await unpacked(location.hash.slice(1));
    if (place === null) return;
    const { task, question, speed, at } = place;
    if (task === "play") {
      const { play } = globalThis.m220;
      const isGame = await play.load(question);
      notice(isGame ? "" : text("play.damaged"));
      return isGame ? play.show(true) : undefined;
    }
    const { error } = await source.ask({ do: "task", task, question });
    notice(error === null ? "" : text("share.refused", { error: error.split("\n")[0].slice(0, 300) }));
    if (error !== null) return;
    source.speedChosen = source.welcomed = true;
    if (speed === "fit") source.fit = true;
    else await source.ask({ do: "speed", factor: speed });
    source.goal = at;
    if (at > 0) notice(text("share.goal", { at: counted(at) }));
  } catch (error) {
    notice(refusal(error));
  }
}

/** The dialog, which outlives the page of one program. */
export class Sharing {
  constructor(source) {
    this.source = source;
    element("share-copy").onclick = () => this.copy();
    for (const id of ["share-place", "share-code"]) element(id).onchange = () => this.make();
  }

  open() {
    element("share").showModal();
    return this.make();
  }

  async make() {
    const { loaded, speed, fit, state } = this.source;
    const link = element("share-link");
    [link.value, element("share-said").textContent] = ["", ""];
    element("share-copy").disabled = true;
    const { play, page } = globalThis.m220;
    if (page.source !== this.source) {
      // A recording, whose place the address names.
      link.value = location.href;
      element("share-copy").disabled = false;
      return;
    }
    const isGame = play?.isShown ?? false;
    if (loaded === null && !isGame) {
      element("share-said").textContent = text("share.nothing");
      return;
    }
    // A game is shared whole, and the machine beside it thinks its moves anew.
    const { task, question } = isGame ? { task: "play", question: play.shared() } : loaded;
    const isPlace = element("share-place").checked && !isGame;
    const at = isPlace ? Math.min(state.instructions, MOST_INSTRUCTIONS) : 0;
    try {
      const shared = fit ? "fit" : Number.isFinite(speed) ? speed : null;
      const fragment = await packed({ task, question, speed: shared, at });
      const tag = `<m220-machine share="${fragment.slice(fragment.indexOf("=") + 1)}"></m220-machine>`;
      link.value = element("share-code").checked
        ? `<script src="m220-machine.js"></script> ${tag}`
        : `${location.href.split("#")[0]}#${fragment}`;
      element("share-copy").disabled = false;
      link.select();
    } catch (error) {
      element("share-said").textContent = refusal(error);
    }
  }

  async copy() {
    const link = element("share-link");
    link.select();
    await navigator.clipboard.writeText(link.value).catch(() => document.execCommand("copy"));
    element("share-said").textContent = text("share.copied");
  }
}
