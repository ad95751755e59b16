/** Finds what a text spends on its form: markup, blanks, repeated keys, encoded bytes. One pass each, O(length). @module */

/** Takes a piece of a text that is spent on form. */
export type OnPiece = (piece: string) => void;

/** Blanks in a row that may be there for a reason: a word's distance, a list's margin. */
const PLAIN_BLANKS = 2;

/**
 * Finds blanks that say nothing: at the ends of lines, between columns, and line ends beyond a blank line. What a line
 * is indented by stays.
 */
export function blanksIn(text: string, onPiece: OnPiece): void {
  for (const { index, 0: run } of text.matchAll(/[ \t\r\n]+/g)) {
    const first = run.indexOf("\n");
    if (first < 0) {
      const isIndent = index === 0;
      if (!isIndent && run.length > PLAIN_BLANKS) onPiece(run.slice(1));
      continue;
    }
    const last = run.lastIndexOf("\n");
    const blank = run.slice(0, first).replaceAll("\r", "");
    if (blank !== "") onPiece(blank);
    // One blank line sets things apart.
    const lines = run.slice(first, last + 1).split("\n").slice(1, -1);
    if (lines.length > 1) onPiece("\n".repeat(lines.length - 1));
  }
}

/** Finds tags and comments, and what scripts and styles hold. */
export function markupIn(text: string, onPiece: OnPiece): void {
  const ends = new Finder(text);
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const end = markupEnd(text, at, ends);
    if (end > at) onPiece(text.slice(at, end));
    at = Math.max(end, at + 1);
  }
}

/** Longest tag, in UTF-16 units: what is longer is none. */
const MAX_TAG = 4096;

/** Where the markup that starts at `at` ends; `at` where none starts there. */
function markupEnd(text: string, at: number, ends: Finder): number {
  if (text.startsWith("<!--", at)) return ends.behind("-->", at + 4) ?? at;
  if (!/[a-zA-Z/!?]/.test(text[at + 1] ?? "")) return at;
  const end = ends.behind(">", at);
  if (end === undefined || end - at > MAX_TAG) return at;
  const [, name] = /^<(script|style)\b/i.exec(text.slice(at, at + 8)) ?? [];
  if (name === undefined) return end;
  return ends.behind(`</${name}>`, end) ?? end;
}

/** Looks for words from ascending places; each is looked for once only where it does not come again. */
class Finder {
  readonly #text: string;
  readonly #next = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Offset behind the first `word` from `at` on. */
  behind(word: string, at: number): number | undefined {
    let next = this.#next.get(word) ?? -1;
    if (next < at) {
      const found = this.#text.indexOf(word, at);
      next = found < 0 ? Infinity : found;
      this.#next.set(word, next);
    }
    return next === Infinity ? undefined : next + word.length;
  }
}

/** Shortest run that is taken for encoded bytes, in UTF-16 units; digests are shorter. */
const MIN_ENCODED = 120;
/** Characters per slash, at the least: paths have more of them. */
const CHARS_PER_SLASH = 20;

/** Finds long runs of base64. */
export function encodedIn(text: string, onPiece: OnPiece): void {
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]+={0,2}/g)) {
    if (run.length < MIN_ENCODED) continue;
    const isMixed = /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
    const slashes = run.split("/").length - 1;
    if (isMixed && slashes <= run.length / CHARS_PER_SLASH) onPiece(run);
  }
}

/** Dates, times and seconds since the Unix epoch: every quantifier has a bound, so that the search is linear. */
const TIMES =
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b|\b1[5-9]\d{8}(?:\d{3})?\b/g;

/** Finds dates, times and timestamps. */
export function timesIn(text: string, onPiece: OnPiece): void {
  for (const [time] of text.matchAll(TIMES)) onPiece(time);
}

/** Longest key that is compared, in UTF-16 units. */
const MAX_KEY = 64;

/** Finds what JSON spends on form: blanks between values, and keys that came before. Takes a text in slices. */
export class JsonForm {
  readonly #onPiece: OnPiece;
  readonly #keys = new Set<string>();
  #inString = false;
  #escaped = false;
  /** The string that was read last, while it may be a key. */
  #string = "";
  #blanks = "";

  /** Tells `onPiece` what it finds. */
  constructor(onPiece: OnPiece) {
    this.#onPiece = onPiece;
  }

  /** Takes the next slice of the text. */
  push(slice: string): void {
    for (let i = 0; i < slice.length; i++) {
      if (this.#inString) i = this.#readString(slice, i);
      else this.#between(slice[i]!);
    }
  }

  /** Reads on in a string; the offset of the last character that was read. */
  #readString(slice: string, from: number): number {
    let i = from;
    for (; i < slice.length; i++) {
      const char = slice[i];
      if (this.#escaped) this.#escaped = false;
      else if (char === "\\") this.#escaped = true;
      else if (char === '"') {
        this.#inString = false;
        break;
      }
    }
    const room = MAX_KEY - this.#string.length;
    this.#string += slice.slice(from, Math.min(i, from + room));
    return i;
  }

  #between(char: string): void {
    if (char === " " || char === "\n" || char === "\t" || char === "\r") {
      this.#blanks += char;
      return;
    }
    // A single blank is part of the token behind it.
    if (this.#blanks.length > 1) this.#onPiece(this.#blanks);
    this.#blanks = "";
    if (char === '"') {
      this.#inString = true;
      this.#string = "";
    } else if (char === ":") this.#key();
  }

  #key(): void {
    const key = this.#string;
    if (key.length < MAX_KEY && this.#keys.has(key)) {
      this.#onPiece(`"${key}":`);
    }
    this.#keys.add(key);
  }
}
