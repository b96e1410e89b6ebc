// What a program shows of its tables on the board: the view in its source says it, the machine's cells fill it in.

import { hasText, inLetters, text } from "m220/text.js";
import { counted } from "m220/units.js";
import { ViewError, viewOf } from "m220/view.js";
import { addressPart } from "m220/words.js";

/** The kinds of piece by their number in a table. */
const ROLES = ["", "pawn", "knight", "bishop", "rook", "queen", "king"];

/** The name of a square with the number 8 x file + rank. */
const squareName = (square) => "abcdefgh"[square >> 3] + String((square & 7) + 1);
const isSquare = (square) => Number.isInteger(square) && square >= 0 && square < 64;

/** Views by the description that they came with. */
const views = new WeakMap();

function viewFor({ description }) {
  if (!views.has(description)) {
    let view;
    try {
      view = viewOf(description.files);
    } catch (error) {
      view = () => { throw error; };
    }
    views.set(description, view);
  }
  return views.get(description);
}

/** The content of a program's tables; null if it says nothing of them. */
export function decode(state) {
  const view = viewFor(state);
  if (view === null) return null;
  const drawing = new Drawing(state);
  state.progress = undefined;
  try {
    view(state, drawing);
  } catch (error) {
    if (!(error instanceof ViewError)) throw error;
    drawing.say(text("table.wrong", { why: error.message }));
  }
  return drawing.shown();
}

/** What the statements of a view draw and say. */
class Drawing {
  constructor(state) {
    Object.assign(this, { state, pieces: new Map(), fields: new Map(), arrows: [], lists: [], captions: [] });
  }

  /** Role 1 a pawn to 6 a king; anything else is no piece. */
  piece(square, white, role) {
    if (isSquare(square) && ROLES[role]) this.pieces.set(square, { white: white !== 0, role: ROLES[role] });
  }

  from(square) {
    if (isSquare(square)) this.start = square;
  }

  to(square) {
    if (isSquare(square)) this.target = square;
  }

  mark(square, marks) {
    if (isSquare(square)) this.fields.set(square, { ...this.fields.get(square), ...marks });
  }

  open(square) {
    this.mark(square, { open: true });
  }

  closed(square) {
    this.mark(square, { closed: true });
  }

  forward(square, forward) {
    this.mark(square, { forward });
  }

  backward(square, backward) {
    this.mark(square, { backward });
  }

  moves(square, moves) {
    this.mark(square, { moves });
  }

  bundle(square, first, second) {
    this.mark(square, { bundle: [first, second] });
  }

  arrow(from, to, white) {
    if (isSquare(from) && isSquare(to)) this.arrows.push({ from, to, share: 1, white: white !== 0 });
  }

  /** So many of all parts of the work are done. */
  progress(done, all) {
    this.state.progress = [done, all];
  }

  say(sentence) {
    this.captions.push(sentence);
    this.add = (more) => (this.captions[this.captions.length - 1] += more);
  }

  list(title) {
    this.lists.push({ title, items: [] });
    this.add = (more) => (this.lists.at(-1).title += more);
  }

  row(words) {
    const item = { text: words, ways: [] };
    this.spend();
    if (this.lists.length === 0) this.list("");
    this.lists.at(-1).items.push(item);
    this.add = (more) => (item.text += more);
  }

  add(more) {
    this.say(more);
  }

  /** A way of the last line begins. */
  way(square) {
    this.lists.at(-1)?.items.at(-1)?.ways.push([square]);
  }

  step(square) {
    this.lists.at(-1)?.items.at(-1)?.ways.at(-1)?.push(square);
  }

  /** The result codes, the same in most programs. Before the halt the cell may hold anything. */
  result(word) {
    const { stop, instructions } = this.state;
    if (stop === null) return this.say(text(instructions === 0 ? "table.ready" : "table.working"));
    const result = addressPart(word);
    const key = `table.result-${result}`;
    return this.say(hasText(key) ? text(key) : text("table.result", { result }));
  }

  /** A number in a text. */
  told(number, kind) {
    if (kind === "square") return isSquare(number) ? squareName(number) : "?";
    if (kind === "role") return ROLES[number] ? text(`piece.${ROLES[number]}`) : "?";
    if (kind === "piece") {
      const piece = this.pieces.get(number);
      return piece === undefined ? "" : text(`piece.${piece.white ? "white" : "black"}.${piece.role}`);
    }
    if (kind === "s") return number === 1 ? "" : "s";
    if (kind === "ies") return number === 1 ? "y" : "ies";
    if (kind === "promotion") return { 2: "n", 3: "b", 4: "r", 5: "q" }[number] ?? "";
    return counted(number);
  }

  shown() {
    const { pieces, fields, arrows, lists, start, target } = this;
    for (const list of lists) {
      for (const item of list.items) {
        // A word that the program has not completed yet leads nowhere.
        item.ways = item.ways.filter((way) => way.length > 1 && way.every(isSquare));
        item.way = item.ways[0] ?? [];
      }
    }
    // A move by its name in a game, where the task knows the names.
    const { moves = {} } = this.state.description;
    const named = (said) => said.replace(/\b(?:[a-h][1-8]){2}[nbrq]?\b/g, (move) => inLetters(moves[move] ?? move));
    for (const item of lists.flatMap((list) => list.items)) item.text = named(item.text);
    const captions = this.captions.map(named);
    const ways = lists.flatMap((list) => list.items).flatMap((item) => item.ways);
    return { pieces, fields, arrows: [...edges(ways, pieces), ...arrows], lists, captions, start, target };
  }
}

/** So many bundles are drawn together; of more only the chosen one. */
const MOST_DRAWN = 60;

/** Each move of the ways once, with its share of those that lead from the same start to the same target. */
function edges(ways, pieces) {
  const bundles = new Map();
  for (const way of ways.filter((way) => way.length > 1)) {
    const ends = way[0] * 64 + way.at(-1);
    if (!bundles.has(ends)) bundles.set(ends, []);
    bundles.get(ends).push(way);
  }
  if (bundles.size > MOST_DRAWN) return [];
  return [...bundles.values()].flatMap((bundle) => {
    const shares = new Map();
    const white = pieces.get(bundle[0][0])?.white ?? true;
    for (const way of bundle) {
      for (let step = 1; step < way.length; step++) {
        const key = way[step - 1] * 64 + way[step];
        shares.set(key, (shares.get(key) ?? 0) + 1 / bundle.length);
      }
    }
    return [...shares].map(([key, share]) => ({ from: key >> 6, to: key & 63, share, white }));
  });
}
