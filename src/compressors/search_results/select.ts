/** Which matches stay. @module */
import { bestLines } from "../../text/relevance.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import type { FileRows, Row, SearchView } from "./parse.ts";
import { DECLARES, IMPORTS, rankOf, USES, WANTED } from "./rank.ts";
import { digitsEnd } from "./row_forms.ts";

/** Matches that best fit the query. */
const QUERY_ROWS = 12;
/** If more than this share of the matches speaks of errors, that is what was searched for. */
const ERROR_SHARE = 0.3;
/** Rows of context kept on each side of a match. */
const AROUND = 2;
/** Share of the matches that stay, and how many that is at least and at most. */
const KEPT_SHARE = 0.2;
const FEWEST = 12;
const MOST = 80;
/** Matches that stay because they declare what the query names. */
const MOST_WANTED = 10;
/** UTF-16 units of a row that say what it declares. */
const WIDTH = 200;

/**
 * Lines of the text that stay: matches that report errors, those that declare what the query names or fit it
 * otherwise, then of each file in turn as far as there is room: declarations, the first match, the last, the next.
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
  const ranked = rankedRows(view, matches, terms, keep);
  const kept = keep.reduce((sum, byte) => sum + byte, 0);
  const budget = Math.min(MOST, Math.max(FEWEST, total * KEPT_SHARE)) - kept;
  const room = Math.max(Math.round(budget), 8);
  // With more files than room, those with the most matches are shown.
  const shown = files.length <= room
    ? ranked
    : ranked.slice().sort((a, b) => b.length - a.length).slice(0, room);
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
  const errors: number[] = [];
  for (const rows of matches) {
    for (const { line } of rows) if (flags[line]! & ERROR) errors.push(line);
  }
  if (errors.length > Math.max(3, ERROR_SHARE * total)) return;
  for (const line of errors) keep[line] = 1;
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

/**
 * The matches of each file, those first that tell most; of alike ones the first, the last, then the next.
 * Keeps some that declare what the query names.
 */
function rankedRows(
  view: SearchView,
  matches: readonly (readonly Row[])[],
  terms: readonly string[],
  keep: Uint8Array,
): (readonly Row[])[] {
  const ranks = new Uint8Array(keep.length);
  let left = MOST_WANTED;
  return matches.map((rows) => {
    let seen = 0;
    for (const row of rows) {
      const rank = rankOf(textOfRow(view, row), terms);
      if (rank === WANTED && left-- > 0) keep[row.line] = 1;
      ranks[row.line] = rank;
      seen |= 1 << rank;
    }
    const isMixed = (seen & (seen - 1)) !== 0;
    return isMixed
      ? [WANTED, DECLARES, USES, IMPORTS].flatMap((rank) =>
        endsFirst(rows.filter(({ line }) => ranks[line] === rank))
      )
      : endsFirst(rows);
  });
}

/** The first, the last, then the others. */
function endsFirst(rows: readonly Row[]): readonly Row[] {
  return rows.length < 3
    ? rows
    : [rows[0]!, rows.at(-1)!, ...rows.slice(1, -1)];
}

/** The start of the matched line. */
function textOfRow({ lines }: SearchView, { line, bodyAt }: Row): string {
  const end = lines.starts[line + 1]! - 1;
  const at = digitsEnd(lines.codes, bodyAt, end) + 1;
  return lines.text.slice(at, Math.min(end, at + WIDTH));
}

/** Gives each file its first row, then each its next, while there is room. */
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
      const row = rows[turn];
      if (row === undefined || keep[row.line]) continue;
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
