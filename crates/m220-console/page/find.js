// Finding a position by what a person types: part of its title or its name, also with a typing error.

/** As many as fit below the field. */
const MOST_FOUND = 6;

const CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя";
const LATIN = "a b v g d e e zh z i i k l m n o p r s t u f h ts ch sh sh  i  e iu ia".split(" ");
const ALIKE = [["sch", "sh"], ["tz", "ts"], ["ie", "i"], ["ph", "f"], ["ck", "k"], ["c", "k"], ["w", "v"], ["y", "i"],
  ["j", "i"], ["ß", "ss"]];

/** The words of a text in the plainest Latin letters, so that a name is found in either script. */
function wordsOf(text) {
  const plain = text.toLowerCase().normalize("NFC").replace(/[а-яё]/g, (letter) => LATIN[CYRILLIC.indexOf(letter)])
    .normalize("NFD").replace(/\p{M}/gu, "");
  return ALIKE.reduce((said, [sign, other]) => said.replaceAll(sign, other), plain).match(/[\p{L}\d]+/gu) ?? [];
}

/** How many signs must be changed, added or left out to make one word of the other. */
function distance(one, other) {
  let row = [...other, ""].map((_, index) => index);
  for (const [line, sign] of [...one].entries()) {
    const next = [line + 1];
    for (const [column, letter] of [...other].entries()) {
      next.push(Math.min(row[column] + (sign === letter ? 0 : 1), row[column + 1] + 1, next[column] + 1));
    }
    row = next;
  }
  return row.at(-1);
}

/** The least distance of a typed word to the beginning of one of the words; Infinity if none is like it. */
function likeness(typed, words) {
  if (words.some((word) => word.startsWith(typed))) return 0;
  const most = typed.length < 4 ? 0 : typed.length < 7 ? 1 : 2;
  const least = Math.min(...words.map((word) => distance(typed, word.slice(0, typed.length))));
  return least <= most ? least : Infinity;
}

/** The positions that what was typed means; if there is none, those that it may mean, the likeliest first. */
export function foundOf(positions, typed) {
  const asked = wordsOf(typed);
  if (asked.length === 0) return [];
  const rated = positions.map((position) => {
    const words = wordsOf(`${position.name} ${position.title}`);
    return { position, far: asked.reduce((sum, word) => sum + likeness(word, words), 0) };
  });
  const most = rated.some(({ far }) => far === 0) ? 0 : Number.MAX_VALUE;
  const near = rated.filter(({ far }) => far <= most).sort((a, b) => a.far - b.far);
  return near.slice(0, MOST_FOUND).map(({ position }) => position);
}
