/** Which lines of a configuration stay whatever is asked, and why the others do not. @module */
import {
  keyAt as numberAt,
  lineAt,
  type Lines,
  lineStart,
} from "../../text/lines.ts";
import { matches } from "../../text/sticky.ts";
import { alikeIn, hashOf, SMALL } from "./alike.ts";
import { packageLines } from "./lock.ts";
import type { ConfigView } from "./parse.ts";
import type { Row } from "./row.ts";

/** Lines of a comment from which on it is cut to its first one. */
const LONG_COMMENT = 4;
/** Lines of a text value from which on its middle is left out, and those that stay. */
const LONG_TEXT = { lines: 12, first: 5, last: 2 };
/** Lines of encoded data of which only the first and the last stay; such a line. */
const LONG_DATA = 4;
const DATA = /^\s*[\w+/=-]{40,}\s*$/;
/** Share of the lines that are comments in a text that explains each setting, and their fewest. */
const MOST_COMMENTS = 0.5;
const MANY_COMMENTS = 30;
/** Lines, and UTF-16 units, of a block that is there twice. */
const BLOCK = 3;
const BLOCK_SIZE = 110;
/** Keys below which is bookkeeping of the service that printed the text. */
const BOOKKEEPING =
  /"?(?:managedFields|kubectl\.kubernetes\.io\/last-applied-configuration)"?:/y;
/** What a comment must say to stay. */
const WARNS =
  /\b(?:TODO|FIXME|XXX|HACK|DANGER|MUST|warning|caution|important|deprecated|never|must not|do not|don't)\b/i;

/** Why a line does not stay; 0 for a line that does. */
export const COMMENTED = 1;
const LONG_VALUE = 2;
export const KEPT_BOOKS = 3;
export const ALIKE = 4;
export const AGAIN = 5;
export const PACKAGE = 6;
export const COMMON = 7;

/** What is decided before any question. */
export interface Plan {
  /** One per line: 0 when it stays, or why it does not. */
  readonly why: Uint8Array;
  /** First lines of entries that are left out. */
  readonly spare: Set<Row>;
  /** Line that this one repeats; -1 for none. */
  readonly again: Int32Array;
}

/** Plans of texts that are being compressed: their notes need them. */
const PLANS = new WeakMap<ConfigView, Plan>();

/** What stays without a question, and why the rest does not. O(n), once per view. */
export function planOf(view: ConfigView): Plan {
  const known = PLANS.get(view);
  if (known !== undefined) return known;
  const { count } = view.lines;
  const plan: Plan = {
    why: new Uint8Array(count),
    spare: new Set(),
    again: new Int32Array(count).fill(-1),
  };
  PLANS.set(view, plan);
  dropWithin(view, plan.why);
  dropComments(view, plan.why);
  dropAlike(view, plan);
  if (view.lock !== undefined) {
    for (const { from, to } of packageLines(view.lock, view.lines)) {
      plan.why.fill(PACKAGE, from, to);
    }
  }
  dropAgain(view, plan);
  return plan;
}

/** Long comments but for their first words and for warnings, the middle of long texts, and bookkeeping. */
function dropWithin({ rows, lines }: ConfigView, why: Uint8Array): void {
  for (const run of runsIn(rows)) {
    const [first] = run;
    if (first?.kind === "comment") dropComment(lines, run, why);
    else if (first?.parent !== undefined) dropText(lines, run, why);
  }
  for (const row of rows) {
    const isLong = row.end - row.line > 1;
    if (isLong && matches(BOOKKEEPING, lines.text, row.keyAt)) {
      why.fill(KEPT_BOOKS, row.line + 1, row.end);
    }
  }
}

/** A long comment but for its first words and for warnings. */
function dropComment(
  lines: Lines,
  run: readonly Row[],
  why: Uint8Array,
): void {
  const [{ line } = { line: 0 }] = run;
  if (run.length < LONG_COMMENT) return;
  const head = /\w/.test(lineAt(lines, line)) ? line : line + 1;
  for (let at = line; at < line + run.length; at++) {
    const stays = at === head || WARNS.test(lineAt(lines, at));
    if (!stays) why[at] = COMMENTED;
  }
}

/** The middle of a long text of one value. */
function dropText(lines: Lines, run: readonly Row[], why: Uint8Array): void {
  const [{ line } = { line: 0 }] = run;
  const end = line + run.length;
  const inside = run.slice(1, -1);
  const data = inside.filter((row) => DATA.test(lineAt(lines, row.line)));
  const isData = data.length > 0 && data.length >= inside.length - 1;
  if (isData && run.length >= LONG_DATA) {
    why.fill(LONG_VALUE, line + 1, end - 1);
  } else if (run.length >= LONG_TEXT.lines) {
    why.fill(LONG_VALUE, line + LONG_TEXT.first, end - LONG_TEXT.last);
  }
}

/**
 * In a text that explains each setting, all comments but warnings right above a setting: what is set remains.
 * Blank lines between comments go with them.
 */
function dropComments({ rows, lines }: ConfigView, why: Uint8Array): void {
  const count = rows.reduce((sum, row) => sum + isComment(row), 0);
  const isExplained = count >= MANY_COMMENTS &&
    count > MOST_COMMENTS * lines.count;
  if (!isExplained) return;
  let isAbove = false;
  for (const { line, kind } of rows.toReversed()) {
    if (kind === "comment") {
      const warns = isAbove && WARNS.test(lineAt(lines, line));
      why[line] = warns ? 0 : COMMENTED;
    } else if (kind === "blank") why[line] = COMMENTED;
    isAbove = kind !== "blank" && (kind !== "comment" || isAbove);
  }
}

function isComment({ kind }: Row): 0 | 1 {
  return kind === "comment" ? 1 : 0;
}

/** Lines in a row that are comments, or text of one value; blank lines between lines of text are of the run. */
function runsIn(rows: readonly Row[]): Row[][] {
  const runs: Row[][] = [];
  let run: Row[] | undefined;
  for (const row of rows) {
    const first = run?.[0];
    const isNext = row.kind === first?.kind && row.parent === first.parent;
    const isBetween = row.kind === "blank" && first?.kind === "text";
    if (isNext || isBetween) run?.push(row);
    else if (row.kind === "comment" || row.kind === "text") {
      runs.push(run = [row]);
    } else run = undefined;
  }
  for (const one of runs) while (one.at(-1)?.kind === "blank") one.pop();
  return runs;
}

/** Most of many entries with the same keys below the same line, and what is between them; settings with a common value. */
function dropAlike(view: ConfigView, { why, spare }: Plan): void {
  for (const { common, spare: entries } of alikeIn(view)) {
    for (const { line } of common) why[line] = COMMON;
    for (const entry of entries) {
      spare.add(entry);
      why.fill(ALIKE, entry.line, entry.end);
    }
  }
  let from = -1;
  for (const { line, kind } of view.rows) {
    if (why[line] === ALIKE) {
      if (from >= 0) why.fill(ALIKE, from, line);
      from = line + 1;
    } else if (kind !== "blank" && kind !== "comment" && kind !== "rule") {
      from = -1;
    } else if (kind === "comment" && WARNS.test(lineAt(view.lines, line))) {
      from = -1;
    }
  }
}

/** Blocks of lines that are there earlier, and stay there. O(n). */
function dropAgain({ rows, lines }: ConfigView, { why, again }: Plan): void {
  const ids = new Int32Array(lines.count);
  for (const { line, stop } of rows) {
    // 0 for a line that does not stay: it is no part of a block.
    if (why[line] === 0) {
      ids[line] = hashOf(lines, lineStart(lines, line), stop) | 1;
    }
  }
  const isSame = (a: number, b: number) =>
    ids[a] === ids[b] && ids[a] !== 0 && lineAt(lines, a) === lineAt(lines, b);
  const blocks = new Map<number, number>();
  for (let line = 0; line + BLOCK <= lines.count;) {
    const two = Math.imul(numberAt(ids, line), 31) + numberAt(ids, line + 1);
    const key = (Math.imul(two, 0x01000193) ^ numberAt(ids, line + 2)) & SMALL;
    const first = blocks.get(key) ?? line;
    if (first === line) blocks.set(key, line);
    let size = 0;
    while (
      first + size < line && why[first + size] === 0 &&
      isSame(line + size, first + size)
    ) size++;
    while (size > 0 && rows[line + size - 1]?.kind === "blank") size--;
    const length = lineStart(lines, line + size) - lineStart(lines, line);
    const isBlock = size >= BLOCK && length >= BLOCK_SIZE;
    if (!isBlock || rows[line]?.kind === "blank") {
      line++;
      continue;
    }
    for (let n = 0; n < size; n++) again[line + n] = first + n;
    why.fill(AGAIN, line, line + size);
    line += size;
  }
}
