// A recording as a source of the page: it goes forwards and back through the frames.

import { Frames, unpack } from "m220/recording.js";
import { MachineState } from "m220/state.js";
import { a1, a2, a3, code, modified } from "m220/words.js";

/** The number of frames per picture that are evaluated for lamps and glow; of more, this many evenly spaced ones. */
const MOST_LOOKED_AT = 4000;
/** The registers whose values are in every frame. */
const COMMON = ["RVK", "RA", "OMEGA", "RR"];

export class Replay {
  /** The recording of the page with this name. */
  static async open(name = "recording") {
    const part = (part) => unpack(document.getElementById(`${name}-${part}`));
    const header = JSON.parse(new TextDecoder().decode(await part("header")));
    const body = await part("frames");
    return new Replay(header, body);
  }

  constructor({ description, run }, body) {
    this.kind = "replay";
    this.run = run;
    this.frames = new Frames(run, description, body);
    this.state = new MachineState(description);
    this.state.core.set(this.frames.core);
    this.state.loaded.set(this.frames.core);
    this.state.registers = run.registers.slice();
    this.position = 0;
    this.length = this.frames.count;
    this.playing = false;
    /** Modelled time that passes in one second of real time. */
    this.speed = 1;
    this.owed = 0;
    this.labels = new Set([...this.state.labels].filter(([, name]) => !name.includes(".")).map(([cell]) => cell));
    this.settle();
  }

  /** Modelled half-microseconds at the beginning, here, and at the end. */
  get times() {
    return [this.frames.time[0], this.frames.time[this.position], this.frames.time[this.length]];
  }

  play() {
    if (this.position === this.length) this.seek(0);
    this.playing = true;
    this.state.running = true;
    this.owed = 0;
  }

  pause() {
    this.playing = false;
    this.state.running = false;
    this.state.holdLamps();
  }

  /** Advances by the elapsed time; returns whether anything changed. */
  tick(seconds) {
    if (!this.playing) return false;
    const from = this.position;
    if (this.speed === Infinity) {
      this.moveTo(this.length);
    } else {
      this.owed += seconds * this.speed * 2e6;
      const until = this.frames.time[this.position] + this.owed;
      const target = this.frameBefore(until);
      if (target > this.position) {
        this.owed -= this.frames.time[target] - this.frames.time[this.position];
        this.moveTo(target);
      }
    }
    if (this.position > from) this.light(from, this.position);
    if (this.position === this.length) this.pause();
    return this.position !== from;
  }

  /** The last position whose time is not after `time`. */
  frameBefore(time) {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames.time[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  step(count) {
    this.pause();
    this.seek(this.position + count);
  }

  /** To the next execution of a labelled cell, or the one before. */
  stepLabel(direction) {
    this.pause();
    let position = this.position + direction;
    while (position > 0 && position < this.length && !this.labels.has(this.cellAt(position))) position += direction;
    this.seek(position);
  }

  /** The cell executed next at a position. */
  cellAt(position) {
    return position < this.length ? this.frames.at[position] : this.state.next;
  }

  seek(position) {
    const target = Math.max(0, Math.min(this.length, Math.round(position)));
    const from = this.position;
    this.moveTo(target);
    this.state.fade(0);
    if (target > 0) this.light(target - 1, target);
    this.state.holdLamps();
  }

  moveTo(target) {
    const { frames, state } = this;
    while (this.position < target) {
      const frame = this.position++;
      if (frames.cell[frame] >= 0) state.core[frames.cell[frame]] = frames.now[frame];
      const more = frames.more.get(frame);
      if (more === undefined) continue;
      for (const { cell, now } of more.stores) state.core[cell] = now;
      for (const { place, now } of more.registers) state.registers[place] = now;
      state.printed += more.printed;
    }
    while (this.position > target) {
      const frame = --this.position;
      const more = frames.more.get(frame);
      if (more !== undefined) {
        for (const { cell, before } of more.stores.toReversed()) state.core[cell] = before;
        for (const { place, before } of more.registers) state.registers[place] = before;
        state.printed = state.printed.slice(0, state.printed.length - more.printed.length);
      }
      if (frames.cell[frame] >= 0) state.core[frames.cell[frame]] = frames.before[frame];
    }
    this.settle();
  }

  /** Registers, clock and current cell at this position. */
  settle() {
    const { frames, state, position, run } = this;
    const atEnd = position === this.length;
    state.next = atEnd ? run.end : frames.at[position];
    state.at = position > 0 ? frames.at[position - 1] : state.next;
    const { places } = state;
    state.registers[places.RA] = frames.ra[position];
    state.registers[places.OMEGA] = frames.omega[position];
    state.registers[places.RR] = frames.rr[position];
    state.instructions = frames.instructions[position];
    state.halfMicroseconds = frames.time[position];
    state.stop = atEnd && run.stop !== null ? { reason: run.stop[0], at: run.stop[1], message: run.stop[2] } : null;
    // A machine that has stopped still shows the cell of the instruction that stopped it.
    state.registers[places.RVK] = (state.stop?.at ?? state.next) & 0o7777;
  }

  /** Lamps and glow for the frames that one picture covers. */
  light(from, to) {
    const { frames, state } = this;
    const stride = Math.max(1, Math.ceil((to - from) / MOST_LOOKED_AT));
    const sums = COMMON.map((name) => new Float64Array(state.lamps[state.places[name]].length));
    let time = 0;
    const add = (place, value, duration) => {
      const sum = sums[place];
      for (let bit = 0, rest = value; rest > 0 && bit < sum.length; bit++) {
        if (rest % 2 === 1) sum[bit] += duration;
        rest = Math.floor(rest / 2);
      }
    };
    for (let frame = from; frame < to; frame += stride) {
      const duration = frames.time[frame + 1] - frames.time[frame];
      time += duration;
      const at = frames.at[frame];
      add(0, at & 0o7777, duration);
      add(1, frames.ra[frame + 1], duration);
      add(2, frames.omega[frame + 1], duration);
      add(3, frames.rr[frame + 1], duration);
      state.heat.executed[at] = 1;
      this.glow(frame, at);
    }
    state.holdLamps();
    if (time === 0) return;
    COMMON.forEach((name, index) => {
      const lamps = state.lamps[state.places[name]];
      for (let bit = 0; bit < lamps.length; bit++) lamps[bit] = sums[index][bit] / time;
    });
  }

  /** The cells that the instruction of a frame read and wrote. */
  glow(frame, at) {
    const { frames, state } = this;
    if (frames.cell[frame] >= 0) state.heat.written[frames.cell[frame]] = 1;
    for (const { cell } of frames.more.get(frame)?.stores ?? []) state.heat.written[cell] = 1;
    const word = (at & 0o7777) === 0 ? frames.rr[frame] : state.core[at];
    const roles = state.description.opcodes[code(word)].roles;
    const marks = modified(word);
    [a1(word), a2(word), a3(word)].forEach((field, index) => {
      if (roles[index] !== "r") return;
      const cell = (field + (marks[index] ? frames.ra[frame] : 0)) & 0o7777;
      const cube = state.register(["RPA1", "RPA2", "RPA3"][index]);
      const absolute = cube * 4096 + cell;
      if (cell !== 0 && absolute < state.cells) state.heat.read[absolute] = 1;
    });
  }
}
