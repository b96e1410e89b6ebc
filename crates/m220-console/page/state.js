// The state of a machine that the page shows; its source is a recording or a live machine.

export class MachineState {
  constructor(description) {
    this.description = description;
    this.cells = description.cubes * 4096;
    this.core = new Float64Array(this.cells);
    /** The words as they were at the beginning, to tell what has changed since. */
    this.loaded = new Float64Array(this.cells);
    this.registers = description.registers.map(() => 0);
    /** Share of the last frame's time that each bit was set, by register, lowest bit first. */
    this.lamps = description.registers.map((row) => new Float32Array(row.bits));
    /** How recently, and how much, cells were read, written, executed: 0 to 1, fading. */
    this.heat = {
      read: new Float32Array(this.cells),
      written: new Float32Array(this.cells),
      executed: new Float32Array(this.cells),
    };
    this.at = 0;
    this.next = 0;
    this.instructions = 0;
    this.halfMicroseconds = 0;
    this.printed = "";
    this.punched = "";
    this.stop = null;
    /** Parts of the work that are done, and all of them, where the program's view says it. */
    this.progress = undefined;
    this.running = false;
    this.places = Object.fromEntries(description.registers.map((row, index) => [row.name, index]));
    this.symbols = new Map(description.symbols.map((symbol) => [symbol.name, symbol]));
    this.labels = labelsOf(description.symbols);
  }

  register(name) {
    return this.registers[this.places[name]];
  }

  /** The cell of an exported name of the program; undefined if it has none. */
  exported(name) {
    const symbol = this.symbols.get(name);
    return symbol?.cell && symbol.exported ? symbol.value : undefined;
  }

  word(cell) {
    return this.core[cell] ?? 0;
  }

  /** Lets all glow fade; returns whether any is left. */
  fade(factor) {
    let left = false;
    for (const heat of Object.values(this.heat)) {
      for (let cell = 0; cell < heat.length; cell++) {
        if (heat[cell] === 0) continue;
        heat[cell] = heat[cell] < 0.03 ? 0 : heat[cell] * factor;
        left = true;
      }
    }
    return left;
  }

  /** The lamps for the current register values, without any time passing. */
  holdLamps() {
    this.lamps.forEach((lamps, place) => {
      let rest = this.registers[place];
      for (let bit = 0; bit < lamps.length; bit++) {
        lamps[bit] = rest % 2;
        rest = Math.floor(rest / 2);
      }
    });
  }
}

/** One name for each cell: a label before a local one. */
function labelsOf(symbols) {
  const labels = new Map();
  const rank = (name) => (name.includes(".") ? 1 : 0);
  for (const { name, value, cell } of symbols) {
    const old = labels.get(value);
    if (cell && (old === undefined || rank(name) < rank(old))) labels.set(value, name);
  }
  return labels;
}

/** What the machine is at: `ready`, `running`, `paused`, `breakpoint`, or `ended`. */
export function phaseOf({ state, frame }) {
  if (frame?.phase !== undefined) return frame.phase;
  if (state.running) return "running";
  if (state.stop !== null) return state.stop.reason === "breakpoint" ? "breakpoint" : "ended";
  return state.instructions === 0 ? "ready" : "paused";
}

/** The label of a cell, or the nearest one before it with the distance. */
export function labelNear(state, cell) {
  for (let distance = 0; distance <= 0o200 && distance <= cell; distance++) {
    const name = state.labels.get(cell - distance);
    if (name !== undefined) return distance === 0 ? name : `${name}+${distance.toString(8)}`;
  }
  return "";
}
