/** Counters in a log, and where they leave numbers out or begin again: `seq=699`, then `seq=755`. @module */
import { lineAt, type Lines } from "../../text/lines.ts";

/** Lines from which counters are learnt, their values at least, and the share of the steps that must be equal. */
const SAMPLE = 64;
const FEWEST = 20;
const STEADY = 0.95;
/** Jumps that are given; a counter with more is none. */
const MOST = 4;
/** UTF-16 units of a line that are looked at. */
const WIDTH = 400;

/** A key with what is before it, and a whole number: ` seq=12`, `"offset": 12`. */
const COUNTED =
  /(?:^|[\s,;{("])[A-Za-z_][\w.]{1,30}"?[=:] ?(?=\d{1,15}(?![\w.:/-]))/g;
const DIGITS = /\d{1,15}/y;

/** A counter: how it is written before its number, and what is added from one line to the next. */
interface Counter {
  readonly key: string;
  readonly step: number;
}

/**
 * Finds the lines on both sides of the jumps of counters, which nearly always go on by the same step.
 *
 * @returns Lines in order, at most 8 of each of two counters. O(n).
 */
export function counterJumps(lines: Lines): readonly number[] {
  return countersIn(lines).flatMap((counter) => jumpsOf(lines, counter));
}

/** The first two counters that a sample of the first lines holds. */
function countersIn(lines: Lines): readonly Counter[] {
  const values = new Map<string, number[]>();
  for (let i = 0; i < Math.min(SAMPLE, lines.count); i++) {
    const head = lineAt(lines, i).slice(0, WIDTH);
    for (const [key] of head.matchAll(COUNTED)) {
      const known = values.get(key) ?? [];
      values.set(key, known);
      known.push(valueIn(head, key) ?? 0);
    }
  }
  const counters: Counter[] = [];
  for (const [key, known] of values) {
    const step = known.length < FEWEST ? 0 : stepOf(known);
    if (step !== 0 && counters.length < 2) counters.push({ key, step });
  }
  return counters;
}

/** The step that nearly all values are apart; 0 for none. */
function stepOf(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (let i = 1; i < values.length; i++) {
    const step = values[i]! - values[i - 1]!;
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  for (const [step, count] of counts) {
    if (count >= STEADY * (values.length - 1)) return step;
  }
  return 0;
}

function jumpsOf(lines: Lines, { key, step }: Counter): readonly number[] {
  const jumps: number[] = [];
  let last = 0;
  let lastLine = -1;
  for (let i = 0; i < lines.count; i++) {
    const value = valueIn(lineAt(lines, i).slice(0, WIDTH), key);
    if (value === undefined) continue;
    const jumped = lastLine >= 0 && value !== last + step;
    if (jumped) jumps.push(lastLine, i);
    if (jumps.length > 2 * MOST) return [];
    last = value;
    lastLine = i;
  }
  return jumps;
}

function valueIn(line: string, key: string): number | undefined {
  const at = line.indexOf(key);
  if (at < 0) return undefined;
  DIGITS.lastIndex = at + key.length;
  const digits = DIGITS.exec(line)?.[0];
  return digits === undefined ? undefined : Number(digits);
}
