/** Reads configuration texts line by line, whatever is missing around them: keys, lists, sections, and what is below what. @module */
import {
  codeAt,
  indexLines,
  lineEnd,
  type Lines,
  lineStart,
} from "../../text/lines.ts";
import { matches } from "../../text/sticky.ts";
import { type LockFile, readLock } from "./lock.ts";
import type { Row, RowKind } from "./row.ts";

/** A configuration text. */
export interface ConfigView {
  /** The lines as offsets. */
  readonly lines: Lines;
  /** One per line. */
  readonly rows: readonly Row[];
  /** Packages, if the text is a lock file. */
  readonly lock: LockFile | undefined;
}

/** Dashes of a list item; a key; its sign. */
const DASHES = /(?:-[ \t]+)*(?:-(?=\r?\n|$))?/y;
const KEY =
  /"(?:[^"\\\n]|\\.){0,200}"|'[^'\n]{0,200}'|(?:[\w.$@/+<>{}*~%-]|:(?=\S)){1,200}/y;
/** Behind a key, `(default) =` as programs say where a setting comes from. */
const SIGN =
  /[ \t]*(?::(?=\s|$)|(?<="):|(?:\([\w/.: ~-]{0,200}\) )?(?<![!<>:~+*%-])=(?![=>]))/y;
const COMMENT = /\/\/|\/\*|\* |\*\//y;
const RULE = /(?:---|\.\.\.)(?=\s|$)|\{\{/y;
const CLOSE = /[\]})][\]}),;]*[ \t\r]*$/my;
/** A setting without a blank behind its colon, as servers print their state: `used_memory:3139136`. */
const TIGHT = /[a-z]\w*:(?![:/\s])/y;
/** A block with labels on one line: `variable "region" { type = string }`. */
const LABELLED = /\w+(?: "[^"\n]*"){0,3} (?=\{ \w+ +=.*\}[ \t\r]*$)/my;
const SECTION = /\[(?![\s"])(?:(?!, )[^\n#])*\][ \t\r]*(?:#.*)?$/my;
/** What a line without a key is by its first character, and by the form that it must have. */
const PLAIN: ReadonlyMap<string, readonly [RowKind, form?: RegExp]> = new Map([
  ["[", ["section", SECTION]],
  ["{", ["rule", RULE]],
  ["-", ["rule", RULE]],
  [".", ["rule", RULE]],
  ["}", ["close", CLOSE]],
  ["]", ["close", CLOSE]],
  [")", ["close", CLOSE]],
  ["/", ["comment", COMMENT]],
  ["*", ["comment", COMMENT]],
  ["#", ["comment"]],
  [";", ["comment"]],
]);
/** Open a block at the end of a line. */
const BRACKETS: ReadonlySet<string> = new Set("{[(");
/** A value of which more is on the next lines: `|`, `>-`, a bracket that is not closed; three quotes. */
const SCALAR =
  /(?:[|>][\d+-]{0,2}[ \t\r]*(?:#.*)?|(?=[[{])(?!.*[\]}[{(],?[ \t\r]*(?:#.*)?$).{2,})$/my;
const QUOTES = /"""|'''/y;
/** What such a value starts with. */
const MAY_GO_ON = "|>[{\"'";

/** Share of the lines of a lock file. */
const MOST = 0.6;
const SPACE = 32;
const DASH = 45;

/** Reads a text, or a stretch of one. O(n), any depth. */
export function readConfig(text: string, lock?: LockFile): ConfigView {
  const lines = indexLines(text);
  const rows: Row[] = [];
  for (let line = 0; line < lines.count; line++) {
    rows.push(readRow(lines, line));
  }
  nest(lines, rows);
  for (const row of rows.toReversed()) {
    if (row.parent !== undefined) {
      row.parent.end = Math.max(row.parent.end, row.end);
    }
  }
  return { lines, rows, lock };
}

/** Reads a text that may be a lock file: of one that is little else, only its packages. */
export function viewOf(text: string): ConfigView {
  const lock = readLock(text);
  if (lock === undefined) return readConfig(text);
  const lines = indexLines(text);
  const held = [...lock.packages, ...lock.echoes].reduce(
    (sum, { from, to }) => sum + to - from,
    0,
  );
  return held > MOST * lines.count
    ? { lines, rows: [], lock }
    : readConfig(text, lock);
}

/** Key of a line, without quotes. */
export function keyOf({ lines }: ConfigView, { keyAt, keyEnd }: Row): string {
  return lines.text.slice(keyAt, keyEnd).replace(/^["']|["']$/g, "");
}

/** Value of a line, without quotes and a comma after it. */
export function valueOf({ lines }: ConfigView, { valueAt, stop }: Row): string {
  return lines.text.slice(valueAt, stop).replace(/^["']|["']?[,;]?$/g, "");
}

/** What a line is, by itself. */
function readRow(lines: Lines, line: number): Row {
  const { text, codes } = lines;
  const start = lineStart(lines, line);
  let stop = lineEnd(lines, line);
  while (stop > start && codeAt(codes, stop - 1) <= SPACE) stop--;
  const first = skipBlanks(codes, start, stop);
  const plain = first === stop ? "blank" : plainKind(text, first);
  const isItem = plain === "text" && codeAt(codes, first) === DASH;
  const at = isItem ? Math.min(stop, endOf(DASHES, text, first)) : first;
  const row: Row = {
    line,
    end: line + 1,
    kind: plain,
    sign: "",
    dash: at > first,
    indent: plain === "section" ? -1 : first - start,
    column: at - start,
    keyAt: at,
    keyEnd: at,
    valueAt: at,
    stop,
    parent: undefined,
  };
  if (plain === "text") readKey(lines, row, first === start);
  return row;
}

/** Takes the key of a row, its sign and its value, where it has any. */
function readKey({ text, codes }: Lines, row: Row, isAtMargin: boolean): void {
  const { keyAt: at, stop } = row;
  const last = text[stop - 1] ?? "";
  const keyEnd = endOf(KEY, text, at);
  const signEnd = keyEnd > at ? endOf(SIGN, text, keyEnd) : keyEnd;
  if (signEnd > keyEnd) {
    const valueAt = skipBlanks(codes, signEnd, stop);
    const isOpen = opensBlock(text, row, { valueAt, signEnd });
    row.kind = isOpen ? "open" : "key";
    setKey(row, text[signEnd - 1] === ":" ? ":" : "=", { keyEnd, valueAt });
  } else if (BRACKETS.has(last)) {
    row.kind = "open";
    setKey(row, "{", { keyEnd: Math.max(at, stop - 1), valueAt: at });
  } else if (last === ";" && keyEnd > at && codeAt(codes, keyEnd) <= SPACE) {
    row.kind = "key";
    setKey(row, ";", { keyEnd, valueAt: skipBlanks(codes, keyEnd, stop) });
  } else if (last === "}" && matches(LABELLED, text, at)) {
    const valueAt = LABELLED.lastIndex;
    row.kind = "key";
    setKey(row, "{", { keyEnd: valueAt - 1, valueAt });
  } else if (isAtMargin && matches(TIGHT, text, at)) {
    const valueAt = TIGHT.lastIndex;
    row.kind = "key";
    setKey(row, ":", { keyEnd: valueAt - 1, valueAt });
  } else if (row.dash) row.kind = "item";
}

/** Whether the value of a key with a sign is below it. */
function opensBlock(
  text: string,
  { stop }: Row,
  { valueAt, signEnd }: { readonly valueAt: number; readonly signEnd: number },
): boolean {
  if (BRACKETS.has(text[stop - 1] ?? "")) return true;
  const isEmpty = valueAt === stop || text[valueAt] === "#";
  return isEmpty && text[signEnd - 1] === ":";
}

function setKey(
  row: Row,
  sign: Row["sign"],
  { keyEnd, valueAt }: Pick<Row, "keyEnd" | "valueAt">,
): void {
  row.sign = sign;
  row.keyEnd = keyEnd;
  row.valueAt = valueAt;
}

/** End of what a sticky pattern finds at `at`; `at` when it finds nothing. */
function endOf(pattern: RegExp, text: string, at: number): number {
  return matches(pattern, text, at) ? pattern.lastIndex : at;
}

function skipBlanks(codes: Uint8Array, from: number, stop: number): number {
  let at = from;
  while (at < stop && codeAt(codes, at) <= SPACE) at++;
  return at;
}

/** The kind of a line without a key; `text` when it may have one. */
function plainKind(text: string, at: number): RowKind {
  const [kind, form] = PLAIN.get(text[at] ?? "") ?? ["text"];
  return form === undefined || matches(form, text, at) ? kind : "text";
}

/** A line is below the nearest earlier one that is indented less; a list may be right below its key. */
function nest({ text }: Lines, rows: readonly Row[]): void {
  const open: Row[] = [];
  /** Line whose value is the text below it, and the quotes that end it. */
  let scalar: Row | undefined;
  let quotes = "";
  for (const row of rows) {
    if (scalar !== undefined && continues(row, scalar, quotes)) {
      row.parent = scalar;
      if (row.kind !== "blank") row.kind = "text";
      const isEnd = quotes !== "" &&
        text.slice(row.keyAt, row.stop).includes(quotes);
      if (isEnd) scalar = undefined;
      continue;
    }
    scalar = undefined;
    if (row.kind === "blank") continue;
    if (row.kind === "rule" && row.indent === 0) {
      open.length = 0;
      continue;
    }
    if (!placeRow(text, row, open)) continue;
    const begun = quotesOf(text, row);
    quotes = begun ?? "";
    if (begun !== undefined) scalar = row;
  }
}

/** Places a line below the one that it is in; returns whether others may be below it. */
function placeRow(text: string, row: Row, open: Row[]): boolean {
  const parent = row.parent = parentOf(row, open);
  if (row.kind === "close") {
    if (parent?.indent === row.indent) open.pop();
    return false;
  }
  if (row.kind === "text") {
    const isListed = parent?.kind === "open" && text[parent.stop - 1] === "[";
    if (isListed) row.kind = "item";
    return false;
  }
  if (row.kind === "comment" || row.kind === "rule") return false;
  open.push(row);
  return true;
}

/** The quotes that end the value which a line begins and the next ones go on with, empty where its indentation does; `undefined` for a value of one line. */
function quotesOf(text: string, { valueAt, stop }: Row): string | undefined {
  if (!MAY_GO_ON.includes(text[valueAt] ?? " ")) return undefined;
  if (!matches(QUOTES, text, valueAt)) {
    return matches(SCALAR, text, valueAt) ? "" : undefined;
  }
  const quotes = text.slice(valueAt, valueAt + 3);
  return text.slice(valueAt + 3, stop).includes(quotes) ? undefined : quotes;
}

/** Whether a line is text of the value that starts in `scalar`. */
function continues(row: Row, scalar: Row, quotes: string): boolean {
  if (quotes !== "" || row.kind === "blank") return true;
  return row.indent > (scalar.sign === "" ? scalar.indent : scalar.column);
}

/** The line that `row` is below; takes those from `open` that it is not. */
function parentOf(row: Row, open: Row[]): Row | undefined {
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.indent < row.indent) return top;
    const holds = top.indent === row.indent && top.kind === "open" &&
      (row.kind === "close" || row.dash && !top.dash);
    if (holds) return top;
    open.pop();
  }
  return undefined;
}
