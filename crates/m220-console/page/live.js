// A live machine as a source of the page: events come in, requests go out. The protocol is in docs/console.md.

import { MachineState } from "m220/state.js";

const PROTOCOL = 1;
/** Text of printer and punch that the page keeps. */
const MOST_TEXT = 200_000;

/** The token of this console: first from the address, then kept for the lifetime of the window. */
function token() {
  const given = location.hash.slice(1);
  if (/^[0-9a-f]{32}$/.test(given)) {
    sessionStorage.setItem("m220-token", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("m220-token") ?? "";
}

export class Live {
  static async open() {
    const live = new Live();
    await live.connect();
    return live;
  }

  constructor() {
    this.kind = "live";
    this.token = token();
    this.state = null;
    this.fresh = false;
    this.frame = null;
    this.wanted = Infinity;
    /** Called when another program is loaded, and to show a message. */
    this.onprogram = () => {};
    this.onnotice = () => {};
  }

  headers(more) {
    return { Authorization: `Bearer ${this.token}`, ...more };
  }

  /** Opens the event stream; resolves when the description and the first frame have arrived. */
  async connect() {
    const response = await fetch("/api/v1/events", { headers: this.headers() });
    if (!response.ok) throw new Error(await response.text());
    const seen = new Promise((resolve) => (this.seen = resolve));
    this.read(response.body.pipeThrough(new TextDecoderStream()).getReader()).catch((error) => this.onnotice(`The console has ended: ${error.message}`));
    await seen;
  }

  async read(reader) {
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      rest += value;
      for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
        const lines = rest.slice(0, end).split("\n");
        rest = rest.slice(end + 2);
        const field = (name) => lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2)).join("\n");
        const [event, data] = [field("event"), field("data")];
        if (event !== "") this.take(event, JSON.parse(data));
      }
    }
    this.onnotice("The machine is shown in another window, or the console has ended. Reload the page to show it here.");
  }

  take(event, data) {
    if (event === "program") {
      if (data.protocol !== PROTOCOL) throw new Error(`this page speaks protocol ${PROTOCOL}, the console ${data.protocol}`);
      this.state = new MachineState(data);
      this.isNew = true;
      return;
    }
    if (event !== "frame") return;
    this.apply(data);
    if (this.isNew) {
      this.isNew = false;
      this.onprogram();
    }
    this.seen();
    // The next frame is requested after this one has been drawn, so that a slow page gets fewer.
    requestAnimationFrame(() => this.post("acknowledge", { sequence: data.sequence }));
  }

  apply(frame) {
    const { state } = this;
    if (frame.whole) state.core.fill(0);
    for (let index = 0; index < frame.cells.length; index += 2) state.core[frame.cells[index]] = frame.cells[index + 1];
    if (frame.loaded || this.isNew) {
      state.loaded.set(state.core);
      state.printed = state.punched = "";
    }
    state.registers = frame.registers;
    let place = 0;
    for (const lamps of state.lamps) {
      for (let bit = 0; bit < lamps.length; bit++) lamps[bit] = frame.lamps[place++] / 100;
    }
    if (!frame.running) state.fade(0);
    for (const name of ["read", "written", "executed"]) {
      for (const cell of frame[name]) state.heat[name][cell] = 1;
    }
    for (const name of ["printed", "punched"]) state[name] = (state[name] + frame[name]).slice(-MOST_TEXT);
    state.at = frame.at;
    state.next = frame.next;
    state.instructions = frame.instructions;
    state.halfMicroseconds = frame.half_microseconds;
    state.running = frame.running;
    state.stop = frame.stop === null ? null : { reason: frame.stop[0], at: frame.stop[1], message: frame.stop[2] };
    this.frame = frame;
    this.fresh = true;
  }

  /** Whether a frame has come since the last picture. */
  tick() {
    const { fresh } = this;
    this.fresh = false;
    return fresh;
  }

  async post(path, body, type = "application/json") {
    const sent = type === "application/json" ? JSON.stringify(body) : body;
    return fetch(`/api/v1/${path}`, { method: "POST", headers: this.headers({ "Content-Type": type }), body: sent });
  }

  /** Sends a request; returns the answer's text, or shows a notice above the page. */
  async ask(request) {
    const response = await this.post("request", request);
    return this.answer(response);
  }

  async upload(kind, number, file) {
    const query = new URLSearchParams({ kind, name: file.name, number: String(number) });
    return this.answer(await this.post(`upload?${query}`, file, "application/octet-stream"));
  }

  async answer(response) {
    if (!response.ok) {
      this.onnotice(await response.text());
      return "";
    }
    const { text, error } = await response.json();
    this.onnotice(error ?? "");
    return error === null ? text : "";
  }

  play() {
    return this.ask({ do: "run" });
  }

  pause() {
    return this.ask({ do: "pause" });
  }

  step(count) {
    return this.ask(count < 0 ? { do: "back", count: -count } : { do: "step", count });
  }

  stepLabel() {
    return this.ask({ do: "label" });
  }

  restart() {
    return this.ask({ do: "restart" });
  }

  get speed() {
    return this.frame?.speed ?? Infinity;
  }

  set speed(factor) {
    this.ask({ do: "speed", factor: Number.isFinite(factor) ? factor : null });
  }
}
