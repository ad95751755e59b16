/** Texts of tools, made safe for a terminal. @module */

/** Everything that moves a cursor, turns the direction of writing or is no character; tabs and line feeds stay. */
const UNSAFE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Cs}]/gu;
/** What `JSON.stringify` leaves as it is although a terminal obeys it. */
const UNSAFE_IN_JSON = /[\x7f-\x9f\p{Bidi_Control}]/gu;

/** Shows control characters as signs (`␛` for an escape) instead of obeying them; what has no sign becomes `�`. */
export function cleanText(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0)!;
    if (code === 0x7f) return "\u2421";
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
  });
}

/** JSON of a value that a terminal can show; programs read the same value. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    UNSAFE_IN_JSON,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
