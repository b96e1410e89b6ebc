// The registers as lamps. A lamp's brightness is the fraction of the last picture's time during which its bit was set:
// this is what the eye saw of a register that changed 30,000 times a second.

import { roving } from "m220/dom.js";
import { text, worded } from "m220/text.js";
import { grouped, octal } from "m220/words.js";

/** A 45-bit word is shown as tag, code and three addresses, with gaps before these bits, counted from the left. */
const GAPS_45 = new Set([1, 3, 6, 9, 21, 33]);
const WIDE_GAPS_45 = new Set([9, 21, 33]);

export class Lamps {
  constructor(parent, source) {
    const { state } = source;
    this.source = source;
    this.state = state;
    this.rows = [];
    const names = () => [...parent.querySelectorAll(".register-name")];
    if (parent.dataset.roving === undefined) roving(parent, names);
    parent.dataset.roving = "";
    for (const [place, row] of state.description.registers.entries()) {
      // Registers that select a cube matter only if there are several.
      if (row.bits === 3 && state.description.cubes === 1) continue;
      const isKey = row.name.startsWith("RPU");
      this.rows.push(this.row(isKey ? this.keys(parent) : parent, place, row));
    }
    names()[0].tabIndex = 0;
  }

  /** The keys of the console are folded away: few programs read them. */
  keys(parent) {
    if (this.folded === undefined) {
      this.folded = document.createElement("details");
      this.folded.className = "keys-fold";
      const summary = document.createElement("summary");
      summary.textContent = text("registers.keys");
      this.folded.open = this.state.registers.some((word, place) => word !== 0 && this.isKey(place));
      this.folded.append(summary);
      parent.append(this.folded);
    }
    return this.folded;
  }

  isKey(place) {
    return this.state.description.registers[place].name.startsWith("RPU");
  }

  row(parent, place, { name, meaning, bits }) {
    const line = document.createElement("div");
    line.className = `register bits-${bits}`;
    const label = document.createElement("span");
    label.className = "register-name";
    label.textContent = name;
    label.tabIndex = -1;
    const known = `register.${name.startsWith("RPU") ? "RPU" : name}`;
    label.dataset.explain = worded(known, meaning);
    const lamps = document.createElement("span");
    lamps.className = "register-lamps";
    lamps.setAttribute("aria-hidden", "true");
    const list = [];
    // The keys of the console can be pressed.
    const isKey = this.source.kind === "live" && this.isKey(place);
    if (isKey) line.classList.add("keys");
    let triple = document.createElement("span");
    for (let bit = 0; bit < bits; bit++) {
      const left = bits - bit;
      if (bit > 0 && (left % 3 === 0 || (bits === 45 && GAPS_45.has(bit)))) {
        lamps.append(triple);
        triple = document.createElement("span");
        if (bits === 45 && WIDE_GAPS_45.has(bit)) triple.className = "wide";
      }
      const lamp = document.createElement("i");
      if (isKey) lamp.addEventListener("click", () => this.press(place, name, bits - 1 - bit));
      triple.append(lamp);
      list.unshift(lamp);
    }
    lamps.append(triple);
    const value = isKey ? this.keyInput(name) : document.createElement("output");
    // Registers change a hundred times a second: nobody wants to hear that.
    if (!isKey) value.setAttribute("aria-live", "off");
    value.classList.add("register-value");
    line.append(label, lamps, value);
    parent.append(line);
    return { place, bits, list, value, shown: new Int8Array(bits).fill(-1), text: "" };
  }

  /** Toggles one key. */
  press(place, name, bit) {
    const word = this.state.registers[place];
    const set = Math.floor(word / 2 ** bit) % 2 === 1;
    this.setKey(name, octal(set ? word - 2 ** bit : word + 2 ** bit, 15));
  }

  setKey(name, word) {
    return this.source.tell({ do: "key", key: Number(name.at(-1)), word });
  }

  /** The word of the keys, which can be overwritten: fifteen octal digits. */
  keyInput(name) {
    const input = document.createElement("input");
    Object.assign(input, { type: "text", title: text("registers.digits"), spellcheck: false, autocomplete: "off" });
    input.setAttribute("aria-label", text("registers.set", { name }));
    input.addEventListener("change", () => {
      const word = input.value.replace(/\s/g, "");
      if (word !== "") this.setKey(name, word);
    });
    // What was typed in vain gives way to the word.
    input.addEventListener("blur", () => {
      this.rows.find((row) => row.value === input).text = "";
      this.draw();
    });
    return input;
  }

  draw() {
    for (const row of this.rows) {
      const { running } = this.state;
      // A machine at rest shows what its registers hold, not the average of its last moments.
      const lamps = running ? this.state.lamps[row.place] : bitsOf(this.state.registers[row.place], row.bits);
      for (let bit = 0; bit < row.bits; bit++) {
        // The eye cannot tell apart more than ten steps of brightness.
        const level = Math.round(lamps[bit] * 10);
        if (level === row.shown[bit]) continue;
        row.shown[bit] = level;
        row.list[bit].dataset.lit = level;
      }
      const value = this.state.registers[row.place];
      const text = row.bits === 45 ? grouped(value) : octal(value, Math.ceil(row.bits / 3));
      // A word that is being typed stays.
      if (text !== row.text && row.value !== document.activeElement) {
        row.text = text;
        row.value.value = text;
      }
    }
  }
}

/** The bits of a word, the lowest first. */
function bitsOf(word, bits) {
  const found = new Array(bits);
  let rest = word;
  for (let bit = 0; bit < bits; bit++) {
    found[bit] = rest % 2;
    rest = Math.floor(rest / 2);
  }
  return found;
}
