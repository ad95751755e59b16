/** Arrays of bytes, one behind the other. @module */

/**
 * Copies `parts` into one array; one part alone is given back as it is.
 *
 * @returns `Σ length` bytes. O(Σ length).
 */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const bytes = new Uint8Array(
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
