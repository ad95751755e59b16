/** One JSON string literal: bytes to text and back. @module */
import type { ByteSpan } from "../core/block.ts";

const BACKSLASH = 0x5c;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const utf8 = new TextEncoder();

/**
 * Decodes the string literal at `span`.
 *
 * @param body Bytes that hold the literal.
 * @param span The literal, both quotes included.
 * @returns The text, or `undefined` if it is not valid UTF-8, not a valid literal, or holds a lone
 * surrogate: such a text cannot be written back without changing it.
 */
export function decodeLiteral(
  body: Uint8Array,
  span: ByteSpan,
): string | undefined {
  const inner = body.subarray(span.start + 1, span.end - 1);
  try {
    const escaped = inner.includes(BACKSLASH);
    const text = escaped
      ? JSON.parse(strict.decode(body.subarray(span.start, span.end)))
      : strict.decode(inner);
    return typeof text === "string" && (!escaped || text.isWellFormed())
      ? text
      : undefined;
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Writes `text` as a JSON string literal (RFC 8259 §7): only what must be escaped is, the rest is raw UTF-8.
 *
 * @returns The literal, both quotes included.
 */
export function encodeLiteral(text: string): Uint8Array {
  return utf8.encode(JSON.stringify(text));
}
