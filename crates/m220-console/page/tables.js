// Reads chess data out of core, from the tables of a machine program, found by their exported names. It computes
// nothing that the program has not stored.

import { ROLES } from "m220/pieces.js";
import { hasText, text } from "m220/text.js";
import { counted } from "m220/units.js";
import { a1, a2, a3, addressPart, bit, octal } from "m220/words.js";

const FILES = "abcdefgh";
/** The name of a square with the number 8 x file + rank. */
const squareName = (square) => FILES[square >> 3] + String((square & 7) + 1);

/** The content of a program's tables, or null for an unknown program. */
export function decode(state) {
  if (state.exported("trajectories") !== undefined && state.exported("bundle") !== undefined) return trajectories(state);
  if (state.exported("white_board") !== undefined && state.exported("visits") !== undefined) return mate(state);
  if (state.exported("board") !== undefined && state.exported("relations") !== undefined) return relations(state);
  if (state.exported("board") !== undefined) return { ...empty(), pieces: piecesOnBoard(state, state.exported("board")) };
  return null;
}

const empty = () => ({ pieces: new Map(), fields: new Map(), arrows: [], lists: [], captions: [] });

/** The 64 cells of a board, square a1 first, then a2: A1 the colour, A2 the kind. */
function piecesOnBoard(state, board) {
  const pieces = new Map();
  for (let square = 0; square < 64; square++) {
    const word = state.word(board + square);
    if (ROLES[a2(word)]) pieces.set(square, { white: a1(word) === 1, role: ROLES[a2(word)] });
  }
  return pieces;
}

/** The board of the relations, a8 first, row by row: 1 a king to 6 a pawn, with a sign for Black. */
function relations(state) {
  const view = empty();
  for (let place = 0; place < 64; place++) {
    const word = state.word(state.exported("board") + place);
    const role = ROLES[7 - addressPart(word)];
    if (role) view.pieces.set((place % 8) * 8 + 7 - (place >> 3), { white: bit(word, 44) === 0, role });
  }
  const count = addressPart(state.word(state.exported("count") ?? 0));
  if (state.stop !== null) view.captions.push(text("table.relations", { count: counted(count) }));
  view.captions.push(outcome(state, addressPart(state.word(state.exported("result") ?? 0))));
  return view;
}

/** The number of a square in the mailbox: 20 (octal) cells a file. */
const ofMailbox = (number) => (((number >> 4) & 7) << 3) | (number & 7);

/** The squares of a trajectory after its start: first digit their number, then two digits for each. */
function squaresOf(word) {
  const digits = octal(word, 15);
  const moves = Number(digits[0]);
  return Array.from({ length: moves }, (_, step) => parseInt(digits.slice(1 + 2 * step, 3 + 2 * step), 8));
}

function trajectories(state) {
  const view = empty();
  const cell = (name) => state.word(state.exported(name) ?? 0);
  view.pieces = piecesOnBoard(state, state.exported("board"));
  const task = addressPart(cell("task"));
  const result = addressPart(cell("result"));
  const single = task === 1 || task === 2;
  const [start, target] = single
    ? [addressPart(cell("from_square")), addressPart(cell("to_square"))]
    : [ofMailbox(a2(cell("source"))), ofMailbox(a2(cell("target")))];
  const searching = single || (cell("source") !== 0 && state.stop === null);
  if (searching) [view.start, view.target] = [start, target];
  const piece = single ? cell("man") : cell("mover");
  const kind = piece === 0 ? 0 : a2(piece);
  if (single && kind > 0) view.pieces.set(start, { white: a1(piece) === 1, role: ROLES[kind] });
  stamps(state, view, kind);
  if (task === 3) firstStep(state, view);
  if (task === 2) bundle(state, view);
  const found = task === 2 ? 0 : written(state);
  const words = Array.from({ length: found }, (_, index) => state.word(state.exported("trajectories") + index));
  if (task === 3) attacks(state, view, words);
  else if (words.length > 0) {
    // A word that the program has not completed yet has no number of moves.
    const ways = words.map((word) => [start, ...squaresOf(word)]).filter((way) => way.length > 1);
    view.arrows = edges(ways, view.pieces.get(start)?.white ?? true);
    const title = text(state.stop === null ? "table.ways-so-far" : "table.ways", { count: counted(ways.length) });
    view.lists.push({ title, items: ways.map((way) => ({ text: way.map(squareName).join(" "), way })) });
  }
  if (single && kind > 0) {
    const way = `${squareName(start)}-${squareName(target)}`;
    view.captions.push(text(`table.task-${task}`, { piece: text(`piece.${ROLES[kind]}`), way }));
  } else if (task === 3) view.captions.push(text("table.task-3", { horizon: addressPart(cell("horizon")) }));
  view.captions.push(outcome(state, result));
  return view;
}

/** The result codes, the same in all programs. Before the halt the cell may hold anything. */
function outcome(state, result) {
  if (state.stop === null) return text(state.instructions === 0 ? "table.ready" : "table.working");
  const key = `table.result-${result}`;
  return hasText(key) ? text(key) : text("table.result", { result });
}

/** The number of trajectories in the table: the program's own pointer, or at the end its count. */
function written(state) {
  if (state.stop !== null) return addressPart(state.word(state.exported("count")));
  const pointer = state.exported("output");
  if (pointer === undefined) return 0;
  const last = a3(state.word(pointer));
  return last === 0 ? 0 : Math.max(0, Math.min(4096, last - (state.exported("trajectories") - 1)));
}

/** The table `field`: the marks on each square. Bits 45 to 42 mark the steps of the forward half, 41 to 38 those of
 * the backward half; before that the strokes say for which lengths a square is in time. */
function stamps(state, view, kind) {
  const table = state.exported("field");
  if (table === undefined || kind === 0) return;
  for (let square = 0; square < 64; square++) {
    const word = state.word(table + (square >> 3) * 16 + (square & 7));
    if (word === 0) continue;
    const field = {};
    for (let step = 0; step < 4; step++) {
      if (bit(word, 45 - step)) field.forward = step;
      if (bit(word, 41 - step)) field.backward = step;
    }
    // Two octal digits a kind of piece, the king's first.
    const strokes = Math.floor(addressPart(word) / 2 ** (6 * (kind - 1))) % 64;
    if (field.forward === undefined && field.backward === undefined && strokes > 0) {
      field.moves = 7 - [...strokes.toString(2)].filter((digit) => digit === "1").length;
    }
    if (Object.keys(field).length > 0) view.fields.set(square, field);
  }
}

/** In `mail`, bit 24 of a square that the piece lifted off reaches in one move. */
function firstStep(state, view) {
  const table = state.exported("mail");
  if (table === undefined) return;
  for (let square = 0; square < 64; square++) {
    const word = state.word(table + (square >> 3) * 16 + (square & 7));
    if (bit(word, 24)) view.fields.set(square, { forward: 1 });
  }
}

/** The table `bundle`: A2 the number from the start, A3 that to the target. */
function bundle(state, view) {
  let squares = 0;
  for (let square = 0; square < 64; square++) {
    const word = state.word(state.exported("bundle") + (square >> 3) * 16 + (square & 7));
    if (word === 0) continue;
    squares++;
    view.fields.set(square, { ...view.fields.get(square), bundle: [a2(word), a3(word)] });
  }
  const count = addressPart(state.word(state.exported("count")));
  if (count > 0) view.captions.push(text("table.bundle", { count: counted(count), squares }));
}

/** Each move of the trajectories once, with the share of them that make it. */
export function edges(ways, white) {
  const shares = new Map();
  for (const way of ways) {
    for (let step = 1; step < way.length; step++) {
      const key = way[step - 1] * 64 + way[step];
      shares.set(key, (shares.get(key) ?? 0) + 1 / ways.length);
    }
  }
  return [...shares].map(([key, share]) => ({ from: key >> 6, to: key & 63, share, white }));
}

/** The table of attacks goes down from `attacks`: A1 from, A2 to, A3 the cell of its first trajectory. */
function attacks(state, view, words) {
  const first = state.exported("trajectories");
  const count = addressPart(state.word(state.exported("attack_count")));
  const entries = Array.from({ length: Math.min(count, 512) }, (_, index) => state.word(state.exported("attacks") - index));
  const items = entries.map((entry, index) => {
    const [from, to] = [a1(entry) & 63, a2(entry) & 63];
    const end = index + 1 < entries.length ? a3(entries[index + 1]) : first + words.length;
    const ways = words.slice(a3(entry) - first, end - first).map((word) => [from, ...squaresOf(word)]);
    const piece = view.pieces.get(from);
    const white = piece?.white ?? true;
    const goal = view.pieces.get(to);
    view.arrows.push(...edges(ways, white));
    const named = (man, isWhite) => text(`piece.${isWhite ? "white" : "black"}.${man.role}`);
    const way = ways.map((squares) => squares.map(squareName).join("-")).join(", ");
    const line = `${piece ? named(piece, white) : ""} ${way}${goal ? ` x ${named(goal, goal.white)}` : ""}`;
    return { text: line, ways, way: ways[0] };
  });
  const numbers = { attacks: counted(items.length), ways: counted(words.length) };
  if (items.length > 0) view.lists.push({ title: text("table.attacks", numbers), items });
}

/** White's and Black's boards of the mate program: 20 (octal) cells a rank, a1 at 0200, Black's 4000 further on. */
const MATE_CORNER = 0o200;
const MATE_OTHER = 0o4000;
/** The bits of A1 for the kinds of pieces that attack along a line. */
const MATE_KINDS = [[0o1000, "king"], [0o600, "queen"], [0o400, "rook"], [0o200, "bishop"], [0o100, "knight"], [0o60, "pawn"]];

const mateSquare = (number) => {
  const place = (number % MATE_OTHER) - MATE_CORNER;
  return ((place & 7) << 3) | ((place >> 4) & 7);
};

function mate(state) {
  const view = empty();
  const cell = (name) => state.word(state.exported(name) ?? 0);
  const level = a2(cell("level"));
  const given = level === 0;
  for (const [white, offset, input] of [[true, 0, "white_board"], [false, MATE_OTHER, "black_board"]]) {
    for (let rank = 0; rank < 8; rank++) {
      for (let file = 0; file < 8; file++) {
        const square = file * 8 + rank;
        if (given) {
          const kind = addressPart(state.word(state.exported(input) + rank * 8 + file));
          if (kind > 0 && kind <= 6) view.pieces.set(square, { white, role: ROLES[kind] });
          continue;
        }
        const kinds = a1(state.word(MATE_CORNER + offset + rank * 16 + file));
        const found = MATE_KINDS.find(([bits]) => (kinds & bits) === bits || (bits === 0o60 && (kinds & bits) !== 0));
        if (found !== undefined) view.pieces.set(square, { white, role: found[1] });
      }
    }
  }
  const [items, froms] = [state.exported("items"), state.exported("froms")];
  const whiteToMate = addressPart(cell("side_to_move")) === 0;
  const line = [];
  if (items !== undefined && froms !== undefined && !given) {
    for (let depth = 1; depth < Math.min(level, 20); depth++) {
      const [from, to] = [a2(state.word(froms + depth)), a2(state.word(items + depth))];
      if (from === 0 || to === 0) continue;
      const arrow = { from: mateSquare(from), to: mateSquare(to), share: 1, white: whiteToMate === (depth % 2 === 1) };
      line.push(arrow);
    }
  }
  view.arrows = line;
  const depth = addressPart(cell("depth"));
  view.captions.push(text(`table.mate-${whiteToMate ? "white" : "black"}`, { moves: depth }));
  if (line.length > 0) {
    const tried = line.map(({ from, to }) => squareName(from) + squareName(to)).join(" ");
    view.captions.push(text("table.tried", { line: tried }));
  }
  const visits = Array.from({ length: 2 * depth }, (_, index) => addressPart(state.word(state.exported("visits") + index + 1)));
  if (visits.some((count) => count > 0)) {
    view.captions.push(text("table.visits", { counts: visits.filter((count) => count > 0).join(", ") }));
  }
  const found = addressPart(cell("found"));
  const keys = Array.from({ length: Math.min(found, 0o600) }, (_, index) => keyOf(state.word(state.exported("answers") + index)));
  if (keys.length > 0 && addressPart(cell("task")) === 0) {
    view.lists.push({ title: text("table.keys", { count: keys.length }), items: keys });
  }
  const result = addressPart(cell("result"));
  const none = state.stop !== null && result === 1 && found === 0 && addressPart(cell("task")) === 0;
  view.captions.push(none ? text("table.no-mate", { moves: depth }) : outcome(state, result));
  return view;
}

/** A key: from and to as 1 to 64, a1 and b1 first; the promotion piece. */
function keyOf(word) {
  const square = (number) => (((number - 1) & 7) << 3) | ((number - 1) >> 3);
  const way = [square(a1(word)), square(a2(word))];
  const piece = { 2: "n", 3: "b", 4: "r", 5: "q" }[a3(word)] ?? "";
  return { text: way.map(squareName).join("") + piece, way, ways: [way] };
}
