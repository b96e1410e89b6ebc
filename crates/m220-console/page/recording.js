// Unpacks a recording. docs/console.md describes the format; the recorder is crates/m220-console/src/recorder.rs.

import { bytesOf } from "m220/dom.js";

const JUMPED = 1, RR = 2, RA = 4, OMEGA = 8, STORE = 16, TIME = 32, MORE = 64;
const REGISTERS = 1, STORES = 2, COUNT = 4, PRINTED = 8;

/** The bytes of an element that contains compressed bytes in base64, or names the file that does. */
export async function unpack(element) {
  const { from } = element.dataset;
  const base64 = from === undefined ? element.textContent : await (await fetch(from)).text();
  const stream = new Blob([bytesOf(base64.trim())]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.offset = 0;
  }
  byte() {
    if (this.offset >= this.bytes.length) throw new Error("the recording ends within a frame");
    return this.bytes[this.offset++];
  }
  number() {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }
  signed() {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  text() {
    const length = this.number();
    const bytes = this.bytes.subarray(this.offset, this.offset + length);
    this.offset += length;
    return new TextDecoder().decode(bytes);
  }
}

/** The frames as columns: what each one changed, forwards (`...Now`) and back (`...Before`). */
export class Frames {
  constructor(run, description, body) {
    const { frames } = run;
    const reader = new Reader(body);
    this.count = frames;
    this.core = readCore(reader, description.cubes * 4096);
    const core = this.core.slice();
    const places = Object.fromEntries(description.registers.map((row, index) => [row.name, index]));
    const registers = run.registers.slice();
    this.at = new Uint16Array(frames);
    this.rr = new Float64Array(frames + 1);
    this.ra = new Uint16Array(frames + 1);
    this.omega = new Uint8Array(frames + 1);
    /** Half-microseconds up to and including each frame. */
    this.time = new Float64Array(frames + 1);
    this.instructions = new Float64Array(frames + 1);
    this.cell = new Int32Array(frames).fill(-1);
    this.now = new Float64Array(frames);
    this.before = new Float64Array(frames);
    /** Rare parts of a frame: lists of stores, other registers, text of the printer. */
    this.more = new Map();
    this.rr[0] = registers[places.RR];
    this.ra[0] = registers[places.RA];
    this.omega[0] = registers[places.OMEGA];
    this.time[0] = run.skipped_time;
    this.instructions[0] = run.skipped;
    const usual = new Float64Array(core.length);
    let predicted = run.start;
    for (let frame = 0; frame < frames; frame++) {
      const flags = reader.byte();
      const at = predicted + (flags & JUMPED ? reader.signed() : 0);
      this.at[frame] = at;
      const givenRr = flags & RR ? reader.number() : undefined;
      this.ra[frame + 1] = flags & RA ? reader.number() : this.ra[frame];
      this.omega[frame + 1] = flags & OMEGA ? 1 : 0;
      if (flags & STORE) {
        const cell = reader.number();
        this.cell[frame] = cell;
        this.now[frame] = reader.number();
        this.before[frame] = core[cell];
        core[cell] = this.now[frame];
      }
      this.rr[frame + 1] = givenRr ?? (flags & STORE ? this.now[frame] : this.rr[frame]);
      if (flags & TIME) usual[at] = reader.number();
      this.time[frame + 1] = this.time[frame] + usual[at];
      let executed = 1;
      if (flags & MORE) executed = this.readMore(frame, reader, core, registers);
      this.instructions[frame + 1] = this.instructions[frame] + executed;
      predicted = (at + 1) & 0xffff;
    }
    if (reader.offset !== body.length) throw new Error("the recording goes on behind its last frame");
  }

  readMore(frame, reader, core, registers) {
    const flags = reader.byte();
    const more = { registers: [], stores: [], printed: "" };
    if (flags & REGISTERS) {
      const mask = reader.number();
      for (let place = 0; place < registers.length; place++) {
        if (Math.floor(mask / 2 ** place) % 2 === 0) continue;
        const now = reader.number();
        more.registers.push({ place, now, before: registers[place] });
        registers[place] = now;
      }
    }
    if (flags & STORES) {
      for (let left = reader.number(); left > 0; left--) {
        const cell = reader.number();
        const now = reader.number();
        more.stores.push({ cell, now, before: core[cell] });
        core[cell] = now;
      }
    }
    const executed = flags & COUNT ? reader.number() : 1;
    if (flags & PRINTED) more.printed = reader.text();
    this.more.set(frame, more);
    return executed;
  }
}

/** Core before the first frame: six bytes per word, least significant first. */
function readCore(reader, cells) {
  const core = new Float64Array(cells);
  for (let cell = 0; cell < cells; cell++) {
    let scale = 1;
    for (let byte = 0; byte < 6; byte++) {
      core[cell] += reader.byte() * scale;
      scale *= 256;
    }
  }
  return core;
}
