/** One pass over JSON bytes: keys and spans, no values built. @module */
import type { ByteSpan } from "../core/block.ts";
import { MemberKeys } from "./member_keys.ts";
import { numberEnd, stringEnd, unexpected, wordEnd } from "./json_literal.ts";
import { shortText } from "./json_string.ts";

/** What stands at the cursor. */
export type JsonType =
  | "object"
  | "array"
  | "string"
  | "number"
  | "boolean"
  | "null";

/** Deeper nesting than this is refused. */
const MAX_DEPTH = 512;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * A cursor that moves forward over one JSON text and checks its grammar (RFC 8259) on the way.
 *
 * A body that passes `end()` after its top value is exactly what `JSON.parse` accepts, but for the
 * encoding of its strings: invalid UTF-8 is not noticed here. Objects with a repeated key are refused,
 * because clients and providers disagree on which value counts. O(n) time, no allocation per byte.
 *
 * @example Find the string of one key
 * ```ts
 * import { JsonCursor } from "./json_scan.ts";
 * import assert from "node:assert/strict";
 *
 * const cursor = new JsonCursor(new TextEncoder().encode('{"a":1,"b":"x"}'));
 * cursor.object((key) => {
 *   if (key === "b") assert.deepEqual(cursor.string(), { start: 11, end: 14 });
 * });
 * cursor.end();
 * ```
 */
export class JsonCursor {
  readonly #bytes: Uint8Array;
  #at: number;
  #depth = 0;

  /** Starts at byte `at` of `bytes`. */
  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Offset of the next byte: of the value's first one where a member or an element is given. */
  get at(): number {
    return this.#at;
  }

  /**
   * Type of the value at the cursor, without moving past it.
   * @throws {SyntaxError} If no value starts here.
   */
  type(): JsonType {
    this.#space();
    const byte = this.#bytes[this.#at];
    switch (byte) {
      case OPEN_BRACE:
        return "object";
      case OPEN_BRACKET:
        return "array";
      case QUOTE:
        return "string";
      case 0x74:
      case 0x66:
        return "boolean";
      case 0x6e:
        return "null";
    }
    if (byte === MINUS || byte! >= ZERO && byte! <= NINE) return "number";
    throw unexpected(this.#bytes, this.#at);
  }

  /**
   * Walks an object. `member` is called with the cursor at each member's value and may consume it;
   * if it does not, the value is skipped.
   *
   * @returns Span of the object, braces included.
   * @throws {SyntaxError} If this is not an object, it is malformed, nested too deep, or repeats a key.
   */
  object(member: (key: string) => void): ByteSpan {
    const start = this.#open(OPEN_BRACE);
    if (this.#closes(CLOSE_BRACE)) return this.#close(start);
    const keys = new MemberKeys();
    do {
      this.#space();
      const key = this.#key();
      if (!keys.add(key)) {
        throw new SyntaxError(
          `Cannot scan body: key "${key}" is repeated in one object`,
        );
      }
      this.#expect(COLON);
      this.#space();
      const before = this.#at;
      member(key);
      if (this.#at === before) this.skip();
    } while (this.#continues(CLOSE_BRACE));
    return this.#close(start);
  }

  /**
   * Walks an array. `element` is called with the cursor at each element and may consume it;
   * if it does not, the element is skipped.
   *
   * @param from Elements that were read before, by their number and the offset behind the last one: they are passed over.
   * @returns Span of the array, brackets included.
   * @throws {SyntaxError} If this is not an array, it is malformed or nested too deep.
   */
  array(
    element: (index: number) => void,
    from?: { readonly index: number; readonly end: number },
  ): ByteSpan {
    const start = this.#open(OPEN_BRACKET);
    let index = 0;
    if (from !== undefined) {
      this.#at = from.end;
      index = from.index;
      if (!this.#continues(CLOSE_BRACKET)) return this.#close(start);
    } else if (this.#closes(CLOSE_BRACKET)) return this.#close(start);
    do {
      this.#space();
      const before = this.#at;
      element(index++);
      if (this.#at === before) this.skip();
    } while (this.#continues(CLOSE_BRACKET));
    return this.#close(start);
  }

  /**
   * Passes a string.
   * @returns Span of the literal, quotes included.
   * @throws {SyntaxError} If this is not a string or it is malformed.
   */
  string(): ByteSpan {
    this.#space();
    const start = this.#at;
    return { start, end: this.#string() };
  }

  /**
   * Passes any value.
   * @returns Its span.
   * @throws {SyntaxError} If it is malformed or nested too deep.
   */
  skip(): ByteSpan {
    this.#space();
    const start = this.#at;
    this.#value();
    return { start, end: this.#at };
  }

  /**
   * Checks that nothing but white space follows.
   * @throws {SyntaxError} If something does.
   */
  end(): void {
    this.#space();
    if (this.#at < this.#bytes.length) throw unexpected(this.#bytes, this.#at);
  }

  #key(): string {
    const start = this.#at;
    const end = this.#string();
    const short = shortText(this.#bytes, start + 1, end - 1);
    if (short !== undefined) return short;
    const literal = this.#bytes.subarray(start, end);
    return JSON.parse(new TextDecoder().decode(literal)) as string;
  }

  #open(bracket: number): number {
    this.#space();
    if (this.#bytes[this.#at] !== bracket) {
      throw unexpected(this.#bytes, this.#at);
    }
    if (++this.#depth > MAX_DEPTH) throw this.#tooDeep();
    return this.#at++;
  }

  #closes(bracket: number): boolean {
    this.#space();
    return this.#bytes[this.#at] === bracket;
  }

  #continues(bracket: number): boolean {
    this.#space();
    const byte = this.#bytes[this.#at];
    if (byte === COMMA) {
      this.#at++;
      return true;
    }
    if (byte === bracket) return false;
    throw unexpected(this.#bytes, this.#at);
  }

  #close(start: number): ByteSpan {
    this.#depth--;
    return { start, end: ++this.#at };
  }

  #expect(byte: number): void {
    this.#space();
    if (this.#bytes[this.#at] !== byte) throw unexpected(this.#bytes, this.#at);
    this.#at++;
  }

  #space(): void {
    const bytes = this.#bytes;
    for (;;) {
      const byte = bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        return;
      }
      this.#at++;
    }
  }

  #value(): void {
    const type = this.type();
    if (type === "object" || type === "array") this.#container();
    else this.#scalar(type);
  }

  #scalar(type: JsonType): void {
    const bytes = this.#bytes;
    if (type === "string") this.#at = stringEnd(bytes, this.#at);
    else if (type === "number") this.#at = numberEnd(bytes, this.#at);
    else this.#at = wordEnd(bytes, this.#at);
  }

  #string(): number {
    return this.#at = stringEnd(this.#bytes, this.#at);
  }

  /** Containers inside a skipped value: an explicit stack, so that depth costs no call frames. */
  #container(): void {
    const closers: number[] = [];
    for (;;) {
      // The cursor is at the start of a value.
      const type = this.type();
      if (type === "object" || type === "array") {
        if (this.#depth + closers.length >= MAX_DEPTH) throw this.#tooDeep();
        const closer = type === "object" ? CLOSE_BRACE : CLOSE_BRACKET;
        this.#at++;
        if (!this.#closes(closer)) {
          closers.push(closer);
          if (closer === CLOSE_BRACE) this.#member();
          continue;
        }
        this.#at++;
      } else this.#scalar(type);
      if (this.#leave(closers)) return;
    }
  }

  /** After a value: closes what ends here; true when the outermost container did. */
  #leave(closers: number[]): boolean {
    for (;;) {
      const closer = closers.at(-1);
      if (closer === undefined) return true;
      if (this.#continues(closer)) {
        if (closer === CLOSE_BRACE) this.#member();
        return false;
      }
      this.#at++;
      closers.pop();
    }
  }

  #member(): void {
    this.#space();
    this.#string();
    this.#expect(COLON);
  }

  #tooDeep(): SyntaxError {
    return new SyntaxError(
      `Cannot scan body: nested deeper than ${MAX_DEPTH} at byte ${this.#at}`,
    );
  }
}
