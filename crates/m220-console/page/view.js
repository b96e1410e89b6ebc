// The language in which a program's source says what its cells mean: its lines that begin with `;~`. docs/console.md
// describes it. A view comes from anywhere: it can only read cells, its work is bounded, and its texts stay texts.

import { currentLanguage } from "m220/text.js";
import { bit } from "m220/words.js";

/** The most that one drawing may take: cells read, names looked up, statements carried out. */
const MOST_WORK = 1_000_000;
/** What a line of a list costs beside its statement: the page makes a button of it. */
const WORK_OF_ROW = 100;
/** The deepest nesting of blocks, of brackets, and of names defined by names. */
const DEEPEST = 40;

/** A line of a view that cannot be understood or carried out. */
export class ViewError extends Error {}

const bits = (word, first, count) => Math.floor(word / 2 ** (first - 1)) % 2 ** count;
const FUNCTIONS = {
  a1: [1, (word) => bits(word, 25, 12)],
  a2: [1, (word) => bits(word, 13, 12)],
  a3: [1, (word) => bits(word, 1, 12)],
  low: [1, (word) => bits(word, 1, 36)],
  bit: [2, bit],
  bits: [3, bits],
  ones: [1, (value) => [...value.toString(2)].filter((digit) => digit === "1").length],
  least: [2, Math.min],
};

const OPERATORS = [
  { or: (a, b) => a || b },
  { and: (a, b) => a && b },
  {
    "=": (a, b) => a === b, "<>": (a, b) => a !== b, "<": (a, b) => a < b, "<=": (a, b) => a <= b,
    ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  },
  { "+": (a, b) => a + b, "-": (a, b) => a - b },
  { "*": (a, b) => a * b, "/": (a, b) => Math.floor(a / b), "%": (a, b) => a % b },
];

const TOKEN = /\s*(?:(\d+)|([a-z_]\w*)|(<=|>=|<>|\.\.|[-+*/%=<>?:()[\],]))/iy;

/** The expressions of a line: each becomes a function of the run. Numbers that begin with 0 are octal. */
class Parser {
  constructor(line) {
    this.line = line;
    this.tokens = [];
    this.depth = 0;
    for (TOKEN.lastIndex = 0; TOKEN.lastIndex < line.trimEnd().length;) {
      const begun = TOKEN.lastIndex;
      const found = TOKEN.exec(line);
      if (found === null) throw new ViewError(`unexpected: ${line.slice(begun).trim()}`);
      this.tokens.push(found[1] ?? found[2] ?? found[3]);
    }
  }

  take(...expected) {
    return expected.includes(this.tokens[0]) ? this.tokens.shift() : null;
  }

  demand(token) {
    if (this.take(token) === null) throw new ViewError(`expected ${token} in: ${this.line.trim()}`);
  }

  end() {
    if (this.tokens.length > 0) throw new ViewError(`unexpected ${this.tokens[0]} in: ${this.line.trim()}`);
  }

  /** `condition ? value : other`, and everything that binds closer. */
  value() {
    if (++this.depth > DEEPEST) throw new ViewError(`nested too deeply: ${this.line.trim()}`);
    const condition = this.operation(0);
    let value = condition;
    if (this.take("?") !== null) {
      const chosen = this.value();
      this.demand(":");
      const other = this.value();
      value = (run) => (condition(run) ? chosen(run) : other(run));
    }
    this.depth--;
    return value;
  }

  operation(level) {
    if (level === OPERATORS.length) return this.single();
    let left = this.operation(level + 1);
    for (;;) {
      const operator = this.take(...Object.keys(OPERATORS[level]));
      if (operator === null) return left;
      const [first, second, apply] = [left, this.operation(level + 1), OPERATORS[level][operator]];
      left = (run) => Number(apply(first(run), second(run)));
    }
  }

  single() {
    const token = this.tokens.shift() ?? "";
    if (/^\d/.test(token)) {
      const number = parseInt(token, token.startsWith("0") ? 8 : 10);
      return () => number;
    }
    if (token === "(" || token === "[") {
      const value = this.value();
      this.demand(token === "(" ? ")" : "]");
      return token === "(" ? value : (run) => run.cell(value(run));
    }
    if (!/^[a-z_]/i.test(token)) throw new ViewError(`expected a value in: ${this.line.trim()}`);
    if (this.take("(") === null) return (run) => run.name(token);
    const values = this.values();
    this.demand(")");
    const [count, apply] = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : [];
    if (count !== values.length) throw new ViewError(`there is no ${token} of ${values.length}`);
    return (run) => apply(...values.map((value) => value(run)));
  }

  values() {
    const values = [this.value()];
    while (this.take(",") !== null) values.push(this.value());
    return values;
  }
}

function expressions(line, least, most = least) {
  const parser = new Parser(line);
  const values = parser.values();
  parser.end();
  if (values.length < least || values.length > most) throw new ViewError(`too many or too few values: ${line.trim()}`);
  return values;
}

/** The text of a statement, in two languages: `"{count} ways" | "путей: {count}"`. */
function template(line) {
  const found = /^\s*"([^"]*)"(?:\s*\|\s*"([^"]*)")?\s*$/.exec(line);
  if (found === null) throw new ViewError(`expected "text" or "text" | "текст": ${line.trim()}`);
  const [en, ru] = [found[1], found[2] ?? found[1]].map((written) => {
    const parts = written.split(/\{([^}]*)\}/).map((part, index) => {
      if (index % 2 === 0) return () => part;
      const [, value, kind = "number"] = /^(.*?)(?: as (\w+))?$/.exec(part);
      const [number] = expressions(value, 1);
      return (run) => run.told(number(run), kind);
    });
    return (run) => parts.map((part) => part(run)).join("");
  });
  return (run) => (currentLanguage() === "ru" ? ru : en)(run);
}

/** What a statement does: its expressions, then the method of the drawing that it calls. */
const drawn = (least, most = least) => (name, rest) => {
  const values = expressions(rest, least, most);
  return (run) => run.drawing[name](...values.map((value) => value(run)));
};
const said = (name, rest) => {
  const written = template(rest);
  return (run) => run.drawing[name](written(run));
};
const STATEMENTS = {
  piece: drawn(3), from: drawn(1), to: drawn(1), arrow: drawn(3), way: drawn(1), step: drawn(1), result: drawn(1),
  open: drawn(1), closed: drawn(1),
  forward: drawn(2), backward: drawn(2), moves: drawn(2), bundle: drawn(3), progress: drawn(2),
  say: said, list: said, row: said, add: said,
};

/** The lines of a view in all sources of a program, those of included texts first: depth of indentation, and text. */
function linesOf(files) {
  const lines = files.toReversed().flatMap(({ text }) => text.match(/^;~.*$/gm) ?? []);
  return lines.map((line) => ({ depth: /^;~\s*/.exec(line)[0].length, line: line.slice(2).trim() }))
    .filter(({ line }) => line !== "");
}

/** The statements of a block: those of the first one's depth, blocks below them deeper. */
function block(lines, names, nested = 0) {
  if (nested > DEEPEST) throw new ViewError("blocks are nested too deeply");
  const statements = [];
  const { depth } = lines[0] ?? {};
  while (lines.length > 0 && lines[0].depth === depth) {
    const { line } = lines.shift();
    const [, word, rest] = /^(\w*)(.*)$/.exec(line);
    const inner = () => {
      if (!(lines[0]?.depth > depth)) throw new ViewError(`nothing stands below: ${line}`);
      return block(lines, names, nested + 1);
    };
    const [, name, value] = /^\s*([a-z_]\w*)\s*=(.*)$/i.exec(rest) ?? [];
    if (name === undefined && ["let", "set", "for"].includes(word)) throw new ViewError(`expected NAME = in: ${line}`);
    if (word === "let") {
      [names[name]] = expressions(value, 1);
    } else if (word === "set") {
      const [now] = expressions(value, 1);
      statements.push({ act: (run) => (run.values[name] = now(run)) });
    } else if (word === "for") {
      const parser = new Parser(value);
      const first = parser.value();
      parser.demand("..");
      const last = parser.value();
      parser.end();
      statements.push({ name, first, last, inner: inner() });
    } else if (word === "if") {
      const [condition] = expressions(rest, 1);
      const chosen = inner();
      const isOther = lines[0]?.depth === depth && lines[0].line === "else";
      if (isOther) lines.shift();
      statements.push({ condition, inner: chosen, other: isOther ? inner() : [] });
    } else {
      if (!Object.hasOwn(STATEMENTS, word)) throw new ViewError(`no such statement: ${line}`);
      statements.push({ act: STATEMENTS[word](word, rest) });
    }
  }
  if (nested === 0 && lines.length > 0) throw new ViewError(`indented without need: ${lines[0].line}`);
  return statements;
}

class Run {
  constructor(state, names, drawing) {
    Object.assign(this, { state, names, drawing, values: {}, work: 0, depth: 0 });
  }

  spend(work = 1) {
    this.work += work;
    if (this.work > MOST_WORK) throw new ViewError("this takes too long");
  }

  cell(place) {
    this.spend();
    return this.state.word(place);
  }

  /** A variable, a name of the view, or one of the program. */
  name(name) {
    this.spend();
    if (Object.hasOwn(this.values, name)) return this.values[name];
    if (name === "begun") return Number(this.state.instructions > 0);
    if (name === "ended") return Number(this.state.stop !== null);
    const symbol = this.state.symbols.get(name);
    if (!Object.hasOwn(this.names, name)) {
      if (symbol === undefined) throw new ViewError(`there is no name ${name}`);
      return symbol.value;
    }
    if (++this.depth > DEEPEST) throw new ViewError(`${name} is defined by itself`);
    const value = this.names[name](this);
    this.depth--;
    return value;
  }

  told(number, kind) {
    return this.drawing.told(number, kind);
  }

  carryOut(statements) {
    for (const { act, name, first, last, condition, inner, other } of statements) {
      this.spend();
      if (act !== undefined) act(this);
      else if (condition !== undefined) this.carryOut(condition(this) ? inner : other);
      else {
        const end = last(this);
        for (let index = first(this); index <= end; index++) {
          this.values[name] = index;
          this.spend();
          this.carryOut(inner);
        }
      }
    }
  }
}

/** The view of a program by its sources: a function that draws the state of a machine; null if there is none. */
export function viewOf(files) {
  const lines = linesOf(files);
  if (lines.length === 0) return null;
  const names = {};
  const statements = block(lines, names);
  return (state, drawing) => {
    const run = new Run(state, names, drawing);
    drawing.spend = () => run.spend(WORK_OF_ROW);
    run.carryOut(statements);
  };
}
