// Shows the half-moves of the games on this page on a board. The text of each stands in the page without it too.
"use strict";
const data = JSON.parse(document.getElementById("record").textContent);
const svg = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
const pieces = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const corner = (square) => [45 * (square.charCodeAt(0) - 97), 45 * (8 - Number(square[1]))];

function draw(board, shown) {
  board.replaceChildren();
  for (let rank = 0; rank < 8; rank++) {
    for (let file = 0; file < 8; file++) {
      const kind = (rank + file) % 2 ? "dark" : "light";
      board.append(svg("rect", { x: 45 * file, y: 45 * rank, width: 45, height: 45, class: kind }));
    }
  }
  for (const square of shown.closed) {
    const [x, y] = corner(square);
    board.append(svg("rect", { x, y, width: 45, height: 45, class: "closed" }));
  }
  shown.fen.split(" ")[0].split("/").forEach((row, rank) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") {
        file += Number(letter);
        continue;
      }
      const piece = pieces[letter.toLowerCase()];
      const side = letter === letter.toUpperCase() ? "white" : "black";
      board.append(svg("use", { href: `#piece-${piece}`, x: 45 * file, y: 45 * rank, class: side }));
      file += 1;
    }
  });
  for (const [kind, from, to] of shown.arrows) {
    const [[x1, y1], [x2, y2]] = [corner(from), corner(to)].map((at) => at.map((place) => place + 22.5));
    const angle = Math.atan2(y2 - y1, x2 - x1);
    const [x, y] = [x2 - 16 * Math.cos(angle), y2 - 16 * Math.sin(angle)];
    const arrow = svg("g", { class: `arrow ${kind}` });
    arrow.append(svg("line", { x1, y1, x2: x, y2: y }));
    const turn = `translate(${x} ${y}) rotate(${(180 * angle) / Math.PI})`;
    arrow.append(svg("path", { d: "M0-8 16 0 0 8z", transform: turn }));
    board.append(arrow);
  }
  for (let index = 0; index < 8; index++) {
    const file = svg("text", { x: 45 * index + 36, y: 357, class: "name" });
    file.textContent = "abcdefgh"[index];
    const rank = svg("text", { x: 2, y: 45 * index + 12, class: "name" });
    rank.textContent = String(8 - index);
    board.append(file, rank);
  }
}

document.querySelectorAll(".game").forEach((game, number) => {
  const moves = data[number];
  const links = [...game.querySelectorAll("li a")];
  const marker = game.parentElement.querySelectorAll("svg.curve")[number]?.querySelector(".at");
  let at = 0;
  const show = (next, scroll = true) => {
    at = Math.min(Math.max(next, 0), moves.length - 1);
    draw(game.querySelector("svg.board"), moves[at]);
    game.querySelector(".told").textContent = links[at].textContent;
    links.forEach((link, index) => {
      if (index === at) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    if (scroll) links[at].scrollIntoView({ block: "nearest" });
    marker?.setAttribute("transform", `translate(${moves[at].x} 0)`);
  };
  links.forEach((link, index) => link.addEventListener("click", (event) => {
    event.preventDefault();
    show(index);
  }));
  const steps = { first: () => 0, back: () => at - 1, on: () => at + 1, last: () => moves.length - 1 };
  for (const [name, step] of Object.entries(steps)) {
    game.querySelector(`[data-go=${name}]`).addEventListener("click", () => show(step()));
  }
  game.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") show(at - 1);
    else if (event.key === "ArrowRight") show(at + 1);
    else return;
    event.preventDefault();
  });
  if (moves.length > 0) show(0, false);
});
