/** Beginnings of texts that are kept for long. @module */

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The first `maxChars` UTF-16 units of a text, well-formed, as a string of its own: a mere slice would keep the whole
 * text in memory for as long as its beginning is used.
 */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars
    ? text.toWellFormed()
    : decoder.decode(utf8.encode(text.slice(0, maxChars)));
}
