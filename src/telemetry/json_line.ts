/** JSON for files that people read in a terminal. @module */

/** What `JSON.stringify` leaves as it is although a terminal obeys it or an editor breaks the line there. */
const CONTROLS = /[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu;

/** A text whose JSON is the text itself between quotation marks. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** JSON of a value on one line, with every control character escaped; programs read the same value. */
export function jsonLine(value: unknown): string {
  if (typeof value === "string" && PLAIN.test(value)) return `"${value}"`;
  return JSON.stringify(value).replace(
    CONTROLS,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
