// The module of the web edition for the tests.

import { existsSync, readFileSync } from "node:fs";

const MODULE = "target/wasm32-unknown-unknown/web/m220_web.wasm";
export const compiled = existsSync(MODULE) ? new WebAssembly.Module(readFileSync(MODULE)) : null;

/** A fresh module, as a worker has it: messages in, answers out. */
export function home() {
  const { exports } = new WebAssembly.Instance(compiled, { m220: { now: () => performance.now() } });
  return (message, bytes = new Uint8Array()) => {
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    const at = exports.m220_input(line.length + bytes.length);
    new Uint8Array(exports.memory.buffer, at).set(Buffer.concat([line, bytes]));
    const length = exports.m220_call();
    return JSON.parse(Buffer.from(exports.memory.buffer, exports.m220_output(), length).toString());
  };
}
