// The machine of the web edition gives what `m220 run` gives: core checksum and printed text of all example and machine
// programs. `node --test tools/web` after tools/web/build; M220 names the command (default: target/debug/m220).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { checksum, octal } from "../../crates/m220-console/page/words.js";

const MODULE = "target/wasm32-unknown-unknown/web/m220_web.wasm";
const M220 = process.env.M220 ?? "target/debug/m220";
const PROGRAMS = ["m220-programs", "m220-programs/examples"];
/** Turns of some milliseconds: a program that does not end has failed. */
const MOST_TURNS = 20_000;

const compiled = existsSync(MODULE) ? new WebAssembly.Module(readFileSync(MODULE)) : null;

/** A fresh module, as a worker has it: messages in, answers out. */
function home() {
  const { exports } = new WebAssembly.Instance(compiled, { m220: { now: () => performance.now() } });
  return (message, bytes = new Uint8Array()) => {
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    const at = exports.m220_input(line.length + bytes.length);
    new Uint8Array(exports.memory.buffer, at).set(Buffer.concat([line, bytes]));
    const length = exports.m220_call();
    return JSON.parse(Buffer.from(exports.memory.buffer, exports.m220_output(), length).toString());
  };
}

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
