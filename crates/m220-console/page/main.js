// Builds the page from its panels and drives them, one picture after the other, at the pace of the browser.

import { BoardPanel } from "m220/board.js";
import { ConsoleBar } from "m220/console.js";
import { Controls } from "m220/controls.js";
import { CorePanel } from "m220/core.js";
import { Door } from "m220/door.js";
import { Embed } from "m220/embed.js";
import { make, put } from "m220/dom.js";
import { Next } from "m220/next.js";
import { Kept, goOn, keepWritten } from "m220/kept.js";
import { Lamps } from "m220/lamps.js";
import { Editor } from "m220/editor.js";
import { Listing } from "m220/listing.js";
import { explanations } from "m220/explain.js";
import { Paper } from "m220/paper.js";
import { Parts } from "m220/parts.js";
import { Play } from "m220/play.js";
import { Survey } from "m220/survey.js";
import { settings } from "m220/settings.js";
import { Sharing, openShared } from "m220/sharing.js";
import { STARTS, fragmentTo } from "m220/starts.js";
import { showStory } from "m220/story.js";
import { Tabs } from "m220/tabs.js";
import { text } from "m220/text.js";
import { Tour } from "m220/tour.js";

const element = (id) => document.getElementById(id);

/** A sentence above the page, if something went wrong or cannot continue. */
function notice(sentence) {
  element("notice").textContent = sentence;
  element("notice").hidden = sentence === "";
}

/** What a replay is and how it was made, for whoever it was passed on to. */
function about({ kind, state }) {
  element("about").hidden = kind !== "replay";
  const { command } = state.description;
  const maker = document.querySelector("meta[name=generator]").content;
  const made = command === null ? text("replay.saved", { maker }) : text("replay.made", { maker });
  const what = globalThis.m220?.experiment?.state === state ? "experiment.about" : "replay.about";
  element("about").replaceChildren(`${text(what)} ${made}`);
  if (command !== null) make(element("about"), "code", {}, command);
}

/** The elements that hold the panels. */
const PLACES = [
  "transport", "timeline", "counters", "console-buttons", "debugger", "board", "lamps", "listing", "core", "paper",
  "help-keys",
];

class Page {
  constructor(source) {
    for (const place of PLACES) element(place).replaceChildren();
    this.abort = new AbortController();
    const { signal } = this.abort;
    const { state } = source;
    const { description } = state;
    this.source = source;
    element("model").textContent = { m220: "M-220", m20: "M-20", itep: "M-20 ITEP" }[description.model];
    element("model").setAttribute("aria-label", `${element("model").textContent}: ${text("door.home")}`);
    this.controls = new Controls(source, () => (this.stale = true), signal);
    this.panels = [
      new Lamps(element("lamps"), source),
      new Parts(element("parts"), source),
      new Listing(element("listing"), source),
      new CorePanel(element("core"), source, signal),
      new BoardPanel(element("board"), element("board-panel"), state),
      new Paper(element("paper"), state),
      new Next(source),
      new Tabs(element("tabs")),
    ];
    about(source);
    element("debugger-panel").hidden = source.kind !== "live";
    const places = [element("console-buttons"), element("debugger")];
    if (source.kind === "live") this.panels.push((this.console = new ConsoleBar(...places, source)));
    // A server keeps its machine itself, and what stands within another page is begun anew with it.
    if (source.backend?.first && !fragment.has("embed")) this.panels.push(new Kept(source));
    this.welcome();
    this.stale = true;
    this.last = performance.now();
    document.addEventListener("m220-theme", () => (this.stale = true), { signal });
    const resized = new ResizeObserver(() => (this.stale = true));
    resized.observe(document.body);
    signal.addEventListener("abort", () => resized.disconnect());
    this.pictures = 0;
    this.picture = (now) => {
      if (signal.aborted) return;
      this.entitle();
      this.draw(now);
      requestAnimationFrame(this.picture);
    };
    // At once, so that nothing of another program is seen or counted.
    this.picture(this.last);
  }

  /** The title is that of what is on the screen: it need not be the program in core. */
  entitle() {
    const { play, experiment } = globalThis.m220 ?? {};
    const dialog = document.querySelector(":is(#setup, #survey, #editor)[open] h2");
    let { title } = this.source.state.description;
    if (experiment === this.source) title = text("start.experiment");
    if (play?.isShown) title = text("button.play");
    if (!element("story").hidden) title = text("start.story");
    if (dialog !== null) title = dialog.textContent;
    put(element("title"), title);
    const whole = element("door").hidden || dialog !== null ? `${title} · M-220` : "M-220";
    if (document.title !== whole) document.title = whole;
  }

  /** Two sentences and a large button, until the machine first runs. */
  welcome() {
    const { source } = this;
    const box = element("welcome");
    const close = () => {
      box.hidden = source.welcomed = true;
      this.stale = true;
    };
    const hasDoor = source.kind === "live" && source.backend.first !== null;
    box.hidden = source.kind !== "live" || hasDoor || source.welcomed === true || source.state.instructions > 0
      || source.state.exported("trajectories") === undefined;
    element("welcome-close").onclick = close;
    element("welcome-play").onclick = () => {
      close();
      source.play();
      this.controls.playButton.focus();
    };
  }

  /** Makes room for the page of another program. */
  close() {
    this.abort.abort();
  }

  draw(now) {
    const seconds = Math.min(0.1, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    const { source } = this;
    // Glow fades only while the machine runs, so that its last actions stay visible.
    if (source.state.running && source.state.fade(0.5 ** (seconds / 0.12))) this.stale = true;
    const moved = source.tick(seconds);
    if (!moved && !this.stale) return;
    this.stale = false;
    this.pictures++;
    if (source.state.running || source.state.instructions > 0) element("welcome").hidden = source.welcomed = true;
    for (const panel of this.panels) panel.draw(now);
    this.controls.draw(now);
  }
}

/** A file that is dropped goes where it belongs; it never takes the place of the page. */
function takeFiles({ source, play, editor, survey }) {
  document.ondragover = (event) => event.dataTransfer.types.includes("Files") && event.preventDefault();
  document.ondrop = (event) => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    if (element("editor").open) editor.read(files);
    else if (element("survey").open) survey.read(files[0]);
    else if (play.isShown) play.read(files[0]);
    else {
      // A recording takes no files.
      if (globalThis.m220.page.source !== source) rebuild();
      globalThis.m220.page.console.drop(files);
    }
  };
}

/** `#frame=1200`, `#end`: the place in a recording at which a link opens it. */
function openAtFragment(source, wanted) {
  if (wanted.has("end")) source.seek(source.length);
  else if (wanted.has("frame")) source.seek(Number(wanted.get("frame")) || 0);
}

/** The menu closes when something of it was chosen, by a click elsewhere, and by Escape. */
function closingMenu() {
  const menu = element("menu");
  // Before the button acts: a dialog gives the focus back to what had it, which is still to be seen then.
  document.addEventListener("click", ({ target }) => {
    // A key presses a button of the menu, too, while that is closed.
    const isChosen = menu.open && menu.contains(target) && target.closest("button") !== null;
    if (isChosen) menu.querySelector("summary").focus();
    if (isChosen || !menu.contains(target)) menu.open = false;
  }, true);
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

const fragment = new URLSearchParams(location.hash.slice(1));
settings(() => {
  if (globalThis.m220 === undefined) return;
  rebuild(globalThis.m220.page.source);
  if (globalThis.m220.door?.open) globalThis.m220.door.build();
  const { play } = globalThis.m220;
  if (play?.isShown) play.draw();
  globalThis.m220.survey?.translate();
  if (play?.isShown && play.standing !== "") play.say(play.standing);
  if (!element("story").hidden) showStory(true);
  globalThis.m220.source.entitle?.();
});

/** The page of another source, or of the same one anew. */
function rebuild(source = globalThis.m220.source) {
  globalThis.m220.page.close();
  globalThis.m220.page = new Page(source);
}

let night = null;

/** The recorded Experiment, unpacked once; null where the page has none. */
function experiment() {
  night ??= import("m220/replay.js").then(({ Replay }) => Replay.open("experiment")).catch((error) => {
    night = null;
    throw error;
  });
  return night;
}

/** Goes to a start by its name, as long as no other place was asked for. */
async function begin(name, wanted, isWanted) {
  const { source, play, editor } = globalThis.m220;
  const { task, question, setup, view } = STARTS[name];
  if (view === "story") return showStory(true);
  if (view !== "play" && play.isShown) await play.show(false);
  if (view === "experiment") {
    const replay = await experiment();
    if (!isWanted()) return undefined;
    globalThis.m220.experiment = replay;
    replay.loaded = { task: "experiment", question: {} };
    replay.seek(0);
    openAtFragment(replay, wanted);
    rebuild(replay);
    return wanted.has("frame") ? undefined : replay.play();
  }
  if (globalThis.m220.page.source !== source) rebuild();
  if (setup !== undefined) {
    // Within another page there is a text to go with the answer, and the machine is that of the text.
    const isAsked = question !== undefined && fragment.has("embed");
    if (isAsked) await source.tell({ do: "task", task: setup, question });
    await source.setup.open(setup, question);
    if (isAsked) source.setup.ask(true);
    return undefined;
  }
  if (view === "play") return play.show(true);
  if (view === "editor") return editor.open();
  const answer = await source.tell({ do: "task", task, question });
  if (answer.error === null && isWanted()) await source.play();
  return undefined;
}

/** The latest place asked for: its number, and whether it is the door. */
const latest = { number: 0, isDoor: false };

/** Shows what the address names: a start, a shared place, or else the door; reloaded, the machine that was here. */
async function route(door, isFirst = false) {
  latest.number += 1;
  const { number } = latest;
  const wanted = new URLSearchParams(location.hash.slice(1));
  const { source } = globalThis.m220;
  const start = wanted.get("start");
  const isKnown = start !== null && Object.hasOwn(STARTS, start);
  const isElsewhere = isKnown || wanted.has("share") || wanted.has("embed");
  const isDoor = !isElsewhere && (source.backend.first !== null || wanted.has("door"));
  latest.isDoor = isDoor;
  element("model").href = fragmentTo("door");
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  element("menu").open = false;
  showStory(false);
  if (isDoor && globalThis.m220.page.source !== source) rebuild();
  // Back in the game its program begins anew to think.
  if (isDoor) globalThis.m220.play?.halt();
  if (isDoor && source.state.running) source.pause();
  if (isFirst && (await goOn(source))) return door.show(false);
  door.show(isDoor);
  notice(start !== null && !isKnown ? text("start.unknown", { name: start.slice(0, 40) }) : "");
  const isWanted = () => number === latest.number;
  if (isKnown) await begin(start, wanted, isWanted);
  else await openShared(source, notice);
  // A program that comes when the reader has gone on to the door does not close it.
  if (!isWanted() && latest.isDoor) {
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    door.show(true);
  }
  // In a tab that is not seen, too, where nothing is drawn.
  globalThis.m220.page.entitle();
  // A panel that was hidden is drawn as it is seen.
  globalThis.m220.page.stale = true;
  // What had the focus may be gone.
  if (!isFirst && document.activeElement === document.body) focusOn("door", "story", "play", "title");
  return undefined;
}

/** Gives the focus to the first of these places that is seen. */
function focusOn(...names) {
  const place = names.map(element).find((each) => each.checkVisibility());
  if (place === undefined) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** Links of this page: to the place that the address names already one goes again, and a panel is no place. */
function takeLinks(go) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link === null) return;
    if (link.classList.contains("skip")) {
      event.preventDefault();
      focusOn("door", "story", "play", "listing", "title");
    } else if (link.hash === location.hash) go();
  });
}

try {
  const recorded = document.getElementById("recording-header") !== null;
  const door = new Door((name) => name !== "experiment" || element("experiment-header") !== null);
  // The door needs no engine: it is there while that is still being unpacked.
  if (!recorded && element("machine") !== null && !fragment.has("start") && !fragment.has("share")
    && !fragment.has("embed")) door.show(true);
  // Unpacked while the engine is.
  if (!recorded && fragment.get("start") === "experiment") experiment();
  const source = recorded
    ? await (await import("m220/replay.js")).Replay.open()
    : await (await import("m220/live.js")).Live.open();
  if (source.kind === "replay") {
    openAtFragment(source, fragment);
    // A replay has no door.
    element("model").removeAttribute("href");
  }
  // The tests read the page's state here.
  globalThis.m220 = { page: new Page(source), source };
  source.onnotice = notice;
  source.onprogram = () => {
    const { door, play } = globalThis.m220;
    door?.show(false);
    showStory(false);
    if (play?.isShown && !play.owns(source.loaded)) play.show(false);
    rebuild();
  };
  if (source.kind === "live") {
    for (const id of ["laboratory-buttons", "chess-button", "share-button"]) element(id).hidden = false;
    const sharing = new Sharing(source);
    keepWritten();
    element("share-button").onclick = () => sharing.open();
    Object.assign(globalThis.m220, { play: new Play(source), editor: new Editor(source), survey: new Survey(source) });
    takeFiles(globalThis.m220);
    globalThis.m220.door = door;
    source.onplay = globalThis.m220.play.onshow = () => {
      door.show(false);
      showStory(false);
    };
    const go = () => route(door).catch((error) => notice(text("failed", { message: error.message })));
    addEventListener("hashchange", go);
    takeLinks(go);
    // The element's own speed: before anything runs, and in place of a link's.
    const speed = fragment.has("embed") ? Number(fragment.get("speed")) : 0;
    const pace = () => {
      if (!(speed > 0)) return;
      Object.assign(globalThis.m220.page.source, { fit: false, speed });
      globalThis.m220.page.controls.show();
    };
    pace();
    await route(door, true);
    pace();
  }
  explanations();
  closingMenu();
  globalThis.m220.tour = new Tour(source);
  if (fragment.has("embed") && parent !== self) new Embed(() => globalThis.m220.page.source, fragment);
  document.documentElement.dataset.ready = "true";
} catch (error) {
  notice(text("failed", { message: error.message }));
  throw error;
}
