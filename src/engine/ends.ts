/** The first and last of each group of units that are alike. @module */
import { keyAt } from "../text/lines.ts";

/** Kept of a group of units that are alike: so many from its start, so many from its end. */
export interface Ends {
  /** Units from the start of a group. */
  readonly first: number;
  /** Units from its end. */
  readonly last: number;
  /** Groups of which units are taken, in order of appearance; all when absent. */
  readonly maxGroups?: number;
}

/**
 * Takes the first and last few of each group, ascending within a group; groups beyond `maxGroups` give nothing. O(n).
 *
 * @param keys One per wanted unit, equal within a group.
 */
export function endsOfGroups(
  wanted: readonly number[],
  keys: Int32Array,
  { first, last, maxGroups = Infinity }: Ends,
): number[] {
  const groups = new Map<number, number[]>();
  for (const [i, unit] of wanted.entries()) {
    const key = keyAt(keys, i);
    const group = groups.get(key);
    if (group === undefined) {
      if (groups.size < maxGroups) groups.set(key, [unit]);
    } else if (group.length < first + last) group.push(unit);
    else {
      group.copyWithin(first, first + 1);
      group[group.length - 1] = unit;
    }
  }
  return [...groups.values()].flat();
}
