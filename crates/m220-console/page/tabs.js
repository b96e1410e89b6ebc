// On a narrow screen one panel is shown beside the board; the others are one tap away.

import { make } from "m220/dom.js";
import { text } from "m220/text.js";

const PANELS = ["core", "lamps", "listing", "paper", "debugger"];
const TITLES = { core: "panel.core", lamps: "panel.registers", listing: "panel.listing", paper: "panel.printer",
  debugger: "panel.debugger" };

export class Tabs {
  constructor(parent) {
    parent.replaceChildren();
    const root = document.documentElement;
    root.dataset.panel ??= PANELS[0];
    this.buttons = PANELS.map((name) => {
      const button = make(parent, "button", { type: "button", textContent: text(TITLES[name]) });
      button.dataset.tab = name;
      button.addEventListener("click", () => {
        root.dataset.panel = name;
        this.draw();
        document.querySelector(`.${name}-panel`).scrollIntoView({ block: "nearest" });
      });
      return button;
    });
  }

  draw() {
    const { panel } = document.documentElement.dataset;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.tab === panel));
  }
}
