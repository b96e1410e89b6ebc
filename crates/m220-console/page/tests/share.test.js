// Links: what goes in comes out, and what anybody may write there does no harm.

import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateRawSync } from "node:zlib";
import { MOST_INSTRUCTIONS, Refused, packed, unpacked } from "m220/share.js";

const KING = {
  task: "trajectories",
  question: { fen: "8/8/8/8/8/8/8/8 w - - 0 1", from: "a4", to: "h4", piece: "king" },
  speed: 0.01,
  at: 1200,
};
const SOURCE = {
  task: "source",
  question: { root: "a.m220", files: [{ name: "a.m220", text: "; привет\norigin 0100\nstart a\na: STOP\n" }] },
  speed: null,
  at: 0,
};
/** A fragment as anybody can make one, with the checksum of zlib. */
function raw(text) {
  const bytes = deflateRawSync(text);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return `share=${Buffer.concat([sum, bytes]).toString("base64url")}`;
}
const refused = (reason) => (error) => error instanceof Refused && error.reason === reason;

test("a task and a program come back as they were", async () => {
  for (const place of [KING, SOURCE]) assert.deepEqual(await unpacked(await packed(place)), place);
  assert.equal(await unpacked("frame=1200"), null);
  assert.equal(await unpacked(""), null);
});

test("the bounds are kept, and each is named", async () => {
  const long = { ...SOURCE, question: { root: "a", files: [{ name: "a", text: " ".repeat(2_000_000) }] } };
  await assert.rejects(packed(long), refused("too-large"));
  let seed = 1;
  const noise = Array.from({ length: 200_000 }, () => String.fromCharCode(33 + (seed = (seed * 48271) % 2147483647) % 90));
  const dense = { ...SOURCE, question: { root: "a", files: [{ name: "a", text: noise.join("") }] } };
  await assert.rejects(packed(dense), refused("too-large"));
  await assert.rejects(unpacked(`share=${"A".repeat(65_536)}`), refused("too-large"));
  // A small fragment that would become large.
  await assert.rejects(unpacked(raw(JSON.stringify(long))), refused("too-large"));
});

test("only a place is a place", async () => {
  const wrong = [
    null, 1, [], {}, { ...KING, more: 1 }, { ...KING, at: -1 },
    { ...KING, at: 0.5 }, { ...KING, speed: "1" }, { ...KING, task: 7 },
    { ...KING, question: { fen: {} } }, { ...SOURCE, question: { root: "a", files: [{ name: "a" }] } },
    { ...SOURCE, question: { root: "a", files: {} } },
  ];
  for (const place of wrong) await assert.rejects(unpacked(raw(JSON.stringify(place))), refused("damaged"));
  for (const speed of [0, 1 / 2000, 1001]) await assert.rejects(unpacked(raw(JSON.stringify({ ...KING, speed }))), refused("speed"));
  const far = { ...KING, at: MOST_INSTRUCTIONS + 1 };
  await assert.rejects(unpacked(raw(JSON.stringify(far))), refused("too-far"));
  for (const text of ["", "{", "\u0000"]) await assert.rejects(unpacked(raw(text)), refused("damaged"));
  await assert.rejects(unpacked("share=<img>"), refused("damaged"));
});

test("theme and language stand before or after a place", async () => {
  const place = { ...KING, speed: "fit" };
  const fragment = await packed(place);
  for (const whole of [`theme=dark&${fragment}`, `${fragment}&lang=ru`, `lang=ru&${fragment}&theme=dark`]) {
    assert.deepEqual(await unpacked(whole), place);
  }
  await assert.rejects(unpacked(`${fragment}&${fragment}`), refused("damaged"));
});

test("every change of one sign is found", async () => {
  const good = await packed(KING);
  let [tried, taken] = [0, 0];
  for (let at = "share=".length; at < good.length; at++) {
    for (const sign of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
      if (sign === good[at]) continue;
      tried++;
      await unpacked(good.slice(0, at) + sign + good.slice(at + 1)).then(() => taken++, () => {});
    }
  }
  assert.ok(tried > 5000);
  assert.equal(taken, 0);
});

test("2,000 mutated fragments: each is refused, or is a place that fits", async () => {
  const good = [await packed(KING), await packed(SOURCE)];
  let state = 20260101;
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=%<\u0000";
  const seen = { taken: 0, refused: 0 };
  for (let mutant = 0; mutant < 2000; mutant++) {
    const text = [...good[mutant % 2]];
    for (let change = random(4); change >= 0; change--) {
      const at = 6 + random(text.length - 6);
      const edit = [() => (text[at] = signs[random(signs.length)]), () => text.splice(at, 1 + random(8)),
        () => text.splice(at, 0, signs[random(signs.length)])];
      edit[random(3)]();
    }
    try {
      const place = await unpacked(text.join(""));
      if (place !== null) assert.ok(text.join("").startsWith(good[mutant % 2]), text.join(""));
      seen.taken++;
    } catch (error) {
      assert.ok(error instanceof Refused, `${text.join("")}: ${error}`);
      seen.refused++;
    }
  }
  assert.ok(seen.refused > 1900, JSON.stringify(seen));
});
