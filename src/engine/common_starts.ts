/** Starts that many lines of a text have in common but for numbers, learnt from a sample of them. @module */
import { isDigit } from "../text/words.ts";
import { indexLines, lineAt, type Lines } from "../text/lines.ts";
import { ERROR, FAILED, WARNING } from "../text/signs/flags.ts";
import { severities, severityOf } from "../text/signs/severity.ts";

/** Lines from which starts are learnt, evenly spread, and UTF-16 units and blanks looked at of each. */
const SAMPLE = 64;
const WIDTH = 120;
const MOST_BLANKS = 12;
/** Shortest start in UTF-16 units, and parts of one that may differ. */
const SHORTEST = 14;
const MAX_HOLES = 2;
/** UTF-16 units that a start must save besides its explanation, and what that costs without the start. */
const PROFIT = 40;
const NOTE = 26;
/** Candidates that are measured exactly. */
const MEASURED = 6;
/** Share of the lines that report something bad, from which on that is no exception and a start may say it. */
const COMMON = 0.3;

const SERIOUS = ERROR | FAILED | WARNING;
/** Stands for what differs, where a start is explained; none of a text that has it. */
export const PLACE: RegExp = /\{[12]\}/;

const TAB = 9;
const BLANK = 32;
const COMMA = 44;
const DOT = 46;
const ZERO = 48;
const COLON = 58;
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

/** What lines begin with: one to three texts, with a time or a number between one and the next. */
export type Literals = readonly string[];

/** A line of the sample. */
interface Sampled {
  readonly text: string;
  /** Offsets of the first and behind the last digit of each number in its starts, one after the other. */
  readonly numbers: number[];
  /** Whether a start of it was found. */
  isTaken: boolean;
}

/** Lines of the sample that begin alike but for numbers. */
interface Candidate {
  readonly members: Sampled[];
  /** Length of the start that each of them has, in the same order. */
  readonly lengths: number[];
}

/** A start, and what it saves. */
interface Measured {
  readonly literals: Literals;
  readonly members: readonly Sampled[];
  readonly saved: number;
}

/** Whether a code may be in what differs from line to line: `\d`, `:`, `.`, `,`. */
export function isInHole(code: number): boolean {
  return isDigit(code) || code === COLON || code === DOT || code === COMMA;
}

/** The starts that save most, `most` of them at most. @param isWhole Whether a line has none. O(1), but for the lines of the text. */
export function learnStarts(
  lines: Lines,
  isWhole: (line: number) => boolean,
  most: number,
): readonly Literals[] {
  const sample = sampleOf(lines, isWhole);
  const weight = lines.count / Math.max(1, sample.length);
  const of = { weight, hidesAll: () => mostlySerious(sample) };
  let candidates = candidatesIn(sample);
  const found: Literals[] = [];
  while (found.length < most) {
    const best = bestStart(candidates, of);
    if (best === undefined) break;
    found.push(best.literals);
    for (const member of best.members) member.isTaken = true;
    candidates = candidates.map(withoutTaken)
      .filter(({ members }) => members.length > 1);
  }
  return found;
}

/** Whether so many lines report something bad that a start may say it. */
function mostlySerious(sample: readonly string[]): boolean {
  const serious = severities(indexLines(sample.join("\n")))
    .filter((flags) => flags & SERIOUS).length;
  return serious >= COMMON * sample.length;
}

/** A candidate without the lines of which a start was found. */
function withoutTaken(candidate: Candidate): Candidate {
  const left: Candidate = { lengths: [], members: [] };
  for (const [i, member] of candidate.members.entries()) {
    if (member.isTaken) continue;
    left.members.push(member);
    left.lengths.push(candidate.lengths[i] ?? 0);
  }
  return left;
}

function sampleOf(lines: Lines, isWhole: (line: number) => boolean): string[] {
  const step = Math.max(1, Math.ceil(lines.count / SAMPLE));
  const sample: string[] = [];
  for (let i = 0; i < lines.count; i += step) {
    if (isWhole(i)) continue;
    const line = lineAt(lines, i);
    if (!line.startsWith("…")) sample.push(line.slice(0, WIDTH));
  }
  return sample;
}

/** What a sample is of. */
interface Sample {
  /** Lines of the text for each line of the sample. */
  readonly weight: number;
  /** Whether a start may say that something failed; else a reader would miss it among the other lines. */
  readonly hidesAll: () => boolean;
}

/** The best of those that may save most, by a rough measure. */
function bestStart(
  candidates: readonly Candidate[],
  of: Sample,
): Measured | undefined {
  const rough = candidates.toSorted((a, b) => roughly(b) - roughly(a))
    .slice(0, MEASURED);
  let best: Measured | undefined;
  for (const candidate of rough) {
    const { lengths: { 0: length = 0, length: count } } = candidate;
    const most = best?.saved ?? PROFIT;
    if (count * of.weight * length <= most) continue;
    const measured = measure(candidate, of);
    if (measured.saved <= most) continue;
    const isSerious = severityOf(measured.literals.join(" ")) & SERIOUS;
    if (!isSerious || of.hidesAll()) best = measured;
  }
  return best;
}

function roughly({ lengths }: Candidate): number {
  return (lengths.length - 1) * ((lengths[0] ?? 0) - 2);
}

/** Starts that two lines or more have, but for numbers. */
function candidatesIn(sample: readonly string[]): readonly Candidate[] {
  const candidates = new Map<number, Candidate>();
  for (const text of sample) {
    const member: Sampled = { text, numbers: [], isTaken: false };
    eachStart(member, (key, length) => {
      const known = candidates.get(key);
      if (known === undefined) {
        candidates.set(key, { lengths: [length], members: [member] });
      } else {
        known.lengths.push(length);
        known.members.push(member);
      }
    });
  }
  return [...candidates.values()].filter(({ lengths }) => lengths.length > 1);
}

/** Visits what a line may begin with, up to the blanks after each word: a hash in which all numbers are equal, and the length. Notes the numbers. */
function eachStart(
  { text: line, numbers }: Sampled,
  visit: (key: number, length: number) => void,
): void {
  let key = SEED;
  let blanks = 0;
  for (let at = 0; at < line.length && blanks <= MOST_BLANKS;) {
    const code = line.charCodeAt(at);
    const isNumber = isDigit(code);
    const end = isNumber ? numberEnd(line, at) : at + 1;
    if (isNumber) numbers.push(at, end);
    at = end;
    key = Math.imul(key ^ (isNumber ? ZERO : code), PRIME);
    const isBlank = code === BLANK || code === TAB;
    const next = line.charCodeAt(at);
    if (!isBlank || next === BLANK || next === TAB) continue;
    if (at >= SHORTEST && ++blanks <= MOST_BLANKS) visit(key, at);
  }
}

/** Offset behind a number: digits, with single signs between them. */
function numberEnd(line: string, from: number): number {
  let at = from;
  for (;;) {
    while (isDigit(line.charCodeAt(at))) at++;
    const code = line.charCodeAt(at);
    if (!isInHole(code) || !isDigit(line.charCodeAt(at + 1))) return at;
    at++;
  }
}

function measure(candidate: Candidate, { weight }: Sample): Measured {
  const { lengths, members } = candidate;
  const literals = literalsOf(candidate);
  const size = literals.reduce((sum, { length }) => sum + length, 0);
  const holes = literals.length - 1;
  const isUsable = holes <= MAX_HOLES && !PLACE.test(literals.join(" "));
  const saved = lengths.length * weight * (size - 1 - 2 * holes) - size - NOTE;
  return { literals, members, saved: isUsable ? saved : 0 };
}

/** Numbers that differ become holes, as far as they differ. */
function literalsOf({ members, lengths }: Candidate): Literals {
  const [{ text, numbers } = { text: "", numbers: [] }] = members;
  const [length = 0] = lengths;
  const literals: string[] = [];
  let from = 0;
  for (let i = 0; i < numbers.length; i += 2) {
    const [start = 0, end = 0] = [numbers[i], numbers[i + 1]];
    if (start >= length) break;
    const same = commonEnd(members, i);
    if (same === undefined) continue;
    literals.push(text.slice(from, same));
    from = end;
  }
  literals.push(text.slice(from, length));
  return literals;
}

/** Offset up to which a number of the first line is that of all others, whole between its signs; `undefined` when all are equal. */
function commonEnd(members: readonly Sampled[], i: number): number | undefined {
  const [first] = members;
  if (first === undefined) return undefined;
  const { text, numbers: { [i]: start = 0, [i + 1]: end = 0 } } = first;
  let same = end;
  let areEqual = true;
  for (const { text: other, numbers } of members) {
    const shift = (numbers[i] ?? 0) - start;
    const otherEnd = (numbers[i + 1] ?? 0) - shift;
    let at = start;
    const most = Math.min(same, otherEnd);
    while (at < most && text.charCodeAt(at) === other.charCodeAt(at + shift)) {
      at++;
    }
    same = at;
    areEqual &&= at === end && otherEnd === end;
    // No other line can make it shorter.
    if (!areEqual && same === start) return start;
  }
  if (areEqual) return undefined;
  while (same > start && isDigit(text.charCodeAt(same - 1))) same--;
  return same;
}
