// What each machine program shows on the board, by the view in its own source, run in the module of the web edition.

import assert from "node:assert/strict";
import test from "node:test";
import { MachineState } from "../../crates/m220-console/page/state.js";
import { decode } from "../../crates/m220-console/page/tables.js";
import { compiled, home } from "./home.mjs";

const FREE = "8/8/8/8/8/8/8/8 w - - 0 1";

/** A task in the machine: `frame` brings the state up to date, `run` runs for so many turns or to the end. */
function machine(task, question) {
  const call = home();
  assert.equal(call({ call: "request", request: { do: "task", task, question } }).error, null);
  let state = null;
  const frame = () => {
    const { program, frame } = call({ call: "frame" });
    if (program !== null) state = new MachineState(program);
    for (let index = 0; index < frame.cells.length; index += 2) state.core[frame.cells[index]] = frame.cells[index + 1];
    state.instructions = frame.instructions;
    state.stop = frame.stop && { reason: frame.stop[0] };
    return decode(state);
  };
  const run = (turns = Infinity) => {
    call({ call: "request", request: { do: "speed", factor: null } });
    call({ call: "request", request: { do: "run" } });
    for (let turn = 0; turn < turns && call({ call: "work", passed: 0 }).running; turn++);
    return frame();
  };
  return { frame, run };
}

const piecesOf = (view) => [...view.pieces].map(([square, { white, role }]) => {
  const letter = { knight: "n" }[role] ?? role[0];
  return (white ? letter.toUpperCase() : letter) + "abcdefgh"[square >> 3] + ((square & 7) + 1);
}).sort().join(" ");

/** Task, question, the pieces before the start, captions and list at the end. */
const SHOWN = [
  ["trajectories", { fen: FREE, from: "a4", to: "h4", piece: "king" }, "Ka4",
    ["king a4-h4: all shortest trajectories", "done"], "393 trajectories", 393, "a4 b5 c6 d7 e7 f6 g5 h4"],
  ["attacks", { fen: "8/8/8/3k4/8/8/3R4/3K4 w - - 0 1", horizon: 1 }, "Kd1 Rd2 kd5",
    ["attacks of both sides within 1 half-move", "done"], "1 attack, 1 trajectory", 1, "white rook d2-d5 x black king"],
  ["mate", { fen: "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", moves: 2 }, "Kc8 Pb6 Ra1 bb8 ka8 pa7 pb7",
    ["White is to mate in 2", "done"], "1 key", 1, "Ra6"],
  ["mate", { fen: "8/8/8/8/8/5k2/8/4K2R w K - 0 1", moves: 1 }, "Ke1 Rh1 kf3", ["White is to mate in 1", "there is no mate in 1"],
    undefined, 0, ""],
  ["endings", { fen: "8/8/8/8/8/2k5/1R6/K7 w - - 0 1" }, "Ka1 Rb2 kc3", ["class 31", "done"], "best moves", 8, "Rh2"],
  ["relations", { fen: "8/8/8/3k4/8/8/3R4/3K4 w - - 0 1" }, "Kd1 Rd2 kd5", ["done"], "24 relations", 24, "white rook d2 attacks d5"],
  ["sync doublet", { fen: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", white: "e4d5", black: "d5e4" }, "Ke1 Pe4 ke8 pd5", ["done"],
    undefined, 0, ""],
  ["bell", { fen: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1" }, "Ke1 Pe4 ke8 pd5", ["done"], undefined, 0, "exd5"],
  ["map", { fen: "8/8/8/3k4/8/8/3R4/3K4 w - - 0 1", horizon: 1 }, "Kd1 Rd2 kd5", ["the map within 1 half-move", "done"],
    "1 attack", 1, "white rook d2-d5: 200"],
];

for (const [task, question, pieces, captions, title, count, row] of SHOWN) {
  test(`${task} ${question.fen}`, { skip: compiled === null && "no module: tools/web/build makes it" }, () => {
    const { frame, run } = machine(task, question);
    const before = frame();
    assert.equal(piecesOf(before), pieces);
    // In a game nobody asks whether the program has begun.
    assert.equal(before.captions.includes("not started"), task !== "bell", String(before.captions));
    const { captions: said, lists } = run();
    for (const caption of captions) assert.ok(said.includes(caption), `${caption} in ${said.join("; ")}`);
    assert.ok(!said.some((sentence) => sentence.startsWith("the view")), String(said));
    if (title !== undefined) assert.equal(lists[0].title, title);
    if (count > 0) assert.equal(lists[0].items.length, count);
    if (row !== "") assert.ok(lists[0].items.some(({ text }) => text === row), lists[0].items.map(({ text }) => text).join("; "));
  });
}

test("MAP in the program's place shows the same position", { skip: compiled === null && "no module" }, () => {
  const { frame, run } = machine("best", { fen: "4k3/8/3n4/8/4N3/8/8/4K3 w - - 0 1", horizon_limit: 2, share: 20 });
  const before = piecesOf(frame());
  const after = run();
  assert.equal(before, "Ke1 Ne4 ke8 nd6");
  assert.equal(piecesOf(after), before);
  assert.deepEqual(after.captions, ["the machine plays Nxd6+"]);
});

test("the Experiment counts its first moves that are decided", { skip: compiled === null && "no module" }, () => {
  const fen = "8/8/8/3k4/8/8/3R4/3K4 w - - 0 1";
  const { frame, run } = machine("analyse", { fen, horizon: 1 });
  assert.equal(piecesOf(frame()), "Kd1 Rd2 kd5");
  const view = run(400);
  assert.equal(view.captions[0], "the analysis within 1 half-move");
  assert.equal(view.lists[0].title, "1 of 1 first move");
});

test("answers and titles in Russian keep no English word", { skip: compiled === null && "no module" }, () => {
  const call = home();
  const { document: tasks } = call({ call: "answer", service: "tasks", question: { lang: "ru", engines: {}, question: null } });
  const small = { best: "8/8/8/4k3/8/8/3R4/3K4 w - - 0 1", analyse: "8/8/8/3k4/8/8/3R4/3K4 w - - 0 1" };
  for (const { name, title, example, fields, answered, on_machine: onMachine } of tasks) {
    const values = fields.filter((field) => field.name !== "fen" && field.value !== "");
    const question = Object.fromEntries(values.map(({ name, kind, value }) => [name, kind === "number" ? Number(value) : value]));
    question.fen = small[name] ?? example;
    const texts = [title, ...fields.map(({ label }) => label)];
    const ask = (engine) => {
      const { said, engines, trouble, next, error } = call({ call: "answer", service: name, question: { lang: "ru", engines: { engine }, question } });
      assert.equal(error, undefined, `${name}, ${engine}: ${error}`);
      texts.push(...engines, trouble ?? "", said.headline, ...said.remarks);
      for (const part of said.parts) {
        texts.push(part.title ?? "", ...(part.lines ?? []), ...(part.columns ?? []).map(({ name }) => name));
        texts.push(...(part.facts ?? []).flatMap(({ name, value }) => [name, value]));
        texts.push(...(part.items ?? []).map(({ text }) => text), ...(part.rows ?? []).flatMap(({ cells }) => cells));
      }
      return next;
    };
    if (answered && ask("native") && name !== "best") ask("both");
    if (onMachine) {
      assert.equal(call({ call: "request", request: { do: "task", task: name, question }, lang: "ru" }).error, null);
      texts.push(call({ call: "frame" }).program.title);
    }
    // Moves, squares, the book's abbreviations and the units of a time stay as they are; so does a FEN and a command.
    const own = /m220 \w+( --?\w[-\w]*)*|--?\w[-\w]*( FILE)?|\S+\/\S+/g;
    for (const said of texts.map((said) => String(said).replace(own, ""))) {
      assert.doesNotMatch(said, /(?<![\wа-я])[A-Za-z][a-z]{3,}(?!\w)/, `${name}: ${said}`);
    }
  }
});
