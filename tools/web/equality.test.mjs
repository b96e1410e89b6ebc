// The machine of the web edition gives what `m220 run` gives: core checksum and printed text of all example and machine
// programs. `node --test tools/web` after tools/web/build; M220 names the command (default: target/debug/m220).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { checksum, octal } from "../../crates/m220-console/page/words.js";
import { compiled, home } from "./home.mjs";

const M220 = process.env.M220 ?? "target/debug/m220";
const PROGRAMS = ["m220-programs", "m220-programs/examples"];
/** Turns of some milliseconds: a program that does not end has failed. */
const MOST_TURNS = 20_000;

/** Runs the loaded program to its end at full speed; `keep` gets every change of core. */
function run(call, keep) {
  call({ call: "request", request: { do: "speed", factor: null } });
  assert.equal(call({ call: "request", request: { do: "run" } }).error, null);
  let printed = "";
  for (let turns = 0; call({ call: "work", passed: 0 }).running; turns++) {
    assert.ok(turns < MOST_TURNS, "the program does not end");
    const { frame } = call({ call: "frame" });
    keep(frame.cells);
    printed += frame.printed;
  }
  const { frame } = call({ call: "frame" });
  keep(frame.cells);
  return { frame, printed: printed + frame.printed };
}

test("the module imports the clock and nothing else", { skip: compiled === null && "no module: tools/web/build makes it" }, () => {
  assert.deepEqual(WebAssembly.Module.imports(compiled), [{ module: "m220", name: "now", kind: "function" }]);
});

const sources = PROGRAMS.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`)).filter((file) => /\.(m220|m20)$/.test(file));
const texts = sources.filter((file) => file.endsWith(".m220")).map((file) => ({ name: file.split("/").at(-1), text: readFileSync(file, "utf8") }));

for (const file of sources) {
  test(`${file} as m220 run`, { skip: (compiled === null && "no module: tools/web/build makes it") || (!existsSync(M220) && `no ${M220}`) }, (context) => {
    let expected;
    try {
      expected = JSON.parse(execFileSync(M220, ["run", file, "--format", "json", "--max-instructions", "200000000"], { stdio: ["ignore", "pipe", "ignore"] }));
    } catch (error) {
      // A part of other programs is no program; a fault is an end like others.
      if (!error.stdout?.length) return context.skip("no program of its own");
      expected = JSON.parse(error.stdout);
    }
    if (expected.stop.reason === "device") return context.skip("needs a device");
    const call = home();
    const name = file.split("/").at(-1);
    const loaded = file.endsWith(".m220")
      ? call({ call: "request", request: { do: "task", task: "source", question: { root: name, files: texts } } })
      : call({ call: "upload", kind: "program", name, number: 0 }, readFileSync(file));
    assert.equal(loaded.error, null);
    const core = new Float64Array(4 * 4096);
    const keep = (cells) => {
      for (let index = 0; index < cells.length; index += 2) core[cells[index]] = cells[index + 1];
    };
    keep(call({ call: "frame" }).frame.cells);
    const { frame, printed } = run(call, keep);
    assert.equal(frame.stop[0], expected.stop.reason);
    assert.equal(frame.instructions, expected.instructions);
    assert.equal(octal(checksum(core), 15), expected.core_checksum);
    assert.equal(printed, expected.printer);
  });
}

test("2,000 mutated files: each is refused in a sentence, or loaded and not run", { skip: compiled === null && "no module: tools/web/build makes it" }, () => {
  const call = home();
  const good = sources.map((file) => ({ name: file.split("/").at(-1), bytes: readFileSync(file) })).filter(({ bytes }) => bytes.length < 20_000);
  let state = 7;
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  let [refused, loaded] = [0, 0];
  for (let mutant = 0; mutant < 2000; mutant++) {
    const { name, bytes } = good[random(good.length)];
    const mutated = Uint8Array.from(bytes);
    for (let change = random(4); change >= 0; change--) mutated[random(mutated.length)] = random(256);
    const kind = ["program", "program", "cards", "drum", "tape"][random(5)];
    const { text, error } = call({ call: "upload", kind, name, number: random(6) }, mutated.subarray(0, random(3) === 0 ? random(mutated.length) : undefined));
    if (error === null) loaded++;
    else refused++;
    assert.equal(typeof (error ?? text), "string");
    const { frame } = call({ call: "frame" });
    assert.deepEqual([frame.running, frame.instructions], [false, 0]);
  }
  assert.ok(refused > 100 && loaded > 10, `${refused} refused, ${loaded} loaded`);
});
