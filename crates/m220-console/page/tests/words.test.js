// Words of 45 bits, and the characters of keys.

import assert from "node:assert/strict";
import { test } from "node:test";
import { characterOf } from "m220/controls.js";
import { a1, a2, a3, bit, checksum, code, grouped, modified } from "m220/words.js";

test("the fields of an instruction", () => {
  const word = 0o756012345670123;
  assert.deepEqual([code(word), a1(word), a2(word), a3(word)], [0o56, 0o0123, 0o4567, 0o0123]);
  assert.deepEqual(modified(word), [true, true, true]);
  assert.deepEqual(modified(0o256012345670123), [false, true, false]);
  assert.equal(grouped(word), "7 56 0123 4567 0123");
  assert.deepEqual([bit(word, 45), bit(word, 1), bit(word, 3)], [1, 1, 0]);
});

test("the checksum carries round in both parts", () => {
  const core = new Float64Array(4096);
  core[1] = 2 ** 45 - 1;
  assert.equal(checksum(core), 2 ** 45 - 1);
  core[2] = 1;
  assert.equal(checksum(core), 0o777 * 2 ** 36 + 1);
});

test("keys count by their character, whatever the keyboard", () => {
  const pressed = (key, code) => characterOf({ key, code });
  assert.equal(pressed("-", "Slash"), "-");
  assert.equal(pressed("?", "Minus"), "?");
  assert.equal(pressed("+", "NumpadAdd"), "+");
  assert.equal(pressed("T", "KeyT"), "t");
  assert.equal(pressed("е", "KeyT"), "t");
  assert.equal(pressed("ArrowLeft", "ArrowLeft"), "ArrowLeft");
});
