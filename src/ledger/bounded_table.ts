/** Tables whose names clients choose, bounded. @module */

/** Distinct names counted per table; a client chooses model names, and a table must not grow with them. */
const MAX_NAMES = 200;
/** Stands for every name beyond the bound. */
export const OTHER = "(other)";

/** Stands for what has no name. */
export const UNKNOWN = "unknown";

/** UTF-16 units of a name that are kept. */
const MAX_NAME_CHARS = 200;

/** The name under which `name` is counted in `table`. */
export function bounded(
  table: ReadonlyMap<string, unknown>,
  name: string,
): string {
  const row = shortName(name);
  return table.has(row) || table.size < MAX_NAMES ? row : OTHER;
}

/** A name as it is kept: cut, and without halves of characters, which all look alike in UTF-8. */
export function shortName(name: string): string {
  if (name.length <= MAX_NAME_CHARS) return name.toWellFormed();
  // A mere slice would keep the whole of it in memory.
  const utf8 = new TextEncoder().encode(name.slice(0, MAX_NAME_CHARS));
  return new TextDecoder().decode(utf8);
}
