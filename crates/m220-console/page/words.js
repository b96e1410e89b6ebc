// Words of 45 bits as numbers: every one of them is exact in a double. Bit operations split them at bit 36, where the
// machine itself splits a word into its upper part and its address part.

const LOW = 2 ** 36;
const ADDRESS = 4096;

const upper = (word) => Math.floor(word / LOW);
export const addressPart = (word) => word % LOW;
export const a1 = (word) => Math.floor(word / (ADDRESS * ADDRESS)) % ADDRESS;
export const a2 = (word) => Math.floor(word / ADDRESS) % ADDRESS;
export const a3 = (word) => word % ADDRESS;
export const code = (word) => upper(word) & 0o77;
/** Whether RA is added to A1, A2, A3. */
export const modified = (word) => [0o400, 0o200, 0o100].map((mark) => (upper(word) & mark) !== 0);
/** Bit `bit` of a word, counted from 1 at the right as in the machine's documents. */
export const bit = (word, number) => Math.floor(word / 2 ** (number - 1)) % 2;

export const octal = (value, digits) => value.toString(8).padStart(digits, "0");
/** `0 56 0000 0100 0000`. */
export function grouped(word) {
  const digits = octal(word, 15);
  return `${digits[0]} ${digits.slice(1, 3)} ${digits.slice(3, 7)} ${digits.slice(7, 11)} ${digits.slice(11)}`;
}
/** A cell: four digits, five beyond cube 0. */
export const cellName = (cell) => octal(cell, cell >= ADDRESS ? 5 : 4);

/** The sum that code 07 gives from zero over cells 0001 to 7777: both parts with their end-around carry. */
export function checksum(core) {
  let high = 0;
  let low = 0;
  for (let cell = 1; cell < ADDRESS; cell++) {
    low += addressPart(core[cell]);
    high += upper(core[cell]);
    if (low >= LOW) low -= LOW - 1;
    if (high > 0o777) high -= 0o777;
  }
  return high * LOW + low;
}

/** The instruction in the words of the table that came with the program, names of cells in place of their addresses. */
export function instructionText(word, description, labels, cube) {
  const row = description.opcodes[code(word)];
  const fields = [a1(word), a2(word), a3(word)];
  const marks = modified(word);
  const last = fields[2] !== 0 || marks[2] ? 2 : fields[1] !== 0 || marks[1] ? 1 : 0;
  const names = fields.slice(0, last + 1).map((field, index) => {
    const isCell = "rwjc".includes(row.roles[index]);
    const name = isCell && field !== 0 ? labels.get(cube * ADDRESS + field) : undefined;
    return (name ?? octal(field, isCell ? 4 : 1)) + (marks[index] ? "[RA]" : "");
  });
  return `${row.name} ${names.join(", ")}`;
}
