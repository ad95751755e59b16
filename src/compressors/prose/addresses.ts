/** Web addresses that begin alike: the common part is written once. @module */

/** Common parts that a text may have. */
const MAX_BASES = 4;
/** Addresses with a common part, at least. */
const LEAST_USES = 3;
/** UTF-16 units of a common part: at least, at most. */
const SHORTEST = 18;
const LONGEST = 160;
/** Slashes after the host at which a common part may end. */
const MAX_DEPTH = 6;
/** UTF-16 units that one common part must save, and the note that explains it. */
const PROFIT = 48;
const NOTE = 12;
const SHORT = 4;
const HEADER = /^… \(\[u(\d)\] = (\S+)\)\n/;
const MARK = /\[u(\d)\]/g;
const STOPS = " \t\r\n<>\"'`()[]{}|\\^";

/** One address in the text. */
interface Address {
  readonly start: number;
  readonly end: number;
}

/**
 * Writes `[u1]pull/7` for `https://github.com/acme/widgets/pull/7`, with a first line
 * `… ([u1] = https://github.com/acme/widgets/)`, where at least three addresses share the part and that pays.
 * Returns the text itself when nothing is won, or when `[u1` stands in it. O(n).
 */
export function foldAddresses(text: string): string {
  if (!text.includes("://") || /\[u\d/.test(text)) return text;
  const addresses = findAddresses(text);
  const bases = basesOf(text, addresses);
  if (bases.length === 0) return text;
  const parts = bases.map((base, i) => `… ([u${i + 1}] = ${base})\n`);
  let at = 0;
  for (const { start, end } of addresses) {
    const i = bases.findIndex((base) =>
      start + base.length <= end && text.startsWith(base, start)
    );
    if (i < 0) continue;
    parts.push(text.slice(at, start), `[u${i + 1}]`);
    at = start + bases[i]!.length;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** Inverse of {@linkcode foldAddresses}. */
export function unfoldAddresses(folded: string): string {
  const bases: string[] = [];
  let at = 0;
  for (;;) {
    const header = HEADER.exec(folded.slice(at, at + LONGEST + 40));
    if (header === null || Number(header[1]) !== bases.length + 1) break;
    bases.push(header[2]!);
    at += header[0].length;
  }
  if (bases.length === 0) return folded;
  return folded.slice(at).replace(
    MARK,
    (mark, digit) => bases[Number(digit) - 1] ?? mark,
  );
}

function findAddresses(text: string): Address[] {
  const addresses: Address[] = [];
  let from = 0;
  for (;;) {
    const colon = text.indexOf("://", from);
    if (colon < 0) return addresses;
    let start = colon;
    while (start > from && colon - start < 6 && isSmall(text, start - 1)) {
      start--;
    }
    let end = colon + 3;
    while (end < text.length && !STOPS.includes(text[end]!)) end++;
    if (start < colon) addresses.push({ start, end });
    from = end;
  }
}

function isSmall(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 97 && code <= 122;
}

/** The common parts that pay, longest first. */
function basesOf(text: string, addresses: readonly Address[]): string[] {
  const uses = new Map<string, number>();
  for (const address of addresses) {
    for (const base of startsOf(text, address)) {
      uses.set(base, (uses.get(base) ?? 0) + 1);
    }
  }
  const candidates = [...uses]
    .filter(([base, count]) => gainOf(base, count) >= PROFIT)
    .sort((a, b) => gainOf(...b) - gainOf(...a) || (a[0] < b[0] ? -1 : 1))
    .slice(0, 8 * MAX_BASES);
  const bases: string[] = [];
  for (const [base, count] of candidates) {
    if (bases.length === MAX_BASES) break;
    // Inside another one, or around it: what is left over is counted anew.
    const within = bases.filter((other) => other.startsWith(base));
    if (bases.some((other) => base.startsWith(other))) continue;
    const taken = within.reduce((sum, other) => sum + uses.get(other)!, 0);
    if (gainOf(base, count - taken) >= PROFIT) bases.push(base);
  }
  return bases.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

function gainOf(base: string, count: number): number {
  if (count < LEAST_USES) return 0;
  return count * (base.length - SHORT) - base.length - NOTE;
}

/** Starts of an address that end with a slash behind the host. */
function startsOf(text: string, { start, end }: Address): string[] {
  const starts: string[] = [];
  const limit = Math.min(end, start + LONGEST);
  let at = text.indexOf("://", start) + 3;
  while (starts.length < MAX_DEPTH) {
    at = text.indexOf("/", at) + 1;
    if (at === 0 || at > limit) break;
    if (at - start >= SHORTEST) starts.push(text.slice(start, at));
  }
  return starts;
}
