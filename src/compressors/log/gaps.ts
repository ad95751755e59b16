/** Stretches of a log that are left out, and the kinds of lines in them. @module */
import { ERROR, WARNING } from "../../text/severity.ts";
import type { LogView } from "./view.ts";

/** UTF-16 units that a note must save besides its own length. */
export const PROFIT = 24;

/** Serious first. */
export const FAILURE = 0;
/** Something to look at. */
export const NOTICE = 1;
/** Anything else. */
export const OTHERS = 2;

/** Lines `[from, to)` that are left out. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  /** The shortest note: range, and how many failures in how many groups. */
  readonly range: string;
  readonly failures: string;
  /** Groups of the failures. */
  readonly failing: number;
}

/** Alike lines of equal seriousness in one gap. */
export interface Kind {
  /** Equal in all gaps. */
  readonly key: number;
  readonly first: number;
  readonly rank: number;
  /** Lines in this gap. */
  count: number;
}

/** The gaps that are worth a note, ascending; lines in other gaps stay. O(n). */
export function gapsOf(view: LogView, keep: Uint8Array): Gap[] {
  const { starts, count } = view.lines;
  const gaps: Gap[] = [];
  for (let from = 0; from < count;) {
    if (keep[from]) {
      from++;
      continue;
    }
    let to = from + 1;
    while (to < count && !keep[to]) to++;
    const gap = gapOf(view, from, to);
    const size = starts[to]! - starts[from]!;
    if (size >= shortNote(gap).length + PROFIT) gaps.push(gap);
    from = to;
  }
  return gaps;
}

/** The note that every gap gets at least: `… lines 3-9 of 40 omitted (5 error lines in 2 groups)`. */
export function shortNote({ range, failures }: Gap): string {
  return failures === "" ? range : `${range} (${failures})`;
}

/** Kinds of the lines in a gap, in order of appearance; blank lines are of none. */
export function kindsIn(view: LogView, { from, to }: Gap): Kind[] {
  const kinds = new Map<number, Kind>();
  for (let i = from; i < to; i++) {
    const group = view.groups[i]!;
    if (group === 0) continue;
    const rank = rankOf(view.flags[i]!);
    const key = keyOf(group, rank);
    const kind = kinds.get(key);
    if (kind !== undefined) kind.count++;
    else kinds.set(key, { key, first: i, rank, count: 1 });
  }
  return [...kinds.values()];
}

/** Lines of each kind in all gaps: how many of them, and which for failures. */
export function totalsOf(
  view: LogView,
  gaps: readonly Gap[],
): { counts: Map<number, number>; failures: Map<number, number[]> } {
  const counts = new Map<number, number>();
  const failures = new Map<number, number[]>();
  for (const { from, to } of gaps) {
    for (let i = from; i < to; i++) {
      const rank = rankOf(view.flags[i]!);
      const key = keyOf(view.groups[i]!, rank);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (rank !== FAILURE) continue;
      const members = failures.get(key);
      if (members === undefined) failures.set(key, [i]);
      else members.push(i);
    }
  }
  return { counts, failures };
}

function gapOf(view: LogView, from: number, to: number): Gap {
  const groups = new Set<number>();
  let errors = 0;
  for (let i = from; i < to; i++) {
    if (rankOf(view.flags[i]!) !== FAILURE) continue;
    errors++;
    groups.add(view.groups[i]!);
  }
  const { count } = view.lines;
  const range = to - from === 1
    ? `… line ${to} of ${count} omitted`
    : `… lines ${from + 1}-${to} of ${count} omitted`;
  const failures = errors === 0
    ? ""
    : `${errors} error line${errors === 1 ? "" : "s"}` +
      (groups.size > 1 ? ` in ${groups.size} groups` : "");
  return { from, to, range, failures, failing: groups.size };
}

function rankOf(flags: number): number {
  return flags & ERROR ? FAILURE : flags & WARNING ? NOTICE : OTHERS;
}

/** A line that failed is never counted with one that did not: `GET /a 503` and `GET /a 200`. */
function keyOf(group: number, rank: number): number {
  return 3 * group + rank;
}
