/** The text of a value in a request body, as a model sees it. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import type { ByteSpan } from "../core/block.ts";

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
