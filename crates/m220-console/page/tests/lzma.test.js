// What the module of a page of one file is packed with: here an `.lzma` file that liblzma wrote.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const script = readFileSync(new URL("../lzma.js", import.meta.url), "utf8");
const unpacked = new Function(`${script}; return unpackedLzma;`)();
const PACKED = Buffer.from(
  "BAAAAQAKDQAAAAAAAAAYC9xm4oJZfU6IymJ2Ic3Em3V3wLUk4VLKJG6mQukqQXvBgjtO+5Uz7/b2c2ENtfuTSa0caUD45fcNlwpKBaQ3ncxh"
  + "Dpe2T3eEWeYPz6nXbqAfp605MJ2CSMRT0Ibrht0qaOLUqOPwMsdVLdDWM7wB0qO9k+aai8ecGPbMvGPPK5bcvKOV84qgO2TDMe4t3QYWLVrA"
  + "Czd+XESUMTFGyDC8wJSVxqsQLSok6znEjfYM5M02eF9Sm9Ah/AfD+xGSGFQyDMpJar88b29LiGOXCbmU3OJ9nLGRFbRJ6kIZlz+12ZGU/UQb"
  + "ptWQUvwp4xtDaRVkvNd1yn+mjLaQbqRsB7dJGbJZttlx2vgznsmCxIlOMLHgiQ/ZIXSGriqcFgMUcca4NxsS1K5NV1w8/tHM8WRBWV/JKSRd"
  + "lP8smF95I/oShb7cS491/6Cg/v4+ESzq2dAWYH0kV8EugaKMj6xAd8GDT9pQHQL042qwOmwUriUFwND/zl1Z5dg+UdZEJ9B2o6kbV9wv7SX7"
  + "MF595JFO/6zeIyf0ehOYp1lJHONpGG3th1s736ArP5eOJf05ceCq0TspD40zWHHQFuWGdDPR2HSmYB4pDmuCmCGQlwsvn1SmN9PIoIMaojLl"
  + "yXrkfGBrb+IVxWwI2G123gDC/ssvxdsOHzVe3wAlf1qTiztvlZVT5mEb4XB7Cgp8LPi5koz4Vh3hHZGkgkBuDsShQkUzHWrPKDtz3jWMqGmW"
  + "iDly/IInNSWgWCd4jaOJRUemvq6tMDzUfSt8gbvtsIxcxezUX1/9F5E2o7DM34TThWl90G+khsenjElubzBFo5MCxGSFWFu7Kf3wfZEnInSs"
  + "hxC6NBuvpTShfljdri2St+FzYT2tPqN2E/+OpzFhBichu/0iSdAbbpaan4uF3+ws1coamaHEJx/deU7CYUdhKMZZwKyaN/gm/ntWfg==",
  "base64",
);

/** A text with literals, short and long repetitions, near and far ones. */
function written() {
  let [text, number] = ["", 1n];
  for (let row = 0; row < 120; row++) {
    number = (number * 1103515245n + 12345n) & 0x7fffffffn;
    const bits = (low, count) => Number(number >> BigInt(low)) % count;
    const square = (low) => "abcdefgh"[bits(low, 8)] + (bits(low + 4, 8) + 1);
    const marks = "!".repeat(row % 9 === 0 ? bits(5, 40) : 0);
    text += `${row}. ${"KQRBN"[bits(24, 5)]}${square(8)}-${square(16)}${marks}\n`;
  }
  return text + text.slice(0, 300) + text.slice(40, 1500);
}

test("a text packed by another program comes back", () => {
  assert.equal(Buffer.from(unpacked(PACKED)).toString(), written());
});

test("damage gives as many bytes, and ends", () => {
  for (let place = 18; place < PACKED.length; place += 7) {
    const damaged = Buffer.from(PACKED);
    damaged[place] ^= 0x5a;
    assert.equal(unpacked(damaged).length, written().length);
  }
  assert.equal(unpacked(PACKED.subarray(0, 300)).length, written().length);
});
