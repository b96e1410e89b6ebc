// What a link can hold: a task or a program, the speed, and the place, packed into the address's fragment. Opening one
// loads it and runs nothing. A fragment comes from anybody, so it is bounded, and read strictly.

/** The longest fragment, in characters, and the longest text in it, in bytes. */
const MOST_PACKED = 65_536;
const MOST_TEXT = 1_048_576;
/** The farthest place in a run, in instructions. */
export const MOST_INSTRUCTIONS = 10_000_000;
const NAME = "share";

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
  const isPlain = (part) => isText(part) || Number.isSafeInteger(part);
  if (task !== "source") return isObject(question) && Object.values(question).every(isPlain);
  return hasOnly(question, ["root", "files"]) && isText(question.root) && Array.isArray(question.files)
    && question.files.every((file) => hasOnly(file, ["name", "text"]) && isText(file.name) && isText(file.text));
}

/** `{ task, question, speed, at }` if it is one; speed null is the full speed. */
function checked(place) {
  const { task, question, speed, at } = isObject(place) ? place : {};
  const fits = hasOnly(place, ["task", "question", "speed", "at"]) && isText(task) && isQuestion(task, question)
    && (speed === null || (Number.isFinite(speed) && speed > 0 && speed <= 1e6))
    && Number.isSafeInteger(at) && at >= 0 && at <= MOST_INSTRUCTIONS;
  if (!fits) throw new Refused("damaged");
  return { task, question, speed, at };
}

/** A place as a fragment. */
export async function packed(place) {
  const text = new TextEncoder().encode(JSON.stringify(checked(place)));
  if (text.length > MOST_TEXT) throw new Refused("too-large");
  const bytes = await collected(bytesThrough(text, new CompressionStream("deflate-raw")), MOST_PACKED);
  const signs = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  if (signs.length > MOST_PACKED - NAME.length - 1) throw new Refused("too-large");
  return `${NAME}=${signs.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The place of a fragment; null if the fragment holds none. */
export async function unpacked(fragment) {
  if (!fragment.startsWith(`${NAME}=`)) return null;
  if (fragment.length > MOST_PACKED) throw new Refused("too-large");
  const signs = fragment.slice(NAME.length + 1);
  if (!/^[\w-]+$/.test(signs)) throw new Refused("damaged");
  try {
    const bytes = Uint8Array.from(atob(signs.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    const text = await collected(bytesThrough(bytes, new DecompressionStream("deflate-raw")), MOST_TEXT);
    return checked(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text)));
  } catch (error) {
    throw error instanceof Refused ? error : new Refused("damaged");
  }
}
