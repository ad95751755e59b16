/** The rows of a dump: which of them differ, and readable words in their bytes. @module */
import { lineAt, lineEnd, type Lines, lineStart } from "../../text/lines.ts";

/** UTF-16 units of a word: at least, and at most of one that is shown. */
const SHORTEST = 6;
const LONGEST = 48;
/** Words shown, and UTF-16 units of the list. */
const MAX_WORDS = 10;
const WIDTH = 240;
/** Rows read; of a longer dump the rest says the same. */
const MAX_ROWS = 40_000;

/** Rows that stay because they differ from the one above; rows that may do so, and their share. */
const MOST_CHANGES = 16;
const FEW_CHANGES = 2;
const CHANGED_SHARE = 0.05;
const SPACE = 32;
const STAR = 42;

/** The column of characters: between bars, or behind the two blanks after the bytes. */
const BARS = / \|(.*)\|$/;
const BLANKS = /^\s*[0-9a-f]+:? +(?:[0-9a-f]+ )+ +(\S.*)$/i;
const READABLE = /[A-Za-z][\w .,:;!?/@%()'"=+-]{4,}/g;
const WORDY = /[A-Za-z]{4}/;

/**
 * Texts in the rows `[from, to)`, each once: those with a term of the query first, then errors, then in order.
 *
 * @returns At most 10, together at most about 240 UTF-16 units. O(rows).
 */
export function wordsOfDump(
  lines: Lines,
  { from, to }: { readonly from: number; readonly to: number },
  terms: readonly string[],
): string[] {
  const column: string[] = [];
  for (let i = from; i < Math.min(to, from + MAX_ROWS); i++) {
    const row = lineAt(lines, i).slice(0, WIDTH).replace(/\r$/, "");
    column.push((BARS.exec(row) ?? BLANKS.exec(row))?.[1] ?? "");
  }
  const found = new Set<string>();
  // A full stop stands for any byte that is no letter: one may end a word, two do.
  const letters = column.join("").replace(/\.{2,}/g, "\n");
  for (const [piece] of letters.matchAll(READABLE)) {
    const word = piece.trim();
    if (word.length < SHORTEST || !WORDY.test(word)) continue;
    found.add(word.length > LONGEST ? `${word.slice(0, LONGEST)}…` : word);
  }
  return shortList([...found], terms);
}

/**
 * Rows in `[from, to)` whose bytes differ from those of the row above, where few do: what is not empty in a dump, and
 * where it ends.
 *
 * @returns Lines in order, the first 15 and the last at most. O(rows).
 */
export function changedRows(
  lines: Lines,
  { from, to }: { readonly from: number; readonly to: number },
): readonly number[] {
  const changed: number[] = [];
  let last = bytesOf(lines, from - 1);
  for (let i = from; i < to; i++) {
    const bytes = bytesOf(lines, i);
    // A star stands for rows that equal the one above.
    if (bytes === "" || bytes === last) continue;
    changed.push(i);
    last = bytes;
  }
  const most = Math.max(FEW_CHANGES, CHANGED_SHARE * (to - from));
  if (changed.length > most) return [];
  return changed.length <= MOST_CHANGES
    ? changed
    : [...changed.slice(0, MOST_CHANGES - 1), ...changed.slice(-1)];
}

/** What is behind the offset of a row; nothing of a star. */
function bytesOf(lines: Lines, line: number): string {
  const { codes, text } = lines;
  if (line < 0) return "";
  const end = lineEnd(lines, line);
  let at = lineStart(lines, line);
  while (at < end && codes[at]! <= SPACE) at++;
  if (codes[at] === STAR) return "";
  while (at < end && codes[at]! > SPACE) at++;
  return text.slice(at, end);
}

function shortList(words: string[], terms: readonly string[]): string[] {
  const rank = (word: string) => {
    const small = word.toLowerCase();
    if (terms.some((term) => small.includes(term))) return 0;
    return /error|fail|denied|fatal|panic|invalid/.test(small) ? 1 : 2;
  };
  const ranked = words.map((word, i) => ({ word, i, rank: rank(word) }))
    .sort((a, b) => a.rank - b.rank || a.i - b.i);
  const list: string[] = [];
  let width = 0;
  for (const { word } of ranked) {
    width += word.length + 4;
    if (list.length === MAX_WORDS || width > WIDTH) break;
    list.push(word);
  }
  return list;
}
