/** Rows of a column that stand out: outliers, changes of level, rare values. @module */
import { OUTLIER_SIGMA } from "./defaults.ts";
import type { Profile } from "./profile.ts";

/** Outliers kept over all columns, besides the furthest of each column. */
const MAX_OUTLIERS = 6;
const MAX_CHANGES = 3;
const MAX_RARE = 8;
/** Rows on each side of a change of level. */
const WINDOW = 5;
/** A change of level in the middle of a series is two of its standard deviations, less the noise. */
const CHANGE_SIGMA = 1.8;
/** Share of the rows up to which a value is rare, and up to which all rare values together are. */
const RARE_SHARE = 0.02;
const ALL_RARE_SHARE = 0.2;

/** A row and how much it stands out. */
interface Candidate {
  readonly row: number;
  readonly weight: number;
}

/** Rows worth keeping for their values, in no order. Linear. */
export function standoutRows(profiles: readonly Profile[]): number[] {
  const furthest: number[] = [];
  const outliers: Candidate[] = [];
  const changes: Candidate[] = [];
  const rare: Candidate[] = [];
  for (const { numbers, categories, patterns } of profiles) {
    const groups = categories ?? patterns;
    if (groups !== undefined) rare.push(...rareRows(groups));
    if (numbers === undefined) continue;
    const spread = spreadOf(numbers);
    if (spread === undefined) continue;
    const found = outliersOf(numbers, spread);
    outliers.push(...found);
    if (found.length > 0) furthest.push(best(found, 1)[0]!);
    if (found.length === 0) changes.push(...changesOf(numbers, spread));
  }
  return [
    ...furthest,
    ...best(outliers, MAX_OUTLIERS),
    ...best(changes, MAX_CHANGES),
    ...best(rare, MAX_RARE),
  ];
}

function best(candidates: readonly Candidate[], count: number): number[] {
  return candidates
    .toSorted((a, b) => b.weight - a.weight || a.row - b.row)
    .slice(0, count)
    .map(({ row }) => row);
}

/** Mean and standard deviation. */
interface Spread {
  readonly mean: number;
  readonly sigma: number;
}

/** `undefined` when nothing can stand out: constant values, or ids and times that only go up or down. */
function spreadOf(numbers: Float64Array): Spread | undefined {
  let sum = 0;
  let count = 0;
  let rises = 0;
  let falls = 0;
  let last = NaN;
  for (const value of numbers) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
    if (value > last) rises++;
    else if (value < last) falls++;
    last = value;
  }
  const isMonotone = rises === 0 || falls === 0;
  if (isMonotone && rises + falls >= count - 2) return undefined;
  const mean = sum / count;
  let squares = 0;
  for (const value of numbers) {
    if (!Number.isNaN(value)) squares += (value - mean) ** 2;
  }
  const sigma = Math.sqrt(squares / count);
  return sigma > 0 && Number.isFinite(sigma) ? { mean, sigma } : undefined;
}

function outliersOf(
  numbers: Float64Array,
  { mean, sigma }: Spread,
): Candidate[] {
  const found: Candidate[] = [];
  for (let row = 0; row < numbers.length; row++) {
    const weight = Math.abs(numbers[row]! - mean) / sigma;
    if (weight > OUTLIER_SIGMA) found.push({ row, weight });
  }
  return found;
}

/** Rows where the mean of the next rows is far from the mean of the rows before. */
function changesOf(numbers: Float64Array, { sigma }: Spread): Candidate[] {
  const found: Candidate[] = [];
  let before = 0;
  let after = 0;
  for (let i = 0; i < WINDOW; i++) {
    before += numbers[i] ?? NaN;
    after += numbers[i + WINDOW] ?? NaN;
  }
  for (let row = WINDOW; row + WINDOW <= numbers.length; row++) {
    const weight = Math.abs(after - before) / WINDOW / sigma;
    const last = found.at(-1);
    if (weight > CHANGE_SIGMA) {
      if (last === undefined || row - last.row > WINDOW) {
        found.push({ row, weight });
      } else if (weight > last.weight) {
        found[found.length - 1] = { row, weight };
      }
    }
    before += numbers[row]! - numbers[row - WINDOW]!;
    after += (numbers[row + WINDOW] ?? NaN) - numbers[row]!;
  }
  return found;
}

/** The first row of each rare value. */
function rareRows(
  groups: ReadonlyMap<unknown, readonly number[]>,
): Candidate[] {
  let total = 0;
  for (const rows of groups.values()) total += rows.length;
  const limit = Math.max(1, Math.floor(total * RARE_SHARE));
  const found: Candidate[] = [];
  let share = 0;
  for (const rows of groups.values()) {
    if (rows.length > limit) continue;
    share += rows.length / total;
    found.push({ row: rows[0]!, weight: 1 / rows.length });
  }
  return share <= ALL_RARE_SHARE ? found : [];
}
