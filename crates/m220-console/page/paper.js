// The output of the printer and the card punch.

import { make, save } from "m220/dom.js";
import { text } from "m220/text.js";

export class Paper {
  constructor(parent, state) {
    this.state = state;
    this.empty = make(parent, "p", { className: "legend", textContent: text("paper.empty") });
    this.sheets = ["printed", "punched"].map((name) => {
      const heading = make(parent, "h3", { textContent: name === "punched" ? text("paper.punched") : "" });
      const sheet = make(parent, "pre", { className: "sheet", tabIndex: 0, "aria-label": text(`paper.${name}`) });
      return { name, heading, sheet, text: null };
    });
    this.save = make(parent, "button", { type: "button", textContent: text("paper.save") });
    this.save.addEventListener("click", () => save("printer.txt", "text/plain", state.printed));
  }

  draw() {
    const { state } = this;
    this.empty.hidden = state.printed !== "" || state.punched !== "";
    this.save.hidden = state.printed === "";
    for (const paper of this.sheets) {
      const said = state[paper.name];
      if (said === paper.text) continue;
      paper.text = said;
      paper.sheet.textContent = said;
      paper.sheet.hidden = said === "";
      paper.heading.hidden = said === "" || paper.heading.textContent === "";
      paper.sheet.scrollTop = paper.sheet.scrollHeight;
    }
  }
}
