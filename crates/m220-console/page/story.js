// The story, for whoever begins with reading: docs of the command line tell the same with its sources.

import { make } from "m220/dom.js";
import { fragmentTo } from "m220/starts.js";
import { text } from "m220/text.js";

const PARTS = ["1938", "1963", "1966", "1968", "1970", "today"];

/** Shows the story or puts it away. */
export function showStory(isOpen) {
  const story = document.getElementById("story");
  story.hidden = !isOpen;
  story.replaceChildren();
  if (!isOpen) return;
  make(story, "h1", { textContent: text("start.story") });
  for (const part of PARTS) {
    const paragraph = make(story, "p");
    make(paragraph, "strong", { textContent: part === "today" ? text("story.now") : part });
    paragraph.append(` ${text(`story.${part}`)}`);
  }
  // The site has an essay, too, with the machine between its paragraphs.
  const essay = document.querySelector("meta[name=essay]")?.content;
  if (essay !== undefined) {
    const href = `${essay}${document.documentElement.lang}/1-thirty-ba3.html`;
    make(make(story, "p"), "a", { href, className: "button", textContent: text("story.essay") });
  }
  const list = make(story, "nav", { className: "group", "aria-label": text("next.label") });
  for (const name of ["king", "experiment"]) {
    make(list, "a", { href: fragmentTo(`start=${name}`), className: "button", textContent: text(`start.${name}`) });
  }
}
