// What a link can hold: a task or a program, the speed, and the place, packed into the address's fragment. Opening one
// loads it and runs nothing. A fragment comes from anybody, so it is bounded, and read strictly.

import { bytesOf } from "m220/dom.js";

/** The longest fragment, in characters, and the longest text in it, in bytes. */
const MOST_PACKED = 65_536;
const MOST_TEXT = 1_048_576;
/** The farthest place in a run, in instructions. */
export const MOST_INSTRUCTIONS = 10_000_000;
const NAME = "share";
/** The slowest and the fastest speed, as the page offers them; the machine itself may run without limit. */
const [SLOWEST, FASTEST] = [1 / 1000, 1000];
/** Bytes of the checksum before the packed ones. */
const SUM = 4;

/** CRC-32: finds every change of a single sign of the fragment. */
function checksum(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  sum = ~sum;
  return Uint8Array.of(sum >>> 24, sum >>> 16, sum >>> 8, sum);
}

const signsOf = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

const bytesThrough = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

/** All bytes of a stream, which is not read further than `most`. */
async function collected(stream, most) {
  const parts = [];
  let length = 0;
  for (const reader = stream.getReader(); ;) {
    const { value, done } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > most) {
      reader.cancel().catch(() => {});
      throw new Refused("too-large");
    }
    parts.push(value);
  }
}

/** Why a fragment is not taken: `reason` names the text `share.REASON`. */
export class Refused extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const hasOnly = (value, names) => isObject(value) && Object.keys(value).every((name) => names.includes(name));
const isText = (value) => typeof value === "string";

function isQuestion(task, question) {
  const isPlain = (part) => isText(part) || Number.isSafeInteger(part) || typeof part === "boolean";
  if (task !== "source") return isObject(question) && Object.values(question).every(isPlain);
  return hasOnly(question, ["root", "files"]) && isText(question.root) && Array.isArray(question.files)
    && question.files.every((file) => hasOnly(file, ["name", "text"]) && isText(file.name) && isText(file.text));
}

/** `{ task, question, speed, at }` if it is one; speed null is the full speed, "fit" one that fits the run. */
function checked(place) {
  const { task, question, speed, at } = isObject(place) ? place : {};
  const fits = hasOnly(place, ["task", "question", "speed", "at"]) && isText(task) && isQuestion(task, question)
    && (speed === null || speed === "fit" || Number.isFinite(speed)) && Number.isSafeInteger(at) && at >= 0;
  if (!fits) throw new Refused("damaged");
  if (Number.isFinite(speed) && (speed < SLOWEST || speed > FASTEST)) throw new Refused("speed");
  if (at > MOST_INSTRUCTIONS) throw new Refused("too-far");
  return { task, question, speed, at };
}

/** A place as a fragment. */
export async function packed(place) {
  const text = new TextEncoder().encode(JSON.stringify(checked(place)));
  if (text.length > MOST_TEXT) throw new Refused("too-large");
  const bytes = await collected(bytesThrough(text, new CompressionStream("deflate-raw")), MOST_PACKED);
  const signs = signsOf([...checksum(bytes), ...bytes]);
  if (signs.length > MOST_PACKED - NAME.length - 1) throw new Refused("too-large");
  return `${NAME}=${signs}`;
}

/** The place of a fragment, which may hold other things before and after it; null if it holds none. */
export async function unpacked(fragment) {
  const parts = fragment.split("&").filter((part) => part.startsWith(`${NAME}=`));
  if (parts.length === 0) return null;
  if (fragment.length > MOST_PACKED) throw new Refused("too-large");
  const signs = parts[0].slice(NAME.length + 1);
  if (parts.length > 1 || !/^[\w-]+$/.test(signs)) throw new Refused("damaged");
  try {
    const whole = bytesOf(signs.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = whole.subarray(SUM);
    // Signs whose last bits mean nothing are no other way to write the same.
    const isWhole = signsOf(whole) === signs && checksum(bytes).every((byte, place) => byte === whole[place]);
    if (!isWhole) throw new Refused("damaged");
    const text = await collected(bytesThrough(bytes, new DecompressionStream("deflate-raw")), MOST_TEXT);
    return checked(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text)));
  } catch (error) {
    throw error instanceof Refused ? error : new Refused("damaged");
  }
}
