// Colours and language: by the browser's preference, by the reader's choice, or by the address.

import { currentLanguage, preferredLanguage, setLanguage, translate } from "m220/text.js";

/** A choice that is kept for the next visit where the browser allows it, and for this one in any case. */
class Choice {
  constructor(name, key, allowed) {
    Object.assign(this, { name: `m220-${name}`, key, allowed, value: null });
    try {
      this.take(localStorage.getItem(this.name));
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    this.read();
  }

  /** What the address says of it. */
  read() {
    this.take(new URLSearchParams(location.hash.slice(1)).get(this.key));
  }

  take(value) {
    if (this.allowed.includes(value)) this.value = value;
  }

  choose(value) {
    this.value = value;
    // What the address said of it is past, also after a reload.
    const parts = location.hash.slice(1).split("&");
    const rest = parts.filter((part) => !part.startsWith(`${this.key}=`));
    try {
      if (rest.length < parts.length) history.replaceState(history.state, "", `#${rest.join("&")}`);
      localStorage.setItem(this.name, value);
    } catch {
      // As above.
    }
  }
}

/**
 * Sets colours, language and how much of the machine is shown, and lets each be switched. `changed` is called when
 * what is said must be built anew.
 */
export function settings(changed) {
  const theme = new Choice("theme", "theme", ["dark", "light"]);
  const language = new Choice("language", "lang", ["en", "ru"]);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const [themeButton, languageButton] = ["theme-button", "language-button"].map((id) => document.getElementById(id));
  const apply = () => {
    const shown = theme.value ?? (dark.matches ? "dark" : "light");
    document.documentElement.dataset.theme = shown;
    setLanguage(language.value ?? preferredLanguage(navigator.languages));
    languageButton.lang = currentLanguage() === "en" ? "ru" : "en";
    themeButton.dataset.text = shown === "dark" ? "button.light" : "button.dark";
    translate(document);
    document.dispatchEvent(new Event("m220-theme"));
  };
  themeButton.addEventListener("click", () => {
    theme.choose(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    apply();
  });
  languageButton.addEventListener("click", () => {
    language.choose(currentLanguage() === "en" ? "ru" : "en");
    apply();
    changed();
  });
  // A visitor sees the run; the operator's panels and buttons are one click away.
  const layer = new Choice("layer", "layer", ["visitor", "operator"]);
  const layerButton = document.getElementById("layer-button");
  const usual = document.getElementById("machine") === null ? "operator" : "visitor";
  const applyLayer = () => {
    document.documentElement.dataset.layer = layer.value ?? usual;
    layerButton.setAttribute("aria-pressed", String(document.documentElement.dataset.layer === "operator"));
  };
  layerButton.addEventListener("click", () => {
    layer.choose(document.documentElement.dataset.layer === "operator" ? "visitor" : "operator");
    applyLayer();
  });
  applyLayer();
  dark.addEventListener("change", apply);
  addEventListener("hashchange", () => {
    const before = language.value;
    theme.read();
    language.read();
    apply();
    if (language.value !== before) changed();
  });
  apply();
}
