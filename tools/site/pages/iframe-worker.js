// A page opened from a file may not start workers: the theme's search works in a hidden frame there. The theme knows
// such a worker by the name IFrameWorker.
if (location.protocol === "file:") {
  globalThis.Worker = globalThis.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inner = frame.contentWindow;
      inner.document.open();
      inner.document.close();
      const loaded = (source) => new Promise((resolve) => {
        const script = inner.document.createElement("script");
        script.src = source;
        script.onload = resolve;
        inner.document.documentElement.append(script);
      });
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inner.importScripts = (...sources) =>
        sources.reduce((before, source) => before.then(() => loaded(source)), Promise.resolve());
      this.inner = inner;
      this.ready = loaded(address);
    }

    postMessage(data) {
      this.ready.then(() => this.inner.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
