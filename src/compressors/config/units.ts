/** Which lines of a configuration text stay. @module */
import type { CompressContext } from "../../core/compressor.ts";
import type { Units } from "../../core/kind.ts";
import { keepAnswers } from "../../engine/answers.ts";
import { STAYS } from "../../engine/choose.ts";
import { countText, inlineNote } from "../../engine/note.ts";
import {
  codeAt,
  keyAt as numberAt,
  lineAt,
  type Lines,
  lineStart,
} from "../../text/lines.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import { standouts } from "../../text/signs/standouts.ts";
import { packageLines, wholePackages } from "./lock.ts";
import type { ConfigView, Row } from "./parse.ts";

/** Lines of a comment from which on it is cut to its first one. */
const LONG_COMMENT = 4;
/** Lines of a text value from which on its middle is left out, and those that stay. */
const LONG_TEXT = { lines: 12, first: 5, last: 2 };
/** Lines of encoded data of which only the first and the last stay; such a line. */
const LONG_DATA = 4;
const DATA = /^\s*[\w+/=-]{40,}\s*$/;
/** Entries that stay of many alike ones, at both ends, by their mean size in lines; `more` of them are no reason to leave any out. */
const ENDS = [
  { lines: 1, first: 12, last: 3, more: 25 },
  { lines: 8, first: 5, last: 2, more: 0 },
  { lines: 25, first: 3, last: 1, more: 0 },
  { lines: Infinity, first: 2, last: 1, more: 0 },
] as const;
/** The same for keys with a value. */
const VALUE_ENDS = { first: 80, last: 20, more: 200 };
/** Settings below the same line of which those with a common value go, the share of them that have it, and their fewest. */
const MANY_SETTINGS = 40;
const COMMON_SHARE = 0.05;
const FEWEST_COMMON = 5;
/** Settings that stay at both ends of many. */
const SETTING_ENDS = { first: 8, last: 3 };
/** UTF-16 units of a value from which on its shape counts. */
const LONG_SETTING = 24;
/** What a program prints of a setting that nobody set, and such a one that is worth a line: a limit, a time. */
const DEFAULT = /^ ?\((?:default|built-?in)\)/i;
const LIMIT = /= ?["']?-?\d[\w.]*["']?$/;
/** Share of the lines that are comments in a text that explains each setting, and their fewest. */
const MOST_COMMENTS = 0.5;
const MANY_COMMENTS = 30;
/** Entries with a failure, and entries with a value that few others have, that stay. */
const MOST_FAILING = 24;
const MOST_ODD = 12;
/** A value is odd when so few entries have it and its key has few values. */
const ODD = 2;
const FEW_VALUES = 6;
/** Lines of an entry that are looked at. */
const LOOKED_AT = 400;
/** An entry of this many lines stays whole when it answers the question; of a larger one its first lines. */
const WHOLE_ENTRY = 20;
const ENTRY_HEAD = 4;
/** Lines, and UTF-16 units, of a block that is there twice. */
const BLOCK = 3;
const BLOCK_SIZE = 110;
/** Keys below which is bookkeeping of the service that printed the text. */
const BOOKKEEPING =
  /"?(?:managedFields|kubectl\.kubernetes\.io\/last-applied-configuration)"?:/y;
/** What a comment must say to stay. */
const WARNS =
  /\b(?:TODO|FIXME|XXX|HACK|DANGER|MUST|warning|caution|important|deprecated|never|must not|do not|don't)\b/i;

/** Hashes are as small as maps are fast with. */
const SMALL = 0x3fffffff;

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

/** Everything stays but the rest of long comments, the middle of long texts, bookkeeping, most of many alike entries, packages, and what is there twice. */
export function unitsOf(view: ConfigView, { query }: CompressContext): Units {
  const { why, spare } = planOf(view);
  const { lines, rows, lock } = view;
  const starts = lines.starts.slice();
  starts[lines.count] = lines.text.length;
  const weights = why.map((reason) => reason === 0 ? STAYS : 0);
  const mayAnswer = (line: number) => why[line] !== PACKAGE;
  keepAnswers(lines, { query, mayAnswer }, weights);
  for (const row of rows) {
    if (weights[row.line] !== STAYS || why[row.line] === 0) continue;
    let entry = row;
    for (let at: Row | undefined = row; at !== undefined; at = at.parent) {
      weights[at.line] = STAYS;
      if (spare.has(at)) entry = at;
    }
    const size = entry.end - entry.line;
    const kept = size <= WHOLE_ENTRY ? size : ENTRY_HEAD;
    weights.fill(STAYS, entry.line, entry.line + kept);
  }
  if (lock !== undefined) {
    for (const { from, to } of wholePackages(lock, query)) {
      weights.fill(STAYS, from, to);
    }
  }
  return { starts, weights, write: (line) => shortLine(lines, line) };
}

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
    if (first === undefined) continue;
    const { line, kind, parent } = first;
    const end = line + run.length;
    if (kind === "comment" && run.length >= LONG_COMMENT) {
      const head = /\w/.test(lineAt(lines, line)) ? line : line + 1;
      for (let at = line; at < end; at++) {
        const stays = at === head || WARNS.test(lineAt(lines, at));
        if (!stays) why[at] = COMMENTED;
      }
    }
    if (kind !== "text" || parent === undefined) continue;
    const inside = run.slice(1, -1);
    const data = inside.filter((row) => DATA.test(lineAt(lines, row.line)));
    const isData = data.length > 0 && data.length >= inside.length - 1;
    if (isData && run.length >= LONG_DATA) {
      why.fill(LONG_VALUE, line + 1, end - 1);
    } else if (run.length >= LONG_TEXT.lines) {
      why.fill(LONG_VALUE, line + LONG_TEXT.first, end - LONG_TEXT.last);
    }
  }
  for (const row of rows) {
    BOOKKEEPING.lastIndex = row.keyAt;
    if (row.end - row.line > 1 && BOOKKEEPING.test(lines.text)) {
      why.fill(KEPT_BOOKS, row.line + 1, row.end);
    }
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

/** Most of many entries with the same keys below the same line, and what is between them. */
function dropAlike(view: ConfigView, { why, spare }: Plan): void {
  let failing: Int32Array | undefined;
  for (const group of groupsIn(view)) {
    const lines = group.reduce((sum, { line, end }) => sum + end - line, 0);
    const size = lines / group.length;
    const { first, last, more } = size <= 1 && group[0]?.kind === "key"
      ? VALUE_ENDS
      : ENDS.find((limit) => size <= limit.lines) ?? ENDS[0];
    if (size <= 1 && group.length >= MANY_SETTINGS) {
      failing ??= signsBefore(view);
      for (const { line } of commonIn(view, group)) {
        const fails = numberAt(failing, line + 1) > numberAt(failing, line);
        if (!fails) why[line] = COMMON;
      }
    }
    if (group.length <= first + last + more) continue;
    failing ??= signsBefore(view);
    const odd = size > 1 ? oddIn(view, group) : new Set<Row>();
    let failures = 0;
    let strange = 0;
    for (const entry of group.slice(first, group.length - last)) {
      const { line, end } = entry;
      const fails = numberAt(failing, end) > numberAt(failing, line);
      if (fails && failures++ < MOST_FAILING) continue;
      if (odd.has(entry) && strange++ < MOST_ODD) continue;
      spare.add(entry);
      why.fill(ALIKE, line, end);
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

/** Settings whose value many of them have, or a long one of the same shape, and those that are said to be defaults; not at the ends. O(n). */
function commonIn({ lines }: ConfigView, group: readonly Row[]): Row[] {
  const { first, last } = SETTING_ENDS;
  const holders = new Map<string, Row[]>();
  const defaults: Row[] = [];
  for (const row of group.slice(first, -last)) {
    // Where the value comes from is before its sign.
    const end = Math.min(row.stop, row.keyEnd + LOOKED_AT);
    const value = lines.text.slice(row.keyEnd, end);
    if (DEFAULT.test(value)) {
      if (!LIMIT.test(value)) defaults.push(row);
      continue;
    }
    const key = value.length < LONG_SETTING
      ? value
      : value.replace(/[\w.-]+/g, "w");
    const same = holders.get(key) ?? [];
    if (same.push(row) === 1) holders.set(key, same);
  }
  const least = Math.max(FEWEST_COMMON, COMMON_SHARE * group.length);
  const common = [...holders.values()].filter(({ length }) => length >= least);
  return [...defaults, ...common.flat()];
}

/** How many lines before each report a failure in a value, or have a rare or an extreme one. */
function signsBefore({ lines, rows }: ConfigView): Int32Array {
  const flags = severities(lines);
  for (const { line } of standouts(lines)) flags[line] = ERROR;
  const before = new Int32Array(lines.count + 1);
  for (const { line, kind } of rows) {
    const isValue = kind === "key" || kind === "item";
    const fails = isValue && ((flags[line] ?? 0) & ERROR) !== 0;
    before[line + 1] = numberAt(before, line) + (fails ? 1 : 0);
  }
  return before;
}

/** Entries below the same line that have the same keys right below them; groups of few are left out. O(n). */
function groupsIn(view: ConfigView): Row[][] {
  const shapes = new Int32Array(view.lines.count);
  const groups = new Map<number, Row[]>();
  for (const row of view.rows.toReversed()) {
    const { kind, parent, line, dash } = row;
    const isEntry = kind === "key" || kind === "open" || kind === "item" ||
      kind === "section";
    if (!isEntry) continue;
    const hash = hashOf(view.lines, row.keyAt, row.keyEnd);
    const above = parent?.line ?? -1;
    if (above >= 0) shapes[above] = numberAt(shapes, above) + hash | 0;
    const isLeaf = row.end === line + 1;
    // The key beside a dash is one of the entry's; that of a map is its name.
    const own = isLeaf ? kind.length : dash ? hash : 0;
    const shape = numberAt(shapes, line) + own;
    const key = (Math.imul(shape ^ above, 0x9e3779b1) ^ above) & SMALL;
    const group = groups.get(key) ?? [];
    if (group.push(row) === 1) groups.set(key, group);
  }
  return [...groups.values()].filter(({ length }) => length > 3)
    .map((group) => group.reverse());
}

/** Hash of the characters `[from, to)`, of at most 120 of them. */
function hashOf({ codes }: Lines, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = from; at < Math.min(to, from + 120); at++) {
    hash = Math.imul(hash ^ codeAt(codes, at), 0x01000193);
  }
  return hash & SMALL;
}

/** Entries that have a value which hardly any other has, under a key that has few values. */
function oddIn(view: ConfigView, group: readonly Row[]): Set<Row> {
  const columns = new Map<number, Map<number, Row[]>>();
  for (const entry of group) {
    for (const row of rowsOf(view, entry)) {
      const key = hashOf(view.lines, row.keyAt, row.keyEnd);
      const values = columns.get(key) ?? new Map<number, Row[]>();
      columns.set(key, values);
      if (row.kind !== "key" || values.size > FEW_VALUES) continue;
      const value = hashOf(view.lines, row.valueAt, row.stop);
      const holders = values.get(value) ?? [];
      values.set(value, holders);
      if (holders.length <= ODD) holders.push(entry);
    }
  }
  const odd = new Set<Row>();
  for (const values of columns.values()) {
    if (values.size > Math.min(FEW_VALUES, group.length / 3)) continue;
    for (const holders of values.values()) {
      if (holders.length > ODD) continue;
      for (const entry of holders) odd.add(entry);
    }
  }
  return odd;
}

/** The first lines of an entry. */
export function rowsOf(
  { rows }: ConfigView,
  { line, end }: Row,
): readonly Row[] {
  return rows.slice(line, Math.min(end, line + LOOKED_AT));
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

/** UTF-16 units of a line that has a hash, of one that is cut, and of its start that stays. */
const HASHED_LINE = 44;
const LONG_LINE = 320;
const LINE_HEAD = 120;
/** A word that may be a hash. */
const LONG_WORD = /[\w+/-]{32}/;
/** `sha256:…`; hexadecimal digits that are no commit; base 64. */
const HASH =
  /\b(sha(?:1|224|256|384|512)|md5|h1)([:-])([\w+/-]{32,}={0,2})|(?:(?<![\w+-])[\da-f]{56,}|(?<![\w+/-])[A-Za-z0-9+/]{96,}={0,2})(?![\w+/-])/g;

/** A line without its hashes and the rest of a very long one, with a note in place of each; `undefined` for one without. */
function shortLine(lines: Lines, index: number): string | undefined {
  const start = lineStart(lines, index);
  const end = lineStart(lines, index + 1);
  if (end - start < HASHED_LINE) return undefined;
  const line = lines.text.slice(start, end);
  if (line.length <= LONG_LINE && !LONG_WORD.test(line)) return undefined;
  const gone = (size: number) => inlineNote(countText(size, "characters"));
  const short = line.replace(
    HASH,
    (all: string, name = "", sign = "", hash = all) =>
      /\d/.test(hash) && /[a-z]/i.test(hash)
        ? `${name}${sign}${gone(hash.length)}`
        : all,
  );
  if (short.length <= LONG_LINE) return short;
  const head = short.slice(0, LINE_HEAD).toWellFormed();
  const newline = short.endsWith("\n") ? "\n" : "";
  return `${head} ${gone(short.length - LINE_HEAD - newline.length)}${newline}`;
}
