/** Byte-faithful replacement of parts of a request body. @module */
import type { Edit } from "../core/block.ts";

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
  const out = new Uint8Array(splicedLength(body.length, edits));
  let read = 0;
  let written = 0;
  for (const { span, replacement } of edits) {
    if (span.start < read || span.end < span.start || span.end > body.length) {
      throw new RangeError(
        `Cannot splice bytes ${span.start}..${span.end}: must lie in ${read}..${body.length}`,
      );
    }
    out.set(body.subarray(read, span.start), written);
    written += span.start - read;
    out.set(replacement, written);
    written += replacement.length;
    read = span.end;
  }
  out.set(body.subarray(read), written);
  return out;
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
