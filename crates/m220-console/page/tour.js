// Six steps that show what stands where.

import { text } from "m220/text.js";

/** Each step's text is `tour.NAME`; it points at the element with this name. */
const STEPS = [
  ["board", "board-panel"], ["lamps", "lamps"], ["listing", "listing"],
  ["core", "core"], ["printer", "paper-panel"], ["keys", "transport"],
];

export class Tour {
  constructor() {
    this.box = document.getElementById("tour");
    this.next = document.getElementById("tour-next");
    document.getElementById("tour-button").addEventListener("click", () => this.show(0));
    document.getElementById("tour-close").addEventListener("click", () => this.end());
    this.next.addEventListener("click", () => (this.step + 1 < STEPS.length ? this.show(this.step + 1) : this.end()));
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.end();
    });
  }

  show(step) {
    this.shown?.classList.remove("toured");
    this.step = step;
    const [name, place] = STEPS[step];
    this.shown = document.getElementById(place).closest(".panel, .bar");
    this.shown.classList.add("toured");
    this.shown.scrollIntoView({ block: "nearest" });
    const counted = text("tour.step", { step: step + 1, steps: STEPS.length });
    document.getElementById("tour-text").textContent = `${counted} ${text(`tour.${name}`)}`;
    this.next.textContent = text(step + 1 < STEPS.length ? "tour.next" : "tour.end");
    this.box.hidden = false;
    this.next.focus();
  }

  end() {
    this.shown?.classList.remove("toured");
    this.box.hidden = true;
    document.getElementById("tour-button").focus();
  }
}
