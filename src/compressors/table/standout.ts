/** Rows that stand out by a value: extremes, changes of level, rare values. @module */
import { extremesOf } from "../../text/signs/extremes.ts";
import {
  changesOf,
  outliersOf,
  type Spread,
  spreadOf,
  type Standout,
  weightiest,
} from "../../text/series.ts";
import type { Profile } from "./profile.ts";

/** Columns of which the extremes stay. */
const MOST_EXTREMES = 6;
/** Standard deviations from the mean beyond which a value is an outlier. */
const SIGMA = 2;
const MOST_OUTLIERS = 6;
const MOST_CHANGES = 3;
const MOST_RARE = 10;
/** Share of the rows up to which a value is rare, and up to which all rare ones together are. */
const RARE_SHARE = 0.02;
const ALL_RARE_SHARE = 0.2;

/** Rows worth keeping for a value, in no order. O(cells). */
export function standoutRows(profiles: readonly Profile[]): number[] {
  const extremes: number[] = [];
  const outliers: Standout[] = [];
  const far: Standout[] = [];
  const changes: Standout[] = [];
  const rare: Standout[] = [];
  for (const { numbers, isMeasure, categories } of profiles) {
    if (categories !== undefined) rare.push(...rareRows(categories));
    if (numbers === undefined || !isMeasure) continue;
    const spread = spreadOf(numbers);
    if (spread === undefined) continue;
    if (extremes.length < 2 * MOST_EXTREMES) {
      extremes.push(spread.least, spread.most);
    }
    far.push(...extremesOf(numbers));
    const found = outliersOf(numbers, spread, SIGMA);
    outliers.push(...found);
    const level = withinSigmas(numbers, spread);
    const within = spreadOf(level);
    if (within !== undefined) changes.push(...changesOf(level, within));
  }
  return [
    ...extremes,
    ...weightiest(far, MOST_OUTLIERS),
    ...weightiest(outliers, MOST_OUTLIERS),
    ...weightiest(changes, MOST_CHANGES),
    ...weightiest(rare, MOST_RARE),
  ];
}

/** The numbers without outliers, so that one of them hides no change of level. */
function withinSigmas(numbers: Float64Array, { mean, sigma }: Spread) {
  return numbers.map((value) =>
    Math.abs(value - mean) > SIGMA * sigma ? NaN : value
  );
}

/** The first row of each rare value. */
function rareRows(
  categories: ReadonlyMap<string, readonly number[]>,
): Standout[] {
  let total = 0;
  for (const rows of categories.values()) total += rows.length;
  const limit = Math.max(1, Math.floor(total * RARE_SHARE));
  const found: Standout[] = [];
  let share = 0;
  for (const rows of categories.values()) {
    if (rows.length > limit) continue;
    share += rows.length / total;
    found.push({ row: rows[0]!, weight: 1 / rows.length });
  }
  return share <= ALL_RARE_SHARE ? found : [];
}
