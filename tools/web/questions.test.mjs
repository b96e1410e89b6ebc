// For every question the page's module gives the document of the command; the questions stand in tests/questions.json.
// `node --test tools/web` after tools/web/build; M220 names the command (default: target/debug/m220).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { compiled, home } from "./home.mjs";

const M220 = process.env.M220 ?? "target/debug/m220";
const missing = (compiled === null && "no module: tools/web/build makes it") || (!existsSync(M220) && `no ${M220}`);

/** The words of the command for a row of the table. */
function words({ question, command = question, fields, argument, engines }, engine) {
  const option = ([name, value]) => {
    if (name === argument) return String(value);
    const long = `--${name.replaceAll("_", "-")}`;
    return value === true ? long : `${long}=${value}`;
  };
  const asked = engines.length > 1 ? [`--engine=${engine}`] : [];
  return [...command.split(" "), ...Object.entries(fields).map(option), ...asked, "--format=json"];
}

for (const row of JSON.parse(readFileSync("tests/questions.json", "utf8"))) {
  for (const engine of row.engines) {
    test(`${row.question} by ${engine}`, { skip: missing }, () => {
      const question = { engines: { engine }, question: row.fields };
      const answer = home()({ call: "answer", service: row.question, question });
      const printed = execFileSync(M220, words(row, engine), { stdio: ["ignore", "pipe", "ignore"] });
      assert.deepEqual(answer.document, JSON.parse(printed));
    });
  }
}
