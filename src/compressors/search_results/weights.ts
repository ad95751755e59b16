/** How much each row of search results says: what fails or is unusual, what answers the question, then some of each file. @module */
import { keepAnswers } from "../../engine/answers.ts";
import { STAYS } from "../../engine/choose.ts";
import {
  codeAt,
  indexLines,
  keyAt,
  lineAt,
  lineEnd,
  type Lines,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";
import { ERROR, PASSED } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import { standouts } from "../../text/signs/standouts.ts";
import { CONTEXT, MATCH, OTHER, type SearchView } from "./parse.ts";

/** If more than this share of the rows speaks of failures, that is what was searched for; so many of them stay. */
const SEARCHED_SHARE = 0.3;
const MOST_FAILING = 16;
/** Lines of a result that is short. */
const FEW_LINES = 60;
/** Weights of matches, first those that fit the question, and what one loses that differs from an earlier one in its numbers only. */
const FAILS = 230;
const FITS = 220;
const DECLARES = 200;
const USES = 190;
const ALIKE = 60;
/** Weights of context, which comes after all matches: what a match is in, and the lines beside it. */
const ENCLOSES = 36;
const NEAREST = 31;
/** Weight of other context, where no more than so many lines are matches: it is what was asked for. */
const AROUND = 20;
const FEW_MATCHES = 3;
/** Rows of a file that are alike, and others per such row, where the others stand out. */
const LEAST_USUAL = 8;
const FEW_OTHERS = 0.1;
/** A file that programs write, not people. */
const WRITTEN =
  /(?:^|[\\/])logs?[\\/]|\.(?:log|txt|out|err|trace)(?:[.-][\w-]*)?$/i;
/** A text that only code has: how it ends, calls, assignments, comments, words of statements. */
const CODE =
  /[{};,([]\s*$|^\s*(?:\/\/|\/?\*|#|--|<!--|["'`])|[\w\])]\(|=>|->|::|&&|\|\||[!=]=| [:+]?= |^\s*(?:\}|return\b|throw\b|raise\b|import\b|if\b|else\b|case\b|except\b|catch\b)/;
/** A word for a failure that is no value of a key. */
const MENTION =
  /(?<![=\w])\w*(?:err|except|fail|fatal|panic|critical|abort|crash|denied|refuse|reject|invalid|uncaught|cannot|unable|unexpected|throw|raise)\w*/gi;
/** A text that a program wrote, whatever it holds: a time, a level, a record. */
const OUTPUT =
  /^\s*(?:[[(<]?\d[\d:.,TZ/+-]{4}|\[?(?:[A-Z]{4,8}|[EWF]\d{4})\b|\{"|\w[\w.-]*=\S+ +\w[\w.-]*=)/;
/** A number in brackets at the end of a row, with its unit, and its UTF-16 units. */
const LONGEST_END = 24;
const END = /\(\d[\d.]* ?[a-zA-Zµ%]+\)$/;
/** UTF-16 units by which rows are compared. */
const WIDTH = 200;
/** A line that declares something, in the usual languages. */
const DECLARATION =
  /^(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|sealed|override|virtual|async|pub(?:\(\w+\))?|unsafe|extern|inline|open|data) +)*(?:function\*?|class|interface|type|enum|struct|trait|union|namespace|module|record|object|def|fn|func(?: \([^)]*\))?|fun|mod|macro_rules!|#define|CREATE (?:TABLE|VIEW|INDEX|FUNCTION)) +[A-Za-z_$]/i;
const OPEN = 91;
const CLOSE = 93;
const CLOSING = 41;

/** Weights of the lines of a result that is no list of counts. O(n). */
export function searchWeights(view: SearchView, query: string): Uint8Array {
  const { lines, forms } = view;
  const said = saidLines(view);
  const shapes = shapesOf(said);
  const weights = new Uint8Array(lines.count);
  const seen = new Set<number>();
  const matches = forms.filter((form) => form === MATCH).length;
  const around = matches <= FEW_MATCHES ? AROUND : 0;
  for (const [line, form] of forms.entries()) {
    const start = lineStart(said, line);
    const end = Math.min(lineEnd(said, line), start + WIDTH);
    const text = said.text.slice(start, end).trim();
    if (form === MATCH) {
      const shape = keyAt(shapes, line);
      const own = DECLARATION.test(text) ? DECLARES : USES;
      weights[line] = own - (seen.has(shape) ? ALIKE : 0);
      seen.add(shape);
    } else if (form === CONTEXT) {
      weights[line] = Math.max(around, contextWeight(view, line, text));
    } else if (form === OTHER && text !== "") weights[line] = STAYS;
  }
  const mayAnswer = (line: number) => forms[line] === MATCH;
  const question = { query, groups: shapes, fits: FITS, mayAnswer };
  keepAnswers(lines, question, weights);
  keepFew(view, weights);
  keepFailures(view, { said, shapes }, weights);
  for (const line of unusualRows(view, said)) weights[line] = STAYS;
  return weights;
}

/** Rows with values that stand out: among all, what programs wrote among itself, and numbers at the ends of rows. */
function unusualRows(view: SearchView, said: Lines): number[] {
  const { paths, files, forms } = view;
  const unusual = standouts(said).map(({ line }) => line);
  const isWritten = paths.map((path) => WRITTEN.test(path));
  const written = new Map<number, string>();
  const ends = new Map<number, string>();
  for (const line of forms.keys()) {
    if (isWritten[offsetAt(files, line)]) written.set(line, lineAt(said, line));
    const to = lineEnd(said, line);
    if (codeAt(said.codes, to - 1) !== CLOSING) continue;
    const from = Math.max(lineStart(said, line), to - LONGEST_END);
    // It comes behind another word in each row.
    const [end] = END.exec(said.text.slice(from, to)) ?? [];
    if (end !== undefined) ends.set(line, `end ${end}`);
  }
  for (const texts of [written, ends]) {
    if (texts.size === 0) continue;
    const own = indexLines([...texts.values()].join("\n"));
    const lines = [...texts.keys()];
    for (const { line } of standouts(own)) unusual.push(lines[line] ?? 0);
  }
  return unusual.filter((line) => isRow(view, line));
}

/** A short result without context stays but for imports, what programs wrote, and rows like earlier ones. */
function keepFew(
  { forms, files, paths }: SearchView,
  weights: Uint8Array,
): void {
  if (forms.length > FEW_LINES || forms.includes(CONTEXT)) return;
  for (const [line, form] of forms.entries()) {
    const isWritten = WRITTEN.test(paths[offsetAt(files, line)] ?? "");
    const isOwn = codeAt(weights, line) >= USES;
    if (form === MATCH && isOwn && !isWritten) weights[line] = STAYS;
  }
}

function contextWeight(
  { forms, lines, bodies, numbers }: SearchView,
  line: number,
  text: string,
): number {
  // `git grep -p` prints the line of the function behind an equals sign.
  const digits = numbers[line] === 0 ? 0 : `${numbers[line]}`.length;
  const sign = offsetAt(bodies, line) + digits;
  if (lines.text[sign] === "=" || DECLARATION.test(text)) return ENCLOSES;
  const isNear = forms[line - 1] === MATCH || forms[line + 1] === MATCH;
  return isNear && text.length > 2 ? NEAREST : 0;
}

function isRow({ forms }: SearchView, line: number): boolean {
  return forms[line] === MATCH || forms[line] === CONTEXT;
}

/** The lines without paths and numbers, which say nothing about what fails. */
function saidLines(view: SearchView): Lines {
  const { lines, bodies } = view;
  const parts: string[] = [];
  for (const [line, body] of bodies.entries()) {
    let at = body;
    if (isRow(view, line)) {
      while (codeAt(lines.codes, at) < 58 && codeAt(lines.codes, at) > 47) at++;
      at++;
    }
    parts.push(lines.text.slice(at, lineStart(lines, line + 1)));
  }
  return indexLines(parts.join(""));
}

/** Hash of each line without its numbers and what is in brackets. */
function shapesOf(said: Lines): Int32Array {
  const { codes, count } = said;
  const shapes = new Int32Array(count);
  for (let line = 0; line < count; line++) {
    const start = lineStart(said, line);
    const end = Math.min(lineEnd(said, line), start + WIDTH);
    let hash = 1;
    let isInside = false;
    for (let at = start; at < end; at++) {
      const code = codeAt(codes, at);
      isInside = code === OPEN || (isInside && code !== CLOSE);
      const isDigit = code >= 48 && code <= 57;
      if (!isInside && !isDigit) hash = Math.imul(hash ^ code, 0x01000193);
    }
    shapes[line] = hash;
  }
  return shapes;
}

/** Of failures that differ in their numbers only the first and the last stay. */
function keepFailures(
  view: SearchView,
  { said, shapes }: { readonly said: Lines; readonly shapes: Int32Array },
  weights: Uint8Array,
): void {
  const flags = severities(said);
  const failing = failingRows(view, said, flags);
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  for (const { line, isMention } of failing) {
    // A status is no number like others.
    const shape = keyAt(shapes, line) ^ (isMention ? 1 : 0);
    if (!first.has(shape)) first.set(shape, line);
    last.set(shape, line);
  }
  const isSearched = failing.length >
    Math.max(3, SEARCHED_SHARE * said.count);
  let left = isSearched ? MOST_FAILING : failing.length;
  for (const line of new Set([...first.values(), ...last.values()])) {
    weights[line] = left-- > 0 ? STAYS : FAILS;
  }
  for (const line of oddRows(view, said, flags)) weights[line] = STAYS;
}

/** A row that reports a failure. */
interface Failing {
  readonly line: number;
  /** It does so by words only: by no status, level or sign. */
  readonly isMention: boolean;
}

/** Rows that report a failure. In code, a row does so by more than words. */
function failingRows(
  view: SearchView,
  said: Lines,
  flags: Uint8Array,
): readonly Failing[] {
  const lines: number[] = [];
  for (let line = 0; line < said.count; line++) {
    const isError = (codeAt(flags, line) & ERROR) !== 0;
    if (isError && isRow(view, line)) lines.push(line);
  }
  const rest = lines.map((line) => lineAt(said, line).replace(MENTION, "x"));
  const signs = severities(indexLines(rest.join("\n")));
  return lines
    .map((line, i) => ({ line, isMention: (codeAt(signs, i) & ERROR) === 0 }))
    .filter(({ line, isMention }) => !isMention || !isCode(view, said, line));
}

/** Rows of a file of which nearly all others say that something passed, or begin with another word. */
function oddRows(
  { paths, files, forms }: SearchView,
  said: Lines,
  flags: Uint8Array,
): number[] {
  const found = new Map<string, Map<string, number[]>>();
  for (const [line, form] of forms.entries()) {
    const path = paths[offsetAt(files, line)] ?? "";
    if (form !== MATCH || !WRITTEN.test(path)) continue;
    const starts = found.get(path) ?? new Map<string, number[]>();
    found.set(path, starts);
    const isPassed = (codeAt(flags, line) & PASSED) !== 0;
    const [start = ""] = /\S+/.exec(lineAt(said, line).slice(0, WIDTH)) ?? [];
    const key = isPassed ? "" : start;
    starts.set(key, [...starts.get(key) ?? [], line]);
  }
  return [...found.values()].flatMap((starts) => {
    const [usual = [], ...rest] = [...starts.values()]
      .sort((a, b) => b.length - a.length);
    const odd = rest.flat();
    const isUsual = usual.length >= LEAST_USUAL &&
      odd.length <= FEW_OTHERS * usual.length;
    return isUsual ? odd : [];
  });
}

/** Whether what was found in a row is code, not what a program wrote. */
function isCode(
  { paths, files }: SearchView,
  said: Lines,
  line: number,
): boolean {
  const text = lineAt(said, line).slice(0, WIDTH);
  return !WRITTEN.test(paths[offsetAt(files, line)] ?? "") &&
    CODE.test(text) && !OUTPUT.test(text);
}
