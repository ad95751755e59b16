/** Stretches of a log that are left out, and the kinds of lines in them. @module */
import { ERROR, PASSED, WARNING } from "../../text/signs/flags.ts";
import { FRAME, type LogView, QUIET, VOID } from "./view.ts";

/** UTF-16 units that a note must save besides its own length. */
export const PROFIT = 24;
/** Gaps of up to so many units are looked at line by line. */
const SMALL_GAP = 400;
/** UTF-16 units of prose that cost as much as a line of nothing but signs. */
const RULE = 12;

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
  /** Lines that warn. */
  readonly warnings: number;
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
  const { count } = view.lines;
  const gaps: Gap[] = [];
  for (let from = 0; from < count;) {
    if (keep[from]) {
      from++;
      continue;
    }
    let to = from + 1;
    while (to < count && !keep[to]) to++;
    const gap = gapOf(view, from, to);
    if (sizeOf(view, gap) >= shortNote(gap).length + PROFIT) gaps.push(gap);
    from = to;
  }
  return gaps;
}

/** UTF-16 units of a gap; in a small one a rule counts for the few tokens that it costs. */
function sizeOf({ lines, flags }: LogView, { from, to }: Gap): number {
  const { starts, codes } = lines;
  const size = starts[to]! - starts[from]!;
  if (size > SMALL_GAP) return size;
  let cost = 0;
  for (let i = from; i < to; i++) {
    const length = starts[i + 1]! - starts[i]!;
    const end = starts[i + 1]! - 1;
    const isRule = flags[i]! & VOID && codes[end - 1] === codes[end - 2];
    cost += isRule ? Math.min(length, RULE) : length;
  }
  return cost;
}

/** The note that every gap gets at least: `… lines 3-9 omitted (5 error lines in 2 groups; 1 warning)`. */
export function shortNote(gap: Gap): string {
  return noteOf(gap, [gap.failures, warningsText(gap)]);
}

/** A note that says `parts`, but for the empty ones. */
export function noteOf({ range }: Gap, parts: readonly string[]): string {
  const said = parts.filter((part) => part !== "").join("; ");
  return said === "" ? range : `${range} (${said})`;
}

/** `3 warnings`; empty for none. */
export function warningsText({ warnings }: Gap): string {
  if (warnings === 0) return "";
  return warnings === 1 ? "1 warning" : `${warnings} warnings`;
}

/** Lines of a gap that say only that all goes on as it should. */
export interface Quiet {
  /** Tests that passed. */
  passed: number;
  /** Steps that every run takes. */
  steps: number;
  /** The first step; -1 for none. */
  first: number;
}

/** Counts the quiet lines of a gap; those that say nothing at all do not count. */
export function quietIn({ flags }: LogView, { from, to }: Gap): Quiet {
  const quiet: Quiet = { passed: 0, steps: 0, first: -1 };
  for (let i = from; i < to; i++) {
    const flag = flags[i]!;
    if ((flag & (QUIET | VOID)) !== QUIET) continue;
    if (flag & PASSED) quiet.passed++;
    else if (quiet.steps++ === 0) quiet.first = i;
  }
  return quiet;
}

/** Kinds of the lines in a gap, in order of appearance; blank lines, quiet ones and frames are of none. */
export function kindsIn(view: LogView, { from, to }: Gap): Kind[] {
  const kinds = new Map<number, Kind>();
  for (let i = from; i < to; i++) {
    const group = view.groups[i]!;
    if (group === 0 || view.flags[i]! & (QUIET | FRAME)) continue;
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
  let warnings = 0;
  for (let i = from; i < to; i++) {
    const rank = rankOf(view.flags[i]!);
    if (rank === NOTICE) warnings++;
    if (rank !== FAILURE) continue;
    errors++;
    groups.add(view.groups[i]!);
  }
  const first = view.firstLine + from;
  const range = to - from === 1
    ? `… line ${first} omitted`
    : `… lines ${first}-${first + to - from - 1} omitted`;
  const failures = errors === 0
    ? ""
    : `${errors} error line${errors === 1 ? "" : "s"}` +
      (groups.size > 1 ? ` in ${groups.size} groups` : "");
  return { from, to, range, failures, failing: groups.size, warnings };
}

function rankOf(flags: number): number {
  return flags & ERROR ? FAILURE : flags & WARNING ? NOTICE : OTHERS;
}

/** A line that failed is never counted with one that did not: `GET /a 503` and `GET /a 200`. */
function keyOf(group: number, rank: number): number {
  return 3 * group + rank;
}
