/** Records as rows: the places of a record that differ, and the words that name them in a note. @module */

/** Names a key that differs: `redis:`, in a line that has no value. */
export const KEY_SLOT = "<key>";
/** Names a list item without a key. */
export const ITEM_SLOT = "<item>";
/** Names a section: `[redis]`. */
export const SECTION_SLOT = "<section>";
/** Stands between the parts of a row and between the names. */
export const BETWEEN = " | ";

/** A record with places for the parts of a row. */
export interface Template {
  /** Text around the parts, one more than there are parts; newlines included, but none at the end. */
  readonly around: readonly string[];
  /** The parts of the record that it was made of. */
  readonly parts: readonly string[];
}

const START = /^[ \t]*(?:-[ ]+)*/;
const BLANKS = /[ \t]*/y;

/**
 * Makes a template of a record; each name stands for the first fitting line after that of the name before.
 *
 * @param lines Lines of the record. @param names Words of this file, or keys with their signs: `image:`, `version =`.
 * @returns `undefined` when a name fits no line, or another than `wanted` says.
 */
export function templateOf(
  lines: readonly string[],
  names: readonly string[],
  wanted?: readonly number[],
): Template | undefined {
  const around: string[] = [];
  const parts: string[] = [];
  let before = "";
  let n = 0;
  for (const [index, line] of lines.entries()) {
    const slot = n < names.length ? slotOf(line, names[n]!) : undefined;
    if (index > 0) before += "\n";
    if (slot === undefined) {
      before += line;
      continue;
    }
    if (wanted !== undefined && wanted[n] !== index) return undefined;
    around.push(before + line.slice(0, slot.from));
    parts.push(line.slice(slot.from, slot.to));
    before = line.slice(slot.to);
    n++;
  }
  around.push(before);
  return n === names.length ? { around, parts } : undefined;
}

/** The record of a row; `undefined` when the row has not as many parts as the template. */
export function fillRow(
  { around, parts }: Template,
  row: string,
): string | undefined {
  const values = parts.length === 1 ? [row] : row.split(BETWEEN);
  if (values.length !== parts.length) return undefined;
  return around.map((text, n) => text + (values[n] ?? "")).join("");
}

/** Where the value of a name stands in a line, in UTF-16 units from its start. */
function slotOf(
  line: string,
  name: string,
): { from: number; to: number } | undefined {
  const start = START.exec(line)![0].length;
  const to = line.length;
  if (name === ITEM_SLOT) {
    return line[start - 1] === " " && line.trimStart().startsWith("-")
      ? { from: start, to }
      : line.startsWith('"', start)
      ? { from: start, to }
      : undefined;
  }
  if (name === KEY_SLOT) {
    const isOpen = line.endsWith(":") && to > start + 1;
    return isOpen ? { from: start, to: to - 1 } : undefined;
  }
  if (name === SECTION_SLOT) {
    const isSection = line.startsWith("[", start) && line.endsWith("]");
    return isSection ? { from: start + 1, to: to - 1 } : undefined;
  }
  if (!line.startsWith(name, start)) return undefined;
  BLANKS.lastIndex = start + name.length;
  BLANKS.test(line);
  return BLANKS.lastIndex < to ? { from: BLANKS.lastIndex, to } : undefined;
}
