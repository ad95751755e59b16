/** Consecutive paths of one directory, and what writing them costs. @module */
import { commonLength, isSame, isSlash, type Rows } from "./rows.ts";

/** Consecutive rows of one directory. */
export interface Run {
  /** First row. */
  from: number;
  /** Row after the last. */
  to: number;
  /** Units before the names. */
  readonly head: number;
  /** Units of `head` that are no path. */
  readonly lead: number;
  /** Whether the row before `from` is the directory itself. */
  self: boolean;
}

/** Units of a token of a path, on average. */
export const UNITS = 4;
/** Tokens of a line break, the star and the colon. */
export const FRAME = 3;

/** The runs of the rows `[from, to)`, all of them paths, in order. O(their text). */
export function runsOf(rows: Rows, from: number, to: number): Run[] {
  const runs = sameHeads(rows, from, to);
  takeSelves(rows, runs);
  return runs.filter((run) => run.to > run.from);
}

/** Whether the same stands before the paths of two runs. */
export function hasSameLead({ lines }: Rows, a: Run, b: Run): boolean {
  const leads = [lines.starts[a.from]!, lines.starts[b.from]!] as const;
  return a.lead === b.lead && isSame(lines, leads, a.lead);
}

/** Units that the directories of two runs both start with, up to a slash. */
export function sharedHead(rows: Rows, a: Run, b: Run): number {
  const { codes, starts } = rows.lines;
  const heads = [starts[a.from]!, starts[b.from]!] as const;
  let shared = commonLength(rows, heads, Math.min(a.head, b.head));
  while (shared > a.lead && !isSlash(codes[heads[0] + shared - 1])) shared--;
  return Math.max(shared, a.lead);
}

/** Tokens of what git says of each path. */
export function leadCost({ lead }: Run): number {
  return lead === 0 ? 0 : 1 + lead / UNITS;
}

/** Tokens of a directory, without the units of the root. */
export function directoryCost({ head, lead }: Run, root: number): number {
  const length = head - lead - root;
  return length <= 0 ? 0 : 1 + length / UNITS;
}

function sameHeads(rows: Rows, from: number, to: number): Run[] {
  const { starts } = rows.lines;
  const runs: Run[] = [];
  let last: Run | undefined;
  for (let i = from; i < to; i++) {
    const start = starts[i]!;
    const head = rows.name[i]! - start;
    if (
      last !== undefined && last.head === head &&
      (rows.sameHead[i] ||
        isSame(rows.lines, [starts[i - 1]!, start], head))
    ) {
      last.to = i + 1;
      continue;
    }
    const lead = rows.path[i]! - start;
    last = { from: i, to: i + 1, head, lead, self: false };
    runs.push(last);
  }
  return runs;
}

/** A directory right before its own entries goes to them, unless they would then be alone with it. */
function takeSelves(rows: Rows, runs: readonly Run[]): void {
  const { codes, starts } = rows.lines;
  for (let i = runs.length - 1; i > 0; i--) {
    const run = runs[i]!;
    const before = runs[i - 1]!;
    if (run.from === run.to) continue;
    const row = before.to - 1;
    const length = rows.stop[row]! - starts[row]!;
    const start = starts[run.from]!;
    if (length !== run.head && length !== run.head - 1) continue;
    // A slash at the end of the directory must be the one that its entries have.
    if (length === run.head - 1 && isSlash(codes[start + length - 1])) continue;
    if (!isSame(rows.lines, [starts[row]!, start], length)) continue;
    run.self = true;
    before.to--;
  }
}
