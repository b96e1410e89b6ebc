// The texts of both languages, complete, and the page's numbers in both.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { afterEach, test } from "node:test";
import english from "m220/text-en.js";
import russian from "m220/text-ru.js";
import { hasText, preferredLanguage, setLanguage, text } from "m220/text.js";
import { about, counted, duration, rateText } from "m220/units.js";

afterEach(() => setLanguage("en"));

const SECOND = 2e6;

test("both languages say the same things, with the same values", () => {
  assert.deepEqual(Object.keys(russian).sort(), Object.keys(english).sort());
  const values = (entry) => (entry.match(/\{\w+\}/g) ?? []).sort();
  for (const key of Object.keys(english)) assert.deepEqual(values(russian[key]), values(english[key]), key);
});

test("every text that the page asks for is there", () => {
  const folder = new URL("..", import.meta.url);
  const read = (name) => readFileSync(new URL(name, folder), "utf8");
  const sources = readdirSync(folder).filter((name) => name.endsWith(".js") && !name.startsWith("text-"));
  const asked = sources.flatMap((name) => [...read(name).matchAll(/\btext\(\s*"([^"]+)"/g)]);
  const written = [...read("page.html").matchAll(/data-(?:text|label)="([^"]+)"/g)];
  assert.ok(asked.length > 20 && written.length > 20);
  for (const [, key] of [...asked, ...written]) assert.ok(hasText(key), key);
});

test("the reader's first language that the page speaks", () => {
  assert.equal(preferredLanguage(["de-DE", "ru-RU", "en"]), "ru");
  assert.equal(preferredLanguage(["en-US", "ru"]), "en");
  assert.equal(preferredLanguage(["fr", "__proto__"]), "en");
});

test("a key without a text is an error, not a gap", () => {
  assert.throws(() => text("nothing of the kind"), /no text for/);
  assert.throws(() => text("toString"), /no text for/);
});

test("times", () => {
  assert.equal(duration(0), "0.00 ms");
  assert.equal(duration(0.0571 * SECOND), "57.10 ms");
  assert.equal(duration(59.5 * SECOND), "59.50 s");
  assert.equal(duration(119.9 * SECOND), "1 min 59 s");
  assert.equal(duration(3600 * SECOND), "1 h 0 min");
  assert.equal(duration(90_000 * SECOND), "1 d 1 h");
  assert.equal(about(100_000), "about 0.1 s");
  assert.equal(about(5_400e6), "about 1.5 h");
  assert.equal(rateText(12_345), "12,345");
  assert.equal(rateText(2_340_000), "2.3 million");
  setLanguage("ru");
  assert.equal(about(100_000), "около 0,1 с");
  assert.equal(counted(2331).replace(/\s/u, " "), "2 331");
});

test("a term says what the glossary says", () => {
  const glossary = readFileSync(new URL("../../../m220-cli/docs/glossary.md", import.meta.url), "utf8");
  const plain = glossary.replace(/[*`]/g, "").replace(/\s+/g, " ");
  const terms = Object.keys(english).filter((key) => key.startsWith("term."));
  assert.ok(terms.length > 10);
  for (const key of terms) assert.ok(plain.includes(`- ${english[key]}`), key);
});
