/** Starts that many lines have in common, wherever the lines stand: a sign stands for each. @module */
import { indexLines, lineAt, type Lines } from "../../text/lines.ts";
import { ERROR, FAILED } from "../../text/signs/flags.ts";
import { excuseRefused, severities } from "../../text/signs/severity.ts";
import { learnStarts, type Start } from "./start_forms.ts";

/** Signs, in the order in which they are given out; one that begins a line of the text is not used. */
const SIGNS = ["~", "^", "§"] as const;
/** A text that cannot be unfolded must get this much shorter by signs. */
const WORTH_SIGNS = 0.88;
/** Share of the lines up to which failures stay whole in a text that can be unfolded. */
const FEW_SHARE = 0.1;
/** Longest part of a start that may differ from line to line, in UTF-16 units. */
const LONGEST_HOLE = 40;
const HOLE = `([\\d:.,]{0,${LONGEST_HOLE}})`;
const SPECIAL = /[\\^$.*+?()[\]{}|\/-]/g;

const NOTE =
  /^… \(line starts: ((?:[~^§](?:\{1\}(?: \{2\})?)? is "[^\n]*"(?:, )?)+)\)$/;
const PAIR = /([~^§])(?:\{1\})?(?: \{2\})? is ("(?:[^"\\]|\\.)*")/g;
const PLACE = /\{[12]\}/;

/** A start and the sign that is written for it. */
interface Signed extends Start {
  readonly sign: string;
  /** Finds the start at an offset; undefined when no part of it differs. */
  readonly pattern: RegExp | undefined;
}

/**
 * Folds the starts of a text that will not be unfolded: lines that report a failure stay whole, and no word is cut.
 *
 * @param whole Other lines that stay whole.
 */
export function shortenStarts(
  text: string,
  whole: ReadonlySet<string> = new Set(),
): string {
  const lines = indexLines(text);
  const failing = failingLines(lines);
  if (whole.size > 0) {
    for (let i = 0; i < lines.count; i++) {
      if (whole.has(lineAt(lines, i))) failing[i] = 1;
    }
  }
  const short = fold(lines, learnStarts(lines, true), failing);
  return short.length < WORTH_SIGNS * text.length ? short : text;
}

/**
 * Writes a sign in place of each start that many lines share, behind a line that explains the signs.
 * What differs within a start, a time or a number, is written after the sign: `~46.792 27163 rest`.
 * Lines that name what failed stay whole, and all that report a failure if they are few.
 *
 * @returns The same text when nothing is won. O(n).
 */
export function foldStarts(text: string): string {
  const lines = indexLines(text);
  const learnt = learnStarts(lines);
  if (learnt.length === 0) return text;
  return fold(lines, learnt, failingLines(lines, FEW_SHARE));
}

/** One byte per line: not 0 if it reports a failure; only if it names what failed where more than `share` do. */
function failingLines(lines: Lines, share = 1): Uint8Array {
  const flags = severities(lines);
  excuseRefused(flags);
  let count = 0;
  for (const flag of flags) count += flag & ERROR;
  const wanted = count <= share * lines.count ? ERROR | FAILED : FAILED;
  return flags.map((flag) => flag & wanted);
}

function fold(
  lines: Lines,
  learnt: readonly Start[],
  whole: Uint8Array | undefined,
): string {
  const { text } = lines;
  const starts = signed(lines, learnt);
  if (starts.length === 0) return text;
  const parts = [`… (line starts: ${starts.map(explained).join(", ")})\n`];
  for (let i = 0; i < lines.count; i++) {
    const from = lines.starts[i]!;
    const to = lines.starts[i + 1]!;
    const at = whole?.[i]
      ? from
      : writeStart(parts, text, { from, to: to - 1, starts });
    parts.push(text.slice(at, to));
  }
  const folded = parts.join("");
  return folded.length < text.length ? folded : text;
}

/** Inverse of {@linkcode foldStarts}. */
export function unfoldStarts(folded: string): string {
  const end = folded.indexOf("\n");
  const note = NOTE.exec(folded.slice(0, Math.max(0, end)));
  if (note === null) return folded;
  const starts = new Map<string, readonly string[]>();
  for (const [, sign, said] of note[1]!.matchAll(PAIR)) {
    starts.set(sign!, (JSON.parse(said!) as string).split(PLACE));
  }
  return folded.slice(end + 1).replace(
    /^([~^§])([^\n]*)/gm,
    (line, sign: string, rest: string) => {
      const parts = starts.get(sign);
      return parts === undefined ? line : unfolded(parts, rest);
    },
  );
}

function unfolded(parts: readonly string[], rest: string): string {
  let line = parts[0]!;
  let at = 0;
  for (const part of parts.slice(1)) {
    const space = rest.indexOf(" ", at);
    line += rest.slice(at, space) + part;
    at = space + 1;
  }
  return line + rest.slice(at);
}

/** Writes the sign and the differing parts of the line's start, if it has one; returns where the rest begins. */
function writeStart(
  parts: string[],
  text: string,
  line: { from: number; to: number; starts: readonly Signed[] },
): number {
  const { from, to, starts } = line;
  for (const { sign, literals, pattern } of starts) {
    if (!text.startsWith(literals[0]!, from)) continue;
    if (pattern === undefined) {
      parts.push(sign);
      return from + literals[0]!.length;
    }
    pattern.lastIndex = from;
    const found = pattern.exec(text);
    if (found === null || pattern.lastIndex > to) continue;
    parts.push(sign, found[1]!, " ");
    if (literals.length > 2) parts.push(found[2]!, " ");
    return pattern.lastIndex;
  }
  return from;
}

/** `~{1} {2} is "10:{1} [{2}] "`. */
function explained({ sign, literals }: Signed): string {
  const said = literals.map((literal, i) =>
    i === 0 ? literal : `{${i}}${literal}`
  ).join("");
  const places = ["", "{1}", "{1} {2}"][literals.length - 1];
  return `${sign}${places} is ${JSON.stringify(said)}`;
}

/** Longest first: a longer one must be tried before its own start. */
function signed(lines: Lines, starts: readonly Start[]): readonly Signed[] {
  if (starts.length === 0) return [];
  const free = freeSigns(lines);
  return starts.slice(0, free.length)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .map(({ literals }, i) => ({
      sign: free[i]!,
      literals,
      pattern: literals.length === 1
        ? undefined
        : new RegExp(literals.map(escaped).join(HOLE), "y"),
    }));
}

function sizeOf({ literals }: Start): number {
  return literals.reduce((sum, { length }) => sum + length, 0);
}

function escaped(literal: string): string {
  return literal.replace(SPECIAL, "\\$&");
}

function freeSigns({ text, starts, count }: Lines): readonly string[] {
  const used = new Set<string>();
  for (let i = 0; i < count; i++) used.add(text[starts[i]!] ?? "");
  return SIGNS.filter((sign) => !used.has(sign));
}
