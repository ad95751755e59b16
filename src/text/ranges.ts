/** Names that count up, written as a range. @module */

/** Names that count up by one, which are worth a range. */
const LEAST = 3;
const NUMBERED = /^(.*?)(\d{1,15})$/;

/** Names that count up by one as `frame_001..180`; others as they are. O(n). */
export function withRanges(names: readonly string[]): string[] {
  const out: string[] = [];
  for (let from = 0; from < names.length;) {
    const name = names[from] ?? "";
    const last = name.charCodeAt(name.length - 1);
    const isNumbered = last >= 48 && last <= 57;
    const [, before, digits = ""] = isNumbered ? NUMBERED.exec(name) ?? [] : [];
    let to = from + 1;
    // The last number of a version is no counter to a reader.
    const mayCount = before !== undefined && !/[.|"]/.test(name);
    while (mayCount && names[to] === before + counted(digits, to - from)) to++;
    if (to - from < LEAST) to = from + 1;
    out.push(
      to === from + 1 ? name : `${name}..${counted(digits, to - from - 1)}`,
    );
    from = to;
  }
  return out;
}

/** A number so much higher, as wide as it was if it starts with a zero. */
export function counted(digits: string, more: number): string {
  const width = digits.startsWith("0") ? digits.length : 0;
  return String(Number(digits) + more).padStart(width, "0");
}
