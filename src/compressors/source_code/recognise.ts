/** Is a text source code, and how does its language write a comment? @module */
import type { ContentHint } from "../../core/detector.ts";
import { signsOf } from "./signs.ts";

/** What starts a comment that ends with its line. */
export type CommentSign = "//" | "#" | "--";

/** Fewer UTF-16 units say too little. */
const SHORTEST = 100;
/** Longest line that people write, in UTF-16 units: what has longer ones is made by a program. */
const LONGEST_LINE = 5_000;
/** Start of the text that is looked at for such a line. */
const LOOK = 64 * 1024;

/** UTF-16 units looked at, at the start and in the middle, and of one line. */
const HEAD = 2500;
const MIDDLE = 1000;
const WIDTH = 160;
/** Signs that a text of unknown origin needs: their weights, and the lines they stand in. */
const LEAST_WEIGHT = 6;
const LEAST_LINES = 2;
/** Share of lines with signs, of lines like code, and of lines like something else. */
const SIGN_SHARE = 0.1;
const FEW_SIGNS = 0.05;
const MANY = 15;
const CODE_SHARE = 0.5;
const MOSTLY_CODE = 0.8;
const OTHER_SHARE = 0.1;
/** The same for a file whose name says that it is code. */
const NAMED_CODE_SHARE = 0.25;
const NAMED_OTHER_SHARE = 0.25;
const NAMED_WEIGHT = 2;
/** After so many lines without any sign no more are read. */
const SILENT_LINES = 30;

/** Extensions of files by the comments in them. */
const EXTENSIONS: Readonly<Record<CommentSign, string>> = {
  "//":
    "c h cc cpp cxx c++ hpp hh hxx h++ ipp tpp inl cu cuh ino m mm go golang java js mjs cjs jsx javascript node ts mts cts tsx typescript rs rust kt kts swift scala cs dart groovy gradle php proto zig",
  "#":
    "py pyi pyw python python3 py3 rb ruby sh bash zsh pl pm perl r jl ex exs tcl nim",
  "--": "sql lua hs elm adb ads",
};
const SIGN_OF: ReadonlyMap<string, CommentSign> = new Map(
  (["//", "#", "--"] as const).flatMap((sign) =>
    EXTENSIONS[sign].split(" ").map((name) => [name, sign] as const)
  ),
);
/** Extensions of files whose content may still be code. */
const SAYS_NOTHING = new Set(["", "txt", "bak", "orig", "tmp", "in", "out"]);

/** A line that starts a comment or docstring which does not end in it, and one that ends it. */
const OPENS = /^(?:\/\*(?!.*\*\/)|[rRuU]?(?:"""|''')(?!.*(?:"""|''')))/;
const CLOSES = /\*\/|"""|'''/;
/** A line of nothing but a comment: words. */
const COMMENT = /^(?:\/\/|#(?:\s|$)|--(?:\s|$))/;
/** Lines that speak for a sign where no comment does. */
const HASHED = /^(?:def|class|elif|except|if|for|while|with)\b.*[^{]$|^end$/;
const BRACED = /[{};]$/;

/** The sign for comments of a text that is source code; `undefined` for any other text. Looks at a bounded part. */
export function commentSignOf(
  text: string,
  { path = "" }: ContentHint,
): CommentSign | undefined {
  if (text.length < SHORTEST) return undefined;
  const extension = extensionOf(path);
  const named = SIGN_OF.get(extension);
  if (named === undefined && !SAYS_NOTHING.has(extension)) return undefined;
  const lines = linesOf(text);
  const tally = tallyOf(lines);
  const isCode = named === undefined ? isClear(tally) : isPlausible(tally);
  if (!isCode || isMinified(text)) return undefined;
  return named ?? usualSign(lines);
}

/** What comes after the last dot of a path's last part, in lower case; empty when there is none. */
function extensionOf(path: string): string {
  const name = path.slice(path.search(/[^\\/]*$/));
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** Lines without indentation from the start and the middle, blank ones left out. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  const add = (from: number, limit: number) => {
    for (let at = from; at < limit && at < text.length;) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline;
      const line = text.slice(at, Math.min(end, at + WIDTH)).trim();
      if (line !== "") lines.push(line);
      at = end + 1;
    }
  };
  add(0, HEAD);
  if (text.length > 2 * (HEAD + MIDDLE)) {
    const middle = text.length >>> 1;
    const at = text.indexOf("\n", middle) + 1;
    if (at > 0) add(at, middle + MIDDLE);
  }
  return lines;
}

/** What a bounded sample of a text says. */
interface Tally {
  /** Lines that are no comments. */
  lines: number;
  /** Of those, the ones that look like code. */
  code: number;
  /** The ones that look like something else. */
  other: number;
  /** The ones with a sign, and the weight of all. */
  signs: number;
  weight: number;
}

function tallyOf(lines: readonly string[]): Tally {
  const tally = { lines: 0, code: 0, other: 0, signs: 0, weight: 0 };
  let isComment = false;
  for (const line of lines) {
    const wasComment: boolean = isComment;
    isComment = wasComment ? !CLOSES.test(line) : OPENS.test(line);
    if (wasComment || isComment || COMMENT.test(line)) continue;
    if (tally.lines === SILENT_LINES && tally.weight === 0) break;
    tally.lines++;
    const { weight, isCode, isOther } = signsOf(line);
    if (isCode) tally.code++;
    if (isOther) tally.other++;
    if (weight !== 0) tally.signs++;
    tally.weight += weight;
  }
  return tally;
}

/** Whether lines of unknown origin speak for code. */
function isClear({ lines, code, other, signs, weight }: Tally): boolean {
  const isMostly = code >= MOSTLY_CODE * lines && weight >= MANY;
  const signShare = isMostly ? FEW_SIGNS : SIGN_SHARE;
  return code >= CODE_SHARE * lines && other <= OTHER_SHARE * lines &&
    weight >= LEAST_WEIGHT && signs >= LEAST_LINES &&
    signs >= signShare * lines;
}

/** Whether the content of a file whose name says that it is code does not speak against it. */
function isPlausible({ lines, code, other, weight }: Tally): boolean {
  return other <= NAMED_OTHER_SHARE * lines && weight >= 0 &&
    (code >= NAMED_CODE_SHARE * lines || weight >= NAMED_WEIGHT);
}

function usualSign(lines: readonly string[]): CommentSign {
  let slashes = 0;
  let hashes = 0;
  let dashes = 0;
  for (const line of lines) {
    if (line.startsWith("//") || line.startsWith("/*")) slashes += 2;
    else if (line.startsWith("# ") || line.startsWith("#!/")) hashes += 2;
    else if (line.startsWith("-- ")) dashes += 2;
    else if (BRACED.test(line)) slashes++;
    else if (HASHED.test(line)) hashes++;
  }
  if (dashes > slashes && dashes > hashes) return "--";
  return hashes > slashes ? "#" : "//";
}

function isMinified(text: string): boolean {
  for (let at = 0; at < Math.min(text.length, LOOK);) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    if (end - at > LONGEST_LINE) return true;
    at = end + 1;
  }
  return false;
}
