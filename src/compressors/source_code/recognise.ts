/** Is a text source code, and how does its language write a comment? @module */
import type { ContentHint } from "../../core/detector.ts";
import {
  type CommentSign,
  extensionOf,
  signOfExtension,
} from "../../text/code_path.ts";
import { lineHeads } from "../../text/lines.ts";
import { signsOf } from "./signs.ts";

/** Fewer UTF-16 units say too little. */
const SHORTEST = 100;
/** Longest line that people write, in UTF-16 units: what has longer ones is made by a program. */
const LONGEST_LINE = 5_000;
/** Start of the text that is looked at for such a line. */
const LOOK = 64 * 1024;

/** Lines looked at at the start, in the middle and at the end, and UTF-16 units of one. */
const SAMPLE = 32;
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
const DASHED = /^(?:-- |(?:create|alter)\s)/i;

/** The sign for comments of a text that is source code; `undefined` for any other text. Looks at a bounded part. */
export function commentSignOf(
  text: string,
  { path = "" }: ContentHint,
): CommentSign | undefined {
  if (text.length < SHORTEST) return undefined;
  const extension = extensionOf(path);
  const named = signOfExtension(extension);
  if (named === undefined && !SAYS_NOTHING.has(extension)) return undefined;
  const lines = lineHeads(text, SAMPLE, WIDTH).map((line) => line.trim())
    .filter((line) => line !== "");
  const tally = tallyOf(lines);
  const isCode = named === undefined ? isClear(tally) : isPlausible(tally);
  if (!isCode || isMinified(text)) return undefined;
  return named ?? usualSign(lines);
}

/** What a bounded sample of a text says. */
type Tally = ReturnType<typeof tallyOf>;

/** Counts the lines that are no comments: all, those like code, those like something else, those with a sign; and adds up the weight of those. */
function tallyOf(lines: readonly string[]) {
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
  let [slashes, hashes, dashes] = [0, 0, 0];
  for (const line of lines) {
    if (line.startsWith("//") || line.startsWith("/*")) slashes += 2;
    else if (line.startsWith("# ") || line.startsWith("#!/")) hashes += 2;
    else if (DASHED.test(line)) dashes += 2;
    else if (BRACED.test(line)) slashes++;
    else if (HASHED.test(line)) hashes++;
  }
  if (dashes > slashes && dashes > hashes) return "--";
  return hashes > slashes ? "#" : "//";
}

function isMinified(text: string): boolean {
  return text.slice(0, LOOK).split("\n")
    .some(({ length }) => length > LONGEST_LINE);
}
