// A worker with the module in it. It imports nothing: a page opened from a file can start it from a blob.
"use strict";

/** The least time between frames, however fast the page draws them. */
const BETWEEN_FRAMES = 15;

let exported = null;
/** Whether the page has drawn the last frame. */
let wanted = false;
let shown = 0;
let worked = 0;
let isRunning = false;
let timer = null;
let isSoon = false;

/** Passes a message to the module: a line of JSON, then bytes; the answer has the same form. */
function call(message, bytes) {
  const line = new TextEncoder().encode(JSON.stringify(message));
  const length = line.length + 1 + (bytes?.length ?? 0);
  const at = exported.m220_input(length);
  const room = new Uint8Array(exported.memory.buffer, at, length);
  room.set(line);
  room[line.length] = 10;
  if (bytes) room.set(bytes, line.length + 1);
  const size = exported.m220_call();
  const answer = new Uint8Array(exported.memory.buffer, exported.m220_output(), size).slice();
  const end = answer.indexOf(10);
  const text = new TextDecoder().decode(end < 0 ? answer : answer.subarray(0, end));
  return { data: JSON.parse(text), bytes: end < 0 ? null : answer.slice(end + 1) };
}

// A message to oneself comes at once, a timer only after some milliseconds.
const soon = new MessageChannel();
soon.port1.onmessage = () => {
  isSoon = false;
  turn();
};

/** The next turn after so many milliseconds; there is never more than one to come. */
function next(rest) {
  clearTimeout(timer);
  if (rest > 0) timer = isSoon ? null : setTimeout(turn, rest);
  else if (!isSoon) {
    isSoon = true;
    soon.port2.postMessage(null);
  }
}

/** One turn of the machine, a frame if the page waits for one, and the next turn. */
function turn() {
  const now = performance.now();
  // The time before the start is not owed.
  const { running, news, rest } = call({ call: "work", passed: isRunning ? now - worked : 0 }).data;
  [worked, isRunning] = [now, running];
  if (wanted && news && now - shown >= BETWEEN_FRAMES) {
    const { program, frame } = call({ call: "frame" }).data;
    if (program !== null) postMessage({ event: "program", data: program });
    postMessage({ event: "frame", data: frame });
    [wanted, shown] = [false, now];
  }
  if (running) next(rest);
  else if (wanted && news) next(BETWEEN_FRAMES);
}

async function receive({ packed, module, open, drawn, asks, message, bytes }) {
  // In base64, from a page of one file, which has the texts that unpack it before this one.
  if (packed !== undefined) {
    const bytes = unpackedLzma(bytesOf(packed));
    postMessage({ compiled: await WebAssembly.compile(bytes) });
    return;
  }
  if (module !== undefined) {
    const instance = await WebAssembly.instantiate(module, { m220: { now: () => performance.now() } });
    exported = instance.exports;
    return;
  }
  if (open || drawn) wanted = true;
  if (asks !== undefined) postMessage({ answers: asks, ...call(message, bytes) });
  if (message?.call !== "answer") next(0);
}

// One message after the other: the module is compiled into this worker before the first is answered.
let queue = Promise.resolve();
onmessage = ({ data }) => {
  queue = queue.then(() => receive(data)).catch((error) => postMessage({ ended: String(error?.message ?? error) }));
};
