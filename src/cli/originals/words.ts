/** Sizes, ages and names as a reader wants them. @module */

const UNITS = ["bytes", "kB", "MB", "GB"] as const;
const AGES = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
] as const;

/** Bytes with three significant digits, e.g. `1.23 MB`; a unit is 1,000 of the one before. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/** A span of time in its largest unit, rounded down, e.g. `3 min`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [unit, size] = AGES.find(([, size]) => seconds >= size) ?? ["s", 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}

/** Longest name in a table, in characters. */
const MAX_NAME = 32;

/** A name that a program chose, on one line and without control characters; `-` when it is empty. */
export function nameText(name: string): string {
  const plain = [...name.replace(/\p{C}/gu, "?")];
  if (plain.length === 0) return "-";
  return plain.length <= MAX_NAME
    ? plain.join("")
    : `${plain.slice(0, MAX_NAME - 1).join("")}…`;
}
