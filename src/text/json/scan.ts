/** The one scanner of JSON in texts: whole documents, JSON Lines, JSON inside other text, JSON that breaks off. @module */
import {
  ARRAY,
  ESCAPED,
  FALSE,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  type Tape,
  TapeWriter,
  TRUE,
} from "./tape.ts";
import { endOfNumber, endOfString, isOpening, skipSpace } from "./tokens.ts";

/** What a scan is to do. */
export interface ScanOptions {
  /** Offset to start at; default 0. */
  readonly from?: number;
  /** Stop after one value; default: as many as follow each other. */
  readonly isOne?: boolean;
  /** Offsets of the tape refer to the values without insignificant white space, a newline between two of them. */
  readonly isMinified?: boolean;
}

/** What a scan found. */
export interface Scan {
  /** The values; containers that the text broke off in end where it did. */
  readonly tape: Tape;
  /** Offset in the text after the values and the white space that follows, or of the token that is not valid. */
  readonly end: number;
  /** Containers that were open where the text broke off, outermost first; empty when each value is complete. */
  readonly open: readonly number[];
  /** Levels of the most deeply nested container. */
  readonly depth: number;
}

const WORDS = new Map([
  [0x74, { word: "true", kind: TRUE }],
  [0x66, { word: "false", kind: FALSE }],
  [0x6e, { word: "null", kind: NULL }],
]);

/**
 * Scans objects and arrays that follow each other with nothing but white space between. Linear, not recursive;
 * stops at the first character that is not JSON. Keys may repeat.
 */
export function scanJson(text: string, options: ScanOptions = {}): Scan {
  return new Scanner(text, options).scan();
}

/** The tape of a text that is nothing but complete values; `undefined` for all others. Linear. */
export function tapeOf(
  text: string,
  options: ScanOptions = {},
): Tape | undefined {
  const { tape, end, open } = scanJson(text, options);
  return end === text.length && open.length === 0 && tape.length > 1
    ? tape
    : undefined;
}

/**
 * Offset after the object or array that opens at `start`.
 *
 * @throws {SyntaxError} If it is not closed.
 */
export function containerEnd(text: string, start: number): number {
  const { tape, open } = scanJson(text, { from: start, isOne: true });
  if (open.length === 0 && tape.length > 1) return tape.end(1);
  throw new SyntaxError(
    `Cannot find the end of the container at offset ${start}: close it`,
  );
}

class Scanner {
  readonly #text: string;
  readonly #nodes: TapeWriter;
  readonly #options: ScanOptions;
  readonly #chunks: string[] = [];
  #depth = 0;
  #deepest = 0;
  #at = 0;
  /** Offset after what `#chunks` holds. */
  #copied = 0;
  /** Characters of white space left out so far: what an offset moves by in minified text. */
  #removed = 0;

  constructor(text: string, options: ScanOptions) {
    this.#text = text;
    this.#options = options;
    this.#at = options.from ?? 0;
    // In the middle of other text there may be little of it.
    const expected = options.from === undefined ? text.length >> 4 : 0;
    this.#nodes = new TapeWriter(8 + expected);
  }

  scan(): Scan {
    const text = this.#text;
    const { isMinified = false, isOne = false } = this.#options;
    this.#at = skipSpace(text, this.#at);
    if (isMinified) this.#copied = this.#removed = this.#at;
    let last = this.#at;
    while (isOpening(text.charCodeAt(this.#at)) && this.#topLevel()) {
      last = this.#at;
      this.#at = skipSpace(text, last);
      if (isOne) break;
      if (isMinified && isOpening(text.charCodeAt(this.#at))) {
        this.#separate(last);
      }
    }
    const open = this.#broken();
    return {
      tape: this.#nodes.tape(this.#written(last)),
      end: this.#at,
      open,
      depth: this.#deepest,
    };
  }

  /** Scans one object or array of depth 1 and all that is in it. */
  #topLevel(): boolean {
    this.#value(-1);
    while (this.#depth > 0) {
      if (!this.#next()) return false;
    }
    return true;
  }

  /** Scans what follows in the innermost open container: its next value, or its end. */
  #next(): boolean {
    const text = this.#text;
    const nodes = this.#nodes;
    const isFirst = nodes.count === 0;
    let code = this.#code();
    const isObject = nodes.kind === OBJECT;
    if (code === (isObject ? 0x7d : 0x5d)) {
      nodes.close(++this.#at - this.#removed);
      this.#depth--;
      return true;
    }
    if (!isFirst) {
      if (code !== 0x2c) return false;
      this.#at++;
      code = this.#code();
    }
    if (!isObject) return this.#value(-1);
    const key = this.#at;
    const end = code === 0x22 ? Math.abs(endOfString(text, key)) : 0;
    if (end === 0) return false;
    const keyStart = key - this.#removed;
    this.#at = end;
    if (this.#code() !== 0x3a) return false;
    this.#at++;
    this.#code();
    return this.#value(keyStart);
  }

  /** The next character that is no white space, which minified text leaves out. */
  #code(): number {
    const from = this.#at;
    const code = this.#text.charCodeAt(from);
    if (code > 32 || from === this.#text.length) return code;
    this.#at = skipSpace(this.#text, from);
    if (this.#options.isMinified && this.#at > from) {
      this.#chunks.push(this.#text.slice(this.#copied, from));
      this.#removed += this.#at - from;
      this.#copied = this.#at;
    }
    return this.#text.charCodeAt(this.#at);
  }

  /** Scans a scalar whole, or the opening bracket of a container. */
  #value(key: number): boolean {
    const text = this.#text;
    const at = this.#at;
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = endOfString(text, at);
      return end !== 0 &&
        this.#leaf(end < 0 ? ESCAPED : STRING, Math.abs(end), key);
    }
    if (code === 0x7b) return this.#enter(OBJECT, key);
    if (code === 0x5b) return this.#enter(ARRAY, key);
    const word = WORDS.get(code);
    if (word !== undefined) {
      return text.startsWith(word.word, at) &&
        this.#leaf(word.kind, at + word.word.length, key);
    }
    const end = endOfNumber(text, at);
    return end > 0 && this.#leaf(NUMBER, end, key);
  }

  #leaf(kind: number, end: number, key: number): true {
    const node = this.#nodes.push(kind, this.#at - this.#removed, key);
    this.#nodes.finish(node, end - this.#removed);
    this.#at = end;
    return true;
  }

  #enter(kind: number, key: number): true {
    this.#nodes.open = this.#nodes.push(kind, this.#at - this.#removed, key);
    this.#at++;
    this.#depth++;
    if (this.#depth > this.#deepest) this.#deepest = this.#depth;
    return true;
  }

  /** Closes what is still open where the text broke off. */
  #broken(): number[] {
    const open: number[] = [];
    while (this.#nodes.open > 0) {
      open.push(this.#nodes.open);
      this.#nodes.close(this.#at - this.#removed);
    }
    return open.reverse();
  }

  /** Puts one newline between two top-level values. */
  #separate(from: number): void {
    if (this.#at - from === 1 && this.#text.charCodeAt(from) === 10) return;
    this.#chunks.push(this.#text.slice(this.#copied, from), "\n");
    this.#removed += this.#at - from - 1;
    this.#copied = this.#at;
  }

  /** What the offsets of the tape refer to. */
  #written(last: number): string {
    if (!this.#options.isMinified) return this.#text;
    const end = this.#at > last && this.#depth > 0 ? this.#at : last;
    this.#chunks.push(this.#text.slice(this.#copied, end));
    return this.#chunks.join("");
  }
}
