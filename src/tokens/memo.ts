/** Token counts of spans of request bodies, remembered by digest. @module */
import { hash } from "node:crypto";
import type { ByteSpan } from "../core/block.ts";
import type { TokenCounter } from "../core/tokens.ts";
import { decodeLiteral } from "../bytes/json_string.ts";

const QUOTE = 0x22;
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/** Counts spans of request bodies; most of a request was counted with the one before it. */
export interface CountMemo {
  /**
   * Tokens of one JSON value of `body`.
   *
   * A string literal counts as the text it stands for; when it stands for no valid text (a lone
   * surrogate, invalid UTF-8), and for any other value, the raw bytes count as UTF-8 text.
   *
   * @param body Request body. @param span One value, for a string both quotes included. @param model Decides the encoding.
   * @returns Non-negative integer. O(span), and only a digest when the value was counted before.
   */
  countSpan(body: Uint8Array, span: ByteSpan, model: string): number;
  /** What {@linkcode CountMemo.countSpan} would return, when it is remembered; never counts. */
  known(body: Uint8Array, span: ByteSpan, model: string): number | undefined;
}

/**
 * Remembers what `counter` counted, by encoding and SHA-256 of the raw bytes.
 *
 * @param maxEntries Counts kept, at least 1, about 150 bytes each; the least recently used goes first.
 * @throws {RangeError} If `maxEntries` is not a positive integer.
 */
export function makeCountMemo(
  counter: TokenCounter,
  maxEntries = 50_000,
): CountMemo {
  if (!Number.isInteger(maxEntries) || maxEntries < 1) {
    throw new RangeError(
      `Cannot remember ${maxEntries} counts: must be an integer of 1 or more`,
    );
  }
  return new LruCountMemo(counter, maxEntries);
}

class LruCountMemo implements CountMemo {
  readonly #counter: TokenCounter;
  readonly #maxEntries: number;
  /** Least recently used first. */
  readonly #counts = new Map<string, number>();

  constructor(counter: TokenCounter, maxEntries: number) {
    this.#counter = counter;
    this.#maxEntries = maxEntries;
  }

  countSpan(body: Uint8Array, span: ByteSpan, model: string): number {
    const key = this.#key(body, span, model);
    const known = this.#recall(key);
    if (known !== undefined) return known;
    const count = this.#counter.count(textOf(body, span), model);
    if (this.#counts.size >= this.#maxEntries) {
      for (const oldest of this.#counts.keys()) {
        this.#counts.delete(oldest);
        break;
      }
    }
    this.#counts.set(key, count);
    return count;
  }

  known(body: Uint8Array, span: ByteSpan, model: string): number | undefined {
    return this.#recall(this.#key(body, span, model));
  }

  #recall(key: string): number | undefined {
    const count = this.#counts.get(key);
    if (count === undefined) return undefined;
    this.#counts.delete(key);
    this.#counts.set(key, count);
    return count;
  }

  #key(body: Uint8Array, span: ByteSpan, model: string): string {
    const raw = body.subarray(span.start, span.end);
    return this.#counter.encodingOf(model) + hash("sha256", raw, "base64");
  }
}

function textOf(body: Uint8Array, span: ByteSpan): string {
  const literal = body[span.start] === QUOTE
    ? decodeLiteral(body, span)
    : undefined;
  return literal ?? lossy.decode(body.subarray(span.start, span.end));
}
