/** A file as a list of its declarations, each with its lines, so that a reader can ask for just those. @module */
import type { Elided } from "../../core/kind.ts";
import { countText, lineNote, notesIn } from "../../engine/note.ts";
import { codeAt, keyAt, lineAt } from "../../text/lines.ts";
import { type Blocks, MEMBERS } from "./blocks.ts";
import { isRemark } from "./comments.ts";
import { BLANK, CODE, COMMENT, startOf } from "./layout.ts";
import { balanced, isUnderstood, lastLines, type Range } from "./ranges.ts";
import { isImport } from "./units.ts";

/** UTF-16 units of a declaration that are shown. */
const WIDTH = 160;
/** Names of imports that are shown, and UTF-16 units of one. */
const MOST_IMPORTS = 16;
const IMPORT_WIDTH = 80;
/** Fewer declarations than this say too little about a file. */
const FEWEST = 2;
/** Members of one line that may follow each other, and those shown of a longer run. */
const MOST_SMALL = 40;
const FIRST_SMALL = 24;
/** A line that goes on with the statement before it, though no bracket says so. */
const GOES_ON = /^(?:[{.,|&=?>](?!\w*>)|:(?!:|\w+\s*=>)|->)/;
/** A line below which its statement goes on. */
const UNFINISHED = /[<=|&]$/;
/** A type on a line of its own. */
const RESULT =
  /^(?!(?:const|export|import|let|package|use|using|va[lr])\b(?! \w+ \*))(?:[\w\s*&<>,]|::)+$/;
/** What is beside a member: an attribute on a line of its own, a label. */
const BESIDE =
  /^(?:@[\w.:]+(?:\((?:[^()]|\([^()]*\))*\))?$|#?\[[^\]]*\]$|\w+:$)/;

/** What a line of imports says before and behind the name of what it brings in. */
const QUOTED = /["'<`]([^"'<>`]+)["'>`]/;
const IMPORT_WORDS =
  /^(?:(?:pub\s+)?use|using|import(?:\s+static)?|from|require|extern crate|#\s*include)\s+/;

/** A declaration, or a run of imports. */
interface Entry extends Range {
  /** What is shown of it. */
  readonly text: string;
  /** Lines of which that is all. */
  readonly shown: number;
  /** How many others it is in. */
  readonly depth: number;
  /** Whether it is a member of one line. */
  readonly isSmall: boolean;
}

/**
 * Writes the outline; `undefined` for a text with few declarations, or with notes of an earlier compression. O(text).
 *
 * @param firstLine Number of the first line.
 */
export function outlineOf(
  blocks: Blocks,
  firstLine: number,
): Elided | undefined {
  const { lines, roles } = blocks.layout;
  if (notesIn(lines.text).length > 0) return undefined;
  if (!isUnderstood(blocks)) return undefined;
  const all = balanced(blocks, entriesOf(blocks));
  if (all === undefined || all.length < FEWEST) return undefined;
  const entries = withoutRuns(all);
  const shown = entries.reduce((sum, entry) => sum + entry.shown, 0);
  const count = lines.count - shown;
  if (count <= 0) return undefined;
  let remarks = 0;
  for (const [line, role] of roles.entries()) {
    if (role !== BLANK && isRemark(lines, line)) remarks++;
  }
  const label = remarks === 0 ? "" : `${remarks} with TODO, FIXME or the like`;
  return {
    type: "elided",
    text: [
      headOf(firstLine, firstLine + lines.count - 1),
      ...entries.map(({ first, last, text }) =>
        `${rangeOf(firstLine + first, firstLine + last)} ${text}`
      ),
      lineNote(countText(count, "lines"), label),
      "",
    ].join("\n"),
    omitted: { count, total: lines.count, unit: "lines" },
  };
}

function headOf(first: number, last: number): string {
  return `[Outline of lines ${
    rangeOf(first, last)
  } instead of the file: each line below gives the first and last line of a ` +
    `declaration. Bodies are not shown: read the lines that you need or edit with a line range, or the whole file once more.]`;
}

function rangeOf(first: number, last: number): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

/** Declarations and statements outside of functions, values and branches. */
function entriesOf(blocks: Blocks): Entry[] {
  const { layout: { lines, roles }, parents, heads, zones } = blocks;
  const lasts = lastLines(blocks);
  const depths = new Uint8Array(lines.count);
  const entries: Entry[] = [];
  /** Index of the last entry of each depth. */
  const latest: number[] = [];
  for (let line = 0; line < lines.count; line++) {
    const isHead = roles[line] === CODE && zones[line] === MEMBERS &&
      heads[line] === line;
    if (!isHead) continue;
    const parent = keyAt(parents, line);
    depths[line] = parent < 0 ? 0 : Math.min(8, codeAt(depths, parent) + 1);
    const depth = codeAt(depths, line);
    if (parent < 0 && isImport(lines, line)) {
      const run = importsFrom(blocks, line, lasts);
      latest.length = 0;
      entries.push(run);
      line = run.last;
      continue;
    }
    const nth = latest[depth] ?? entries.length;
    const place = { line, last: keyAt(lasts, line), depth };
    const entry = entryAt(blocks, place, entries[nth]);
    if (entry === undefined) continue;
    if (entry.first !== line) entries[nth] = entry;
    else {
      latest.length = depth;
      latest[depth] = entries.length;
      entries.push(entry);
    }
  }
  return entries;
}

/** The declaration that begins on a line, or the one before with what the line adds to it; `undefined` for neither. */
function entryAt(
  blocks: Blocks,
  { line, last, depth }: {
    readonly line: number;
    readonly last: number;
    readonly depth: number;
  },
  before: Entry | undefined,
): Entry | undefined {
  const start = startOf(blocks.layout.lines, line);
  if (GOES_ON.test(start)) return before && { ...before, last };
  const isSmall = keyAt(blocks.parents, line) >= 0 && last === line;
  if (!/\w/.test(start) || (isSmall && isPart(blocks, line))) return undefined;
  const { text, shown } = declarationAt(blocks, line, "  ".repeat(depth));
  if (before?.last === line - 1 && isResultOf(blocks, before, last)) {
    const all = `${before.text} ${text.trim()}`;
    const both = { text: all, shown: before.shown + shown };
    return { ...before, ...both, last, isSmall: false };
  }
  return { first: line, last, text, shown, depth, isSmall };
}

/** Whether a line is a part of a declaration: of a type, or an attribute or label beside one. */
function isPart({ layout: { lines }, parents }: Blocks, line: number): boolean {
  return UNFINISHED.test(startOf(lines, keyAt(parents, line))) ||
    BESIDE.test(startOf(lines, line));
}

/** Whether a line has the type of what the function returns that begins on the next line, as in C. */
function isResultOf(
  { layout: { lines, sign }, parents }: Blocks,
  { first, last }: Entry,
  end: number,
): boolean {
  return sign === "//" && first === last && end > last + 1 &&
    parents[first] === parents[last + 1] &&
    RESULT.test(startOf(lines, first)) &&
    /^[\w:~*&]+\s*\(/.test(startOf(lines, last + 1));
}

/** The same entries, but of members with one line each that follow each other those after the first become one entry that counts them. */
function withoutRuns(entries: readonly Entry[]): Entry[] {
  const short: Entry[] = [];
  for (let from = 0; from < entries.length;) {
    const depth = entries[from]?.depth;
    let to = from;
    while (entries[to]?.isSmall && entries[to]?.depth === depth) to++;
    const next = Math.max(to, from + 1);
    const hidden = next - from > MOST_SMALL
      ? entries.slice(from + FIRST_SMALL, next)
      : [];
    short.push(...entries.slice(from, next - hidden.length));
    const [first, last] = [hidden[0], hidden.at(-1)];
    if (first !== undefined && last !== undefined) {
      const text = `${"  ".repeat(first.depth)}${
        countText(hidden.length, "more members")
      } of one line each`;
      short.push({ ...first, last: last.last, text, shown: 0 });
    }
    from = next;
  }
  return short;
}

function declarationAt(
  { layout: { lines }, signatures, heads, ends }: Blocks,
  line: number,
  indent: string,
): Pick<Entry, "text" | "shown"> {
  let to = Math.max(line, keyAt(signatures, line));
  // The bracket that closes the parameters, and the type of the result.
  if (to > line && to + 1 < lines.count && heads[to + 1] === line) to++;
  let text = "";
  let at = line;
  for (; at <= to && text.length < WIDTH; at++) {
    const part = startOf(lines, at);
    const closes = /^[)\]]/.test(part);
    const isTight = text === "" || /[([]$/.test(text) || closes;
    text = (closes ? text.replace(/,$/, "") : text) + (isTight ? "" : " ") +
      part;
  }
  if (at <= to || text.length > WIDTH) {
    return { text: `${indent}${text.slice(0, WIDTH)} …`, shown: 0 };
  }
  const isWhole = startOf(lines, line).length ===
    lineAt(lines, line).trim().length;
  const opens = keyAt(ends, line) > line || to > line;
  const said = opens ? text.replace(/\s*\{$/, "") : text;
  return { text: indent + said, shown: isWhole ? at - line : 0 };
}

/** Imports from `from` on, with blank lines and comments between them. */
function importsFrom(
  { layout: { lines, roles }, parents, heads }: Blocks,
  from: number,
  lasts: Int32Array,
): Entry {
  const names: string[] = [];
  let last = from;
  for (let line = from; line < lines.count; line++) {
    if (roles[line] === BLANK || roles[line] === COMMENT) continue;
    const isNext = roles[line] === CODE && heads[line] === line &&
      keyAt(parents, line) < 0 && isImport(lines, line);
    if (!isNext) break;
    last = keyAt(lasts, line);
    const before = names.length;
    for (let at = line; at <= last; at++) {
      const name = QUOTED.exec(startOf(lines, at))?.[1];
      if (name !== undefined) names.push(name);
    }
    if (names.length === before) names.push(unquoted(startOf(lines, line)));
    line = last;
  }
  const shown = names.slice(0, MOST_IMPORTS).map((name) =>
    name.length > IMPORT_WIDTH ? `${name.slice(0, IMPORT_WIDTH)}…` : name
  );
  const more = names.length - shown.length;
  const others = more > 0 ? ` and ${countText(more, "others")}` : "";
  const text = `imports ${shown.join(", ")}${others}`;
  return { first: from, last, text, shown: 0, depth: 0, isSmall: false };
}

/** What an import brings in that puts no quotes around it. */
function unquoted(line: string): string {
  return line.replace(IMPORT_WORDS, "").replace(/;$|\simport\b.*$/, "");
}
