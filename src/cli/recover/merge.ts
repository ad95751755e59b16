/** Two versions of a session or a history. Pure. @module */
import { Buffer } from "node:buffer";
import { isRecord } from "../agents/agent.ts";

/** Whether `theirs` is `ours`, begins with it, is its beginning, or neither. */
export function relationOf(
  theirs: Uint8Array,
  ours: Uint8Array,
): "same" | "longer" | "shorter" | "other" {
  const common = Math.min(theirs.length, ours.length);
  const [left, right] = [theirs.subarray(0, common), ours.subarray(0, common)];
  if (Buffer.compare(left, right) !== 0) return "other";
  if (theirs.length === ours.length) return "same";
  return theirs.length > common ? "longer" : "shorter";
}

/**
 * The lines of both, in time order, none of theirs twice. Those of each side stay in their order: a line without a time
 * stays behind the one before it.
 *
 * @returns `text` is `ours` itself when nothing is added.
 */
export function mergeLines(
  ours: string,
  theirs: string,
): { readonly text: string; readonly added: number } {
  const own = linesOf(ours);
  const seen = new Set(own);
  const others = linesOf(theirs).filter((line) =>
    line.trim() !== "" && !seen.has(line) && seen.add(line)
  );
  if (others.length === 0) return { text: ours, added: 0 };
  const right = timed(others);
  const merged: string[] = [];
  let next = 0;
  for (const { line, time } of timed(own)) {
    while (next < right.length && right[next]!.time < time) {
      merged.push(right[next++]!.line);
    }
    merged.push(line);
  }
  merged.push(...right.slice(next).map(({ line }) => line));
  return { text: merged.join("\n") + "\n", added: others.length };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function timed(lines: readonly string[]) {
  let last = -Infinity;
  return lines.map((line) => ({ line, time: last = timeOf(line) ?? last }));
}

/** Above this a number counts milliseconds since 1970, below it seconds. */
const FIRST_MS = 1e11;

/** Milliseconds since 1970 of a line; `undefined` where it has no time. */
function timeOf(line: string): number | undefined {
  const record = recordIn(line);
  const value = record["ts"] ?? record["timestamp"] ?? record["updated_at"];
  const time = typeof value === "string"
    ? Date.parse(value)
    : typeof value === "number"
    ? value * (value < FIRST_MS ? 1000 : 1)
    : NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The object that a line of JSON holds; an empty one for any other line. */
export function recordIn(line: string): Readonly<Record<string, unknown>> {
  try {
    const record: unknown = JSON.parse(line);
    return isRecord(record) ? record : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
