// What the machine refuses is told in Russian to a Russian reader: the module's own sentences, by asking it wrongly.

import assert from "node:assert/strict";
import test from "node:test";
import { inRussian } from "../../crates/m220-console/page/said-ru.js";
import { compiled, home } from "./home.mjs";

const FREE = "8/8/8/8/8/8/8/8 w - - 0 1";
const KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

/** Services with questions that each have something wrong with them. */
const ASKED = [
  ["trajectories", { fen: "8/8 w - - 0 1", from: "a1", to: "a2" }],
  ["trajectories", { fen: "9/8/8/8/8/8/8/8 w - - 0 1", from: "a1", to: "a2" }],
  ["trajectories", { fen: "7/8/8/8/8/8/8/8 w - - 0 1", from: "a1", to: "a2" }],
  ["trajectories", { fen: "8/8/8/8/8/8/8/8 x - - 0 1", from: "a1", to: "a2" }],
  ["trajectories", { fen: "8/8/8/8/8/8/8/8 w x - 0 1", from: "a1", to: "a2" }],
  ["trajectories", { fen: FREE, from: "z9", to: "a2" }],
  ["trajectories", { fen: FREE, from: "a1", to: "a9" }],
  ["trajectories", { fen: FREE, from: "a1", to: "a1", piece: "king" }],
  ["trajectories", { fen: FREE, from: "a1", to: "a2" }],
  ["mate", { fen: FREE, moves: 2 }],
  ["mate", { fen: "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", moves: 2 }],
  ["mate", { fen: "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", moves: 2 }],
  ["mate", { fen: "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", moves: 2 }],
  ["mate", { fen: KINGS, moves: 99 }],
  ["endings", { fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" }],
  ["sync doublet", { fen: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", white: "e4h8", black: "d5e4" }],
  ["sync doublet", { fen: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", white: "nonsense", black: "d5e4" }],
  ["map", { fen: KINGS, horizon: 99 }],
  ["best", { fen: FREE, positions: 0 }],
  ["legal", { fen: FREE }],
  ["reply", { player: "itep", fen: KINGS, moves: [], deck: "no listing" }],
  ["reply", { player: "itep", fen: KINGS, moves: [], deck: "0 00 0000 0000 0000\n" }],
];
/** Requests to the machine, in this order. */
const REQUESTED = [
  { do: "debugger", line: "nonsense" },
  { do: "debugger", line: "print nonsense" },
  { do: "debugger", line: "set 0100 = x" },
  { do: "key", key: 9, word: "000000000000000" },
  { do: "key", key: 1, word: "12x" },
  { do: "key", key: 1, word: "12" },
  { do: "save", file: "tape", number: 9 },
  { do: "back", count: 1 },
  { do: "speed", factor: -1 },
  { do: "task", task: "endings", lang: "ru", question: { fen: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" } },
];
const UPLOADED = [
  ["program", "nonsense"], ["program", "0 00 0000 0000 000x"], ["drum", "abc"], ["tape", "abc"],
];
/** A text with errors of the assembler. */
const SOURCE = `a: nonsense 1
  ADD x, y
  origin 0100
  ADD b
b: STOP
b: STOP
  number 1.x
  include "nothing.m220"
  octal 9
  STOP 1, 2, 3, 4
  repeat 0
`;

/** Words that are not the reader's language: what is quoted, names of files and the laboratory's own words may stay. */
function english(sentence) {
  const own = /`[^`]*`|--\w+( '[^']*')?|«[^»]*»|\b([A-Z]{2,}|KQkq|pnbrqk|help)\b|\S+\.\w+/g;
  return sentence.replace(own, "").match(/[A-Za-z]{3,}/g) ?? [];
}

test("refusals are told in Russian", { skip: compiled === null }, () => {
  const call = home();
  const bytes = (text) => new TextEncoder().encode(text);
  const assembled = call({
    call: "answer", service: "assemble", question: { lang: "ru", question: { root: "a.m220", files: [{ name: "a.m220", text: SOURCE }] } },
  }).document;
  const refused = [
    ...ASKED.map(([service, question]) => call({ call: "answer", service, question: { lang: "ru", question } }).error),
    ...REQUESTED.map((request) => call({ call: "request", request }).error),
    ...UPLOADED.map(([kind, text]) => call({ call: "upload", kind, name: "file.txt", number: 0 }, bytes(text)).error),
    ...[...assembled.errors, ...assembled.warnings].flatMap(({ message, help }) => [message, help ?? "0"]),
  ];
  const left = refused.map((sentence, index) => {
    assert.equal(typeof sentence, "string", `question ${index} is not refused`);
    return [sentence, inRussian(sentence)];
  }).filter(([, russian]) => english(russian).length > 0);
  assert.deepEqual(left, []);
});
