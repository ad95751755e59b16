/** A compact list of values that are alike: `host-2…host-598`, `a, b and 24 more`. @module */

/** Values and ranges that a list names at most. */
const MAX_ITEMS = 20;
/** Of more values only the first are listed, without ranges; a caller need not collect all of them. */
export const MAX_VALUES = 10_000;
/** Values that a range must stand for: in steps of one, and in others. */
const LEAST_BY_ONE = 3;
const LEAST_BY_STEP = 5;
/** Digits of a number that is still exact. */
const MAX_DIGITS = 15;

const ZERO = 48;
const NINE = 57;

/** A value and the last number in it. */
interface Numbered {
  readonly value: string;
  readonly number: number;
  readonly digits: number;
  /** Filled up with zeros. */
  readonly padded: boolean;
}

/** What one entry of a list says, and for how many values it stands. */
interface Item {
  readonly said: string;
  readonly count: number;
}

/**
 * Lists values in at most `width` UTF-16 units; empty when not even one fits. A range stands for
 * values that are all there, nothing else; what is not listed is counted.
 *
 * @param values Different from each other; more than {@linkcode MAX_VALUES} means that there may be others.
 */
export function listValues(values: readonly string[], width: number): string {
  const isOpen = values.length > MAX_VALUES;
  const items = isOpen
    ? values.slice(0, MAX_ITEMS).map((value) => ({ said: value, count: 1 }))
    : itemsOf(values);
  let told = 0;
  let list = "";
  let best = "";
  for (const { said, count } of items.slice(0, MAX_ITEMS)) {
    list += list === "" ? said : `, ${said}`;
    told += count;
    if (list.length > width) break;
    const rest = values.length - told;
    const whole = rest === 0
      ? list
      : `${list} and ${isOpen ? "at least " : ""}${rest} more`;
    if (whole.length <= width) best = whole;
  }
  return best;
}

/** Ranges and single values, those that differ in their last number only next to each other. */
function itemsOf(values: readonly string[]): Item[] {
  const families = new Map<string, Numbered[]>();
  const ending = commonEnding(values);
  for (const value of values) {
    const { family, numbered } = read(value, value.length - ending);
    const members = families.get(family);
    if (members === undefined) families.set(family, [numbered]);
    else members.push(numbered);
  }
  return [...families.values()].flatMap((members) =>
    rangesOf(members.sort((a, b) => a.number - b.number || a.digits - b.digits))
  );
}

/** Units that all values end with; a number is not cut. */
function commonEnding(values: readonly string[]): number {
  const first = values[0]!;
  let ending = first.length;
  for (const value of values) {
    let same = 0;
    while (
      same < ending && same < value.length &&
      value.charCodeAt(value.length - 1 - same) ===
        first.charCodeAt(first.length - 1 - same)
    ) same++;
    ending = same;
  }
  while (ending > 0 && isDigit(first, first.length - ending)) ending--;
  return ending;
}

/** Splits a value at the last number before `limit`; values of a family are equal but for it. */
function read(
  value: string,
  limit: number,
): { family: string; numbered: Numbered } {
  let end = limit;
  while (end > 0 && !isDigit(value, end - 1)) end--;
  let start = end;
  while (start > 0 && isDigit(value, start - 1)) start--;
  const digits = end - start;
  if (digits === 0 || digits > MAX_DIGITS) {
    const numbered = { value, number: 0, digits: 0, padded: false };
    return { family: value, numbered };
  }
  const padded = digits > 1 && value.charCodeAt(start) === ZERO;
  const number = Number(value.slice(start, end));
  return {
    family: `${value.slice(0, start)}\n${value.slice(end)}`,
    numbered: { value, number, digits, padded },
  };
}

function isDigit(value: string, at: number): boolean {
  const code = value.charCodeAt(at);
  return code >= ZERO && code <= NINE;
}

function rangesOf(members: readonly Numbered[]): Item[] {
  const items: Item[] = [];
  for (let from = 0; from < members.length;) {
    const last = runFrom(members, from);
    const count = last - from + 1;
    const step = count > 1
      ? members[from + 1]!.number - members[from]!.number
      : 1;
    if (count < (step === 1 ? LEAST_BY_ONE : LEAST_BY_STEP)) {
      items.push({ said: members[from++]!.value, count: 1 });
      continue;
    }
    const ends = `${members[from]!.value}…${members[last]!.value}`;
    items.push({ said: step === 1 ? ends : `${ends} by ${step}`, count });
    from = last + 1;
  }
  return items;
}

/** Index of the last member in a row of equal steps that starts with `from`. */
function runFrom(members: readonly Numbered[], from: number): number {
  let last = from;
  for (; last + 1 < members.length; last++) {
    const one = members[last]!;
    const next = members[last + 1]!;
    const step = next.number - one.number;
    const first = members[from + 1]!.number - members[from]!.number;
    if (step !== first || step === 0 || !isWrittenAlike(one, next)) break;
  }
  return last;
}

/** Whether a reader who counts from `one` to `next` writes it as it is. */
function isWrittenAlike(one: Numbered, next: Numbered): boolean {
  return one.digits === next.digits || (!one.padded && !next.padded);
}
