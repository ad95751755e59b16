/** Byte-faithful replacement of parts of a request body. @module */
import type { ByteSpan, Edit } from "../core/block.ts";

/**
 * Copies `body`, replacing the bytes of each edit's span.
 *
 * Bytes outside the spans are copied, never re-encoded, so a provider's prefix
 * cache still matches them. With no edits the same array is returned (not a copy).
 *
 * @example Replace one string literal
 * ```ts
 * import { splice } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const utf8 = new TextEncoder();
 * const body = utf8.encode('{"a":"long","b":1}');
 * const out = splice(body, [{ span: { start: 5, end: 11 }, replacement: utf8.encode('"s"') }]);
 * assert.equal(new TextDecoder().decode(out), '{"a":"s","b":1}');
 * ```
 *
 * @param body Request body, UTF-8 JSON, `n` bytes. Not modified.
 * @param edits `k` edits in ascending `span.start` order; spans are byte offsets
 * in `[0, n]` and do not overlap.
 * @returns `n - Σ(span length) + Σ(replacement length)` bytes. O(n + k) time.
 * @throws {RangeError} If a span overlaps the previous one or leaves the body.
 * @see RFC 8259 §7 (a JSON string literal includes both quotation marks).
 */
export function splice(
  body: Uint8Array,
  edits: readonly Edit[],
): Uint8Array<ArrayBuffer> {
  if (edits.length === 0 && body.buffer instanceof ArrayBuffer) {
    return body as Uint8Array<ArrayBuffer>;
  }
  const copy = new Splice(body, edits);
  copy.goOn(Infinity);
  return copy.out;
}

/** Bytes that are copied between two turns of others: a millisecond or two. */
const STEP_BYTES = 4 * 1024 * 1024;

/**
 * The same; `pause` lets others have their turn between the parts of a large body, which must not change meanwhile.
 *
 * @throws {RangeError} As {@linkcode splice}.
 */
export async function spliceInSteps(
  body: Uint8Array,
  edits: readonly Edit[],
  pause: () => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>> {
  if (edits.length === 0 || body.length <= STEP_BYTES) {
    return splice(body, edits);
  }
  const copy = new Splice(body, edits);
  while (!copy.goOn(STEP_BYTES)) await pause();
  return copy.out;
}

/** A copy on its way. */
class Splice {
  readonly out: Uint8Array<ArrayBuffer>;
  readonly #body: Uint8Array;
  readonly #edits: readonly Edit[];
  /** Edits that are done. */
  #done = 0;
  #read = 0;
  #written = 0;

  constructor(body: Uint8Array, edits: readonly Edit[]) {
    this.#body = body;
    this.#edits = edits;
    this.out = new Uint8Array(splicedLength(body.length, edits));
  }

  /** Copies about as many bytes of the body; whether these were the last. */
  goOn(bytes: number): boolean {
    const end = this.#read + bytes;
    for (; this.#done < this.#edits.length; this.#done++) {
      const { span, replacement } = this.#edits[this.#done]!;
      this.#check(span);
      if (span.start > end) return this.#copy(end);
      this.#copy(span.start);
      this.out.set(replacement, this.#written);
      this.#written += replacement.length;
      this.#read = span.end;
    }
    return this.#copy(Math.min(end, this.#body.length));
  }

  /** Copies up to offset `end`; whether that is all. */
  #copy(end: number): boolean {
    if (end > this.#read) {
      this.out.set(this.#body.subarray(this.#read, end), this.#written);
      this.#written += end - this.#read;
      this.#read = end;
    }
    return end >= this.#body.length;
  }

  #check({ start, end }: ByteSpan): void {
    if (start >= this.#read && end >= start && end <= this.#body.length) return;
    throw new RangeError(
      `Cannot splice bytes ${start}..${end}: must lie in ${this.#read}..${this.#body.length}`,
    );
  }
}

function splicedLength(length: number, edits: readonly Edit[]): number {
  const spliced = edits.reduce(
    (sum, { span, replacement }) =>
      sum + replacement.length - (span.end - span.start),
    length,
  );
  // Only edits that the check above refuses can make this negative.
  return Math.max(0, spliced);
}
