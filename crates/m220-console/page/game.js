// A game beside the rules of a single move: what ends it, what may be claimed, and its score.

import { lettersOf } from "m220/squares.js";

/** What counts as the same position: pieces, turn, castling, en passant. */
const placeOf = (fen) => fen.split(" ").slice(0, 4).join(" ");
/** Half-moves since the last capture or pawn's move. */
const quiet = (fen) => Number(fen.split(" ")[4]);

/** How often the last of these positions has been on the board. */
const times = (fens) => fens.filter((fen) => placeOf(fen) === placeOf(fens.at(-1))).length;

/** Neither side can mate: kings alone, or with one light piece, or with bishops of one colour of squares. */
function lacksMaterial(fen) {
  const told = (letter, index) => ({ kind: letter.toLowerCase(), dark: ((index >> 3) + index) % 2 });
  const others = lettersOf(fen).map(told).filter(({ kind }) => kind !== "" && kind !== "k");
  if (others.length === 1) return "bn".includes(others[0].kind);
  return others.every(({ kind, dark }) => kind === "b" && dark === others[0].dark);
}

/** Why the game is drawn by itself, as the key of a text; null if it goes on. */
export function drawnBy(fens) {
  if (lacksMaterial(fens.at(-1))) return "material";
  if (times(fens) >= 5) return "fivefold";
  return quiet(fens.at(-1)) >= 150 ? "seventy-five" : null;
}

/** Why the side to move may claim a draw; null if it may not. */
export function claimable(fens) {
  if (times(fens) >= 3) return "threefold";
  return quiet(fens.at(-1)) >= 100 ? "fifty" : null;
}

/** The score in PGN, with its tags as pairs. */
export function pgnOf({ tags, sans, result }) {
  const escaped = (value) => value.replace(/["\\]/g, "\\$&");
  const moves = sans.flatMap((san, index) => (index % 2 === 0 ? [`${index / 2 + 1}.`, san] : [san]));
  const lines = [""];
  for (const word of [...moves, result]) {
    if (lines.at(-1).length + word.length > 78) lines.push("");
    lines.push(`${lines.pop()} ${word}`.trimStart());
  }
  const head = tags.map(([name, value]) => `[${name} "${escaped(value)}"]`).join("\n");
  return `${head}\n\n${lines.join("\n")}\n`.trimStart();
}
