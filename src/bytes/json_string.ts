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

/** Longer strings are left to a real decoder. */
const MAX_BYTES = 48;
/** A power of two. A slot holds the last string that fell into it. */
const SLOTS = 1024;
const slots: string[] = new Array<string>(SLOTS).fill("");

/**
 * The text of plain ASCII bytes, from memory if it was met before.
 *
 * @param bytes Contents of a JSON string, without its quotes.
 * @returns `undefined` if they are long, hold an escape, or anything beyond ASCII.
 */
export function shortText(
  bytes: Uint8Array,
  start: number,
  end: number,
): string | undefined {
  const length = end - start;
  if (length > MAX_BYTES) return undefined;
  let hash = length;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte > 0x7e || byte === 0x5c) return undefined;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  const slot = (hash ^ hash >>> 10) & (SLOTS - 1);
  const known = slots[slot]!;
  if (known.length === length && spells(bytes, start, known)) return known;
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]!);
  return slots[slot] = text;
}

function spells(bytes: Uint8Array, start: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (bytes[start + i] !== text.charCodeAt(i)) return false;
  }
  return true;
}
