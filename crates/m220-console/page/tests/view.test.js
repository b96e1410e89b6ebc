// The language of views: what it reads, what it refuses, and that its work is bounded.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decode } from "m220/tables.js";
import { setLanguage } from "m220/text.js";

/** A machine with a program that says this, its cells 0100 on, and whether it has stopped. */
function machine(view, { cells = [], stop = null, more = "" } = {}) {
  const lines = view.trim().split("\n").map((line) => `;~ ${line}`);
  const files = [{ name: "a.m220", text: `start a\n${lines.join("\n")}\n` }, { name: "b.m220", text: more }];
  const symbols = new Map([["table", { value: 0o100, cell: true }]]);
  return { description: { files }, symbols, stop, instructions: 1, word: (cell) => cells[cell - 0o100] ?? 0 };
}

const captions = (view, options) => decode(machine(view, options)).captions;

test("a program that says nothing has no board", () => {
  assert.equal(decode({ description: { files: [{ name: "a", text: "; a comment ;~ here\n" }] } }), null);
});

test("expressions read cells and bind as arithmetic does", () => {
  const cells = [2 ** 36 + 4 * 2 ** 24 + 5 * 4096 + 6, 8, 3];
  for (const [expression, value] of [
    ["1 + 2 * 3", "7"], ["(1 + 2) * 3", "9"], ["010", "8"], ["10", "10"], ["7 / 2", "3"], ["7 % 4 - 1", "2"],
    ["[table + 1]", "8"], ["a1([table])", "4"], ["a2([table])", "5"], ["a3([table])", "6"], ["low(2 * [table])", "134,258,700"], ["2 <> 3", "1"],
    ["bits(5, 1, 2)", "1"], ["bit(4, 3)", "1"], ["ones(7)", "3"],
    ["least(4, 3)", "3"], ["1 = 2 or 3 > 2 and 1 <= 1", "1"], ["0 ? 1 : 2 ? 3 : 4", "3"], ["twice", "6"], ["ended", "0"],
  ]) {
    assert.deepEqual(captions(`let twice = 2 * [table + 2]\nsay "{${expression}}"`, { cells }), [value], expression);
  }
});

test("a move has its name in the game, where the task knows it", () => {
  const state = machine('say "the best so far: c4g8"\nlist "keys"\nrow "c4g8"\nrow "a7a8q"\nrow "a4 b5"');
  state.description.moves = { c4g8: "Qg8+", a7a8q: "a8=Q" };
  const { captions: said, lists } = decode(state);
  assert.deepEqual(said, ["the best so far: Qg8+"]);
  assert.deepEqual(lists[0].items.map((item) => item.text), ["Qg8+", "a8=Q", "a4 b5"]);
});

test("blocks, loops and variables; names may be defined in an included text", () => {
  const view = `
set sum = 0
for i = 1 .. 4
  if i = 3
    set sum = sum + 100
  else
    set sum = sum + i
say "{sum}, {later}"
for i = 3 .. 2
  say "never"`;
  assert.deepEqual(captions(view, { more: ";~ let later = 5\n" }), ["107, 5"]);
});

test("pieces, marks, lists and ways", () => {
  const { pieces, fields, lists, arrows, start } = decode(machine(`
piece 4, 1, 6
piece 64, 1, 6
piece 5, 1, 7
from 4
forward 3, 1
backward 3, 2
list "ways" | "пути"
row "{4 as piece} "
way 4
step 12
add "{12 as square}"
row "nowhere"
way 4
step 99`));
  assert.deepEqual([...pieces], [[4, { white: true, role: "king" }]]);
  assert.deepEqual([...fields], [[3, { forward: 1, backward: 2 }]]);
  assert.deepEqual(lists[0].items.map(({ text, ways }) => [text, ways]), [["white king b5", [[4, 12]]], ["nowhere", []]]);
  assert.deepEqual(arrows, [{ from: 4, to: 12, share: 1, white: true }]);
  assert.equal(start, 4);
});

/** The Experiment's own view, on a machine whose named cells hold these words, and others these. */
function experiment(words, stop = null, others = []) {
  const folder = new URL("../../../../m220-programs/", import.meta.url);
  const texts = ["experiment.m220", "map_interface.m220"].map((name) => readFileSync(new URL(name, folder), "utf8"));
  const files = texts.map((text) => ({ text }));
  const places = new Map();
  const place = (name) => places.get(name) ?? places.set(name, 0o200 * (places.size + 1)).get(name);
  const cells = new Map(others);
  for (const [name, word] of Object.entries(words)) {
    [word].flat().forEach((word, index) => cells.set(place(name) + index, word));
  }
  const symbols = { get: (name) => ({ value: name === "undo_size" ? 72 : place(name) }) };
  return decode({ description: { files }, symbols, stop, instructions: 1, word: (cell) => cells.get(cell) ?? 0 });
}

test("the Experiment shows the path, the inequality, the way at hand, and the table filling up", () => {
  const second = (file, rank) => (file * 16 + rank) * 4096;
  const [white, black] = [2 ** 24, 2 * 2 ** 24];
  const first = (from, to, verdict, positions) => (from * 64 + to) * 2 ** 24 + (0o100 + verdict) * 4096 + positions;
  const men = Array(128).fill(0);
  men[16 * 2 + 2] = black + 5 * 4096;
  // The path is b2-a3 e7-a3; g3-h5 is tested, and then Black's queen goes a3-c1-c3 along a way.
  const moves = [[[1, 1], [0, 2]], [[4, 6], [0, 2]], [[6, 2], [7, 4]], [[0, 2], [2, 0]], [[2, 0], [2, 2]]];
  const words = {
    horizon: 3, turn: 1, mail: men, firsts: [first(0o11, 0o02, 2, 40), first(0o44, 0o17, 7, 0)], first_at: 1, expanded: 11,
    top: 4096, undo_depth: 5 * 4096, way_depth: 3 * 4096, hope_step: 1, way_value: 9,
    undo_from: moves.map(([from]) => second(...from)), undo_to: moves.map(([, to]) => second(...to)),
    move_from: second(6, 2), move_to: second(7, 4), keeps_own: 2 ** 36 - 3, at_once: 0,
    hope_doomed: 9, hope_hoped: 1, way_side: black, closed_count: 4096, closed_table: [16 * 3 + 3 + 0o4000 * 4096],
    way_0: second(0, 2), way_to: second(2, 2),
  };
  const { captions, arrows, fields, lists, start, target } = experiment(words);
  assert.deepEqual(captions.slice(2), [
    "looks at e5b8", "position 12 of this move", "path b2-a3 e7-a3", "g3-h5 is kept if -3 - 0 ≥ -(9 doomed + 1 hoped for)",
  ]);
  const uncounted = experiment({ ...words, list_side: black }).captions.at(-1);
  assert.equal(uncounted, "g3-h5 is kept if -3 - 0 ≥ -(hope not yet counted)");
  assert.deepEqual(arrows.map(({ from, to, white }) => [from, to, white]), [
    [9, 2, true], [38, 2, false], [50, 60, true], [2, 16, false], [16, 18, false],
  ]);
  assert.deepEqual([...fields], [[16, { open: true }], [27, { closed: true }]]);
  assert.deepEqual([start, target], [2, 18]);
  assert.equal(lists[0].title, "1 of 2 first moves");
  assert.deepEqual(lists[0].items.map(({ text }) => text), ["b2-a3: wins, 40 positions", "e5-b8: at work"]);
});

test("the Experiment says which move it plays once MAP has replaced it", () => {
  // TREE's cells hold other things by then.
  const words = { task: 6, result: 1, row_count: 2, turn: 2, firsts: [2 ** 24], top: 7, undo_depth: 4096, first_at: 0 };
  const row = 7 * 2 ** 42 + (16 * 1 + 7) * 2 ** 24 + (16 * 2 + 5) * 4096;
  const { captions, arrows, lists } = experiment(words, { reason: "halt" }, [[0o20002, row]]);
  assert.deepEqual(captions, ["the machine plays b8c6"]);
  assert.deepEqual(arrows, [{ from: 15, to: 21, share: 1, white: false }]);
  assert.deepEqual(lists, []);
  assert.deepEqual(experiment(words).captions, ["the verdicts are in: MAP weighs the moves"]);
});

test("each language has its own words", () => {
  setLanguage("ru");
  assert.deepEqual(captions('say "one" | "один"\nsay "1"'), ["один", "1"]);
  setLanguage("en");
});

test("a view that is wrong is told in one sentence", () => {
  for (const [view, why] of [
    ["fly 1", "no such statement: fly 1"],
    ["piece 1, 2", "too many or too few values"],
    ["say nothing", 'expected "text"'],
    ['say "{none}"', "there is no name none"],
    ['say "{1 +}"', "expected a value"],
    ['say "{sin(1)}"', "there is no sin of 1"],
    ["if 1", "nothing stands below: if 1"],
    ["let a", "expected NAME = in: let a"],
    ['let a = b + 1\nlet b = a + 1\nsay "{a}"', "is defined by itself"],
    ['for i = 0 .. 1 / 0\n  say "{i}"', "this takes too long"],
    ["for i = 0 .. 99999999\n  row \"x\"", "this takes too long"],
    [`say "{${"(".repeat(9999)}1${")".repeat(9999)}}"`, "nested too deeply"],
    ["say \"{constructor}\"", "there is no name constructor"],
    ["toString 1", "no such statement: toString 1"],
  ]) {
    const [sentence] = captions(view).slice(-1);
    assert.ok(sentence.startsWith("the view of this program: ") && sentence.includes(why), `${view}: ${sentence}`);
  }
  const doubling = Array.from({ length: 40 }, (_, index) => `let n${index + 1} = n${index} + n${index}`);
  assert.match(captions(`let n0 = 1\n${doubling.slice(0, 35).join("\n")}\nsay "{n35}"`).at(-1), /takes too long/);
});
