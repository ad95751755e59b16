/** Short ASCII strings of a body, made once: keys, roles and types recur thousands of times. @module */

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
