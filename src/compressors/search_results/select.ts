/** Which matches stay. @module */
import { bestLines } from "../../text/relevance.ts";
import { ERROR, severities } from "../../text/severity.ts";
import type { FileRows, Row, SearchView } from "./parse.ts";

/** Matches that best fit the query. */
const QUERY_ROWS = 12;
/** If more than this share of the matches speaks of errors, that is what was searched for. */
const ERROR_SHARE = 0.3;
/** Rows of context kept on each side of a match. */
const AROUND = 2;

/**
 * Lines of the text that stay: the first and last match of each file as far as there is room,
 * matches that report errors, those that fit the query, then the next ones of each file.
 *
 * @param terms Of the query.
 * @returns One byte per line of the text, 1 for a row that stays.
 */
export function selectRows(
  view: SearchView,
  terms: readonly string[],
): Uint8Array {
  const keep = new Uint8Array(view.lines.count);
  const files = view.items.filter((item) => "rows" in item);
  const matches = files.map((file) => file.rows.filter((row) => row.isMatch));
  const total = matches.reduce((sum, rows) => sum + rows.length, 0);
  keepErrors(view, matches, total, keep);
  keepAnswers(view, matches, terms, keep);
  const kept = keep.reduce((sum, byte) => sum + byte, 0);
  const budget = Math.min(80, Math.max(12, Math.round(total * 0.2))) - kept;
  const room = Math.max(budget, 8);
  // With more files than room, those with the most matches are shown.
  const shown = files.length <= room
    ? matches
    : matches.slice().sort((a, b) => b.length - a.length).slice(0, room);
  keepInTurn(shown, keep, room);
  for (const file of files) keepContext(file, keep);
  return keep;
}

function keepErrors(
  view: SearchView,
  matches: readonly (readonly Row[])[],
  total: number,
  keep: Uint8Array,
): void {
  const flags = severities(view.lines);
  const errors = matches.flat().filter((row) => flags[row.line]! & ERROR);
  if (errors.length > Math.max(3, ERROR_SHARE * total)) return;
  for (const row of errors) keep[row.line] = 1;
}

function keepAnswers(
  view: SearchView,
  matches: readonly (readonly Row[])[],
  terms: readonly string[],
  keep: Uint8Array,
): void {
  const ranked = bestLines(view.lines, terms, 4 * QUERY_ROWS);
  if (ranked.length === 0) return;
  const isMatch = new Uint8Array(keep.length);
  for (const rows of matches) for (const row of rows) isMatch[row.line] = 1;
  for (
    const { line } of ranked.filter((entry) => isMatch[entry.line]).slice(
      0,
      QUERY_ROWS,
    )
  ) keep[line] = 1;
}

/** Gives each file its first match, then each its last, then each its next, while there is room. */
function keepInTurn(
  matches: readonly (readonly Row[])[],
  keep: Uint8Array,
  budget: number,
): void {
  let left = budget;
  const longest = matches.reduce(
    (most, rows) => Math.max(most, rows.length),
    0,
  );
  for (let turn = 0; turn < longest && left > 0; turn++) {
    for (const rows of matches) {
      // Turn 0: first; turn 1: last; then 2nd, 3rd, …
      const index = turn === 1 ? rows.length - 1 : turn > 1 ? turn - 1 : 0;
      const row = rows[index];
      if (turn >= rows.length || row === undefined || keep[row.line]) continue;
      keep[row.line] = 1;
      if (--left === 0) return;
    }
  }
}

/** Keeps the rows around each kept match, up to the next separator. */
function keepContext({ rows }: FileRows, keep: Uint8Array): void {
  rows.forEach((row, i) => {
    if (!row.isMatch || !keep[row.line]) return;
    for (const step of [-1, 1]) {
      for (let n = 1; n <= AROUND; n++) {
        const near = rows[i + step * n];
        if (near === undefined || near.number === 0 || near.isMatch) break;
        keep[near.line] = 1;
      }
    }
  });
}
