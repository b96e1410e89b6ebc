// Numbers and times as a reader of the page's language writes them.

import { currentLanguage, text } from "m220/text.js";

const LOCALES = { en: "en-GB", ru: "ru-RU" };

/** Formatters by what they format; making one takes far longer than using it. */
const formats = new Map();

export function counted(number, options = {}) {
  const key = `${currentLanguage()} ${Object.entries(options)}`;
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(LOCALES[currentLanguage()], options));
  return formats.get(key).format(number);
}

const withUnit = (number, unit, options) => `${counted(number, options)} ${text(`unit.${unit}`)}`;

/** Modelled time, in two units at most. */
export function duration(halfMicroseconds) {
  const seconds = halfMicroseconds / 2e6;
  const pair = (large, small, ratio) => {
    const whole = Math.floor(seconds / SECONDS[small]);
    return `${withUnit(Math.floor(whole / ratio), large)} ${withUnit(whole % ratio, small)}`;
  };
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  if (seconds >= SECONDS.day) return pair("day", "hour", 24);
  if (seconds >= SECONDS.hour) return pair("hour", "minute", 60);
  if (seconds >= SECONDS.minute) return pair("minute", "second", 60);
  return seconds >= 1 ? withUnit(seconds, "second", digits) : withUnit(seconds * 1000, "millisecond", digits);
}

const SECONDS = { day: 86_400, hour: 3600, minute: 60, second: 1 };

/** A time of a book, which gives no more digits than it says: `about 0.1 s`. */
export function about(microseconds) {
  const seconds = microseconds / 1e6;
  const unit = ["day", "hour", "minute", "second"].find((name) => seconds >= SECONDS[name]) ?? "second";
  const number = withUnit(seconds / SECONDS[unit], unit, { maximumSignificantDigits: 2 });
  return text("time.about", { time: number });
}

/** Instructions per second. */
export function rateText(rate) {
  if (rate < 1e6) return counted(Math.round(rate));
  return withUnit(rate / 1e6, "million", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
