/** Bytes as lines of text. @module */

/**
 * Splits a stream of UTF-8 at line feeds; empty lines are left out, a last line without line feed counts.
 * Work is linear in the bytes.
 */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of bytes) {
    const [rest, ...more] = decoder.decode(chunk, { stream: true }).split("\n");
    parts.push(rest!);
    for (const part of more) {
      const line = parts.join("");
      parts = [part];
      if (line !== "") yield line;
    }
  }
  const last = parts.join("") + decoder.decode();
  if (last !== "") yield last;
}
