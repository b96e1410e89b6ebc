// The language of views: what it reads, what it refuses, and that its work is bounded.

import assert from "node:assert/strict";
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
    assert.ok(sentence.startsWith("the view of this program, ") && sentence.includes(why), `${view}: ${sentence}`);
  }
  const doubling = Array.from({ length: 40 }, (_, index) => `let n${index + 1} = n${index} + n${index}`);
  assert.match(captions(`let n0 = 1\n${doubling.slice(0, 35).join("\n")}\nsay "{n35}"`).at(-1), /takes too long/);
});
