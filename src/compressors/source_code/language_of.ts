/** Which language a text is written in: by the name of its file, or by how its lines start. @module */
import { extensionOf, type LanguageId, languageNamed } from "./language.ts";
import { type Sign, signsOf } from "./signs.ts";

/** UTF-16 units looked at, at the start and in the middle. */
const HEAD = 2500;
const MIDDLE = 1000;
/** UTF-16 units looked at of one line. */
const WIDTH = 160;
/** Signs that a text of unknown origin needs: their weights, and the lines they stand in. */
const LEAST_WEIGHT = 6;
const LEAST_LINES = 2;
/** Share of lines with signs, of lines like code, and of lines like something else. */
const SIGN_SHARE = 0.05;
const CODE_SHARE = 0.5;
const OTHER_SHARE = 0.1;
/** The same for a file whose name says that it is code. */
const NAMED_CODE_SHARE = 0.25;
const NAMED_OTHER_SHARE = 0.25;
const NAMED_WEIGHT = 2;
/** Weight of the signs that tell C++ from C, or that there are elements in TypeScript. */
const NARROW = 2;

/** After so many lines without any sign no more are read. */
const SILENT_LINES = 30;

/** Extensions of files whose content may still be code. */
const SAYS_NOTHING = new Set(["", "txt", "bak", "orig", "tmp", "in", "out"]);

/** A line that starts a comment or docstring which does not end in it, and one that ends it. */
const OPENERS = "/#\"'rRuU";
const OPENS = /^(?:\/\*(?!.*\*\/)|[rRuU]?(?:"""|''')(?!.*(?:"""|''')))/;
/** A line of nothing but a comment: words. */
const COMMENT = /^(?:\/\/|#(?:\s|$))/;
const CLOSES = /\*\/|"""|'''/;

/** What a bounded sample of a text says. */
interface Tally {
  /** Lines that are neither blank nor a comment. */
  readonly lines: number;
  /** Of those, the ones that look like code. */
  readonly code: number;
  /** The ones that look like something else. */
  readonly other: number;
  /** The ones with a sign of each kind, and their weights. */
  readonly count: Readonly<Record<Sign, number>>;
  readonly weight: Readonly<Record<Sign, number>>;
}

/**
 * The language of a text, if it has a grammar; `undefined` for any other text.
 *
 * Looks at a few thousand characters.
 *
 * @param path File that holds the text; what it holds must look like code all the same.
 */
export function languageOf(
  text: string,
  path?: string,
): LanguageId | undefined {
  const extension = extensionOf(path ?? "");
  const named = languageNamed(extension);
  if (named !== undefined) {
    const tally = tallyOf(linesOf(text));
    if (!isPlausible(named, tally)) return undefined;
    return extension === "h" && tally.weight.cpp >= NARROW ? "cpp" : named;
  }
  return SAYS_NOTHING.has(extension)
    ? languageOfLines(linesOf(text))
    : undefined;
}

/** Complete lines without indentation from the start and the middle, blank ones left out. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  addLines(lines, text, 0, HEAD);
  if (text.length > 2 * (HEAD + MIDDLE)) {
    const middle = text.length >>> 1;
    const at = text.indexOf("\n", middle) + 1;
    if (at > 0) addLines(lines, text, at, middle + MIDDLE);
  }
  return lines;
}

function addLines(
  lines: string[],
  text: string,
  from: number,
  limit: number,
): void {
  for (let at = from; at < limit && at < text.length;) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, Math.min(end, at + WIDTH)).trim();
    if (line !== "") lines.push(line);
    at = end + 1;
  }
}

/** The language that lines speak for clearly. */
export function languageOfLines(
  lines: readonly string[],
): LanguageId | undefined {
  const tally = tallyOf(lines);
  if (
    tally.code < CODE_SHARE * tally.lines ||
    tally.other > OTHER_SHARE * tally.lines
  ) return undefined;
  const best = FAMILIES.reduce((a, b) =>
    tally.weight[b] > tally.weight[a] ? b : a
  );
  const count = tally.count[best];
  const weight = tally.weight[best];
  const isClear = weight >= LEAST_WEIGHT && count >= LEAST_LINES &&
    count >= SIGN_SHARE * tally.lines && weight > 2 * tally.weight.other;
  return isClear ? narrow(best, tally) : undefined;
}

const FAMILY_OF: Readonly<Record<LanguageId, Sign>> = {
  c: "c",
  cpp: "c",
  go: "go",
  java: "java",
  javascript: "js",
  python: "python",
  rust: "rust",
  tsx: "js",
  typescript: "js",
};

const NONE: Readonly<Record<Sign, number>> = {
  c: 0,
  cpp: 0,
  go: 0,
  java: 0,
  js: 0,
  jsx: 0,
  other: 0,
  python: 0,
  rust: 0,
};

const FAMILIES = ["python", "js", "go", "rust", "java", "c"] as const;

function narrow(
  family: typeof FAMILIES[number],
  tally: Tally,
): LanguageId {
  if (family === "c") return tally.weight.cpp >= NARROW ? "cpp" : "c";
  if (family !== "js") return family;
  // These grammars read JavaScript too.
  return tally.weight.jsx >= NARROW ? "tsx" : "typescript";
}

function tallyOf(lines: readonly string[]): Tally {
  const count = { ...NONE };
  const weight = { ...NONE };
  let code = 0;
  let other = 0;
  let read = 0;
  let isComment = false;
  let isSilent = true;
  for (const line of lines) {
    const wasComment: boolean = isComment;
    const mayOpen = OPENERS.includes(line[0]!);
    isComment = wasComment ? !CLOSES.test(line) : mayOpen && OPENS.test(line);
    if (wasComment || isComment || (mayOpen && COMMENT.test(line))) continue;
    if (read === SILENT_LINES && isSilent) break;
    read++;
    const { weights, isCode, isOther } = signsOf(line);
    if (isCode) code++;
    if (isOther) other++;
    if (weights === undefined) continue;
    isSilent = false;
    // Faster than a list of the keys, and asked for many lines of every text.
    for (const key in weights) {
      const sign = key as Sign;
      count[sign]++;
      weight[sign] += weights[sign]!;
    }
  }
  return { lines: read, code, other, count, weight };
}

/** Whether the content of a file whose name says `id` does not speak against it. */
function isPlausible(id: LanguageId, tally: Tally): boolean {
  const { lines, code, other } = tally;
  return other <= NAMED_OTHER_SHARE * lines &&
    (code >= NAMED_CODE_SHARE * lines ||
      tally.weight[FAMILY_OF[id]] >= NAMED_WEIGHT);
}
