/** Inverse of the folds of configuration texts. @module */
import { endsWithNewline, indexLines, lineAt } from "../../text/lines.ts";
import { BETWEEN, fillRow, templateOf } from "./slots.ts";

const RUN = /^… \(repeated (\d+) times\)$/;
const BLOCK = /^… \(same as lines (\d+)-(\d+)(?:, (\d+) times)?, from ".*"\)$/;
const ROWS = /^… \((\d+) more like these (\d+) lines, as (.*)\)$/;
const STARTS = /^… \(next (\d+) lines start with (".*")\)$/;

/**
 * Writes a folded text out again. Linear in the result.
 *
 * @param firstLine Number that the notes give the first line.
 * @throws {Error} If a note cannot be carried out: the text is none that was folded.
 */
export function unfoldConfig(folded: string, firstLine = 1): string {
  if (!folded.includes("… (")) return folded;
  const lines = indexLines(folded);
  const out: string[] = [];
  for (let i = 0; i < lines.count; i++) {
    const line = lineAt(lines, i);
    if (!line.startsWith("… (")) {
      out.push(line);
      continue;
    }
    const following = followingOf(line);
    const rows = Array.from(
      { length: following },
      (_, n) => lineAt(lines, i + 1 + n),
    );
    carryOut(line, rows, { out, firstLine });
    i += following;
  }
  return out.join("\n") + (endsWithNewline(lines) ? "\n" : "");
}

/** Lines below a note that are its own. */
function followingOf(note: string): number {
  return Number((ROWS.exec(note) ?? STARTS.exec(note))?.[1] ?? 0);
}

/** What is written so far. */
interface Writing {
  readonly out: string[];
  readonly firstLine: number;
}

function carryOut(
  note: string,
  rows: readonly string[],
  { out, firstLine }: Writing,
): void {
  const run = RUN.exec(note);
  const block = BLOCK.exec(note);
  const alike = ROWS.exec(note);
  const starts = STARTS.exec(note);
  if (run !== null) repeat(out, out.slice(-1), Number(run[1]) - 1);
  else if (block !== null) {
    const from = Number(block[1]) - firstLine;
    const copied = out.slice(from, Number(block[2]) - firstLine + 1);
    repeat(out, copied, Number(block[3] ?? 1));
  } else if (alike !== null) {
    const record = out.slice(-Number(alike[2]));
    const template = templateOf(record, alike[3]!.split(BETWEEN));
    for (const row of rows) {
      const filled = template && fillRow(template, row);
      if (filled === undefined) throw new Error(`Cannot fill the row "${row}"`);
      for (const line of filled.split("\n")) out.push(line);
    }
  } else if (starts !== null) {
    const start: string = JSON.parse(starts[2]!);
    for (const row of rows) out.push(start + row);
  } else out.push(note);
}

function repeat(out: string[], copied: readonly string[], times: number): void {
  for (let n = times; n > 0; n--) for (const line of copied) out.push(line);
}
