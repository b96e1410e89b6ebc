// <m220-machine>: the M-220 on any page. It needs only this script.
//
//   <m220-machine start="king" panels="board,lamps" lang="en"></m220-machine>
//
// Attributes: `start`, one of the starts of the laboratory (king, knight, bishop, attacks ...), or `share`, the part of
// a "Share" link after `share=`; `panels`, a list of board, lamps, listing, core, printer, debugger; `lang`, `theme`;
// `speed`, seconds of the M-220 in one second, or Infinity;
// `watch`, cells whose words the events report; `laboratory`, the address of a laboratory from which to take the page.
// Methods: play(), pause(), step(count), seek(instruction). Events: ready, step, printed, running, paused, halt,
// answered and chosen (a row of a list), error.
// A machine starts when it scrolls into view and pauses out of view; only one on a page runs at a time.

(() => {
  /** The laboratory as one file; empty where the script comes without it. */
  const PAGE = "@PAGE@";
  let page = null;
  let active = null;

  /** The address of the page that this script holds. */
  function address() {
    if (PAGE === "") throw new Error("m220-machine: the attribute `laboratory` is missing");
    // Its Cyrillic letters stand between signs of DELETE, as ASCII.
    const letter = (sign) => String.fromCharCode(sign.charCodeAt() + 0x3d1);
    const page = PAGE.replace(/\x7f([^\x7f]*)\x7f?/g, (_, run) => run.replace(/[?-~]/g, letter));
    return URL.createObjectURL(new Blob([page], { type: "text/html" }));
  }

  class M220Machine extends HTMLElement {
    connectedCallback() {
      if (this.frame === undefined) this.build();
      this.gone = new AbortController();
      const { signal } = this.gone;
      addEventListener("message", ({ source, data }) => {
        if (source === this.frame.contentWindow && typeof data?.m220 === "string") this.hear(data);
      }, { signal });
      const observer = new IntersectionObserver(([entry]) => this.seen(entry.isIntersecting), { threshold: 0.2 });
      observer.observe(this);
      signal.addEventListener("abort", () => observer.disconnect());
    }

    /** What is taken off the page has no machine any more; put back, it begins anew. */
    disconnectedCallback() {
      this.gone.abort();
      this.running = this.rests = false;
      if (active === this) active = null;
    }

    build() {
      const root = this.attachShadow({ mode: "open" });
      const style = document.createElement("style");
      style.textContent = ":host { display: block; height: 36rem; } p { margin: 0; padding: 1em; }"
        + " iframe { width: 100%; height: 100%; border: 0; }";
      root.append(style);
      this.frame = document.createElement("iframe");
      this.frame.title = this.getAttribute("title") ?? "M-220";
      root.append(this.frame);
    }

    /** Begins when it is first in view, rests when it is not. */
    seen(isIn) {
      if (isIn && !this.begun) {
        this.begun = true;
        this.begin();
      } else if (!isIn && this.running) {
        this.rests = true;
        this.pause();
      } else if (isIn && this.rests) {
        this.rests = false;
        this.play();
      }
    }

    begin() {
      try {
        const laboratory = this.getAttribute("laboratory");
        const fragment = new URLSearchParams({ embed: "" });
        for (const name of ["panels", "lang", "theme", "watch", "start", "speed"]) {
          if (this.hasAttribute(name)) fragment.set(name, this.getAttribute(name));
        }
        if (this.hasAttribute("share")) fragment.set("share", this.getAttribute("share"));
        // A page of its own has nothing of the page that it stands in.
        this.frame.sandbox = laboratory === null ? "allow-scripts allow-forms allow-downloads"
          : "allow-scripts allow-forms allow-same-origin allow-downloads allow-popups";
        this.frame.src = `${laboratory ?? (page ??= address())}#${fragment}`;
      } catch (error) {
        this.refuse(error.message);
      }
    }

    refuse(message) {
      const said = document.createElement("p");
      said.textContent = message;
      this.shadowRoot.append(said);
      this.dispatchEvent(new CustomEvent("error", { detail: { message } }));
    }

    hear({ m220: what, ...detail }) {
      if (what === "running") {
        if (active !== this) active?.pause();
        active = this;
      }
      if (what === "running" || what === "paused") this.running = what === "running";
      if (["ready", "step", "printed", "running", "paused", "halt", "answered", "chosen", "error"].includes(what)) {
        this.dispatchEvent(new CustomEvent(what, { detail }));
      }
    }

    ask(what, rest = {}) {
      this.frame?.contentWindow?.postMessage({ m220: what, ...rest }, "*");
    }

    play() {
      this.ask("play");
    }

    pause() {
      this.ask("pause");
    }

    step(count = 1) {
      this.ask("step", { count });
    }

    seek(at) {
      this.ask("seek", { at });
    }
  }

  customElements.define("m220-machine", M220Machine);
})();
