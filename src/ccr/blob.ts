/** Text as a database column that keeps every character. @module */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Node 22 stores an empty array as NULL, unless there is memory behind it. */
const EMPTY = new Uint8Array(new ArrayBuffer(1), 0, 0);

/** UTF-8 bytes of `text`; a lone surrogate becomes U+FFFD. */
export function textToBlob(text: string): Uint8Array {
  return text === "" ? EMPTY : encoder.encode(text);
}

/** The text of a column written by {@linkcode textToBlob}, a leading U+FEFF and any NUL included. */
export function blobToText(blob: Uint8Array): string {
  return decoder.decode(blob);
}
