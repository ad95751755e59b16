/**
 * Starts that many lines of a text have in common, wherever the lines are: a sign is written for each, and the first
 * line says what it means: `… (line starts: ~{1} is "2026-02-02 10:{1} INFO ")`.
 * @module
 */
import type { Rewrite } from "../core/kind.ts";
import { codeAt, indexLines, lineAt, type Lines } from "../text/lines.ts";
import {
  isInHole,
  learnStarts,
  type Literals,
  PLACE,
} from "./common_starts.ts";
import { foldNote } from "./note.ts";

/** Signs, in the order in which they are given out; one that begins a line of the text is not used. */
const SIGNS = ["~", "^", "§"] as const;
/** Longest part of a start that may differ from line to line, in UTF-16 units. */
const LONGEST_HOLE = 40;
const SAID =
  /^… \(line starts: ((?:[~^§](?:\{1\}(?: \{2\})?)? is "[^\n]*"(?:, )?)+)\)$/;
const PAIR = /([~^§])(?:\{1\})?(?: \{2\})? is ("(?:[^"\\]|\\.)*")/g;

const CARET = 94;
const TILDE = 126;

/**
 * Writes a sign in place of each start that many lines share. What differs within a start, a time or a number, is
 * written after the sign: `~46.792 27163 rest`. No start ends within a word.
 *
 * @param isWhole Whether a line is left as it is; no start of such lines is learnt.
 * @returns `undefined` when nothing is won. O(text).
 */
export function foldStarts(
  text: string,
  isWhole: (line: number) => boolean,
): Rewrite | undefined {
  const lines = indexLines(text);
  const starts = signed(lines, learnStarts(lines, isWhole, SIGNS.length));
  if (starts.length === 0) return undefined;
  const explained = foldNote(
    `line starts: ${starts.map(({ said }) => said).join(", ")}`,
  );
  const parts = [explained, "\n"];
  let from = 0;
  for (let i = 0; i < lines.count; i++) {
    const line = lineAt(lines, i);
    parts.push(isWhole(i) ? line : shortened(line, starts), "\n");
    from += line.length + 1;
  }
  if (from > text.length) parts.pop();
  const folded = parts.join("");
  return folded.length < text.length
    ? { text: folded, restore: unfoldStarts }
    : undefined;
}

/** Inverse of {@linkcode foldStarts}. */
export function unfoldStarts(folded: string): string {
  const end = folded.indexOf("\n");
  const [, said] = SAID.exec(folded.slice(0, Math.max(0, end))) ?? [];
  if (said === undefined) return folded;
  const starts = new Map<string, readonly string[]>();
  for (const [, sign = "", quoted = ""] of said.matchAll(PAIR)) {
    starts.set(sign, (JSON.parse(quoted) as string).split(PLACE));
  }
  return folded.slice(end + 1).replace(
    /^([~^§])([^\n]*)/gm,
    (line, sign: string, rest: string) => {
      const literals = starts.get(sign);
      return literals === undefined ? line : unfolded(literals, rest);
    },
  );
}

function unfolded([first = "", ...others]: Literals, rest: string): string {
  let line = first;
  let at = 0;
  for (const literal of others) {
    const space = rest.indexOf(" ", at);
    line += rest.slice(at, space) + literal;
    at = space + 1;
  }
  return line + rest.slice(at);
}

/** A start and the sign that is written for it. */
interface Signed {
  readonly sign: string;
  readonly literals: Literals;
  /** `~{1} {2} is "10:{1} [{2}] "`. */
  readonly said: string;
  readonly size: number;
}

function signed(lines: Lines, starts: readonly Literals[]): readonly Signed[] {
  if (starts.length === 0) return [];
  const used = new Set<string>();
  for (const start of lines.starts) {
    const code = codeAt(lines.codes, start);
    if (code === TILDE || code === CARET || code > 127) {
      used.add(lines.text.charAt(start));
    }
  }
  const free = SIGNS.filter((sign) => !used.has(sign));
  return free.flatMap((sign, i) => {
    const literals = starts[i];
    if (literals === undefined) return [];
    const places = ["", "{1}", "{1} {2}"][literals.length - 1] ?? "";
    const whole = literals.map((literal, n) =>
      n === 0 ? literal : `{${n}}${literal}`
    ).join("");
    return [{
      sign,
      literals,
      said: `${sign}${places} is ${JSON.stringify(whole)}`,
      size: whole.length,
    }];
  }).sort((a, b) => b.size - a.size);
}

function shortened(line: string, starts: readonly Signed[]): string {
  for (const { sign, literals } of starts) {
    const rest = behind(line, literals);
    if (rest !== undefined) return sign + rest;
  }
  return line;
}

/** What is in the holes of a start, a blank behind each, and what follows it; `undefined` where the line has no such start. */
function behind(
  line: string,
  [first = "", ...others]: Literals,
  at = 0,
): string | undefined {
  if (!line.startsWith(first, at)) return undefined;
  const from = at + first.length;
  if (others.length === 0) return line.slice(from);
  let to = from;
  while (to - from < LONGEST_HOLE && isInHole(line.charCodeAt(to))) to++;
  // The longest that leaves the next part to be found.
  for (; to >= from; to--) {
    const rest = behind(line, others, to);
    if (rest !== undefined) return `${line.slice(from, to)} ${rest}`;
  }
  return undefined;
}
