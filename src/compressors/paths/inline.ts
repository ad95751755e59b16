/** Which directories get a line of their own, and which stand before each name of a shared line. @module */
import { byExtension } from "./extensions.ts";
import { isSame, type Rows } from "./rows.ts";
import {
  directoryCost,
  FRAME,
  hasSameLead,
  leadCost,
  type Run,
  sharedHead,
  UNITS,
} from "./runs.ts";

/** The run has its own lines. */
export const OWN = 0;
/** The run starts a line that others may continue. */
export const OPENS = 1;
/** The run stands in the line of the one before. */
export const CONTINUES = 2;

/** The cheapest way to write the runs so far that ends with a shared line. */
interface Shared {
  readonly cost: number;
  /** Units of the line's head. */
  readonly head: number;
  /** Names in the line. */
  readonly size: number;
  readonly place: typeof OPENS | typeof CONTINUES;
}

/**
 * Places each run where it costs least, as far as can be told in one pass. O(text of the runs).
 *
 * @param root Units of all lines that are not written.
 * @returns `OWN`, `OPENS` or `CONTINUES` for each run.
 */
export function placesOf(
  rows: Rows,
  runs: readonly Run[],
  root: number,
): Uint8Array {
  const ownFromShared = new Uint8Array(runs.length);
  const opensFromShared = new Uint8Array(runs.length);
  const sharedPlace = new Uint8Array(runs.length);
  let own = 0;
  let shared: Shared | undefined;
  runs.forEach((run, i) => {
    const isSharedBest = shared !== undefined && shared.cost < own;
    const least = isSharedBest ? shared!.cost : own;
    ownFromShared[i] = opensFromShared[i] = isSharedBest ? 1 : 0;
    const before = runs[i - 1];
    const opened = open(rows, run, least, root);
    const continued = shared === undefined || before === undefined
      ? undefined
      : join(rows, [before, run], shared);
    shared = continued !== undefined && continued.cost < opened.cost
      ? continued
      : opened;
    // The root itself does not start with the root and its slash.
    if (run.head < root || (run.self && run.head === root)) shared = undefined;
    sharedPlace[i] = shared?.place ?? OWN;
    own = least + ownCost(rows, run, root);
  });
  const places = new Uint8Array(runs.length);
  let isShared = shared !== undefined && shared.cost < own;
  for (let i = runs.length - 1; i >= 0; i--) {
    const place = isShared ? sharedPlace[i]! : OWN;
    places[i] = place;
    isShared = place === CONTINUES ||
      (place === OPENS ? opensFromShared[i] : ownFromShared[i]) === 1;
  }
  return places;
}

function sizeOf(run: Run): number {
  return run.to - run.from + (run.self ? 1 : 0);
}

function ownCost(rows: Rows, run: Run, root: number): number {
  return sizeOf(run) === 1
    ? directoryCost(run, root) + leadCost(run) + (root > 0 ? FRAME : 1)
    : byExtension(rows, run, root).cost;
}

function open(rows: Rows, run: Run, least: number, root: number): Shared {
  const size = sizeOf(run);
  // The directory itself stands in another one.
  const head = run.self ? parentHead(rows, run) : run.head;
  const line = FRAME + leadCost(run) + directoryCost({ ...run, head }, root);
  const cost = least + line + size * between(run.head, head);
  return { cost, head, size, place: OPENS };
}

function join(
  rows: Rows,
  [before, run]: readonly [Run, Run],
  shared: Shared,
): Shared | undefined {
  if (!hasSameLead(rows, before, run)) return undefined;
  const size = sizeOf(run);
  const parent = run.self ? parentHead(rows, run) : run.head;
  const common = Math.min(parent, sharedHead(rows, before, run));
  const head = Math.min(shared.head, common);
  // A shorter head makes each name longer.
  const longer = (shared.size - 1) * between(shared.head, head);
  const own = size * between(run.head, head);
  const line = FRAME + directoryCost({ ...run, head }, 0);
  const change = isAlike(rows, before, run) ? 0 : Math.min(size, line);
  const cost = shared.cost + longer + own + change;
  return { cost, head, size: shared.size + size, place: CONTINUES };
}

/** Tokens of the directories between two heads. */
function between(long: number, short: number): number {
  return long <= short ? 0 : 1 + (long - short) / UNITS;
}

function parentHead({ name, lines }: Rows, run: Run): number {
  return name[run.from - 1]! - lines.starts[run.from - 1]!;
}

/** Whether the last name of a run and the first of the next have the same extension. */
function isAlike({ lines, dot, stop }: Rows, a: Run, b: Run): boolean {
  const last = a.to - 1;
  const length = stop[last]! - dot[last]!;
  return length === stop[b.from]! - dot[b.from]! &&
    isSame(lines, [dot[last]!, dot[b.from]!], length);
}
