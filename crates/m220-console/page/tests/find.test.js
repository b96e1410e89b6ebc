// Positions are found by what a person types.

import assert from "node:assert/strict";
import { test } from "node:test";
import { foundOf } from "m220/find.js";

const POSITIONS = [
  { name: "startpos", title: "The initial position" },
  { name: "opera", title: "Morphy - the Duke of Brunswick, Paris 1858" },
  { name: "reti", title: "Рети — Тартаковер, Вена 1910" },
  { name: "loyd", title: "Excelsior by S. Loyd, 1861" },
  { name: "boyd", title: "Boyd - Loman, 1892" },
  { name: "immortal", title: "Anderssen - Kieseritzky, London 1851" },
  { name: "century", title: "D. Byrne - Fischer, New York 1956" },
  { name: "morphy", title: "Attributed to Paul Morphy as a boy; mate in 2" },
];

test("a person's name, part of it, and a typing error", () => {
  for (const [typed, ...names] of [
    ["Morphy", "opera", "morphy"], ["morp paul", "morphy"], ["Реги", "reti"], ["Тартоковер", "reti"], ["1858", "opera"],
    ["Murphy", "opera", "morphy"], ["Морфи", "opera", "morphy"], ["Reti", "reti"], ["zzz"], [" "], ["Loyd", "loyd"],
    ["Royd", "loyd", "boyd"], ["mo xyz"], ["Фишер", "century"],
    ["Кизерицкий", "immortal"],
  ]) {
    assert.deepEqual(foundOf(POSITIONS, typed).map(({ name }) => name), names, typed);
  }
});
