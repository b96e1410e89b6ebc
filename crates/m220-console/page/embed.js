// The page within another one, as the element <m220-machine> shows it (`#embed`): only the panels that were asked for,
// what the other page asks, and what it is told.

/** The panels by the names of the element's attribute. */
const PANELS = {
  board: "board-panel", lamps: "lamps-panel", listing: "listing-panel", core: "core-panel", printer: "paper-panel",
  debugger: "debugger-panel",
};
/** Milliseconds between two looks at what the other page is told. */
const LOOK = 100;

export class Embed {
  /** `shown` returns what the page shows: the machine, or a recording in its place. */
  constructor(shown, fragment) {
    this.shown = shown;
    this.last = {};
    this.cells = (fragment.get("watch") ?? "").split(",").filter((cell) => /^[0-7]{4,5}$/.test(cell));
    document.documentElement.dataset.embed = "";
    const wanted = (fragment.get("panels") ?? "").split(",").filter((name) => Object.hasOwn(PANELS, name));
    for (const [name, panel] of Object.entries(PANELS)) {
      if (wanted.length > 0 && !wanted.includes(name)) document.querySelector(`.${panel}`).dataset.unwanted = "";
    }
    addEventListener("message", ({ source: from, data }) => {
      if (from === parent && typeof data?.m220 === "string") this.act(data);
    });
    this.tell("ready", {});
    setInterval(() => this.look(), LOOK);
  }

  tell(what, detail) {
    parent.postMessage({ m220: what, ...detail }, "*");
  }

  act({ m220: what, count, at }) {
    const source = this.shown();
    const number = (value, usual) => (Number.isSafeInteger(value) ? value : usual);
    if (what === "play") return source.play();
    if (what === "pause") return source.pause();
    if (what === "step") return source.step(Math.max(-1e6, Math.min(1e6, number(count, 1))));
    if (what !== "seek") return undefined;
    if (source.kind === "replay") return source.seek(number(at, 0));
    return source.step(number(at, 0) - source.state.instructions);
  }

  /** Tells of what has changed since the last look. */
  look() {
    const { state, frame } = this.shown();
    const words = (selector) => document.querySelector(selector)?.textContent ?? "";
    const refusal = document.getElementById("notice").textContent;
    const cells = this.cells.map((cell) => state.word(parseInt(cell, 8)).toString(8).padStart(15, "0"));
    const now = {
      step: `${state.instructions} ${cells}`,
      printed: state.printed,
      running: state.running,
      halt: state.stop === null ? null : `${state.instructions} ${state.stop.reason}`,
      answer: words("#setup .headline"),
      row: words(".found [aria-pressed=true]"),
      refusal,
    };
    const { last } = this;
    this.last = now;
    const counts = { instructions: state.instructions, at: state.at, cells, phase: frame?.phase };
    if (now.step !== last.step) this.tell("step", counts);
    if (now.printed !== last.printed && now.printed !== "") this.tell("printed", { text: now.printed });
    if (now.running !== last.running) this.tell(now.running ? "running" : "paused", counts);
    if (now.halt !== last.halt && now.halt !== null) this.tell("halt", { ...counts, reason: state.stop.reason });
    if (now.answer !== last.answer && now.answer !== "") this.tell("answered", { text: now.answer });
    if (now.row !== last.row && now.row !== "") this.tell("chosen", { text: now.row });
    if (refusal !== last.refusal && refusal !== "") this.tell("error", { message: refusal });
  }
}
