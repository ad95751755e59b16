/** Tables whose names clients choose, bounded. @module */

/** Distinct names counted per table; a client chooses model names, and a table must not grow with them. */
const MAX_NAMES = 200;
/** Stands for every name beyond the bound. */
const OTHER = "other";

/** The name under which `name` is counted in `table`. */
export function bounded(
  table: ReadonlyMap<string, unknown>,
  name: string,
): string {
  return table.has(name) || table.size < MAX_NAMES ? name : OTHER;
}
