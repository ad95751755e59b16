/** Ranges as models write them: `41-80`, `41`, `41-`, `L41..L80`, `10-20, 40-50`, or a note copied as it stands. @module */

/** Numbers from 1, both ends included. */
export interface PartRange {
  /** First. */
  readonly from: number;
  /** Last; `Infinity` for an open end. */
  readonly to: number;
}

/** What is counted, and which ones are wanted. */
export interface PartRanges {
  /** `new` and `old`: lines of the files that a diff is about. */
  readonly unit: "lines" | "items" | "characters" | "new" | "old";
  /** In rising order, apart from each other; at least one. */
  readonly ranges: readonly PartRange[];
}

/** Longest text that can be a list of ranges, in UTF-16 units. */
const MAX_LENGTH = 1000;
/** Words before the numbers, and what they count. */
const UNITS = [
  ["new", /^new(?: lines?)?\b/],
  ["old", /^old(?: lines?)?\b/],
  ["items", /^(?:items?|keys?|rows?|elements?|documents?)\b/],
  ["characters", /^ch(?:ar(?:acter)?)?s?\b/],
  ["lines", /^lines?\b|^ln?(?=\d)/],
] as const;
/** What notes say behind the numbers. */
const REST = /\s+(?:of\s+\d+|omitted|without\s+numbers)\b.*$/;
const ITEM =
  /^(?:l|line )?(\d+)(?:(?:\s*(?:-|–|—|−|~|:|\.{2,3}|…|to)\s*(?:l|line )?(\d*))|(\+))?$/;
/** As `sed -n 41,80p` has it. */
const SED = /^(\d+),(\d+|\$)p$/;

/**
 * Reads ranges.
 *
 * @returns `undefined` when they are none. Ends the wrong way round are put right, 0 counts as 1.
 */
export function readRanges(given: string): PartRanges | undefined {
  if (given.length > MAX_LENGTH) return undefined;
  let text = given.trim().toLowerCase()
    .replace(/^…\s*/, "").replace(/^\[(.*)\]$/, "$1").replace(/^#/, "").trim()
    .replace(REST, "");
  let unit: PartRanges["unit"] = "lines";
  for (const [name, words] of UNITS) {
    if (!words.test(text)) continue;
    text = text.replace(words, "").replace(/^\s*[:=]?\s*/, "");
    unit = name;
    break;
  }
  const sed = SED.exec(text);
  if (sed !== null) text = `${sed[1]}-${sed[2] === "$" ? "" : sed[2]}`;
  const items = text.replace(/\s*\band\b\s*|\s*[;&]\s*/g, ",")
    .replace(/(\d)\s+(?=\d|l\d)/g, "$1,").split(/\s*,\s*/);
  const ranges: PartRange[] = [];
  for (const item of items) {
    const range = rangeOf(item);
    if (range === undefined) return undefined;
    ranges.push(range);
  }
  return { unit, ranges: merged(ranges) };
}

/** `41-80`, `41` or `41-`. */
export function rangeText({ from, to }: PartRange): string {
  if (to === Infinity) return `${from}-`;
  return from === to ? `${from}` : `${from}-${to}`;
}

function rangeOf(item: string): PartRange | undefined {
  const match = ITEM.exec(item);
  if (match === null) return undefined;
  const [whole, first = "", last, plus] = match;
  const from = Math.max(1, Number(first));
  const isOpen = plus !== undefined || last === "";
  if (isOpen) return { from, to: Infinity };
  const to = last === undefined || whole === first ? from : Number(last);
  return to < from ? { from: Math.max(1, to), to: from } : { from, to };
}

/** Sorted, those that touch made one. */
function merged(ranges: readonly PartRange[]): PartRange[] {
  const sorted = [...ranges].sort((a, b) => a.from - b.from);
  const out: PartRange[] = [];
  for (const range of sorted) {
    const last = out.at(-1);
    if (last === undefined || range.from > last.to + 1) out.push(range);
    else if (range.to > last.to) {
      out[out.length - 1] = { from: last.from, to: range.to };
    }
  }
  return out;
}
