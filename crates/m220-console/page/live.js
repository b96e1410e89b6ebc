// A live machine as a source of the page.

import { backend } from "m220/backend.js";
import { MachineState } from "m220/state.js";
import { currentLanguage, text } from "m220/text.js";
import { counted } from "m220/units.js";

const PROTOCOL = 1;
/** The most steps of one request. */
const MOST_STEPS = 100_000;
/** Text of printer and punch that the page keeps. */
const MOST_TEXT = 200_000;
/** The run with which a page begins, the king's 393 ways: 57.1 ms. */
const KING_LENGTH = 114_200;

/** The visitor's source texts as a question: the program is the one that no other of them includes. */
export async function sourcesOf(chosen) {
  const files = await Promise.all(chosen.map(async (file) => ({ name: file.name, text: await file.text() })));
  const isIncluded = ({ name }) => files.some(({ text }) => text.includes(`"${name}"`));
  const { name: root } = files.find((file) => !isIncluded(file)) ?? files[0];
  return { root, files };
}

export class Live {
  static async open() {
    const live = new Live();
    await live.connect();
    // The machine began before it was told the page's language.
    if (currentLanguage() !== "en") live.entitle();
    return live;
  }

  constructor() {
    this.kind = "live";
    this.backend = backend();
    this.state = null;
    this.fresh = false;
    this.frame = null;
    /** The task or the source in core as a request; null if it came in another way. */
    this.loaded = this.backend.first;
    /** The instruction at which the shared place is; the first play goes there. */
    this.goal = 0;
    /** Whether the speed fits the run, and the length of runs that have ended, in half-microseconds, by their task. */
    this.fit = false;
    this.lengths = new Map();
    /** The paper of a machine that was kept, until it is back. */
    this.paper = null;
    /** Why a kept machine stood and after how many instructions, which its file does not say; until it runs. */
    this.stood = null;
    if (this.loaded !== null) this.lengths.set(this.key, KING_LENGTH);
    /** Called when another program is loaded, when one is played, and to show a message. */
    this.onprogram = () => {};
    this.onplay = () => {};
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
    const { state, stood } = this;
    if (frame.running) this.stood = null;
    else if (frame.stop === null && frame.instructions === stood?.instructions) Object.assign(frame, stood);
    if (frame.whole) state.core.fill(0);
    for (let index = 0; index < frame.cells.length; index += 2) state.core[frame.cells[index]] = frame.cells[index + 1];
    if (frame.loaded || this.isNew) {
      state.loaded.set(state.core);
      state.printed = state.punched = "";
      // What a kept machine had printed.
      if (frame.instructions > 0) Object.assign(state, this.paper);
      this.paper = null;
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
    if (state.stop?.reason === "halt") this.lengths.set(this.key, frame.half_microseconds);
  }

  get key() {
    return JSON.stringify([this.loaded?.task, this.loaded?.question]);
  }

  /** How long the run of the loaded task is, if it has ended before. */
  get length() {
    return this.loaded === null ? undefined : this.lengths.get(this.key);
  }

  /** Whether a frame has come since the last picture. */
  tick() {
    const { fresh } = this;
    this.fresh = false;
    return fresh;
  }

  /** Sends a request; `error` is null, or the sentence that says why it was refused. */
  async ask(request) {
    // Before the answer: a picture in between must not set another speed.
    if (request.do === "speed") this.fit = false;
    const answer = await this.backend.ask(request);
    if (request.do === "task" && answer.error === null) Object.assign(this, { loaded: request, goal: 0, stood: null });
    return answer;
  }

  /** As `ask`, for whoever has no place of its own for the sentence: it appears above the page. */
  async tell(request) {
    const answer = await this.ask(request);
    this.onnotice(answer.error ?? "");
    return answer;
  }

  async upload(kind, number, ...files) {
    // Source texts may include each other and the built-in ones, which the tasks know.
    if (kind === "program" && files.every(({ name }) => name.endsWith(".m220"))) {
      return this.ask({ do: "task", task: "source", question: await sourcesOf(files) });
    }
    const [file] = files;
    const answer = await this.backend.upload(kind, number, file);
    // Without a word: a machine with the program that is in core.
    if (kind === "program" && answer.error === null) {
      Object.assign(this, { loaded: answer.text === "" ? this.loaded : null, goal: 0 });
    }
    return answer;
  }

  /** The title of the loaded task in the language that the page has now. */
  async entitle() {
    const { loaded, state } = this;
    const { task, question } = loaded ?? {};
    const { document: title, error } = await this.call("title", { task, question });
    if (error === null) state.description.title = title;
  }

  /** A question that is answered beside the machine. */
  async call(service, question, options) {
    const { engine = null, ...rest } = options ?? {};
    const request = { lang: currentLanguage(), engines: engine === null ? {} : { engine }, question };
    return this.backend.call(service, request, rest);
  }

  async play() {
    this.onplay();
    if (this.stood?.phase === "ended") await this.restart();
    if (this.goal === 0) return this.tell({ do: "run" });
    // The place that was shared: exactly this instruction, then the visitor decides.
    const steps = this.goal - this.state.instructions;
    this.goal = 0;
    if (steps <= 0) return this.tell({ do: "run" });
    return this.stepOn(steps);
  }

  /** So many steps, in requests of which each adds to what is left of those before. */
  async stepOn(steps) {
    for (let left = steps; left > 0; left -= MOST_STEPS) {
      const [done, whole] = [counted(steps - left), counted(steps)];
      if (steps > MOST_STEPS) this.onnotice(text("share.progress", { done, steps: whole }));
      const answer = await this.tell({ do: "step", count: Math.min(left, MOST_STEPS) });
      if (answer.error !== null) return answer;
    }
    return null;
  }

  pause() {
    return this.tell({ do: "pause" });
  }

  step(count) {
    return count < 0 ? this.tell({ do: "back", count: -count }) : this.stepOn(count);
  }

  stepLabel() {
    return this.tell({ do: "label" });
  }

  /** Back to the last breakpoint that was passed. */
  async reverse() {
    const { error } = await this.ask({ do: "debugger", line: "reverse" });
    this.onnotice(error === null ? "" : text("reverse.none"));
  }

  restart() {
    this.goal = 0;
    return this.tell({ do: "restart" });
  }

  get speed() {
    return this.frame?.speed ?? Infinity;
  }

  set speed(factor) {
    this.fit = false;
    this.pace(factor);
  }

  /** The speed, also while it fits the run. */
  pace(factor) {
    const wanted = Number.isFinite(factor) ? factor : null;
    // Until the machine says so itself.
    this.frame = { ...this.frame, speed: wanted };
    // Not `tell`: the page sets a speed by itself, which must not take away a sentence above it.
    this.backend.ask({ do: "speed", factor: wanted });
  }
}
