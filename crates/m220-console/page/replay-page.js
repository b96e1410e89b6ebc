// A recording as one page: this page as it came, with the recording in place of the machine.

import { make } from "m220/dom.js";

const POLICY = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'";

/** This page before anything was changed in it: the modules that change it run after this one. */
const AS_IT_CAME = document.documentElement.cloneNode(true);

async function fetched(address) {
  const answer = await fetch(new URL(address, document.baseURI));
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

/** Bytes in base64, by way of the browser's own coder. */
async function base64(content) {
  const blob = await new Response(content).blob();
  const address = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(blob);
  });
  return address.split(",")[1] ?? "";
}

const deflated = (bytes) =>
  base64(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw")));

/** The page of a recording: its header, a line feed, its frames. */
export async function replayPage(title, recording) {
  const end = recording.indexOf(10);
  const page = AS_IT_CAME.cloneNode(true);
  const put = (name, properties, before) => before.before(make(null, name, properties));
  page.querySelector("meta[http-equiv]")?.remove();
  put("meta", { httpEquiv: "Content-Security-Policy", content: POLICY }, page.querySelector("title"));
  page.querySelector("title").textContent = title;
  const others = "#machine, #machine-module, #machine-worker, [id^=experiment-]";
  page.querySelectorAll(others).forEach((part) => part.remove());
  const sheet = page.querySelector("link[rel=stylesheet]");
  if (sheet !== null) {
    put("style", { textContent: await (await fetched(sheet.getAttribute("href"))).text() }, sheet);
    sheet.remove();
  }
  const map = page.querySelector("script[type=importmap]");
  const { imports } = JSON.parse(map.textContent);
  for (const [name, address] of Object.entries(imports)) {
    if (address.startsWith("data:")) continue;
    imports[name] = `data:text/javascript;base64,${await base64((await fetched(address)).body)}`;
  }
  map.textContent = JSON.stringify({ imports });
  const main = page.querySelector("script[type=module]");
  main.removeAttribute("src");
  main.textContent = 'import "m220/main.js";';
  const parts = { header: recording.subarray(0, end), frames: recording.subarray(end + 1) };
  for (const [name, bytes] of Object.entries(parts)) {
    const type = "application/octet-stream";
    put("script", { type, id: `recording-${name}`, textContent: await deflated(bytes) }, main);
  }
  page.querySelectorAll("[nonce]").forEach((part) => part.removeAttribute("nonce"));
  return `<!doctype html>\n${page.outerHTML}\n`;
}
