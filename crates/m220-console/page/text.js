// What the page says, in the language of its reader: text-en.js and text-ru.js hold one entry for each thing said.

import english from "m220/text-en.js";
import russian from "m220/text-ru.js";

const LANGUAGES = { en: english, ru: russian };
let language = "en";

export const currentLanguage = () => language;

/** The first language of the reader's preferences that the page speaks; English if it speaks none. */
export function preferredLanguage(preferences) {
  const names = preferences.map((preference) => preference.slice(0, 2).toLowerCase());
  return names.find((name) => Object.hasOwn(LANGUAGES, name)) ?? "en";
}

export function setLanguage(name) {
  language = Object.hasOwn(LANGUAGES, name) ? name : "en";
}

export const hasText = (key) => Object.hasOwn(english, key);

/** The text of a key; `{name}` in it stands for the value of that name. */
export function text(key, values = {}) {
  const entry = LANGUAGES[language][key];
  if (typeof entry !== "string") throw new Error(`no text for ${key}`);
  return entry.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** Sentences one after the other, each with its stop; empty ones are left out. */
export const sentences = (parts) => parts.filter(Boolean).map((part) => part.replace(/[^.!?]$/, "$&.")).join(" ");

/** The text of a key; where there is none, what the machine's side says. */
export const worded = (key, english) => (hasText(key) ? text(key) : english);

/** A move with the letters of the language. */
export function inLetters(san) {
  const letters = text("letters").split(" ");
  return san.replace(/[KQRBNO]/g, (sign) => letters["KQRBNO".indexOf(sign)]);
}

/** Texts that stand in the page itself: `data-text` is the content of an element, `data-label` its label. */
export function translate(root) {
  root.documentElement.lang = language;
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", text(element.dataset.label));
  }
}
