/** Which units of a text stay, and which gaps are worth a note. @module */
import type { Gap, Units } from "../core/kind.ts";
import { codeAt, keyAt } from "../text/lines.ts";
import { GAP_PROFIT, NOTE_PRICE, optionalShare } from "./price.ts";

/** Weight of a unit that is never left out. */
export const STAYS = 255;

/** Ranks within a group that are told apart: the first, the last, the second, … */
const RANKS = 64;
/** Weights below this do not hold two gaps apart where they cost less than a note. */
const ISLAND_WEIGHT = 128;

/**
 * Marks the units that stay: those that must, then by weight until the budget is used up, then the parents of all.
 *
 * @param prices One per unit.
 * @returns 1 per unit that stays. O(units).
 */
export function chooseUnits(units: Units, prices: Uint32Array): Uint8Array {
  const { weights } = units;
  const keep = new Uint8Array(weights.length);
  let total = 0;
  for (let unit = 0; unit < weights.length; unit++) {
    total += prices[unit] ?? 0;
    if (weights[unit] === STAYS) keep[unit] = 1;
  }
  let left = (units.share ?? optionalShare(total)) * total;
  const bundles = bundlesOf(units, prices);
  for (const unit of inOrder(units)) {
    if (keep[unit] === 1) continue;
    const bundle = bundles.get(units.bundles?.[unit] ?? 0);
    const price = bundle?.price ?? prices[unit] ?? 0;
    if (price > left) continue;
    keep[unit] = 1;
    for (const other of bundle?.units ?? []) keep[other] = 1;
    left -= price;
  }
  keepParents(units, keep);
  return keep;
}

/** Units that are kept all or none. */
interface Bundle {
  price: number;
  readonly units: number[];
}

/** The bundles of units that need not stay. O(units). */
function bundlesOf(
  { bundles, weights }: Units,
  prices: Uint32Array,
): ReadonlyMap<number, Bundle> {
  const found = new Map<number, Bundle>();
  for (const [unit, id] of bundles?.entries() ?? []) {
    if (id === 0 || weights[unit] === 0 || weights[unit] === STAYS) continue;
    const bundle = found.get(id) ?? { price: 0, units: [] };
    bundle.price += prices[unit] ?? 0;
    bundle.units.push(unit);
    found.set(id, bundle);
  }
  return found;
}

/** Units with a weight between 0 and {@linkcode STAYS}, the most important first. O(units). */
function inOrder({ weights, groups }: Units): Int32Array {
  if (weights.every((weight) => weight === 0 || weight === STAYS)) {
    return new Int32Array(0);
  }
  const ranks = groups === undefined ? undefined : ranksOf(groups, weights);
  const width = ranks === undefined ? 1 : RANKS;
  const buckets = new Int32Array(STAYS * width + 1);
  const bucketOf = (unit: number) =>
    (STAYS - codeAt(weights, unit)) * width + (ranks?.[unit] ?? 0);
  let count = 0;
  for (let unit = 0; unit < weights.length; unit++) {
    const weight = codeAt(weights, unit);
    if (weight === 0 || weight === STAYS) continue;
    buckets[bucketOf(unit)] = keyAt(buckets, bucketOf(unit)) + 1;
    count++;
  }
  let at = 0;
  for (let bucket = 0; bucket < buckets.length; bucket++) {
    const size = keyAt(buckets, bucket);
    buckets[bucket] = at;
    at += size;
  }
  const ordered = new Int32Array(count);
  for (let unit = 0; unit < weights.length; unit++) {
    const weight = codeAt(weights, unit);
    if (weight === 0 || weight === STAYS) continue;
    const bucket = bucketOf(unit);
    const place = keyAt(buckets, bucket);
    ordered[place] = unit;
    buckets[bucket] = place + 1;
  }
  return ordered;
}

/** Rank of each unit in its group: the first 0, the last 1, then in order. */
function ranksOf(groups: Int32Array, weights: Uint8Array): Uint8Array {
  const ranks = new Uint8Array(groups.length);
  const seen = new Map<number, { count: number; last: number }>();
  for (let unit = 0; unit < groups.length; unit++) {
    const group = keyAt(groups, unit);
    if (group === 0 || weights[unit] === 0) continue;
    const known = seen.get(group);
    if (known === undefined) {
      seen.set(group, { count: 1, last: unit });
      continue;
    }
    known.count++;
    known.last = unit;
    ranks[unit] = Math.min(RANKS - 1, known.count);
  }
  for (const { count, last } of seen.values()) if (count > 1) ranks[last] = 1;
  return ranks;
}

function keepParents({ parents }: Units, keep: Uint8Array): void {
  if (parents === undefined) return;
  for (let unit = keep.length - 1; unit >= 0; unit--) {
    const parent = keyAt(parents, unit);
    if (keep[unit] === 1 && parent >= 0 && parent < unit) keep[parent] = 1;
  }
}

/**
 * The gaps between kept units. A gap that a note would not pay for is kept; cheap units between two gaps go,
 * unless they weigh much. Changes `keep` accordingly. O(units).
 */
export function gapsIn(
  units: Units,
  prices: Uint32Array,
  keep: Uint8Array,
): Gap[] {
  dropIslands(units, prices, keep);
  closeSmall(units, prices, keep);
  if (units.parents !== undefined) {
    keepParents(units, keep);
    // What a parent that came back cut off may be too small now.
    closeSmall(units, prices, keep);
  }
  const gaps: Gap[] = [];
  for (let from = 0; from < keep.length;) {
    const to = gapEnd(keep, from);
    if (to > from) gaps.push({ from, to });
    from = Math.max(to, from + 1);
  }
  return gaps;
}

/** Keeps the gaps that a note would not pay for. */
function closeSmall(
  units: Units,
  prices: Uint32Array,
  keep: Uint8Array,
): void {
  for (let from = 0; from < keep.length;) {
    const to = gapEnd(keep, from);
    let price = 0;
    for (let unit = from; unit < to; unit++) price += prices[unit] ?? 0;
    const note = isToldIn(units, { from, to }) ? 0 : NOTE_PRICE;
    if (price < note + GAP_PROFIT) keep.fill(1, from, to);
    from = Math.max(to, from + 1);
  }
}

/** Whether a gap gets no note, because kept units say what is missing. */
export function isToldIn({ told }: Units, { from, to }: Gap): boolean {
  for (let unit = from; unit < to; unit++) {
    if (told?.[unit] !== 1) return false;
  }
  return true;
}

/** Unit after the gap that starts at `from`; `from` when that unit is kept. */
function gapEnd(keep: Uint8Array, from: number): number {
  let to = from;
  while (to < keep.length && keep[to] === 0) to++;
  return to;
}

/** Leaves out what is cheaper than the note that it would cause. */
function dropIslands(
  { weights, parents }: Units,
  prices: Uint32Array,
  keep: Uint8Array,
): void {
  if (parents !== undefined) return;
  for (let from = 1; from < keep.length;) {
    if (keep[from] === 0 || keep[from - 1] === 1) {
      from++;
      continue;
    }
    let to = from;
    let price = 0;
    while (to < keep.length && keep[to] === 1 && price < NOTE_PRICE) {
      price += codeAt(weights, to) < ISLAND_WEIGHT ? prices[to] ?? 0 : Infinity;
      to++;
    }
    if (price < NOTE_PRICE && to < keep.length) keep.fill(0, from, to);
    while (to < keep.length && keep[to] === 1) to++;
    from = to;
  }
}
