/** Counting the values of a body a slice at a time. @module */
import { nextTurn } from "../core/next_turn.ts";
import type { CountPieces, TokenCounter } from "../core/tokens.ts";
import { pieceSpans } from "./body_counter.ts";
import { decodeLiteral } from "../bytes/json_string.ts";
import type { ByteSpan } from "../core/block.ts";

/** Bytes counted before others get a turn of the event loop: about a millisecond. */
const SLICE_BYTES = 32 * 1024;

/**
 * Counts all pieces in order. Other work of this thread gets its turn before the first slice and between two of them.
 *
 * @param onCounted Called after each slice with the tokens of the pieces from index `from` on.
 */
export async function countPieces(
  counter: TokenCounter,
  { bytes, ends, model }: CountPieces,
  onCounted: (from: number, tokens: readonly number[]) => void,
): Promise<void> {
  let from = 0;
  let sliceStart = 0;
  let tokens: number[] = [];
  await nextTurn();
  for (const span of pieceSpans(ends)) {
    tokens.push(counter.count(spanText(bytes, span), model));
    const isLast = from + tokens.length === ends.length;
    if (span.end - sliceStart < SLICE_BYTES && !isLast) continue;
    onCounted(from, tokens);
    from += tokens.length;
    tokens = [];
    sliceStart = span.end;
    if (!isLast) await nextTurn();
  }
}

const QUOTE = 0x22;
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A string literal gives the text it stands for; when that is no valid text (a lone surrogate, invalid
 * UTF-8), and for any other value, the raw bytes are read as UTF-8.
 *
 * @param span One value, for a string both quotes included.
 */
export function spanText(body: Uint8Array, span: ByteSpan): string {
  const literal = body[span.start] === QUOTE
    ? decodeLiteral(body, span)
    : undefined;
  return literal ?? lossy.decode(body.subarray(span.start, span.end));
}
