/** Which lines of a configuration text stay. @module */
import { bestLines, queryTerms } from "../../text/relevance.ts";
import { BLANK, COMMENT, TEXT } from "./scan_line.ts";
import { spareEntries, type Tree, treeOf } from "./siblings.ts";
import type { ConfigView } from "./view.ts";
import { FAILING, saidBy, WARNING } from "./words_said.ts";

/** Lines of a comment from which on it is cut to its first one. */
const LONG_COMMENT = 4;
/** Lines of a text value from which on its middle is left out, and those that stay. */
const LONG_TEXT = 14;
const TEXT_HEAD = 6;
const TEXT_TAIL = 3;
/** Lines of a list of values in encoded text: head and tail. */
const LONG_DATA = 4;
const DATA_WIDTH = 40;
/** Lines that best fit the query; an entry of this many lines stays whole for one. */
const QUERY_LINES = 10;
const WHOLE_ENTRY = 20;
/** Lines at the start of a larger entry that stay with one. */
const ENTRY_HEAD = 4;
/** Keys whose value is bookkeeping of the service that printed the text; UTF-16 units of the shortest and the longest. */
const NOISE = new Set([
  "managedFields",
  "kubectl.kubernetes.io/last-applied-configuration",
]);
const SHORTEST_NOISE = 13;
const LONGEST_NOISE = 48;

const SPACE = 32;

/** Why a line does not stay; 0 for a line that does. */
export const STAYS = 0;
/** Rest of a long comment. */
export const COMMENTED = 1;
/** Middle of a long text or of encoded data. */
export const LONG_VALUE = 2;
/** Bookkeeping. */
export const BOOKKEEPING = 3;
/** In one of many alike entries. */
export const ALIKE = 4;

/** What stays. */
export interface Selection {
  /** One byte per line: `STAYS`, or why it does not. */
  readonly why: Uint8Array;
  /** 1 for the first line of one of many alike entries that need not stay. */
  readonly spare: Uint8Array;
  /** Flags of `words_said.ts`. */
  readonly said: Uint8Array;
  /** Who stands below whom. */
  readonly tree: Tree;
}

/**
 * Marks the lines that stay: all but the rest of long comments, the middle of long texts and of lists of alike
 * entries, and bookkeeping; of these what reports a failure, warns or fits the query. O(n).
 */
export function selectLines(view: ConfigView, query: string): Selection {
  const tree = treeOf(view);
  const said = saidBy(view);
  const spare = spareEntries(view, tree, said);
  const why = new Uint8Array(view.kinds.length);
  dropComments(view, why);
  dropTexts(view, why);
  dropBookkeeping(view, tree, why);
  for (let i = 0; i < why.length; i++) {
    if (why[i] === COMMENTED && said[i]! & WARNING) why[i] = STAYS;
    if (why[i] !== STAYS && said[i]! & FAILING) keepUpwards(view, why, i);
  }
  for (let i = 0; i < why.length;) {
    const end = spare[i] ? tree.ends[i]! : i + 1;
    if (spare[i]) why.fill(ALIKE, i, end);
    i = end;
  }
  dropBetween(view, said, why);
  keepAnswers(view, { why, spare, said, tree }, query);
  return { why, spare, said, tree };
}

/** Comments that are long, but for their first line. */
function dropComments({ kinds }: ConfigView, why: Uint8Array): void {
  eachRun(kinds, COMMENT, (from, to) => {
    if (to - from >= LONG_COMMENT) why.fill(COMMENTED, from + 1, to);
  });
}

/** The middle of texts of many lines. */
function dropTexts(view: ConfigView, why: Uint8Array): void {
  eachRun(view.kinds, TEXT, (from, to) => {
    const parent = view.parents[from]!;
    if (parent < 0) return;
    if (isData(view, from, to)) why.fill(LONG_VALUE, from + 1, to - 1);
    else if (to - from >= LONG_TEXT) {
      why.fill(LONG_VALUE, from + TEXT_HEAD, to - TEXT_TAIL);
    }
  });
}

/** Lines without blanks, as of a certificate. */
function isData(view: ConfigView, from: number, to: number): boolean {
  if (to - from < LONG_DATA) return false;
  const { codes, starts } = view.lines;
  for (let line = from + 1; line < to - 1; line++) {
    const end = starts[line + 1]! - 1;
    let at = starts[line]! + view.indents[line]!;
    if (end - at < DATA_WIDTH && line < to - 2) return false;
    while (at < end && codes[at]! > SPACE) at++;
    if (at < end - 1) return false;
  }
  return true;
}

/** Calls `visit` for each run of lines of a kind; blank lines in texts belong to them. */
function eachRun(
  kinds: Uint8Array,
  kind: number,
  visit: (from: number, to: number) => void,
): void {
  for (let i = 0; i < kinds.length; i++) {
    if (kinds[i] !== kind) continue;
    const from = i;
    let to = i + 1;
    for (i++; i < kinds.length; i++) {
      if (kinds[i] === kind) to = i + 1;
      else if (kind !== TEXT || kinds[i] !== BLANK) break;
    }
    visit(from, to);
  }
}

function dropBookkeeping(view: ConfigView, tree: Tree, why: Uint8Array): void {
  const { kinds, keyAt, keyEnd, lines } = view;
  for (let i = 0; i < kinds.length; i++) {
    const size = keyEnd[i]! - keyAt[i]!;
    if (tree.ends[i]! - i < 2 || size < SHORTEST_NOISE) continue;
    if (size > LONGEST_NOISE) continue;
    if (NOISE.has(lines.text.slice(keyAt[i]!, keyEnd[i]!))) {
      why.fill(BOOKKEEPING, i + 1, tree.ends[i]!);
    }
  }
}

/** Comments and blank lines between entries that are left out go with them, unless they warn. */
function dropBetween(
  { kinds }: ConfigView,
  said: Uint8Array,
  why: Uint8Array,
): void {
  let before = -1;
  for (let i = 0; i < why.length; i++) {
    if (why[i] === ALIKE) {
      if (before >= 0) why.fill(ALIKE, before, i);
      before = i + 1;
    } else if (kinds[i] !== BLANK && kinds[i] !== COMMENT) before = -1;
    else if (said[i]! & WARNING) before = -1;
  }
}

/** A line and all that it stands below. */
function keepUpwards({ parents }: ConfigView, why: Uint8Array, line: number) {
  for (let i = line; i >= 0 && (i === line || why[i] !== STAYS);) {
    why[i] = STAYS;
    i = parents[i]!;
  }
}

/** Keeps what fits the query: the entry when it is small, else the line and what it stands below. */
function keepAnswers(
  view: ConfigView,
  { why, spare, tree }: Selection,
  query: string,
): void {
  const terms = queryTerms(query);
  for (const { line } of bestLines(view.lines, terms, QUERY_LINES)) {
    keepUpwards(view, why, line);
    if (tree.ends[line]! - line <= WHOLE_ENTRY) {
      why.fill(STAYS, line, tree.ends[line]!);
    }
    let entry = line;
    while (entry >= 0 && spare[entry] === 0) entry = view.parents[entry]!;
    if (entry < 0) continue;
    const end = tree.ends[entry]!;
    const isSmall = end - entry <= WHOLE_ENTRY;
    why.fill(STAYS, entry, isSmall ? end : Math.min(end, entry + ENTRY_HEAD));
  }
}
