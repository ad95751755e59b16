/** The first and last of each group of alike lines. @module */

/** Kept of a group of alike lines: so many from its start, so many from its end. */
export interface Ends {
  /** Lines from the start of a group. */
  readonly first: number;
  /** Lines from its end. */
  readonly last: number;
  /** Groups of which lines are taken, in order of appearance; all when absent. */
  readonly maxGroups?: number;
}

/**
 * Takes the first and last few of each group, ascending within a group; groups beyond `maxGroups` give nothing. O(n).
 *
 * @param keys One per wanted line, equal within a group.
 */
export function endsOfGroups(
  wanted: readonly number[],
  keys: Int32Array,
  { first, last, maxGroups = Infinity }: Ends,
): number[] {
  const groups = new Map<number, number[]>();
  for (let i = 0; i < wanted.length; i++) {
    const line = wanted[i]!;
    const key = keys[i]!;
    const group = groups.get(key);
    if (group === undefined) {
      if (groups.size < maxGroups) groups.set(key, [line]);
    } else if (group.length < first + last) group.push(line);
    else {
      group.copyWithin(first, first + 1);
      group[group.length - 1] = line;
    }
  }
  return [...groups.values()].flat();
}
