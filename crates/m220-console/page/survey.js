// A game of the past, pasted or opened: beside each half-move what the machine of 1968 would have looked at and played.

import { make, refusalOf } from "m220/dom.js";
import { START, Squares, lettersOf } from "m220/squares.js";
import { currentLanguage, sentences, text } from "m220/text.js";
import { duration } from "m220/units.js";

const element = (id) => document.getElementById(id);
/** The longest score that is read, in bytes. */
const MOST_SCORE = 1 << 20;

export class Survey {
  constructor(source) {
    this.source = source;
    this.rows = [];
    this.at = -1;
    this.work = null;
    const board = document.querySelector("#survey .setup-board");
    this.squares = new Squares(board, { click: () => {}, drag: () => {} });
    element("survey-button").onclick = () => this.open();
    element("survey-look").onclick = () => this.look();
    element("survey-stop").onclick = () => this.work?.abort();
    element("survey-open").onclick = () => element("survey-file").click();
    element("survey-file").onchange = () => this.read(element("survey-file").files[0]);
    element("survey-back").onclick = () => this.show(this.at - 1);
    element("survey-on").onclick = () => this.show(this.at + 1);
    element("survey-game").onchange = ({ target }) => this.look(target.selectedIndex + 1);
    element("survey").onclose = () => this.work?.abort();
    element("survey-rows").onkeydown = (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.show(this.at + step);
      element("survey-rows").children[this.at]?.firstChild.focus();
    };
  }

  open() {
    element("survey").showModal();
    if (this.at < 0) this.squares.draw(lettersOf(START), { from: [], to: [] });
    element("survey-score").focus();
  }

  say(sentence) {
    element("survey-said").textContent = sentence;
  }

  async read(file) {
    if (file === undefined) return;
    const refusal = await refusalOf([file], MOST_SCORE);
    element("survey-file").value = "";
    if (refusal !== null) return this.say(text(refusal));
    element("survey-score").value = await file.text();
    return this.look();
  }

  /** Looks at each half-move of one of the games in turn; what is there stays if it is stopped. */
  async look(game = 1) {
    this.work?.abort();
    const work = new AbortController();
    Object.assign(this, { work, rows: [], at: -1, spent: 0 });
    element("survey-rows").replaceChildren();
    for (const id of ["survey-title", "survey-stop"]) element(id).hidden = true;
    const pgn = element("survey-score").value;
    const { document: score, error } = await this.source.call("score", { pgn, game });
    if (this.work !== work) return;
    if (game === 1) this.list(score?.titles ?? []);
    if (error !== null) return this.say(error);
    Object.assign(element("survey-title"), { textContent: score.title, hidden: score.title === "" });
    element("survey-stop").hidden = false;
    const machine = element("survey-machine").checked;
    let failed = null;
    for (const [index, { fen, uci }] of score.moves.entries()) {
      this.say(text("survey.at", { done: index, all: score.moves.length }));
      const { document: row, error: wrong } =
        await this.source.call("half-move", { fen, uci, machine }, { signal: work.signal });
      if (this.work !== work) return;
      failed = wrong;
      if (failed !== null) break;
      this.add(row);
    }
    element("survey-stop").hidden = true;
    const end = failed === "stopped" ? text("answer.stopped") : (failed ?? score.damage ?? "");
    const spent = this.spent > 0 ? text("survey.clock", { time: duration(this.spent * 2e6) }) : "";
    this.say(sentences([end, ...score.notes, spent]));
  }

  /** The games to choose from, if there are several. */
  list(titles) {
    const games = element("survey-game");
    games.replaceChildren(...titles.map((title, place) => new Option(`${place + 1}. ${title}`)));
    games.parentElement.hidden = titles.length < 2;
  }

  add(row) {
    const index = this.rows.push(row) - 1;
    this.spent += row.m220_seconds ?? 0;
    const item = make(element("survey-rows"), "li", {});
    const button = make(item, "button", { type: "button", textContent: row.sentences[currentLanguage()] });
    button.onclick = () => this.show(index);
    if (this.at < 0) this.show(0);
  }

  /** The rows in the language of the page. */
  translate() {
    const items = element("survey-rows").children;
    for (const [index, row] of this.rows.entries()) {
      items[index].firstChild.textContent = row.sentences[currentLanguage()];
    }
  }

  show(index) {
    const row = this.rows[index];
    if (row === undefined) return;
    this.at = index;
    this.squares.draw(lettersOf(row.fen), { from: row.way.slice(0, 1), to: row.way.slice(1) });
    for (const [place, item] of [...element("survey-rows").children].entries()) {
      item.firstChild.setAttribute("aria-current", String(place === index));
    }
    element("survey-rows").children[index].scrollIntoView({ block: "nearest" });
  }
}
