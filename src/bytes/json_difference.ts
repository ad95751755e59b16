/** Where two JSON values part, marks of a provider's cache aside. @module */
import type { ByteSpan } from "../core/block.ts";
import { commonPrefix } from "./common_prefix.ts";
import { decodeLiteral } from "./json_string.ts";

/** Where a JSON value, or a list of them, is read. */
export interface JsonPlace {
  /** Well-formed JSON around it; with any other bytes the answer means nothing, but there is one. */
  readonly bytes: Uint8Array;
  /** Offset of its first byte, or of white space before it. */
  readonly at: number;
}

/** Two values side by side. */
export interface JsonComparison {
  /** The first difference; `undefined` when they are the same. */
  readonly difference: JsonDifference | undefined;
  /** Offset behind the first value; of its difference when there is one. */
  readonly firstEnd: number;
  /** The same of the second value. */
  readonly secondEnd: number;
}

/** What differs first. */
export interface JsonDifference {
  /** Keys and indexes that lead to the value; its parent's when one side has no such value. */
  readonly path: readonly (string | number)[];
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Clients move these marks from request to request: they name no part of the prompt. */
const MARK = "cache_control";

/**
 * Compares two values as a prompt cache does: white space between tokens and members called
 * `cache_control` do not matter, nor whether a content is a text or one text part, as clients that mark it
 * must write it; this holds for the values themselves as well. All else must be the same bytes in the same order.
 *
 * O(bytes), nothing is decoded but keys on the way to a difference.
 */
export function compareJson(
  first: JsonPlace,
  second: JsonPlace,
): JsonComparison {
  const walk = new Walk(new JsonReader(first), new JsonReader(second));
  const difference = walk.value() ? undefined : { path: walk.path() };
  return {
    difference,
    firstEnd: walk.first.at,
    secondEnd: walk.second.at,
  };
}

/** Both values, read in step. */
class Walk {
  readonly first: JsonReader;
  readonly second: JsonReader;
  /** Leads to what is compared: literals of keys, in the first bytes, and indexes. */
  readonly #path: (ByteSpan | number)[] = [];

  constructor(first: JsonReader, second: JsonReader) {
    this.first = first;
    this.second = second;
  }

  /** Leads to the first difference, once there is one. */
  path(): readonly (string | number)[] {
    return this.#path.map((step) =>
      typeof step === "number"
        ? step
        : decodeLiteral(this.first.bytes, step) ?? ""
    );
  }

  /** Passes both values up to their ends or the first difference; false for one. */
  value(): boolean {
    const a = this.first.peek();
    const b = this.second.peek();
    if (a === OPEN_BRACE && b === OPEN_BRACE) return this.#members();
    if (a === OPEN_BRACKET && b === OPEN_BRACKET) return this.#elements();
    const isMixed = (a === QUOTE && b === OPEN_BRACKET) ||
      (a === OPEN_BRACKET && b === QUOTE);
    return isMixed && this.#isContent()
      ? this.#literals(this.first.text(), this.second.text())
      : this.#literals(this.first.skip(), this.second.skip());
  }

  #isContent(): boolean {
    const key = this.#path.at(-1);
    return key === undefined ||
      (typeof key === "object" && this.first.spells(key, "content"));
  }

  #members(): boolean {
    this.first.open();
    this.second.open();
    for (;;) {
      const a = this.first.member();
      const b = this.second.member();
      if (a === undefined && b === undefined) return true;
      if (a === undefined || b === undefined) return false;
      const equal = this.#equal(a, b);
      if (equal !== a.end - a.start || equal !== b.end - b.start) return false;
      this.#path.push(a);
      if (!this.value()) return false;
      this.#path.pop();
    }
  }

  #elements(): boolean {
    this.first.open();
    this.second.open();
    for (let index = 0;; index++) {
      const a = this.first.element();
      const b = this.second.element();
      if (!a && !b) return true;
      if (!a || !b) return false;
      this.#path.push(index);
      if (!this.value()) return false;
      this.#path.pop();
    }
  }

  #literals(a: ByteSpan, b: ByteSpan): boolean {
    const equal = this.#equal(a, b);
    if (equal === a.end - a.start && equal === b.end - b.start) return true;
    this.first.at = a.start + equal;
    this.second.at = b.start + equal;
    return false;
  }

  #equal(a: ByteSpan, b: ByteSpan): number {
    return commonPrefix(
      { bytes: this.first.bytes, span: a },
      { bytes: this.second.bytes, span: b },
    );
  }
}

/** A cursor over JSON that is known to be well-formed: it checks nothing, and every call ends. */
export class JsonReader {
  /** What is read. */
  readonly bytes: Uint8Array;
  /** Offset of the next byte. */
  at: number;

  /** Starts at a place. */
  constructor({ bytes, at }: JsonPlace) {
    this.bytes = bytes;
    this.at = at;
  }

  /** The next byte that is no white space; `undefined` at the end. */
  peek(): number | undefined {
    const { bytes } = this;
    while (isSpace(bytes[this.at])) this.at++;
    return bytes[this.at];
  }

  /** Passes the bracket of a value. */
  open(): void {
    this.peek();
    this.at++;
  }

  /** Goes to the next element of an array; false, behind its bracket, when there is none. */
  element(): boolean {
    if (this.peek() === COMMA) {
      this.at++;
      this.peek();
      return true;
    }
    const byte = this.bytes[this.at];
    if (byte !== undefined && byte !== CLOSE_BRACKET) return true;
    this.at++;
    return false;
  }

  /** Goes to the value of the next member that is no mark; `undefined`, behind the brace, when there is none. */
  member(): ByteSpan | undefined {
    for (;;) {
      if (this.peek() === COMMA) {
        this.at++;
        this.peek();
      }
      const byte = this.bytes[this.at];
      if (byte !== QUOTE) {
        this.at++;
        return undefined;
      }
      const key = this.skip();
      // The colon.
      this.peek();
      this.at++;
      this.peek();
      if (!this.spells(key, MARK)) return key;
      this.skip();
    }
  }

  /** Passes any value. */
  skip(): ByteSpan {
    const { bytes } = this;
    const first = this.peek();
    const start = this.at;
    if (first === QUOTE) this.#string();
    else if (first !== OPEN_BRACE && first !== OPEN_BRACKET) this.#word();
    else {
      let depth = 0;
      do {
        const byte = bytes[this.at];
        if (byte === QUOTE) {
          this.#string();
          continue;
        }
        if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
        else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
        this.at++;
      } while (depth > 0 && this.at < bytes.length);
    }
    return { start, end: this.at };
  }

  /** Passes a value; gives the string literal of its text if it is a list of one text part, and all of it otherwise. */
  text(): ByteSpan {
    this.peek();
    const start = this.at;
    const whole = this.skip();
    const inside = new JsonReader({ bytes: this.bytes, at: start });
    if (inside.peek() !== OPEN_BRACKET) return whole;
    inside.open();
    if (!inside.element() || inside.peek() !== OPEN_BRACE) return whole;
    inside.open();
    let text: ByteSpan | undefined;
    for (let key = inside.member(); key; key = inside.member()) {
      const value = inside.skip();
      if (this.spells(key, "text")) text = value;
      else if (!this.spells(key, "type") || !this.spells(value, "text")) {
        return whole;
      }
    }
    return inside.element() ? whole : text ?? whole;
  }

  /** Whether a literal spells a word that needs no escapes. */
  spells({ start, end }: ByteSpan, word: string): boolean {
    if (end - start !== word.length + 2) return false;
    for (let i = 0; i < word.length; i++) {
      if (this.bytes[start + 1 + i] !== word.charCodeAt(i)) return false;
    }
    return true;
  }

  #string(): void {
    const { bytes } = this;
    const first = this.at + 1;
    for (let quote = bytes.indexOf(QUOTE, first); quote >= 0;) {
      let at = quote;
      while (at > first && bytes[at - 1] === BACKSLASH) at--;
      // An odd number of backslashes makes it part of the text.
      if ((quote - at) % 2 === 0) {
        this.at = quote + 1;
        return;
      }
      quote = bytes.indexOf(QUOTE, quote + 1);
    }
    this.at = Math.max(first, bytes.length);
  }

  #word(): void {
    const { bytes } = this;
    let at = this.at;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      const ends = byte === COMMA || byte === CLOSE_BRACE ||
        byte === CLOSE_BRACKET || isSpace(byte);
      if (ends) break;
    }
    // One byte at least, so that a walk over anything ends.
    this.at = Math.max(at, this.at + 1);
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
