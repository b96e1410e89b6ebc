// The pieces: their outlines stand in the page, which has them from pieces.svg.

import { draw } from "m220/dom.js";

/** Draws a piece in a square of 45 units. */
export function drawPiece(parent, role, white, attributes = {}) {
  const d = document.getElementById(`piece-${role}`).getAttribute("d");
  draw(parent, "path", { d, "fill-rule": "evenodd", class: `piece ${white ? "white" : "black"}`, ...attributes });
}
