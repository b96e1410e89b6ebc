// The chess pieces as outlines in a square of 45 units, holes by the even-odd rule, drawn for this project.
// The pictures of the command line are drawn from this file too: one line per piece.

export const SHAPES = {
  pawn: "M22.5 9a6 6 0 0 1 4.2 10.3h2.3v2.6h-3q.6 6.3 4.5 11.1h-16q3.9-4.8 4.5-11.1h-3v-2.6h2.3A6 6 0 0 1 22.5 9z M11 39h23v-3.5q0-2.5-2.5-2.5h-18q-2.5 0-2.5 2.5z",
  knight: "M15.5 33c-.5-6 5.5-8 5.7-12.5-2.7 1.3-4.7 3.3-7.7 3.1l-2.9-2.7c.8-4.2 4.4-8.7 8.4-10.7l.5-4.2 3.7 3c6.8 1 11.2 8.2 11.2 15.5 0 3.8-.9 5.7-1.1 8.5z M19 15.5a1.3 1.3 0 1 0 .01 0z M11 39h23v-3.5q0-2.5-2.5-2.5h-18q-2.5 0-2.5 2.5z",
  bishop: "M22.5 5.5a2.5 2.5 0 0 1 1.8 4.2c4 3 6.7 7 6.7 11.3 0 3-1.5 5.5-4 7l1.5 5h-12l1.5-5c-2.5-1.5-4-4-4-7 0-4.3 2.7-8.3 6.7-11.3a2.5 2.5 0 0 1 1.8-4.2z M21.5 15v3h-3v2h3v4h2v-4h3v-2h-3v-3z M11 39h23v-3.5q0-2.5-2.5-2.5h-18q-2.5 0-2.5 2.5z",
  rook: "M12 8h5v3.5h3.2V8h4.6v3.5H28V8h5v9l-3 2.6v10.4l2 3H13l2-3V19.6L12 17z M11 39h23v-3.5q0-2.5-2.5-2.5h-18q-2.5 0-2.5 2.5z",
  queen: "M8.5 12.5l6 9.5L16 9.5l4.7 11.5L22.5 7.5 24.3 21 29 9.5 30.5 22l6-9.5L33 28l-1.5 5h-18L12 28z M11 39h23v-3.5q0-2.5-2.5-2.5h-18q-2.5 0-2.5 2.5z",
  king: "M21 4h3v3h3v3h-3v4.3c4.5-2.6 11.5-1.3 11.5 4.7 0 4-3 7-4.3 10.5l-.7 3.5h-16l-.7-3.5C12.5 26 9.5 23 9.5 19c0-6 7-7.3 11.5-4.7V10h-3V7h3z M11 39h23v-3.5q0-2.5-2.5-2.5h-18q-2.5 0-2.5 2.5z",
};

export const ROLES = ["", "pawn", "knight", "bishop", "rook", "queen", "king"];
