/** Lists, tables, rows and code: where in its run each line of them stands, and which entries are unlike the rest. @module */
import type { Lines } from "../../text/lines.ts";
import { hashOf } from "../../text/words.ts";
import { CODE, FENCE, ITEM, ROW } from "./kinds.ts";
import { IN_ITEM, OPENS_PARAGRAPH, type Unit } from "./units.ts";

/** Not part of a run. */
export const ALONE = 0;
/** Items of a list. */
export const LIST = 1;
/** Rows between `|`. */
export const TABLE = 2;
/** Other rows: options, columns. */
export const ROWS = 3;
/** Lines of code, fences included. */
export const BLOCK = 4;

/** Entries of a run in which the usual end of an entry is looked for. */
const LEAST_ALIKE = 8;
/** Entries at the start of a run that say what the others are like. */
const FIRST = 10;
/** Share of the entries that end with the same word. */
const USUAL = 0.6;

/** Per unit: its run. */
export interface Runs {
  /** One of the words above. */
  readonly what: Uint8Array;
  /** Entry of the run that the unit belongs to, from 0. */
  readonly index: Uint32Array;
  /** Entries of the run. */
  readonly size: Uint32Array;
  /** 1 for an entry that ends otherwise than most of its run. */
  readonly odd: Uint8Array;
  /** 1 for an entry that ends like most of its run, but for the first ten. */
  readonly alike: Uint8Array;
}

/** Finds the runs. O(text). */
export function runsOf(lines: Lines, units: readonly Unit[]): Runs {
  const count = units.length;
  const runs = {
    what: new Uint8Array(count),
    index: new Uint32Array(count),
    size: new Uint32Array(count),
    odd: new Uint8Array(count),
    alike: new Uint8Array(count),
  };
  for (let from = 0; from < count;) {
    const what = runs.what[from] = whatOf(lines, units[from]!);
    let to = from + 1;
    let entries = 1;
    while (to < count && what !== ALONE) {
      const isMore = what === ROWS && goesOn(units[to - 1]!, units[to]!);
      if (!isMore && whatOf(lines, units[to]!) !== what) break;
      const isFence = what === BLOCK && units[to]!.kind === FENCE;
      if (what === BLOCK || opensEntry(units[to]!)) entries++;
      runs.what[to] = what;
      runs.index[to] = entries - 1;
      to++;
      if (isFence) break;
    }
    runs.size.fill(entries, from, to);
    if (entries >= LEAST_ALIKE && (what === LIST || what === TABLE)) {
      markAlike(lines, units, { runs, from, to });
    }
    from = to;
  }
  return runs;
}

function whatOf({ codes }: Lines, { kind, start, place }: Unit): number {
  if (kind === CODE || kind === FENCE) return BLOCK;
  if (kind === ROW) {
    let at = start;
    while (codes[at] === 32) at++;
    return codes[at] === 124 ? TABLE : ROWS;
  }
  return kind === ITEM || (place & IN_ITEM) !== 0 ? LIST : ALONE;
}

/** Right below a row, and so deep that it looks like code: what an option does, continued. */
function goesOn(before: Unit, { kind, line }: Unit): boolean {
  return kind === CODE && line === before.lastLine + 1;
}

function opensEntry({ kind, place }: Unit): boolean {
  if (kind === CODE) return false;
  return kind !== ITEM || (place & OPENS_PARAGRAPH) !== 0;
}

function markAlike(
  lines: Lines,
  units: readonly Unit[],
  { runs, from, to }: {
    readonly runs: Runs;
    readonly from: number;
    readonly to: number;
  },
): void {
  const counts = new Map<number, number>();
  for (let u = from; u < to; u++) {
    const hash = lastWord(lines, units[u]!);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  for (const [usual, count] of counts) {
    if (count < USUAL * (to - from)) continue;
    for (let u = from; u < to; u++) {
      if (lastWord(lines, units[u]!) !== usual) runs.odd[u] = 1;
      else if (runs.index[u]! >= FIRST) runs.alike[u] = 1;
    }
  }
}

/** Hash of what stands behind the last blank of a unit. */
function lastWord({ codes }: Lines, { start, end }: Unit): number {
  let last = end;
  while (last > start && (codes[last - 1]! <= 32 || codes[last - 1] === 124)) {
    last--;
  }
  let first = last;
  while (first > start && codes[first - 1]! > 32) first--;
  return hashOf(codes, first, last);
}
