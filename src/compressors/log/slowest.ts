/** The slowest of what a log tells, for a reader who asks about time. @module */
import type { Lines } from "../../text/lines.ts";

/** Whether somebody asks about time. */
const ASKS =
  /\b(?:slow|latenc|durations?\b|takes? (?:so )?long|how long|performance)/i;
/** A duration, no part of a longer word or number. */
const DURATION = /(?<![\w.])(\d{1,12}(?:\.\d{1,12})?) ?(ns|[uµ]s|ms|s|min)\b/g;
const MILLISECONDS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  min: 60_000,
};
/** Lines that are told. */
const TOLD = 3;

/** Says whether the query asks what is slow. */
export function asksForTime(query: string): boolean {
  return ASKS.test(query);
}

/** The lines with the longest durations, longest first, at most three; of equal ones the earlier. O(n). */
export function slowestLines({ text, starts }: Lines): number[] {
  const best: { line: number; time: number }[] = [];
  let line = 0;
  for (const { index, 1: number, 2: unit } of text.matchAll(DURATION)) {
    while (starts[line + 1]! <= index) line++;
    const time = Number(number) * MILLISECONDS[unit!]!;
    const known = best.find((entry) => entry.line === line);
    if (known !== undefined) known.time = Math.max(known.time, time);
    else if (best.length < TOLD || time > best.at(-1)!.time) {
      best.push({ line, time });
    } else continue;
    best.sort((a, b) => b.time - a.time || a.line - b.line);
    best.length = Math.min(best.length, TOLD);
  }
  return best.map((entry) => entry.line);
}
