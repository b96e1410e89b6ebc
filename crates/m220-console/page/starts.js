// What there is to begin with: the six starts of the door, and where one goes on after a run. A start is a fragment of
// the address, `#start=NAME`, so every one of them is a link.

import { FREE } from "m220/squares.js";

/** The position of the Experiment: Botvinnik - Capablanca 1938, before 30.Ba3. */
const FIG22 = "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30";
const way = (piece, from, to, fen = FREE) => ({ task: "trajectories", question: { fen, from, to, piece } });

/**
 * By name: a `task` with its `question` is loaded and run; `setup` opens the form of a task with its question;
 * `view` opens another part of the page.
 */
export const STARTS = {
  story: { view: "story" },
  king: way("king", "a4", "h4"),
  experiment: { view: "experiment" },
  play: { view: "play" },
  mate: { setup: "mate" },
  program: { view: "editor" },
  knight: way("knight", "a1", "h8"),
  bishop: way("bishop", "a1", "h6", "8/8/8/8/3p4/8/8/8 w - - 0 1"),
  attacks: { task: "attacks", question: { fen: FIG22, horizon: 3 } },
  map: { setup: "map", question: { fen: FIG22 } },
  analyse: { setup: "analyse", question: { fen: FIG22 } },
  way: { setup: "trajectories" },
};

/** The six of the door, in their order. */
export const SIX = ["story", "king", "experiment", "play", "mate", "program"];

/** Where to go on after a run, by its task. */
const NEXT = {
  trajectories: ["knight", "bishop", "attacks", "way", "mate"],
  attacks: ["map", "analyse", "experiment"],
  mate: ["mate", "king", "play"],
  source: ["program", "king"],
  experiment: ["story", "analyse", "play"],
};

/** At most three that fit, without the one that just ran. */
export function nextOf(loaded) {
  const same = ({ task, question }) => task !== undefined && task === loaded?.task
    && question.from === loaded.question.from && question.piece === loaded.question.piece;
  return (NEXT[loaded?.task] ?? ["king", "mate", "play"]).filter((name) => !same(STARTS[name])).slice(0, 3);
}

/** The parts of the fragment that stay as one goes from one place of the page to the next. */
const LASTING = ["theme", "lang"];

/** The fragment of a place, with the theme and language that the address names; without a place, the door's. */
export function fragmentTo(place) {
  const now = new URLSearchParams(location.hash.slice(1));
  const kept = LASTING.filter((name) => now.has(name)).map((name) => `${name}=${encodeURIComponent(now.get(name))}`);
  return `#${[...kept, place].join("&")}`;
}
