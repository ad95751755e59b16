/** Where the tokens of JSON end. @module */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS = ["true", "false", "null"] as const;
/** Offset of the value behind the key at `at`; negative, less 0, where it is broken. */
export function memberValue(text: string, at: number): number {
  const end = stringEnd(text, at);
  if (end < 0) return -Math.max(1, at);
  const colon = skipSpace(text, end);
  if (text.charCodeAt(colon) !== COLON) return -colon;
  return skipSpace(text, colon + 1);
}

/** Offset behind the string, number or word at `at`; -1 when none is there. */
export function scalarEnd(text: string, at: number): number {
  if (text.charCodeAt(at) === QUOTE) return stringEnd(text, at);
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text);
  if (number !== null) return NUMBER.lastIndex;
  const word = WORDS.find((one) => text.startsWith(one, at));
  return word === undefined ? -1 : at + word.length;
}

/** Offset behind the string literal at `at`; -1 when none is there or it does not end. */
export function stringEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) return -1;
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i + 1;
    if (code === BACKSLASH) i++;
    else if (code < 0x20) return -1;
  }
  return -1;
}

/** Offset of the first character at or behind `at` that is no white space of JSON. */
export function skipSpace(text: string, at: number): number {
  for (;; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
      return at;
    }
  }
}

/** Whether a code opens an object or array. */
export function isOpening(code: number): boolean {
  return code === OPEN_BRACE || code === OPEN_BRACKET;
}

/** What stands at an offset where a value starts. */
export function kindAt(
  text: string,
  at: number,
): "object" | "array" | "string" | "scalar" {
  switch (text.charCodeAt(at)) {
    case OPEN_BRACE:
      return "object";
    case OPEN_BRACKET:
      return "array";
    case QUOTE:
      return "string";
    default:
      return "scalar";
  }
}
