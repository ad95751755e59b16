/** Starts that consecutive keys have in common: `spring.datasource.`, `branch.main.`. @module */
import { lineAt } from "../../text/lines.ts";
import { KEY } from "./scan_line.ts";
import type { ConfigView } from "./view.ts";

/** UTF-16 units of a common start, at least, and lines that have it. */
const SHORTEST = 6;
const FEWEST = 3;
/** UTF-16 units that a note must save besides its own length: much, as a reader looks for whole keys. */
const PROFIT = 126;
/** UTF-16 units of a note without the start. */
const NOTE = 34;

/** Lines with a common start. */
export interface Starts {
  /** Lines that stay before the note: none. */
  readonly kept: 0;
  /** Lines replaced. */
  readonly replaced: number;
  /** A note, then the lines without the start. */
  readonly written: readonly string[];
}

/**
 * The lines from `i` on, before line `limit`, whose keys start alike, if cutting that off pays.
 * A stretch that does not pay is short, so that looking at it again costs little.
 */
export function startAt(
  view: ConfigView,
  i: number,
  limit: number,
): Starts | undefined {
  const { lines, kinds, indents, keyEnd } = view;
  const { starts, codes } = lines;
  if (indents[i] !== 0) return undefined;
  const start = starts[i]!;
  let length = cutAtJoint(codes, start, keyEnd[i]! - start);
  if (length < SHORTEST) return undefined;
  let to = i + 1;
  for (; to < limit && kinds[to] === KEY; to++) {
    const most = Math.min(length, keyEnd[to]! - starts[to]! - 1);
    const common = cutAtJoint(
      codes,
      start,
      commonStart(codes, [start, starts[to]!], most),
    );
    if (common === length) continue;
    const lost = (length - common) * (to - i);
    const isLong = to - i >= FEWEST && lost > NOTE + length;
    if (common < SHORTEST || isLong) break;
    length = common;
  }
  const count = to - i;
  if (count < FEWEST) return undefined;
  if (length * (count - 1) < NOTE + PROFIT) return undefined;
  const rest = Array.from(
    { length: count },
    (_, n) => lineAt(lines, i + n).slice(length),
  );
  const said = JSON.stringify(lines.text.slice(start, start + length));
  const note = `… (next ${count} lines start with ${said})`;
  return { kept: 0, replaced: count, written: [note, ...rest] };
}

/** How many ASCII units, up to `most`, stand at both places. */
function commonStart(
  codes: Uint8Array,
  [one, other]: readonly [number, number],
  most: number,
): number {
  let n = 0;
  while (
    n < most && codes[one + n] === codes[other + n] && codes[one + n]! < 128
  ) n++;
  return n;
}

/** Ends a start after its last `.`, `_`, `-`, `/` or `:`. */
function cutAtJoint(codes: Uint8Array, start: number, length: number): number {
  let end = length;
  while (end > 0 && !isJoint(codes[start + end - 1]!)) end--;
  return end;
}

function isJoint(code: number): boolean {
  return code >= 45 && code <= 47 || code === 58 || code === 95;
}
