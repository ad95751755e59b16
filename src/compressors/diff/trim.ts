/** Which lines of a hunk stay: every change, and the context that pays. @module */
import { isChanged, isRemark, isRemoved } from "./hunk_header.ts";
import type { Hunk, LineSpan } from "./parse.ts";

/** Consecutive body lines that stay together. */
export interface Run extends LineSpan {
  /** Added and removed lines among them. */
  readonly changed: number;
}

/** Characters that a hidden gap must have: its note costs about 7 tokens. */
const GAP_CHARS = 36;
/** The same for the two ends of a hunk, whose note stands in the header. */
const EDGE_CHARS = 20;
/** Added lines that show without context where they are. */
const TELLING_CHANGES = 2;
/** Nothing but closing brackets and space tells nothing about the place. */
const TELLS_NOTHING = /^[\s{}()[\];,]*$/;

/** Runs of a complete hunk in order; the one run of a hunk whose body was cut is all of it. */
export function keptRuns(lines: readonly string[], hunk: Hunk): readonly Run[] {
  const body = { start: hunk.start + 1, end: hunk.end };
  const groups = changeGroups(lines, hunk);
  const changed = groups.reduce((sum, group) => sum + group.changed, 0);
  if (!hunk.complete || groups.length === 0) return [{ ...body, changed }];
  const runs: Run[] = [];
  for (const group of groups) {
    const run = withContext(lines, hunk, group);
    const last = runs.at(-1);
    const near = last !== undefined &&
      !isLonger(lines, last.end, run.start, GAP_CHARS);
    if (near) runs[runs.length - 1] = joined(last, run);
    else runs.push(run);
  }
  return withEdges(lines, body, runs);
}

function changeGroups(lines: readonly string[], hunk: Hunk): Run[] {
  const parents = hunk.header.sides.length - 1;
  const groups: Run[] = [];
  for (let i = hunk.start + 1; i < hunk.end;) {
    if (!isChanged(lines[i]!, parents)) {
      i++;
      continue;
    }
    const start = i;
    let changed = 0;
    for (; i < hunk.end; i++) {
      if (isChanged(lines[i]!, parents)) changed++;
      else if (!isRemark(lines[i]!)) break;
    }
    groups.push({ start, end: i, changed });
  }
  return groups;
}

/** The line before, or the one behind; none where heading and change already tell the place. */
function withContext(lines: readonly string[], hunk: Hunk, group: Run): Run {
  const { start, end, changed } = group;
  const parents = hunk.header.sides.length - 1;
  const tells = changed >= TELLING_CHANGES && hunk.header.heading.trim() !== "";
  if (tells || isRemoved(lines[start]!, parents)) return group;
  const tellsNothing = (at: number) =>
    TELLS_NOTHING.test(lines[at]!.slice(parents));
  if (start - 1 > hunk.start && !tellsNothing(start - 1)) {
    return { ...group, start: start - 1 };
  }
  if (end >= hunk.end || tellsNothing(end)) return group;
  const hasRemark = end + 1 < hunk.end && isRemark(lines[end + 1]!);
  return { ...group, end: end + (hasRemark ? 2 : 1) };
}

function withEdges(
  lines: readonly string[],
  body: LineSpan,
  runs: readonly Run[],
): readonly Run[] {
  const first = runs[0]!;
  const last = runs.at(-1)!;
  const gain = length(lines, body.start, first.start) +
    length(lines, last.end, body.end);
  if (gain > EDGE_CHARS) return runs;
  const out = [...runs];
  out[0] = { ...first, start: body.start };
  out[out.length - 1] = { ...out.at(-1)!, end: body.end };
  return out;
}

function joined(a: Run, b: Run): Run {
  return { start: a.start, end: b.end, changed: a.changed + b.changed };
}

function length(lines: readonly string[], start: number, end: number): number {
  let sum = 0;
  for (let i = start; i < end; i++) sum += lines[i]!.length + 1;
  return sum;
}

function isLonger(
  lines: readonly string[],
  start: number,
  end: number,
  limit: number,
): boolean {
  let sum = 0;
  for (let i = start; i < end && sum <= limit; i++) sum += lines[i]!.length + 1;
  return sum > limit;
}
