/** What differs between lines that are one message: hosts, ids, codes. @module */
import type { Lines } from "../../text/lines.ts";
import { listValues, MAX_VALUES } from "./ranges.ts";

/** Places of a message whose values are listed. */
const MAX_PLACES = 3;
/** Lines with more tokens are not looked at. */
const MAX_TOKENS = 60;
/** UTF-16 units below which a list is not worth its room. */
const LEAST_WIDTH = 12;
/** Longer values are not listed. */
const LONGEST = 60;

const SPACE = 32;
const DEL = 127;
const OPENING = 1;
const CLOSING = 2;
/** Punctuation around a value that is no part of it. */
const AROUND = marks("([{<\"'`", ")]}>\"'`,;:.");
/** Times, dates and durations: every line has its own. */
const CLOCK =
  /\d:\d\d:\d\d|\d{4}[-/]\d\d[-/]\d\d|^\d+\.\d{3,}$|^\d{10,}$|^[\d.]+(?:[nmuµ]?s|%)$/;
const NO_WORD = /\d|^\W*$/;

/** In place of the values of a token that differs but is not listed. */
const IGNORED = new Set<string>();

/** Where the tokens of a line start and end, by turns; punctuation around them left out. */
interface Tokens {
  readonly at: Int32Array;
  /** Twice the number of tokens; -1 for too many. */
  size: number;
}

/** A place of the message. */
interface Place {
  /** Word before it, when that word stays the same. */
  readonly label: string;
  /** Different values, in order of appearance. */
  readonly values: ReadonlySet<string>;
}

/**
 * Lists the values of the places that differ, `host-2…host-598; code 0…6`, in about `width` UTF-16
 * units; empty when there are none, when they do not fit or when the lines are not one message. O(n).
 *
 * @param members Indexes of the lines, at least one.
 */
export function varyingParts(
  lines: Lines,
  members: readonly number[],
  width: number,
): string {
  if (width < LEAST_WIDTH) return "";
  const places = placesOf(lines, members);
  if (places === undefined) return "";
  return places.map(({ label, values }) => {
    const said = label === "" ? "" : `${label} `;
    const room = Math.floor(width / places.length) - said.length - 2;
    const list = room < LEAST_WIDTH ? "" : listValues([...values], room);
    return list === "" ? "" : said + list;
  }).filter((list) => list !== "").join("; ");
}

/** The places whose values are the first to differ, in the order of the line. */
function placesOf(
  lines: Lines,
  members: readonly number[],
): Place[] | undefined {
  const { text, codes } = lines;
  const first = emptyTokens();
  const other = emptyTokens();
  readTokens(lines, members[0]!, first);
  const found: (Set<string> | undefined)[] = [];
  for (let at = 0; at < first.size; at += 2) {
    const isClock = CLOCK.test(text.slice(first.at[at], first.at[at + 1]));
    found[at] = isClock ? IGNORED : undefined;
  }
  let count = 0;
  for (const member of members) {
    readTokens(lines, member, other);
    if (other.size !== first.size || other.size < 0) return undefined;
    for (let at = 0; at < first.size; at += 2) {
      let values = found[at];
      if (values === IGNORED || isSame(codes, first, other, at)) continue;
      if (values === undefined) {
        const value = text.slice(first.at[at], first.at[at + 1]);
        const isListed = count < MAX_PLACES && value.length <= LONGEST;
        values = found[at] = isListed ? new Set([value]) : IGNORED;
        if (!isListed) continue;
        count++;
      }
      if (values.size > MAX_VALUES) continue;
      values.add(text.slice(other.at[at], other.at[at + 1]));
    }
  }
  const places: Place[] = [];
  for (let at = 0; at < first.size; at += 2) {
    const values = found[at];
    if (values === undefined || !isListable(values)) continue;
    places.push({ label: labelOf(text, first, found, at), values });
  }
  return places;
}

function isListable(values: ReadonlySet<string>): boolean {
  if (values.size < 2) return false;
  let seen = 0;
  for (const value of values) {
    if (value === "" || value.length > LONGEST) return false;
    if (++seen === 20) break;
  }
  return true;
}

/** `code` before the values 3 and 7, nothing before `host-3`. */
function labelOf(
  text: string,
  tokens: Tokens,
  found: readonly (ReadonlySet<string> | undefined)[],
  at: number,
): string {
  if (at === 0 || found[at - 2] !== undefined) return "";
  const value = text.slice(tokens.at[at], tokens.at[at + 1]);
  if (!/^(?:\D+|\d+)$/.test(value)) return "";
  const label = text.slice(tokens.at[at - 2], tokens.at[at - 1]);
  return NO_WORD.test(label) || label.length > 20 ? "" : label;
}

function emptyTokens(): Tokens {
  return { at: new Int32Array(2 * MAX_TOKENS), size: 0 };
}

function readTokens(
  { codes, starts }: Lines,
  line: number,
  tokens: Tokens,
): void {
  const end = starts[line + 1]! - 1;
  let size = 0;
  for (let at = starts[line]!; at < end;) {
    if (codes[at]! <= SPACE) {
      at++;
      continue;
    }
    if (size === 2 * MAX_TOKENS) {
      tokens.size = -1;
      return;
    }
    let start = at;
    while (at < end && codes[at]! > SPACE) at++;
    let stop = at;
    while (start < stop && AROUND[codes[start]!]! & OPENING) start++;
    while (start < stop && AROUND[codes[stop - 1]!]! & CLOSING) stop--;
    tokens.at[size++] = start;
    tokens.at[size++] = stop;
  }
  tokens.size = size;
}

/** Whether the tokens are certainly equal: above ASCII, different units can have equal codes. */
function isSame(
  codes: Uint8Array,
  one: Tokens,
  other: Tokens,
  token: number,
): boolean {
  const a = one.at[token]!;
  const b = other.at[token]!;
  const length = one.at[token + 1]! - a;
  if (other.at[token + 1]! - b !== length) return false;
  for (let i = 0; i < length; i++) {
    const code = codes[a + i]!;
    if (code !== codes[b + i] || code > DEL) return false;
  }
  return true;
}

function marks(opening: string, closing: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const char of opening) table[char.charCodeAt(0)]! |= OPENING;
  for (const char of closing) table[char.charCodeAt(0)]! |= CLOSING;
  return table;
}
