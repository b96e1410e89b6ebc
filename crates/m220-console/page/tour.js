// Six steps that show what stands where.

import { text } from "m220/text.js";

/** Each step's text is `tour.NAME`; it points at the element with this name. A replay is itself what is shared. */
const stepsOf = ({ kind }) => [
  ["board", "board-panel"], ["lamps", "lamps"], ["listing", "listing"], ["core", "core"], ["printer", "paper-panel"],
  kind === "live" ? ["sharing", "share-button"] : ["keys", "transport"],
];

const placeOf = (name) => document.getElementById(name).closest(".panel, .bar, button");

export class Tour {
  constructor(source) {
    this.box = document.getElementById("tour");
    this.next = document.getElementById("tour-next");
    document.getElementById("tour-button").addEventListener("click", () => {
      // A program without a board has no panel for it.
      this.steps = stepsOf(source).filter(([, place]) => placeOf(place).hidden === false);
      this.show(0);
    });
    document.getElementById("tour-close").addEventListener("click", () => this.end());
    this.next.addEventListener("click", () => {
      if (this.step + 1 < this.steps.length) this.show(this.step + 1);
      else this.end();
    });
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.end();
    });
  }

  show(step) {
    this.shown?.classList.remove("toured");
    this.step = step;
    const [name, place] = this.steps[step];
    this.shown = placeOf(place);
    // On a narrow screen most panels are behind a tab.
    const isSeen = this.shown.getClientRects().length > 0;
    if (!isSeen) document.querySelector(`[data-tab="${place.split("-")[0]}"]`)?.click();
    this.shown.classList.add("toured");
    this.shown.scrollIntoView({ block: "nearest" });
    const counted = text("tour.step", { step: step + 1, steps: this.steps.length });
    document.getElementById("tour-text").textContent = `${counted} ${text(`tour.${name}`)}`;
    this.next.textContent = text(step + 1 < this.steps.length ? "tour.next" : "tour.end");
    this.box.hidden = false;
    this.next.focus();
  }

  end() {
    this.shown?.classList.remove("toured");
    this.box.hidden = true;
    // The button itself is in a menu that is closed.
    document.querySelector("#menu summary").focus();
  }
}
