// What the machine's side says in English, with the command line's words, in Russian: answers, refusals, titles.

import refusals from "m220/refusals-ru.js";

/** Replaced in this order, wherever they stand: a phrase before its words. */
const PHRASES = [
  [/equal: machine and native reference give the same/, "совпадает: машина и эталон дали одно и то же"],
  [/no verdict: /, "без вывода: "],
  [/DIFFERENT: (\S+) differences?/, "РАСХОЖДЕНИЯ: $1"],
  [/machine: ok, (\S+) instructions?: M-220 /, "машина, команд: $1; М-220 "],
  [/, M-20 (.*), nominal /, ", М-20 $1, номинально "],
  ...Object.entries({ us: "мкс", ms: "мс", s: "с", min: "мин", h: "ч", d: "д" }).map(
    ([unit, russian]) => [new RegExp(`(\\d) ${unit}\\b`), `$1 ${russian}`],
  ),
  [/by the machine's shorter rule: /, "по краткому правилу машины: "],
  [/(\d[\d,]*) trajector(?:y|ies)\b/, "траекторий: $1"],
  [/(\d[\d,]*) attacks?\b/, "атак: $1"],
  [/(\d[\d,]*) relations?\b/, "отношений: $1"],
  [/(\d[\d,]*) positions?\b/, "позиций: $1"],
  [/(\d[\d,]*) sensible moves?\b/, "осмысленных ходов: $1"],
  [/(\d[\d,]*) keys?\b/, "решений: $1"],
  [/swing (\S+), rank (\S+), control (\S+)/, "размен $1, ранг $2, подвижность $3"],
  [/no mate within (\S+) moves?/, "мата нет, ходов: $1"],
  [/mate (?:with)?in (\d+)(?: moves?)?/, "мат, ходов: $1"],
  [/attacks within/, "атаки:"],
  [/map within/, "отображение:"],
  [/analysis within/, "анализ:"],
  [/\bwithin (\S+) half-moves?/, "полуходов до $1"],
  [/: (\S+) half-moves?/, ": полуходов до $1"],
  [/white to move: /, "ход белых: "],
  [/black to move: /, "ход чёрных: "],
  [/won in (\S+) moves?, class/, "выигрыш, ходов: $1, класс"],
  [/lost in (\S+) moves?, class/, "проигрыш, ходов: $1, класс"],
  [/\bdrawn\b/, "ничья"],
  [/one position/, "одна позиция"],
  [/best moves/, "лучшие ходы"],
  [/^solution$/, "решение"],
  [/ for white$/, " за белых"],
  [/ for black$/, " за чёрных"],
  [/\(zugzwang\)/, "(цугцванг)"],
  [/both at once/, "оба сразу"],
  [/^relations$/, "отношения"],
  [/a doublet/, "дуплет"],
  [/Bell's program/, "программа Белла"],
  [/candidates, best first/, "кандидаты, лучший первым"],
  [/no sensible move within this horizon/, "в этих пределах осмысленных ходов нет"],
  [/no sensible move wins by these rules/, "по этим правилам ни один осмысленный ход не выигрывает"],
  [/the limit of positions was reached/, "достигнут предел числа позиций"],
  [/there is no other legal move/, "других возможных ходов нет"],
  [/wins: it is mate/, "выигрывает: это мат"],
  [/(all moves )?lose by these rules; this one least, (\S+) pawns? at horizon (\S+)/,
    "по этим правилам проигрывает всё; этот ход меньше всех, пешек: $2, горизонт $3"],
  [/all moves lose by these rules, horizon (\S+):/, "по этим правилам проигрывает всё, горизонт $1:"],
  [/wins by these rules, horizon (\d+)/, "выигрывает по этим правилам, горизонт $1"],
  [/wins by these rules/, "выигрывает по этим правилам"],
  [/worth (\S+) at the end of the main line/, "в конце главного варианта $1"],
  [/the king is counted as doomed by these rules, horizon (\d+)/, "король по этим правилам обречён, горизонт $1"],
  [/the king is counted as doomed/, "король считается обречённым"],
  [/gains (\S+) by these rules, horizon (\d+)/, "по этим правилам даёт $1, горизонт $2"],
  [/not confirmed/, "не подтверждено"],
  [/keeps hope: every other candidate loses by these rules/,
    "сохраняет надежду: остальные по этим правилам проигрывают"],
  [/the largest weight among moves of the best assessment/, "наибольший вес среди ходов с лучшей оценкой"],
  [/the best assessment/, "лучшая оценка"],
  [/the best of the moves that do not repeat a position \(a rule of ours\)/,
    "лучший из ходов, не повторяющих позицию (правило наше)"],
  [/of equal moves the first by name/, "из равных ходов первый по имени"],
  [/rejected at once/, "отвергнут сразу"],
  [/nobody wins/, "никто не выигрывает"],
  [/does not win/, "не выигрывает"],
  [/does not lose/, "не проигрывает"],
  [/: open,/, ": не решено,"],
  [/\bwins\b/, "выигрывает"],
  [/\bloses\b/, "проигрывает"],
  ...Object.entries({
    capture: "взятие", miss: "промах", inversion: "инверсия", collision: "столкновение", "own-loss": "потеря своей",
    promotion: "превращение", ambushed: "в засаде", held: "удержана", moves: "ход",
  }).map(([event, russian]) => [new RegExp(`\\b${event}\\b`), russian]),
  ...[["king", "король"], ["bishop", "слон"], ["knight", "конь"]].flatMap(([en, ru]) => [
    [new RegExp(`white ${en}`), `белый ${ru}`], [new RegExp(`black ${en}`), `чёрный ${ru}`],
    [new RegExp(`\\b${en}\\b`), ru],
  ]),
  ...[["queen", "ферзь"], ["rook", "ладья"], ["pawn", "пешка"]].flatMap(([en, ru]) => {
    const [white, black] = en === "queen" ? ["белый", "чёрный"] : ["белая", "чёрная"];
    return [
      [new RegExp(`white ${en}`), `${white} ${ru}`], [new RegExp(`black ${en}`), `${black} ${ru}`],
      [new RegExp(`\\b(?:a )?${en}\\b`), ru],
    ];
  }),
  [/^white /, "белые "],
  [/^black /, "чёрные "],
];

const GLOBAL = PHRASES.map(([phrase, russian]) => [new RegExp(phrase.source, "g"), russian]);

const SIDES = { white: "белые", black: "чёрные" };

/** The refusals as patterns of whole sentences, with the names of what they quote in order. */
const REFUSALS = Object.entries(refusals).map(([english, russian]) => {
  const parts = english.split(/\{(\w+)\}/);
  const place = (name) => (name === "count" ? "([\\d,]+)" : "(.+?)");
  const plain = (words) => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = parts.map((part, index) => (index % 2 === 1 ? place(part) : plain(part)));
  return { pattern: new RegExp(`^${pattern.join("")}$`), names: parts.filter((_, index) => index % 2 === 1), russian };
});

/** A refusal in Russian; null if it is not known. */
function refused(english) {
  for (const { pattern, names, russian } of REFUSALS) {
    const found = pattern.exec(english);
    if (found === null) continue;
    const told = { error: inRussian, side: (side) => SIDES[side.toLowerCase()] ?? side };
    const known = new Map(names.map((name, index) => [name, (told[name] ?? String)(found[index + 1])]));
    return russian.replace(/\{(\w+)\}/g, (_, name) => known.get(name));
  }
  // The name of a file, or a side, before what is wrong with it; or advice behind it.
  const [, place, wrong = ""] = /^(\S+): (.+)$/.exec(english) ?? [];
  const rest = wrong === "" ? null : refused(wrong);
  if (rest !== null) return `${SIDES[place] ?? place}: ${rest}`;
  const [, sentence, advice = ""] = /^(.+?) \((.+)\)$/.exec(english) ?? [];
  const parts = advice === "" ? [null] : [refused(sentence), refused(advice)];
  return parts.includes(null) ? null : `${parts[0]} (${parts[1]})`;
}

export function inRussian(english) {
  const line = (said) =>
    refused(said) ?? GLOBAL.reduce((part, [phrase, russian]) => part.replace(phrase, russian), said);
  return english.split("\n").map(line).join("\n");
}
