// Small helpers for building the page.

/** A new element with properties, attributes (`aria-label`, `data-...`) and children, put into its parent. */
export function make(parent, name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-")) made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  parent?.append(made);
  return made;
}

/** Changes the text of an element; the same text again would be laid out again. */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** What base64 stands for. It names nothing outside it: a worker gets its text. */
export function bytesOf(base64) {
  const signs = atob(base64);
  const bytes = new Uint8Array(signs.length);
  // `Uint8Array.from` takes ten times as long.
  for (let i = 0; i < signs.length; i++) bytes[i] = signs.charCodeAt(i);
  return bytes;
}

/** The longest file that is read, in bytes. */
const MOST_BYTES = 16 << 20;

/** Why files are not taken, as the key of a text; null if they are. A folder can be dropped, but not read. */
export async function refusalOf(files, most = MOST_BYTES) {
  if (files.some(({ size }) => size > most)) return "file.too-large";
  const read = files.map((file) => file.slice(0, 1).arrayBuffer());
  return Promise.all(read).then(() => null, () => "file.unreadable");
}

/** Offers a file to keep. */
export function save(name, type, content) {
  const link = make(null, "a", { download: name, href: URL.createObjectURL(new Blob([content], { type })) });
  link.click();
  URL.revokeObjectURL(link.href);
}

const SVG = "http://www.w3.org/2000/svg";

/** A new element of a drawing. */
export function draw(parent, name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  parent?.append(made);
  return made;
}

/** Where an arrow key leads in a grid; undefined for any other key. */
export const stepOf = (key, columns) =>
  ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns })[key];

/**
 * Makes a group of elements one stop of the tab key: the arrow keys lead from one to the next, Home and End to the
 * first and the last. `elements` returns them as they are now.
 */
export function roving(parent, elements, columns = 1) {
  const choose = (list, place) => {
    for (const element of list) element.tabIndex = -1;
    list[place].tabIndex = 0;
  };
  parent.addEventListener("focusin", (event) => {
    const list = elements();
    const place = list.indexOf(event.target);
    if (place >= 0) choose(list, place);
  });
  parent.addEventListener("keydown", (event) => {
    const list = elements();
    const place = list.indexOf(document.activeElement);
    if (place < 0) return;
    const by = stepOf(event.key, columns);
    const to = { Home: 0, End: list.length - 1 }[event.key] ?? (by === undefined ? undefined : place + by);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (to < 0 || to >= list.length) return;
    choose(list, to);
    list[to].focus();
  });
}
