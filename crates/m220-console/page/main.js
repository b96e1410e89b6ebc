// Builds the page from its panels and drives them, one picture after the other, at the pace of the browser.

import { BoardPanel } from "m220/board.js";
import { ConsoleBar } from "m220/console.js";
import { Controls } from "m220/controls.js";
import { CorePanel } from "m220/core.js";
import { Lamps } from "m220/lamps.js";
import { Listing } from "m220/listing.js";
import { Paper } from "m220/paper.js";

const element = (id) => document.getElementById(id);

/** A sentence above the page, if something went wrong or cannot continue. */
export function notice(text) {
  element("notice").textContent = text;
  element("notice").hidden = text === "";
}

function theme() {
  const button = element("theme-button");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try {
    chosen = localStorage.getItem("m220-theme");
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  const apply = () => {
    const isDark = chosen === null ? dark.matches : chosen === "dark";
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    button.textContent = isDark ? "Light" : "Dark";
    document.dispatchEvent(new Event("m220-theme"));
  };
  button.addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("m220-theme", chosen);
    } catch {
      // As above.
    }
    apply();
  });
  dark.addEventListener("change", apply);
  apply();
}

/** The elements that hold the panels. */
const PLACES = ["transport", "timeline", "counters", "console-bar", "board", "lamps", "listing", "core", "paper", "help-keys"];

class Page {
  constructor(source) {
    for (const place of PLACES) element(place).replaceChildren();
    this.abort = new AbortController();
    const { signal } = this.abort;
    const { state } = source;
    const { description } = state;
    document.title = `${description.title} · M-220`;
    element("title").textContent = description.title;
    element("model").textContent = { m220: "M-220", m20: "M-20", itep: "M-20 ITEP" }[description.model];
    this.source = source;
    this.controls = new Controls(source, () => (this.stale = true), signal);
    this.panels = [
      new Lamps(element("lamps"), source),
      new Listing(element("listing"), source),
      new CorePanel(element("core"), source, signal),
      new BoardPanel(element("board"), element("board-panel"), state),
      new Paper(element("paper"), element("paper-panel"), state),
    ];
    if (source.kind === "live") this.panels.push(new ConsoleBar(element("console-bar"), source));
    this.stale = true;
    this.last = performance.now();
    document.addEventListener("m220-theme", () => (this.stale = true), { signal });
    const resized = new ResizeObserver(() => (this.stale = true));
    resized.observe(document.body);
    signal.addEventListener("abort", () => resized.disconnect());
    this.pictures = 0;
    this.picture = (now) => {
      if (signal.aborted) return;
      this.draw(now);
      requestAnimationFrame(this.picture);
    };
    requestAnimationFrame(this.picture);
  }

  /** Makes room for the page of another program. */
  close() {
    this.abort.abort();
  }

  draw(now) {
    const seconds = Math.min(0.1, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    const { source } = this;
    // Glow fades only while the machine runs, so that its last actions stay visible.
    if (source.state.running && source.state.fade(0.5 ** (seconds / 0.12))) this.stale = true;
    const moved = source.tick(seconds);
    if (!moved && !this.stale) return;
    this.stale = false;
    this.pictures++;
    for (const panel of this.panels) panel.draw(now);
    this.controls.draw();
  }
}

/** `#frame=1200`, `#end`: the place in a recording at which a link opens it; `&theme=light` chooses how. */
function openAtFragment(source) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (["dark", "light"].includes(wanted.get("theme"))) document.documentElement.dataset.theme = wanted.get("theme");
  if (wanted.has("end")) source.seek(source.length);
  else if (wanted.has("frame")) source.seek(Number(wanted.get("frame")) || 0);
}

theme();
try {
  const recorded = document.getElementById("recording-header") !== null;
  const source = recorded ? await (await import("m220/replay.js")).Replay.open() : await (await import("m220/live.js")).Live.open();
  if (source.kind === "replay") openAtFragment(source);
  // The tests read the page's state here.
  globalThis.m220 = { page: new Page(source), source };
  source.onnotice = notice;
  source.onprogram = () => {
    globalThis.m220.page.close();
    globalThis.m220.page = new Page(source);
  };
  document.documentElement.dataset.ready = "true";
} catch (error) {
  notice(`The page cannot be shown: ${error.message}`);
  throw error;
}
