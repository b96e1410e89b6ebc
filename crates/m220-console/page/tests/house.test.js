// Rules of the house for the page's modules: what a linter would say.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("..", import.meta.url);
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".js"));
const modules = new Map(files.map((name) => [name, readFileSync(new URL(name, FOLDER), "utf8")]));
const IMPORT = /import \{([^}]*)\} from "m220\/([^"]+)"/g;
const namesOf = (list) => list.split(",").map((name) => name.trim()).filter(Boolean);

test("lines have at most 120 columns", () => {
  for (const [name, source] of modules) {
    source.split("\n").forEach((line, index) => assert.ok(line.length <= 120, `${name}:${index + 1}: ${line.length}`));
  }
});

// The built page has the lines without their indentation.
test("no text goes over several lines", () => {
  for (const [name, source] of modules) {
    source.split("\n").forEach((line, index) =>
      assert.ok(line.split("`").length % 2 === 1, `${name}:${index + 1}: a text that goes on`));
  }
});

test("what a module imports, another exports, and it is used", () => {
  for (const [name, source] of modules) {
    for (const [statement, list, from] of source.matchAll(IMPORT)) {
      for (const imported of namesOf(list)) {
        const exported = new RegExp(`export (const|class|function|async function) ${imported}\\b`);
        assert.match(modules.get(from) ?? "", exported, `${name}: ${imported} from ${from}`);
        const used = source.replace(statement, "").match(new RegExp(`\\b${imported}\\b`));
        assert.ok(used, `${name}: ${imported} is imported for nothing`);
      }
    }
  }
});

test("what a module exports, another imports", () => {
  const tests = readdirSync(new URL(".", import.meta.url)).map((name) => readFileSync(new URL(name, import.meta.url)));
  const everything = [...modules.values(), ...tests].join("\n");
  for (const [name, source] of modules) {
    for (const [, , exported] of source.matchAll(/export (const|class|function|async function) (\w+)/g)) {
      const used = [...everything.matchAll(IMPORT)].some(([, list, from]) => from === name && namesOf(list).includes(exported));
      const loaded = everything.includes(`import("m220/${name}")`);
      assert.ok(used || loaded, `${name}: nothing imports ${exported}`);
    }
  }
});

test("text never becomes markup, and comparisons are strict", () => {
  for (const [name, source] of modules) {
    const code = source.replace(/\/\/.*$|\/\*[^]*?\*\//gm, "");
    for (const banned of [/\b(inner|outer)HTML\s*\+?=/, /insertAdjacentHTML/, /\beval\(/, /\bvar\s/, /[^=!]==[^=]/, /!=[^=]/]) {
      assert.doesNotMatch(code, banned, `${name}: ${banned}`);
    }
  }
});
