// After a run: what was found, what it means, and where to go on.

import { make, put } from "m220/dom.js";
import { fragmentTo, nextOf } from "m220/starts.js";
import { phaseOf } from "m220/state.js";
import { hasText, text } from "m220/text.js";
import { counted, duration } from "m220/units.js";

const element = (id) => document.getElementById(id);

export class Next {
  constructor(source) {
    this.source = source;
    this.shown = false;
    element("next").hidden = true;
  }

  draw() {
    const { source } = this;
    const isOver = source.kind === "live"
      ? phaseOf(source) === "ended" && source.state.stop?.reason === "halt" && !globalThis.m220?.play?.isShown
      : source.loaded !== undefined && source.position === source.length;
    if (isOver === this.shown) return;
    this.shown = isOver;
    element("next").hidden = !isOver;
    if (isOver) this.tell();
  }

  tell() {
    const { state, loaded } = this.source;
    const box = element("next");
    // The program's own last words, where it shows a board.
    const captions = element("board-panel").hidden ? "" : element("board").querySelector(".captions").textContent;
    const lists = [...element("board").querySelectorAll(".found h3")].map(({ textContent: title, nextSibling }) => {
      const items = [...nextSibling.querySelectorAll("button")].map((item) => item.textContent);
      return title !== "" && [1, 2].includes(items.length) ? `${title} (${items.join(", ")})` : title;
    });
    // What was found is said last. That it is done is plain.
    const [what, ...said] = captions.split(" · ").filter((caption) => caption !== text("table.result-1")).reverse();
    const found = [what, ...lists, ...said].filter(Boolean).join("; ") || text("next.over");
    const took = text("next.took", { count: counted(state.instructions), time: duration(state.halfMicroseconds) });
    const key = `next.${loaded?.task}`;
    box.replaceChildren();
    const words = make(box, "p");
    put(element("status"), found);
    make(words, "strong", { textContent: `${found}.` });
    words.append(` ${took} ${hasText(key) ? text(key) : text("next.other")}`);
    const list = make(box, "nav", { className: "group", "aria-label": text("next.label") });
    make(list, "span", { textContent: text("next.label") });
    for (const name of nextOf(loaded)) {
      make(list, "a", { href: fragmentTo(`start=${name}`), className: "button", textContent: text(`start.${name}`) });
    }
    // On a telephone it stands below the board.
    if (matchMedia("(max-width: 720px)").matches) box.scrollIntoView({ block: "nearest" });
  }
}
