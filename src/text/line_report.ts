/**
 * Which lines of a text are still in what was made of it, and what became of those that report something. It looks at
 * both texts only: whatever made the shorter one, the answer does not rest on what that says of itself.
 * @module
 */
import type { LineReport, ReportedLine } from "../core/line_report.ts";
import { indexLines, lineAt } from "./lines.ts";
import { ERROR, FAILED, SUMMARY, WARNING } from "./signs/flags.ts";
import { severities } from "./signs/severity.ts";
import { plainText } from "./terminal.ts";

/** Lines that report something and are looked at: each may be searched for in the whole shorter text. */
const MAX_REPORTED = 500;
/** Words of a line that are searched for. */
const MAX_WORDS = 30;
const WORD = /[\p{L}\p{N}_]+/gu;

/**
 * Compares two texts line by line.
 *
 * @param original As received; terminal codes are ignored.
 * @param shorter What was made of it.
 * @param isRecords Whether a line is a field of a record, as in JSON: none of them is a total, and names may be said
 * elsewhere than values.
 * @returns A line whose words are all in one line of `shorter` (of records: anywhere in it) counts as rewritten. O(n),
 * and O(n) more for each line that reports something, 500 at most.
 */
export function lineReport(
  original: string,
  shorter: string,
  isRecords: boolean,
): LineReport {
  const lines = indexLines(plainText(original));
  const flags = severities(lines);
  const kept = shorter.split("\n").map((line) => line.trim());
  const known = new Set(kept);
  const places = isRecords ? [shorter] : kept;
  const unchanged: [number, number][] = [];
  const reported: ReportedLine[] = [];
  let isCut = false;
  for (let i = 0; i < lines.count; i++) {
    const text = lineAt(lines, i).trim();
    const isKept = known.has(text);
    if (isKept) extend(unchanged, i + 1, text === "");
    const what = text === "" ? undefined : whatOf(flags[i]!);
    if (what === undefined || (isRecords && what === "total")) continue;
    isCut = reported.length >= MAX_REPORTED;
    if (isCut) continue;
    const shown = isKept
      ? "unchanged"
      : hasWordsOf(text, places)
      ? "rewritten"
      : "omitted";
    reported.push({ line: i + 1, text, what, shown });
  }
  return { lines: lines.count, unchanged, reported, isCut };
}

function whatOf(flags: number): ReportedLine["what"] | undefined {
  if (flags & (ERROR | FAILED)) return "failure";
  if (flags & WARNING) return "warning";
  return flags & SUMMARY ? "total" : undefined;
}

/** Adds a line to the last stretch, or begins one; a blank line begins none. */
function extend(
  stretches: [number, number][],
  line: number,
  isBlank: boolean,
): void {
  const last = stretches.at(-1);
  if (last?.[1] === line - 1) last[1] = line;
  else if (!isBlank) stretches.push([line, line]);
}

function hasWordsOf(line: string, places: readonly string[]): boolean {
  const words = [...new Set(line.match(WORD))].slice(0, MAX_WORDS);
  return words.length > 0 &&
    places.some((place) => words.every((word) => place.includes(word)));
}
