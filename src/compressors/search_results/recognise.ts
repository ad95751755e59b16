/** Is this text the output of grep, ripgrep or a search tool? @module */
import type { Recognise } from "../../core/detector.ts";
import { indexLines, lineAt, type Lines, sampleOf } from "../../text/lines.ts";
import { bodyEnd, isSeparator, matchAt } from "./row_forms.ts";

/** Lines looked at: in the start, the middle and the end. */
const SAMPLE = 50;
/** A tool that searches may be believed with fewer signs. */
const SEARCHES = /grep|search|\brg\b|ripgrep/i;
/** A path: a slash or an extension, and no sentence before it. */
const PATH =
  /^(?:[A-Za-z]:)?[^\s:"'<>=|]*(?:[\\/]|\.[A-Za-z]\w{0,9}$)[^:"<>=|]*$/;
/** What a compiler, not a search, writes after a line number. */
const DIAGNOSTIC =
  /^(?:\d+:)?\s*(?:fatal )?(?:error|warning|note|info|hint)\b|^\d+: \w/i;
const CONTEXT = /^[^\s:]*[./\\][^:]*?-\d+-/;
const COUNT = /^(?:[A-Za-z]:[\\/])?[^\s:]*[./\\][^:]*:\d+$/;
const MESSAGE =
  /^(?:grep|rg|ag): |^Binary file .* matches|^Found \d+ |: binary file matches/;

/** Share of a bounded sample of lines that are rows of search results. */
export const recogniseSearchResults: Recognise = (text, toolName) => {
  const lines = indexLines(text);
  const bonus = toolName !== undefined && SEARCHES.test(toolName) ? 0.1 : 0;
  const sample = sampleOf(lines.count, SAMPLE);
  const share = Math.max(
    rowShare(lines, sample),
    countShare(lines, sample),
    headingShare(lines, sample),
  );
  return share === 0 ? 0 : Math.min(1, share + bonus);
};

/** `path:12:text`, with context lines and messages beside. */
function rowShare(lines: Lines, sample: readonly number[]): number {
  let rows = 0;
  let context = 0;
  let seen = 0;
  for (const i of sample) {
    const line = lineAt(lines, i).slice(0, 400);
    if (line.trim() === "" || isSeparator(lines, i) || MESSAGE.test(line)) {
      continue;
    }
    seen++;
    if (isRow(lines, i)) rows++;
    else if (CONTEXT.test(line)) context++;
  }
  if (rows < 2) return 0;
  // Context without its match would be any list of dashed names.
  return (rows + Math.min(context, 20 * rows)) / seen;
}

function isRow(lines: Lines, line: number): boolean {
  const at = matchAt(lines, line);
  if (at === 0) return false;
  const path = lines.text.slice(lines.starts[line]!, at - 1);
  if (!PATH.test(path)) return false;
  const end = lines.starts[line + 1]! - 1;
  const text = lines.text.slice(at, Math.min(end, at + 80));
  return !DIAGNOSTIC.test(text.slice(text.indexOf(":") + 1));
}

/** `path:3` on nearly every line. */
function countShare(lines: Lines, sample: readonly number[]): number {
  if (lines.count < 5) return 0;
  const fitting = sample.filter((i) => COUNT.test(lineAt(lines, i))).length;
  return fitting < 0.9 * sample.length ? 0 : 0.85;
}

/** A path, then rows `12:text` that rise by more than one; or such rows alone. */
function headingShare(lines: Lines, sample: readonly number[]): number {
  let rows = 0;
  let steps = 0;
  let headings = 0;
  let others = 0;
  let before = 0;
  for (const i of sample) {
    const start = lines.starts[i]!;
    const stop = bodyEnd(lines, i, start);
    if (stop > 0) {
      const number = Number(lines.text.slice(start, stop - 1));
      if (number === before + 1) steps++;
      before = number;
      rows++;
    } else if (lines.starts[i + 1]! - start > 1 && !isSeparator(lines, i)) {
      if (PATH.test(lineAt(lines, i).slice(0, 400))) headings++;
      else others++;
    }
  }
  if (rows < 3 || others > 0.1 * rows) return 0;
  if (headings > 0 && headings <= rows) return 0.9;
  // A numbered listing of a file rises by one.
  return lines.count >= 5 && steps < 0.5 * rows && isRising(lines) ? 0.82 : 0;
}

function isRising(lines: Lines): boolean {
  let before = 0;
  for (let i = 0; i < Math.min(lines.count, 200); i++) {
    const start = lines.starts[i]!;
    const stop = bodyEnd(lines, i, start);
    if (stop === 0) continue;
    const number = Number(lines.text.slice(start, stop - 1));
    if (number <= before) return false;
    before = number;
  }
  return true;
}
