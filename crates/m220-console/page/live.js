// A live machine as a source of the page.

import { backend } from "m220/backend.js";
import { MachineState } from "m220/state.js";

const PROTOCOL = 1;
/** Text of printer and punch that the page keeps. */
const MOST_TEXT = 200_000;

export class Live {
  static async open() {
    const live = new Live();
    await live.connect();
    return live;
  }

  constructor() {
    this.kind = "live";
    this.backend = backend();
    this.state = null;
    this.fresh = false;
    this.frame = null;
    /** Called when another program is loaded, and to show a message. */
    this.onprogram = () => {};
    this.onnotice = () => {};
  }

  /** Resolves when the description and the first frame have arrived. */
  async connect() {
    const seen = new Promise((resolve, reject) => {
      this.seen = resolve;
      this.backend.onend = (sentence) => {
        this.onnotice(sentence);
        reject(new Error(sentence));
      };
    });
    this.backend.onevent = (event, data) => this.take(event, data);
    await this.backend.open();
    await seen;
  }

  take(event, data) {
    if (event === "program") {
      if (data.protocol !== PROTOCOL) {
        throw new Error(`this page speaks protocol ${PROTOCOL}, the console ${data.protocol}`);
      }
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
    requestAnimationFrame(() => this.backend.acknowledge(data.sequence));
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

  /** Sends a request; `error` is null, or the sentence that says why it was refused. */
  ask(request) {
    return this.backend.ask(request);
  }

  /** As `ask`, for whoever has no place of its own for the sentence: it appears above the page. */
  async tell(request) {
    const answer = await this.ask(request);
    this.onnotice(answer.error ?? "");
    return answer;
  }

  upload(kind, number, file) {
    return this.backend.upload(kind, number, file);
  }

  /** A question that is answered beside the machine. */
  call(service, question, options) {
    return this.backend.call(service, question, options);
  }

  play() {
    return this.tell({ do: "run" });
  }

  pause() {
    return this.tell({ do: "pause" });
  }

  step(count) {
    return this.tell(count < 0 ? { do: "back", count: -count } : { do: "step", count });
  }

  stepLabel() {
    return this.tell({ do: "label" });
  }

  restart() {
    return this.tell({ do: "restart" });
  }

  get speed() {
    return this.frame?.speed ?? Infinity;
  }

  set speed(factor) {
    this.tell({ do: "speed", factor: Number.isFinite(factor) ? factor : null });
  }
}
