// A drawing of the machine for the door: cabinets, tapes, the operator's console, printer and card reader. It follows
// descriptions, no photograph: shapes are simplified, and the proportions are ours.

import { draw } from "m220/dom.js";
import { text } from "m220/text.js";

/** The lamps on the console show this number of ways. */
const LAMPS = 393;

const rect = (parent, className, x, y, width, height, rx = 2) =>
  draw(parent, "rect", { x, y, width, height, rx, class: className });

/** A cabinet of the processor or of core: two doors, vents above and below. */
function cabinet(parent, x, width) {
  rect(parent, "metal", x, 24, width, 200, 3);
  for (let line = 0; line < 4; line++) rect(parent, "gap", x + 8, 38 + line * 5, width - 16, 2, 1);
  rect(parent, "leaf", x + 6, 62, width / 2 - 8, 150);
  rect(parent, "leaf", x + width / 2 + 2, 62, width / 2 - 8, 150);
  rect(parent, "gap", x + width / 2 - 5, 118, 2, 16, 1);
  rect(parent, "gap", x + width / 2 + 3, 118, 2, 16, 1);
}

/** A cabinet with a pair of reels. */
function tape(parent, x) {
  rect(parent, "metal", x, 24, 74, 200, 3);
  rect(parent, "leaf", x + 6, 40, 62, 92);
  for (const y of [64, 108]) {
    draw(parent, "circle", { cx: x + 37, cy: y, r: 20, class: "reel" });
    draw(parent, "circle", { cx: x + 37, cy: y, r: 5, class: "hub" });
    for (const turn of [0, 120, 240]) {
      const hole = { x: x + 34, y: y - 16, width: 6, height: 8, rx: 3, class: "hub" };
      draw(parent, "rect", { ...hole, transform: `rotate(${turn} ${x + 37} ${y})` });
    }
  }
  for (let line = 0; line < 5; line++) rect(parent, "gap", x + 14, 150 + line * 9, 46, 2, 1);
}

/** The desk with rows of lamps and keys, and a chair before it. */
function desk(parent, x) {
  draw(parent, "path", { d: `M${x} 132h250l14 34H${x - 14}z`, class: "metal" });
  rect(parent, "face", x + 12, 88, 226, 44, 3);
  for (let row = 0; row < 3; row++) {
    for (let lamp = 0; lamp < 15; lamp++) {
      const isLit = row === 1 && Math.floor(LAMPS / 2 ** (14 - lamp)) % 2 === 1;
      const [cx, cy] = [x + 27 + lamp * 14, 99 + row * 11];
      draw(parent, "circle", { cx, cy, r: 3.2, class: isLit ? "lit" : "lamp" });
    }
  }
  for (let key = 0; key < 15; key++) rect(parent, "switch", x + 22 + key * 14, 142, 8, 12, 2);
  rect(parent, "metal", x + 2, 166, 60, 64);
  rect(parent, "metal", x + 188, 166, 60, 64);
  for (const line of [0, 1]) rect(parent, "leaf", x + 8, 174 + line * 26, 48, 20);
  const chair = `M${x + 102} 186h46v8h-46zM${x + 122} 194h6v24h-6zM${x + 104} 230l21-14 21 14`;
  draw(parent, "path", { d: chair, class: "chair" });
}

/** The line printer, with paper hanging from it. */
function printer(parent, x) {
  rect(parent, "metal", x, 112, 104, 118, 4);
  draw(parent, "path", { d: `M${x + 16} 112v-26q0-8 8-8h56q8 0 8 8v26z`, class: "leaf" });
  draw(parent, "path", { d: `M${x + 22} 126h60v58q-30 10-60 0z`, class: "paper" });
  for (let line = 0; line < 5; line++) rect(parent, "print", x + 30, 136 + line * 9, [38, 44, 26, 42, 34][line], 2, 1);
}

/** The reader with a deck in its hopper. */
function reader(parent, x) {
  rect(parent, "metal", x, 140, 92, 90, 4);
  draw(parent, "path", { d: `M${x + 10} 140l8-26h40l8 26z`, class: "leaf" });
  for (let card = 0; card < 5; card++) rect(parent, "paper", x + 22 + card * 3, 104 - card * 2, 26, 30, 1);
  rect(parent, "gap", x + 12, 156, 68, 3, 1);
  for (let key = 0; key < 4; key++) rect(parent, "switch", x + 14 + key * 17, 170, 11, 9, 2);
}

export function machineDrawing() {
  const svg = draw(null, "svg", { viewBox: "0 0 1180 250", class: "drawing", role: "img" });
  svg.setAttribute("aria-label", text("door.drawing"));
  rect(svg, "floor", 0, 230, 1180, 3, 1);
  for (const [place, x] of [20, 128, 236].entries()) cabinet(svg, x, place === 1 ? 100 : 96);
  for (const x of [356, 438, 520]) tape(svg, x);
  for (const [x, width] of [[26, 300], [362, 226]]) rect(svg, "plinth", x, 224, width, 6, 0);
  desk(svg, 636);
  printer(svg, 928);
  reader(svg, 1060);
  return svg;
}
