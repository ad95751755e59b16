/** Reading an answer of somebody who is not trusted. @module */

/**
 * The body as text; `undefined` when it is longer than `maxBytes`: the rest is not read.
 *
 * @throws What the stream throws.
 */
export async function readLimited(
  response: Response,
  maxBytes: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [bytes, text] = [0, ""];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
