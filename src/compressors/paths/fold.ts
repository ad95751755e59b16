/** A list of files with each directory written once. Loses nothing. @module */
import type { Rewrite } from "../../core/kind.ts";
import { withRanges } from "../../text/ranges.ts";
import { pathOf, type PathsView, type Row, VALUES } from "./parse.ts";
import {
  GROUP,
  HINTS,
  NO_HINTS,
  RETURNS,
  unfoldPaths,
  withHints,
} from "./unfold.ts";

/** UTF-16 units of a token of a path, on average. */
const UNITS = 4;
/** Tokens of a line break, the star and the colon; of a line of one path. */
const FRAME = 3;
const ALONE = 1;
/** Rows of one directory with one extension that may share a line with others, at most. */
const WINDOW = 16;
/** Directories that a root must be worth writing for. */
const LEAST_LINES = 3;

/** A name that is put in quotes. */
const QUOTED = /[ |]|\.\.\d/;
/** A part of a name before its extension, as `_test` and `.d`, and how many are looked at. */
const PART = /.([._-][A-Za-z]+)$/;
const MOST_PARTS = 2;
const NO_EXTENSION = /[/\\ |]/;

/** Rows in a row with one directory and one extension. */
interface Run {
  readonly rows: readonly Row[];
  readonly head: string;
  readonly extension: string;
  /** UTF-16 units that its head and the one of the run before have in common. */
  readonly shared: number;
}

/** The cheapest way to write all runs before one. */
interface Best {
  readonly cost: number;
  /** First run of the last line, and the UTF-16 units that the heads of its runs have in common. */
  readonly from: number;
  readonly head: number;
}

/** Share of the tokens that a fold may have, for a form that has to be understood; of lists with values, whose columns go. */
const WORTH = 0.9;
const WORTH_VALUES = 0.8;
/** Share of the UTF-16 units below which nothing is counted. */
const SURE = 0.6;
/** Writes a heading, and each directory once. O(n). */
export function foldPaths(
  view: PathsView,
  countTokens: (text: string) => number,
): Rewrite | undefined {
  const { form, count, isCrlf, lines: { text } } = view;
  const { rows: hinted } = view;
  const short = hinted.filter((_, i) => !isHint(hinted, i));
  // Each hint must follow from what is left.
  const isShort = short.length < hinted.length &&
    withHints(form.print(short)).join("\n") === form.print(hinted).join("\n");
  const rows = isShort ? short : hinted;
  const root = rootOf(rows);
  const body = foldRows(rows, root);
  if (body === undefined) return undefined;
  const end = text.endsWith("\n") ? "\n" : "";
  const notes = [
    `… ${count} paths${root === "" ? "" : ` in ${root}`}`,
    "names fill the *",
    ...form.label === "" ? [] : [form.label],
    ...isCrlf ? [RETURNS] : [],
    ...isShort ? [NO_HINTS] : [],
  ];
  const folded = `${notes[0]}; ${notes.slice(1).join(", ")}\n${
    body.join("\n")
  }${end}`;
  const worth = form.label === VALUES ? WORTH_VALUES : WORTH;
  const isWorth = folded.length < SURE * text.length ||
    countTokens(folded) <= worth * countTokens(text);
  return isWorth ? { text: folded, restore: unfoldPaths } : undefined;
}

/** Whether a row is one of all hints right below a heading. */
function isHint(rows: readonly Row[], index: number): boolean {
  if (!rows[index]?.text.startsWith("  (use ")) return false;
  return [1, 2].some((back) => {
    const hints = HINTS.get(rows[index - back]?.text ?? "");
    const first = index - back + 1;
    return hints !== undefined && back <= hints.length &&
      hints.every((hint, n) => rows[first + n]?.text === hint);
  });
}

/** The lines for rows; `undefined` when a row that is no path looks like one of them. */
export function foldRows(
  rows: readonly Row[],
  root: string,
): string[] | undefined {
  const out: string[] = [];
  for (let from = 0; from < rows.length;) {
    const row = rows[from];
    if (row?.lead === undefined) {
      const line = row?.text ?? "";
      if (GROUP.test(line)) return undefined;
      out.push(line);
      from++;
      continue;
    }
    let to = from + 1;
    while (to < rows.length && rows[to]?.lead !== undefined) to++;
    for (const line of groupLines(rows.slice(from, to), root)) out.push(line);
    from = to;
  }
  return out;
}

/** Directory, with what is before it, that all paths start with; empty when it is not worth writing. */
function rootOf(rows: readonly Row[]): string {
  let root: string | undefined;
  let lines = 0;
  let last: Row | undefined;
  for (const row of rows) {
    if (row.lead === undefined || isBeside(last, row)) continue;
    const head = row.lead + row.dir;
    lines++;
    last = row;
    if (root === undefined) root = head;
    else if (!head.startsWith(root)) root = root.slice(0, common(root, head));
  }
  const found = root ?? "";
  return lines >= LEAST_LINES && found.length > 1 ? found : "";
}

function isBeside(last: Row | undefined, { lead, dir }: Row): boolean {
  return last !== undefined && last.dir === dir && last.lead === lead;
}

/** Slashes and blanks. */
const HEAD_ENDS = new Set([47, 92, 32, 9]);

/** UTF-16 units that two heads start with, up to a slash, or all of both leads. */
function common(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let n = 0;
  while (n < most && a.charCodeAt(n) === b.charCodeAt(n)) n++;
  while (n > 0 && !HEAD_ENDS.has(a.charCodeAt(n - 1))) n--;
  return n;
}

function runsOf(rows: readonly Row[]): Run[] {
  const runs: (Run & { readonly rows: Row[] })[] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    const head = last !== undefined && isBeside(last.rows[0], row)
      ? last.head
      : (row.lead ?? "") + row.dir;
    const extension = extensionOf(row.name);
    if (last?.head === head && last.extension === extension) {
      last.rows.push(row);
    } else {
      const shared = last === undefined ? 0 : common(last.head, head);
      runs.push({ rows: [row], head, extension, shared });
    }
  }
  return runs;
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  const extension = dot < 1 || dot + 1 === name.length ? "" : name.slice(dot);
  return NO_EXTENSION.test(extension) ? "" : extension;
}

/** The cheapest lines for paths in a row. */
function groupLines(rows: readonly Row[], root: string): string[] {
  const runs = runsOf(rows);
  const best: Best[] = [{ cost: 0, from: 0, head: 0 }];
  for (let to = 1; to <= runs.length; to++) best.push(bestTo(runs, best, root));
  const lines: string[] = [];
  for (let to = runs.length; to > 0;) {
    const { from = 0, head = 0 } = best[to] ?? {};
    lines.push(lineOf(runs.slice(from, to), head, root));
    to = from;
  }
  return lines.reverse();
}

/** The cheapest last line where those before are known. O(window). */
function bestTo(
  runs: readonly Run[],
  best: readonly Best[],
  root: string,
): Best {
  const to = best.length;
  const last = runs[to - 1];
  const lead = last?.rows[0]?.lead;
  const full = last?.head.length ?? 0;
  let found: Best = { cost: Infinity, from: to - 1, head: full };
  let now = full;
  let [size, names, extensions, lost] = [0, 0, 0, 0];
  let isAlike = true;
  for (let from = to - 1; from >= Math.max(0, to - WINDOW); from--) {
    const run = runs[from];
    if (run === undefined || run.rows[0]?.lead !== lead) break;
    const head = now;
    const shared = Math.max(lead?.length ?? 0, runs[from + 1]?.shared ?? 0);
    if (from < to - 1) now = Math.min(now, shared);
    if (now < root.length) break;
    // A shorter head makes each name longer, at last by more than a line of their own costs.
    const longer = size * tokens(head - now);
    names += longer + run.rows.length * tokens(run.head.length - now);
    lost += longer;
    if (lost > 4 * (FRAME + tokens(full - root.length))) break;
    size += run.rows.length;
    isAlike &&= last?.extension === run.extension;
    extensions += run.rows.length * tokens(run.extension.length);
    const after = isAlike ? tokens(run.extension.length) : extensions;
    const start = tokens(now - root.length);
    const frame = size === 1 ? ALONE : FRAME;
    const cost = (best[from]?.cost ?? 0) + frame + start + names + after;
    if (cost < found.cost) found = { cost, from, head: now };
  }
  return found;
}

function tokens(units: number): number {
  return units <= 0 ? 0 : 1 + units / UNITS;
}

function lineOf(runs: readonly Run[], head: number, root: string): string {
  const rows = runs.length === 1 && runs[0] !== undefined
    ? runs[0].rows
    : runs.flatMap((run) => run.rows);
  const [first] = rows;
  const before = runs[0]?.head.slice(root.length, head) ?? "";
  if (first !== undefined && rows.length === 1) {
    const rest = (first.lead ?? "") + pathOf(first);
    const isPlain = root === "" && first.values.length === 0 &&
      !GROUP.test(rest);
    if (isPlain) return rest;
  }
  const extensions = new Set(runs.map(({ extension }) => extension));
  const [extension = ""] = extensions;
  const isShared = extensions.size === 1 && rows.length > 1;
  const after = isShared ? endingOf(rows, extension) : "";
  const names: string[] = [];
  for (const run of runs) {
    const start = run.head.slice(head);
    for (const row of run.rows) names.push(shownName(row, start, after));
  }
  return `${before}*${after}: ${withRanges(names).join(" ")}`;
}

/** What the names of all rows end with: their extension and the parts before it that they share. */
function endingOf(rows: readonly Row[], extension: string): string {
  const names = rows.map(({ name }) => name);
  const [first = ""] = names;
  let ending = extension;
  for (let parts = 0; parts < MOST_PARTS && names.length > 1; parts++) {
    const stem = first.slice(0, first.length - ending.length);
    const more = (PART.exec(stem)?.[1] ?? "") + ending;
    const isOfAll = more !== ending &&
      names.every((name) => name.endsWith(more) && name.length > more.length);
    if (!isOfAll) break;
    ending = more;
  }
  return ending;
}

function shownName(
  { name, values }: Row,
  start: string,
  after: string,
): string {
  const said = start + name.slice(0, name.length - after.length);
  const shown = QUOTED.test(said) ? `"${said}"` : said;
  return values.length === 0 ? shown : [shown, ...values].join("|");
}
