/** One replacement in a text: how it is taken back, and how it is shown without values of others, which may be keys. @module */
import { isJsonObject, parseJson } from "../../bytes/json_parts.ts";

/** Replaces `removed` at `at` by `inserted`. */
export interface TextEdit {
  /** Offset in UTF-16 code units. */
  readonly at: number;
  /** What stood there. */
  readonly removed: string;
  /** What stands there now. */
  readonly inserted: string;
}

/** Whether a value that was stored is an edit. */
export function isTextEdit(value: unknown): value is TextEdit {
  return isJsonObject(value) && Number.isSafeInteger(value.at) &&
    typeof value.removed === "string" && typeof value.inserted === "string";
}

/** The smallest single replacement that makes `after` of `before`. O(length). */
export function editBetween(before: string, after: string): TextEdit {
  const { head: at, tail } = equalEnds(before, after);
  return {
    at,
    removed: before.slice(at, before.length - tail),
    inserted: after.slice(at, after.length - tail),
  };
}

/** How many items two lists have in common at their starts, and at their ends behind those. */
function equalEnds(a: ArrayLike<string>, b: ArrayLike<string>) {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (
    tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]
  ) tail++;
  return { head, tail };
}

/**
 * The text without the edit: at its place, or wherever else the inserted text stands, if it stands there once.
 *
 * @returns `undefined` if the inserted text is not there any more, or several times.
 */
export function takenBack(text: string, edit: TextEdit): string | undefined {
  const { inserted, removed } = edit;
  if (inserted === "") return undefined;
  const first = text.indexOf(inserted);
  const at = text.startsWith(inserted, edit.at)
    ? edit.at
    : first === text.lastIndexOf(inserted)
    ? first
    : -1;
  if (at < 0) return undefined;
  return text.slice(0, at) + removed + text.slice(at + inserted.length);
}

/** Lines shown before and after a change. */
const CONTEXT_LINES = 3;

/** A file before and after; `undefined` where there is none. */
export interface FileChange {
  /** Path to show. */
  readonly file: string;
  /** Text before. */
  readonly before: string | undefined;
  /** Text after. */
  readonly after: string | undefined;
  /** Values that may be shown. All others are left out: configurations hold keys. */
  readonly known: ReadonlySet<string>;
}

/** The change as one hunk of a unified diff without the values of others; it ends with a line end. O(length). */
export function diffView({ file, before, after, known }: FileChange): string {
  const old = linesOf(before);
  const now = linesOf(after);
  const { head, tail } = equalEnds(old, now);
  const from = Math.max(0, head - CONTEXT_LINES);
  const oldEnd = old.length - tail;
  const nowEnd = now.length - tail;
  const last = Math.min(old.length, oldEnd + CONTEXT_LINES);
  const changed = (line: string) => maskedChange(line, known);
  const shown = [
    ...old.slice(from, head).map(maskedContext).map(marked(" ")),
    ...old.slice(head, oldEnd).map(changed).map(marked("-")),
    ...now.slice(head, nowEnd).map(changed).map(marked("+")),
    ...old.slice(oldEnd, last).map(maskedContext).map(marked(" ")),
  ];
  const oldRange = rangeOf(from, last - from);
  const nowRange = rangeOf(from, last - from + now.length - old.length);
  return [
    `--- ${before === undefined ? "/dev/null" : file}\n`,
    `+++ ${after === undefined ? "/dev/null" : file}\n`,
    `@@ -${oldRange} +${nowRange} @@\n`,
    ...shown,
  ].join("");
}

/** Lines with their ends. */
function linesOf(text = ""): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(sign: string): (line: string) => string {
  return (line) =>
    line.endsWith("\n")
      ? sign + line
      : `${sign}${line}\n\\ No newline at end of file\n`;
}

/** Start and length of a range; a range without lines is named by the line before it. */
function rangeOf(from: number, length: number): string {
  return `${length === 0 ? from : from + 1},${length}`;
}

/** Stands where a value was left out. */
const LEFT_OUT = "…";
/** A string of JSON or TOML. */
const STRING = /"(?:[^"\\]|\\.)*"|'[^']*'/g;
/** A key, what follows it, and a value; text that only ends with `=` may be Base64. */
const MEMBER =
  /^(\s*[{,]?\s*"(?:[^"\\]|\\.)*"\s*[:=]\s*|\s*[\w-]+(?:\.[\w-]+)*\s*=\s*)([^=\s].*)$/;
const COLON = /\s*:/y;
const TOML_KEY = /^\s*[\w-]+\s*=/;
/** A table of TOML. */
const TABLE = /^\s*\[\[?[\w-]+(?:\.[\w-]+)*\]\]?\s*$/;
const STRUCTURE = /^[\s{}[\],]*$/;
/** Structure, colons, and values that are no strings. */
const PLAIN = /^(?:[\s{}[\],:]|\b(?:true|false|null|\d{1,6})\b)*$/;

/** A line that an edit leaves alone: keys, tables and brackets, no values, no comments. The line end stays. */
export function maskedContext(line: string): string {
  const text = line.trimEnd();
  const end = line.slice(text.length);
  if (STRUCTURE.test(text) || TABLE.test(text)) return line;
  const [, key, value = ""] = MEMBER.exec(text) ?? [];
  if (key === undefined) return /^\s*/.exec(text)![0] + LEFT_OUT + end;
  return STRUCTURE.test(value) ? line : key + LEFT_OUT + end;
}

/**
 * A line that an edit adds or takes out: strings are left out if they are neither keys nor `known`. A line in a notation
 * that is not understood is shown as one that the edit leaves alone.
 */
export function maskedChange(line: string, known: ReadonlySet<string>): string {
  const key = TOML_KEY.exec(line)?.[0] ?? "";
  const rest = line.slice(key.length);
  if (!PLAIN.test(rest.replace(STRING, " "))) return maskedContext(line);
  return key + rest.replace(STRING, (literal, offset: number) => {
    COLON.lastIndex = offset + literal.length;
    const isKey = COLON.test(rest);
    const value = isKey ? undefined : valueOf(literal);
    const isShown = isKey || (typeof value === "string" && known.has(value));
    return isShown ? literal : `"${LEFT_OUT}"`;
  });
}

/** What a string says; `undefined` where TOML writes it otherwise than JSON. */
function valueOf(literal: string): unknown {
  return literal.startsWith("'") ? literal.slice(1, -1) : parseJson(literal);
}
