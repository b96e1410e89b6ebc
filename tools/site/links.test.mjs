// The site as it is published: every link leads somewhere, nothing is fetched from elsewhere, what a link opens in the
// laboratory is taken there, and the whole is small.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { unpacked } from "../../crates/m220-console/page/share.js";
import { STARTS } from "../../crates/m220-console/page/starts.js";
import { compiled, home } from "../web/home.mjs";

const SITE = "target/site";
/** The largest site, in bytes. */
const LARGEST = 8_000_000;

const isBuilt = existsSync(join(SITE, "docs")) && existsSync(join(SITE, "essay"));
const options = { skip: isBuilt ? false : "tools/web/build and tools/site/build make the site" };
const files = isBuilt
  ? readdirSync(SITE, { recursive: true }).filter((name) => statSync(join(SITE, name)).isFile())
  : [];
const plain = (text) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");
/** The values of these attributes in the tags of a page. */
const attributes = (text, names) => [...text.matchAll(/<[a-z][^>]*>/g)].flatMap(([tag]) =>
  [...tag.matchAll(new RegExp(`\\s(?:${names})="?([^"\\s>]*)`, "g"))].map(([, value]) => plain(value)));
/** The pages, without the texts of their scripts, which name tags. */
const pages = new Map(files.filter((name) => name.endsWith(".html")).map((name) => {
  const text = readFileSync(join(SITE, name), "utf8").replace(/(<script[^>]*>).*?<\/script>/gs, "$1");
  return [name, { text, names: new Set(attributes(text, "id|name")) }];
}));

/** What is wrong with a link of this page; undefined if it leads somewhere. */
function wrong(page, link) {
  if (/^(https?|mailto|data|javascript):/.test(link)) return undefined;
  const [path, fragment = ""] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), decodeURIComponent(path)));
  if (!existsSync(join(SITE, target)) || !files.includes(target)) return "no such file";
  if (fragment === "" || !target.endsWith(".html")) return undefined;
  if (pages.get(target).names.has(decodeURIComponent(fragment))) return undefined;
  if (target !== "index.html") return "no such place in the page";
  const wanted = new URLSearchParams(fragment);
  const isKnown = wanted.has("start")
    ? Object.hasOwn(STARTS, wanted.get("start"))
    : wanted.has("share") || wanted.has("lang");
  return isKnown ? undefined : "the laboratory has no such start";
}

test("every link of the site leads somewhere", options, () => {
  const broken = [];
  let links = 0;
  for (const [page, { text }] of pages) {
    for (const link of attributes(text, "href|src|laboratory")) {
      links += 1;
      const why = wrong(page, link);
      if (why !== undefined) broken.push(`${page}: ${link.slice(0, 100)}: ${why}`);
    }
  }
  assert.deepEqual(broken, []);
  assert.ok(links > 1000, `${links} links`);
});

test("every document has a page", options, () => {
  const documents = readdirSync("crates", { recursive: true }).filter((name) => /^[^/]+\/docs\/[^/]+\.md$/.test(name));
  const without = documents.filter((name) => !pages.has(`docs/${basename(name, ".md")}.html`));
  assert.deepEqual(without, [], "a line in the nav of tools/site/mkdocs.yml");
  assert.ok(documents.length > 15, `${documents.length} documents`);
});

test("nothing is fetched from another host", options, () => {
  const foreign = [];
  for (const [page, { text }] of pages) {
    for (const [tag] of text.matchAll(/<(?:script|img|iframe|link)\s[^>]*>/g)) {
      if (/(?:src|href)="?(?:https?:)?\/\//.test(tag)) foreign.push(`${page}: ${tag}`);
    }
  }
  for (const name of files.filter((file) => file.endsWith(".css"))) {
    if (/(?:@import|url\()\s*["']?(?:https?:)?\/\//.test(readFileSync(join(SITE, name), "utf8"))) foreign.push(name);
  }
  assert.deepEqual(foreign, []);
});

test("the search needs no server", options, () => {
  const [script, index] = ["js", "json"].map((kind) =>
    readFileSync(join(SITE, `docs/search/search_index.${kind}`), "utf8"));
  assert.deepEqual(new Function(`${script}; return __index;`)(), JSON.parse(index));
  for (const [page, { text }] of pages) {
    if (!text.includes("md-search__input")) continue;
    const [worker, theme] = ["iframe-worker.js", "assets/javascripts/bundle"].map((name) => text.indexOf(name));
    assert.ok(worker > 0 && worker < theme, page);
  }
});

const withModule = { skip: options.skip || (compiled === null && "no module: tools/web/build makes it") };
test("the laboratory takes what a link brings", withModule, async () => {
  const call = home();
  const links = [...pages.values()].flatMap(({ text }) => attributes(text, "href"));
  const shared = new Set(links.filter((link) => link.includes("#share=")).map((link) => link.split("#")[1]));
  const refused = [];
  for (const fragment of shared) {
    const { task, question } = await unpacked(fragment);
    const answer = call({ call: "request", request: { do: "task", task, question } });
    if (answer.error !== null) refused.push(`${task} ${JSON.stringify(question).slice(0, 200)}: ${answer.error}`);
  }
  assert.deepEqual(refused, []);
  assert.ok(shared.size > 50, `${shared.size} links`);
});

test("the sheet for a class has every code", options, () => {
  const { text } = pages.get("docs/codes.html");
  const codes = Array.from({ length: 0o100 }, (_, code) => code.toString(8).padStart(2, "0"));
  assert.deepEqual(codes.filter((code) => !text.includes(`<tr><td>${code}</td>`)), []);
});

test("the site is small", options, () => {
  const size = files.reduce((sum, name) => sum + statSync(join(SITE, name)).size, 0);
  assert.ok(size <= LARGEST, `${size} bytes`);
});
