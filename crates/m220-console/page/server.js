// The machine behind a local server: events come in, requests go out. The protocol is in docs/console.md.

import { currentLanguage, text } from "m220/text.js";

/** The token of this console: first from the address, then kept for the lifetime of the window. */
function token() {
  const given = location.hash.slice(1);
  try {
    if (/^[0-9a-f]{32}$/.test(given)) {
      sessionStorage.setItem("m220-token", given);
      history.replaceState(null, "", location.pathname);
    }
    return sessionStorage.getItem("m220-token") ?? "";
  } catch {
    // Without storage it stays in the address.
    return given;
  }
}

const failed = (error) => ({ text: "", error });

export class Server {
  constructor() {
    this.token = token();
    /** The command line chose what the machine begins with. */
    this.first = null;
    this.onevent = () => {};
    this.onend = () => {};
  }

  headers(more) {
    return { Authorization: `Bearer ${this.token}`, ...more };
  }

  /** Opens the stream of events. */
  async open() {
    const response = await fetch("/api/v1/events", { headers: this.headers() });
    if (!response.ok) throw new Error(await response.text());
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    this.read(reader).catch((error) => this.onend(text("ended.console", { why: error.message })));
  }

  async read(reader) {
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      rest += value;
      for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
        const lines = rest.slice(0, end).split("\n");
        rest = rest.slice(end + 2);
        const field = (name) => {
          const named = lines.filter((line) => line.startsWith(`${name}: `));
          return named.map((line) => line.slice(name.length + 2)).join("\n");
        };
        const [event, data] = [field("event"), field("data")];
        if (event !== "") this.onevent(event, JSON.parse(data));
      }
    }
    this.onend(text("ended.elsewhere"));
  }

  async post(path, body, type = "application/json") {
    try {
      return await fetch(`/api/v1/${path}`, { method: "POST", headers: this.headers({ "Content-Type": type }), body });
    } catch (error) {
      return new Response(text("ended.silent", { why: error.message }), { status: 503 });
    }
  }

  /** The next frame may come. */
  acknowledge(sequence) {
    this.post("acknowledge", JSON.stringify({ sequence }));
  }

  async ask(request) {
    const response = await this.post(`request?lang=${currentLanguage()}`, JSON.stringify(request));
    return response.ok ? response.json() : failed(await response.text());
  }

  async upload(kind, number, file) {
    const query = new URLSearchParams({ kind, name: file.name, number: String(number), lang: currentLanguage() });
    const response = await this.post(`upload?${query}`, file, "application/octet-stream");
    return response.ok ? response.json() : failed(await response.text());
  }

  /** A question that is answered beside the machine; ended by the signal. */
  async call(service, question = null, { signal } = {}) {
    try {
      const body = JSON.stringify({ service, question });
      const headers = this.headers({ "Content-Type": "application/json" });
      const response = await fetch("/api/v1/answer", { method: "POST", headers, body, signal });
      if (!response.ok) return { document: null, error: await response.text() };
      return { document: null, error: null, ...(await response.json()) };
    } catch (error) {
      return { document: null, error: error.name === "AbortError" ? "stopped" : error.message };
    }
  }
}
