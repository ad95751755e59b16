/** Values of a series of numbers that stand out. NaN stands for a value that is missing. @module */

/** Cells of a column of values that have none: this share of them, and so many more. */
const OTHER_SHARE = 0.1;
const FEW_OTHERS = 2;

/** A column of which nearly all cells have a value. */
export interface Series {
  /** One per cell; NaN where there is none. */
  readonly values: Float64Array;
  /** Cells that are there and have none. */
  readonly others: readonly number[];
}

/**
 * The values of so many cells; `undefined` where too many have none. O(cells).
 *
 * @param valueAt NaN for a cell without a value; `undefined` where there is no cell.
 */
export function seriesOf(
  count: number,
  valueAt: (cell: number) => number | undefined,
): Series | undefined {
  const values = new Float64Array(count).fill(NaN);
  const most = FEW_OTHERS + OTHER_SHARE * count;
  const others: number[] = [];
  let found = 0;
  for (let cell = 0; cell < count; cell++) {
    const value = valueAt(cell);
    if (value === undefined) continue;
    values[cell] = value;
    if (!Number.isNaN(value)) found++;
    else if (others.push(cell) > most) return undefined;
  }
  return found > others.length ? { values, others } : undefined;
}

/** A place in a series and how much it stands out. */
export interface Standout {
  /** Index in the series. */
  readonly row: number;
  /** Larger is more. */
  readonly weight: number;
}

/** Where the values of a series lie. */
export interface Spread {
  /** Arithmetic mean. */
  readonly mean: number;
  /** Standard deviation, above 0. */
  readonly sigma: number;
  /** Index of the first of the smallest values. */
  readonly least: number;
  /** Index of the first of the largest values. */
  readonly most: number;
  /** Whether the values only rise or only fall, but for two: ids, times. */
  readonly isMonotone: boolean;
}

/** The spread of a series; `undefined` when its values are equal, or when there are none. O(n). */
export function spreadOf(numbers: Float64Array): Spread | undefined {
  let sum = 0;
  let count = 0;
  let least = -1;
  let most = -1;
  let rises = 0;
  let falls = 0;
  let last = NaN;
  for (let row = 0; row < numbers.length; row++) {
    const value = numbers[row]!;
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
    if (least < 0 || value < numbers[least]!) least = row;
    if (most < 0 || value > numbers[most]!) most = row;
    if (value > last) rises++;
    else if (value < last) falls++;
    last = value;
  }
  if (least < 0) return undefined;
  const mean = sum / count;
  const sigma = Math.sqrt(squaresOf(numbers, mean) / count);
  if (!(sigma > 0 && Number.isFinite(sigma))) return undefined;
  const isMonotone = (rises === 0 || falls === 0) &&
    rises + falls >= count - 2;
  return { mean, sigma, least, most, isMonotone };
}

/** Sum of the squares of the distances from the mean. */
function squaresOf(numbers: Float64Array, mean: number): number {
  let squares = 0;
  for (const value of numbers) {
    if (!Number.isNaN(value)) squares += (value - mean) ** 2;
  }
  return squares;
}

/** Values further from the mean than `sigmas` standard deviations, in order. O(n). */
export function outliersOf(
  numbers: Float64Array,
  { mean, sigma }: Spread,
  sigmas: number,
): Standout[] {
  const found: Standout[] = [];
  for (let row = 0; row < numbers.length; row++) {
    const weight = Math.abs(numbers[row]! - mean) / sigma;
    if (weight > sigmas) found.push({ row, weight });
  }
  return found;
}

/** The rows of the `count` weightiest, of equal ones the earlier first. */
export function weightiest(
  candidates: readonly Standout[],
  count: number,
): number[] {
  return candidates
    .toSorted((a, b) => b.weight - a.weight || a.row - b.row)
    .slice(0, count)
    .map(({ row }) => row);
}
