/** Text as a database column that keeps every character. @module */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** UTF-8 bytes of `text`; a lone surrogate becomes U+FFFD. */
export function textToBlob(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of a column written by {@linkcode textToBlob}, a leading U+FEFF and any NUL included. */
export function blobToText(blob: Uint8Array): string {
  return decoder.decode(blob);
}
