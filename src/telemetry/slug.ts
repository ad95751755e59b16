/** Names that may leave the machine. @module */

const SLUG = /^[a-z][a-z0-9_]{0,31}$/;
/** Longest name of a model or a client in characters. */
const MAX_NAME_CHARS = 100;
/** Visible ASCII, blanks inside allowed. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** The name up to its first colon if it is a plain slug of at most 32 characters, else `other`. */
export function slugOf(name: string): string {
  const [first = ""] = name.split(":", 1);
  return SLUG.test(first) ? first : "other";
}

/** The name, cut to 100 characters; `undefined` when it is empty or holds anything but visible ASCII. */
export function plainName(name: string): string | undefined {
  const cut = name.slice(0, MAX_NAME_CHARS).trim();
  return PLAIN.test(cut) ? cut : undefined;
}

/**
 * A text of somebody else as one line for a log: at most `maxChars` characters, anything but printable characters as a
 * blank.
 */
export function oneLine(text: string, maxChars: number): string {
  return text.slice(0, maxChars).replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/** Stands for the values that came too late, and for what is not a name. */
const OTHER = "other";

/**
 * Makes a filter for the values of one attribute: a collector pays for each different one.
 *
 * @param limit Different values that pass; every later one becomes `other`.
 */
export function boundedValues(limit: number): (value: string) => string {
  const seen = new Set<string>();
  return (value) => {
    const name = plainName(value);
    if (name === undefined) return OTHER;
    if (seen.has(name)) return name;
    if (seen.size >= limit) return OTHER;
    seen.add(name);
    return name;
  };
}
