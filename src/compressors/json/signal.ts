/** Rows of a column that stand out: outliers, changes of level, rare values. @module */
import { extremesOf } from "../../text/signs/extremes.ts";
import {
  changesOf,
  outliersOf,
  spreadOf,
  type Standout,
  weightiest,
} from "../../text/series.ts";
import { OUTLIER_SIGMA } from "./defaults.ts";
import type { Groups, Profile } from "./profile.ts";

/** Outliers kept over all columns, besides the furthest of each column. */
const MAX_OUTLIERS = 6;
const MAX_CHANGES = 3;
const MAX_RARE = 8;
/** Share of the rows up to which a value is rare, and up to which all rare values together are. */
const RARE_SHARE = 0.02;
const ALL_RARE_SHARE = 0.2;

/** Rows worth keeping for their values, in no order. Linear. */
export function standoutRows(profiles: readonly Profile[]): number[] {
  const furthest: number[] = [];
  const outliers: Standout[] = [];
  const changes: Standout[] = [];
  const rare: Standout[] = [];
  for (const { numbers, categories, patterns } of profiles) {
    const groups = categories ?? patterns;
    if (groups !== undefined) rare.push(...rareRows(groups));
    if (numbers === undefined) continue;
    const spread = spreadOf(numbers);
    if (spread === undefined || spread.isMonotone) continue;
    const found = outliersOf(numbers, spread, OUTLIER_SIGMA);
    outliers.push(...found);
    if (found.length > 0) furthest.push(weightiest(found, 1)[0]!);
    furthest.push(...extremesOf(numbers).map(({ row }) => row));
    if (found.length === 0) changes.push(...changesOf(numbers, spread));
  }
  return [
    ...furthest,
    ...weightiest(outliers, MAX_OUTLIERS),
    ...weightiest(changes, MAX_CHANGES),
    ...weightiest(rare, MAX_RARE),
  ];
}

/** The first row of each rare value. */
function rareRows({ of, first, sizes }: Groups): Standout[] {
  const total = of.length;
  const limit = Math.max(1, Math.floor(total * RARE_SHARE));
  const found: Standout[] = [];
  let share = 0;
  for (let group = 0; group < sizes.length; group++) {
    const size = sizes[group]!;
    if (size > limit) continue;
    share += size / total;
    found.push({ row: first[group]!, weight: 1 / size });
  }
  return share <= ALL_RARE_SHARE ? found : [];
}
