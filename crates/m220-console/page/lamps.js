// The registers as lamps. A lamp is as bright as the share of the last picture's time that its bit was set: that is
// what an eye made of a register that changed 30,000 times a second.

import { grouped, octal } from "m220/words.js";

/** Where a word of 45 bits is written as tag, code and three addresses: gaps before these bits from the left. */
const GAPS_45 = new Set([1, 3, 6, 9, 21, 33]);
const WIDE_GAPS_45 = new Set([9, 21, 33]);

export class Lamps {
  constructor(parent, state) {
    this.state = state;
    this.rows = [];
    for (const [place, row] of state.description.registers.entries()) {
      // Registers that say which cube is meant only matter where there are several.
      if (row.bits === 3 && state.description.cubes === 1) continue;
      this.rows.push(this.row(parent, place, row));
    }
  }

  row(parent, place, { name, meaning, bits }) {
    const line = document.createElement("div");
    line.className = `register bits-${bits}`;
    const label = document.createElement("span");
    label.className = "register-name";
    label.textContent = name;
    label.title = meaning;
    const lamps = document.createElement("span");
    lamps.className = "register-lamps";
    lamps.setAttribute("aria-hidden", "true");
    const list = [];
    let triple = document.createElement("span");
    for (let bit = 0; bit < bits; bit++) {
      const left = bits - bit;
      if (bit > 0 && (left % 3 === 0 || (bits === 45 && GAPS_45.has(bit)))) {
        lamps.append(triple);
        triple = document.createElement("span");
        if (bits === 45 && WIDE_GAPS_45.has(bit)) triple.className = "wide";
      }
      const lamp = document.createElement("i");
      triple.append(lamp);
      list.unshift(lamp);
    }
    lamps.append(triple);
    const value = document.createElement("output");
    value.className = "register-value";
    line.append(label, lamps, value);
    parent.append(line);
    return { place, bits, list, value, shown: new Int8Array(bits).fill(-1), text: "" };
  }

  draw() {
    for (const row of this.rows) {
      const lamps = this.state.lamps[row.place];
      for (let bit = 0; bit < row.bits; bit++) {
        // Ten steps of brightness are as many as one can tell apart.
        const level = Math.round(lamps[bit] * 10);
        if (level === row.shown[bit]) continue;
        row.shown[bit] = level;
        row.list[bit].style.setProperty("--lit", String(level / 10));
      }
      const value = this.state.registers[row.place];
      const text = row.bits === 45 ? grouped(value) : octal(value, Math.ceil(row.bits / 3));
      if (text !== row.text) {
        row.text = text;
        row.value.textContent = text;
      }
    }
  }
}
