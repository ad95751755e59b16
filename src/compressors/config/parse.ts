/** Reads configuration texts line by line, whatever is missing around them: keys, lists, sections, and what is below what. @module */
import {
  codeAt,
  indexLines,
  lineEnd,
  type Lines,
  lineStart,
} from "../../text/lines.ts";
import { type LockFile, readLock } from "./lock.ts";

/** What a line is. */
export type RowKind =
  | "blank"
  /** `# …`, `; …`, `// …`, `/* …`. */
  | "comment"
  /** `[name]`. */
  | "section"
  /** `---`, or a line of a template language. */
  | "rule"
  /** A key with a value. */
  | "key"
  /** A key, or the start of a block, whose value is below. */
  | "open"
  /** A list item without a key. */
  | "item"
  /** `}`, `],`. */
  | "close"
  /** Text of a value, or none of these. */
  | "text";

/** One line. Offsets are those of the whole text. */
export interface Row {
  /** Its index. */
  readonly line: number;
  /** Index of the line after the last one below it. */
  end: number;
  kind: RowKind;
  /** What ends the key: `:`, `=`; `{` of a block and `;` of a directive without such a sign. */
  sign: ":" | "=" | "{" | ";" | "";
  /** Whether it starts with `- `. */
  dash: boolean;
  /** Blanks before the first character; -1 for a section, below which everything is. */
  indent: number;
  /** Column of the key: blanks and dashes before it. */
  readonly column: number;
  /** Start of the key, or of what an item says. */
  keyAt: number;
  /** End of the key; equal to `keyAt` without one. */
  keyEnd: number;
  /** Start of the value. */
  valueAt: number;
  /** Offset after the last character that is not blank. */
  readonly stop: number;
  /** Earlier line that this one is below. */
  parent: Row | undefined;
}

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
  if (plain !== "text") return row;
  const last = text[stop - 1] ?? "";
  const isBlock = last === "{" || last === "[" || last === "(";
  const keyEnd = endOf(KEY, text, at);
  const signEnd = keyEnd > at ? endOf(SIGN, text, keyEnd) : keyEnd;
  if (signEnd > keyEnd) {
    row.sign = text[signEnd - 1] === ":" ? ":" : "=";
    row.keyEnd = keyEnd;
    row.valueAt = skipBlanks(codes, signEnd, stop);
    const isEmpty = row.valueAt === stop || text[row.valueAt] === "#";
    row.kind = isBlock || isEmpty && row.sign === ":" ? "open" : "key";
  } else if (isBlock) {
    row.kind = "open";
    row.sign = "{";
    row.keyEnd = Math.max(at, stop - 1);
  } else if (last === ";" && keyEnd > at && codeAt(codes, keyEnd) <= SPACE) {
    row.kind = "key";
    row.sign = ";";
    row.keyEnd = keyEnd;
    row.valueAt = skipBlanks(codes, keyEnd, stop);
  } else if (last === "}" && isAt(LABELLED, text, at)) {
    row.kind = "key";
    row.sign = "{";
    row.valueAt = LABELLED.lastIndex;
    row.keyEnd = row.valueAt - 1;
  } else if (first === start && isAt(TIGHT, text, at)) {
    row.kind = "key";
    row.sign = ":";
    row.valueAt = TIGHT.lastIndex;
    row.keyEnd = row.valueAt - 1;
  } else if (row.dash) row.kind = "item";
  return row;
}

/** End of what a sticky pattern finds at `at`; `at` when it finds nothing. */
function endOf(pattern: RegExp, text: string, at: number): number {
  return isAt(pattern, text, at) ? pattern.lastIndex : at;
}

function skipBlanks(codes: Uint8Array, from: number, stop: number): number {
  let at = from;
  while (at < stop && codeAt(codes, at) <= SPACE) at++;
  return at;
}

/** The kind of a line without a key; `text` when it may have one. */
function plainKind(text: string, at: number): RowKind {
  switch (text[at]) {
    case "[":
      return isAt(SECTION, text, at) ? "section" : "text";
    case "{":
    case "-":
    case ".":
      return isAt(RULE, text, at) ? "rule" : "text";
    case "}":
    case "]":
    case ")":
      return isAt(CLOSE, text, at) ? "close" : "text";
    case "#":
    case ";":
      return "comment";
    case "/":
    case "*":
      return isAt(COMMENT, text, at) ? "comment" : "text";
    default:
      return "text";
  }
}

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
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
    const parent = row.parent = parentOf(row, open);
    if (row.kind === "close") {
      if (parent?.indent === row.indent) open.pop();
    } else if (row.kind === "text") {
      const isListed = parent?.kind === "open" && text[parent.stop - 1] === "[";
      if (isListed) row.kind = "item";
    } else if (row.kind !== "comment" && row.kind !== "rule") {
      open.push(row);
      const starts = MAY_GO_ON.includes(text[row.valueAt] ?? " ");
      quotes = starts && isAt(QUOTES, text, row.valueAt)
        ? text.slice(row.valueAt, row.valueAt + 3)
        : "";
      const goesOn = quotes === ""
        ? starts && isAt(SCALAR, text, row.valueAt)
        : !text.slice(row.valueAt + 3, row.stop).includes(quotes);
      if (goesOn) scalar = row;
    }
  }
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
