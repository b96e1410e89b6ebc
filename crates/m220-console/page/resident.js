// The machine in a worker of this page: the module comes with the page, in the same file or beside it.

import { bytesOf } from "m220/dom.js";
import { FREE } from "m220/squares.js";
import { currentLanguage, text } from "m220/text.js";

const element = (id) => document.getElementById(id);

/** The address of the workers' text: a file may not start workers from files, only from its own blobs. */
function workerAddress() {
  const inside = element("machine-worker");
  if (inside === null) return element("machine").dataset.worker;
  return URL.createObjectURL(new Blob([String(bytesOf), inside.textContent], { type: "text/javascript" }));
}

/** The module, compiled once for all workers. */
async function compiled(address) {
  const inside = element("machine-module");
  if (inside === null) {
    const { body } = await fetch(element("machine").dataset.module);
    const response = new Response(body.pipeThrough(new DecompressionStream("deflate-raw")));
    return WebAssembly.compile(await response.arrayBuffer());
  }
  // A worker unpacks it, so that the page is not held up.
  const worker = new Worker(address);
  const answer = await new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage({ packed: inside.textContent });
  });
  worker.terminate();
  if (answer.ended !== undefined) throw new Error(answer.ended);
  return answer.compiled;
}

export class Resident {
  /** Whether this page brought its machine with it. */
  static isHere() {
    return element("machine") !== null;
  }

  constructor() {
    this.onevent = () => {};
    this.onend = () => {};
    this.waiting = new Map();
    this.count = 0;
    /** A worker that is free to answer a question. */
    this.thinker = null;
    const question = { fen: FREE, from: "a4", to: "h4", piece: "king" };
    /** The task with which the machine begins. */
    this.first = { do: "task", task: "trajectories", question };
  }

  async open() {
    this.address = workerAddress();
    this.module = await compiled(this.address);
    this.machine = this.worker();
    this.machine.onmessage = ({ data }) => this.take(data);
    this.machine.onerror = (event) => this.onend(text("ended.machine", { why: event.message }));
    this.machine.postMessage({ open: true });
  }

  /** A new worker with the module in it. */
  worker() {
    const worker = new Worker(this.address);
    worker.postMessage({ module: this.module });
    return worker;
  }

  take({ answers, event, data, bytes, ended }) {
    if (ended !== undefined) this.onend(text("ended.machine", { why: ended }));
    else if (event !== undefined) this.onevent(event, data);
    else {
      this.waiting.get(answers)?.({ ...data, bytes });
      this.waiting.delete(answers);
    }
  }

  /** Sends a message to the machine; resolves to its answer. */
  send(message, bytes = null) {
    const asks = ++this.count;
    return new Promise((resolve) => {
      this.waiting.set(asks, resolve);
      this.machine.postMessage({ asks, message, bytes });
    });
  }

  acknowledge() {
    this.machine.postMessage({ drawn: true });
  }

  ask(request) {
    return this.send({ call: "request", request, lang: currentLanguage() });
  }

  async upload(kind, number, file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const message = { call: "upload", kind, name: file.name, number: Number(number), lang: currentLanguage() };
    return this.send(message, bytes);
  }

  /** A question that is answered in a worker of its own; the signal ends that worker. */
  call(service, question = null, { signal } = {}) {
    const worker = this.thinker ?? this.worker();
    // The next question at the same time gets another worker.
    this.thinker = null;
    return new Promise((resolve) => {
      const end = (answer) => {
        signal?.removeEventListener("abort", stop);
        resolve(answer);
      };
      const stop = () => {
        worker.terminate();
        end({ document: null, error: "stopped" });
      };
      worker.onmessage = ({ data: { data, ended } }) => {
        if (ended === undefined && this.thinker === null) this.thinker = worker;
        else worker.terminate();
        end(ended === undefined ? { document: null, error: null, ...data } : { document: null, error: ended });
      };
      worker.onerror = ({ message }) => end({ document: null, error: message ?? "stopped" });
      if (signal?.aborted) return stop();
      signal?.addEventListener("abort", stop);
      worker.postMessage({ asks: 1, message: { call: "answer", service, question }, bytes: null });
    });
  }
}
