/** Learns from a sample of lines which starts are worth a sign. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import { ERROR, FAILED, WARNING } from "../../text/signs/flags.ts";
import { severityOf } from "../../text/signs/severity.ts";

/** A start of lines: `literals` with a time or a number between one and the next. */
export interface Start {
  /** One to three texts. */
  readonly literals: readonly string[];
}

/** Starts that are learnt, and parts of one that may differ. */
const MAX_STARTS = 3;
const MAX_HOLES = 2;
/** Lines from which starts are learnt, evenly spread. */
const SAMPLE = 64;
/** Longest start that is looked at, the most boundaries and numbers in it. */
const LONGEST = 120;
const MOST_CUTS = 20;
const MOST_NUMBERS = 10;
/** Shortest start, in UTF-16 units, and shortest that ends with a blank only. */
const SHORTEST = 6;
const SHORTEST_WHOLE = 14;
/** UTF-16 units that a start must save in the text besides its explanation, and what that costs without the start. */
const PROFIT = 40;
const NOTE = 26;
/** Candidates that are measured exactly. */
const MEASURED = 6;

/** `$`, `-`, `.`, `_`: a name goes on behind them. */
const IN_WORD = [36, 45, 46, 95];

const NUMBER = 0x51ed270b;
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const NUMBERS = /\d+(?:[:.,]\d+)*/g;
const PLACE = /\{[12]\}/;

/** The beginning of a line, and a hash of what stands before each place where a word begins. */
interface Head {
  readonly line: string;
  readonly hashes: readonly number[];
  /** Units before each of those places. */
  readonly lengths: readonly number[];
}

/** Lines of the sample whose starts are equal but for numbers. */
interface Candidate {
  /** Hash of the start. */
  readonly hash: number;
  /** Units of the start in the first line that has it. */
  readonly length: number;
  count: number;
}

/**
 * The starts that save most; none of them says that something failed. O(1).
 *
 * @param isWhole Whether a start must end with a blank.
 */
export function learnStarts(lines: Lines, isWhole = false): readonly Start[] {
  let rest = sampled(lines);
  const weight = lines.count / Math.max(1, rest.length);
  const found: Start[] = [];
  while (found.length < MAX_STARTS && rest.length > 1) {
    const best = bestStart(rest, { weight, isWhole });
    if (best === undefined) break;
    found.push(best.start);
    const taken = new Set(best.members);
    rest = rest.filter((line) => !taken.has(line));
  }
  return found;
}

function sampled(lines: Lines): readonly Head[] {
  const step = Math.max(1, Math.ceil(lines.count / SAMPLE));
  const sample: Head[] = [];
  for (let i = 0; i < lines.count; i += step) {
    const start = lines.starts[i]!;
    const line = lines.starts[i + 1]! - start > LONGEST
      ? lines.text.slice(start, start + LONGEST)
      : lineAt(lines, i);
    if (!line.startsWith("…")) sample.push(headOf(line));
  }
  return sample;
}

/** A start, and the lines of the sample that have it. */
interface Measured {
  readonly start: Start;
  readonly members: readonly Head[];
}

function bestStart(
  sample: readonly Head[],
  { weight, isWhole }: { weight: number; isWhole: boolean },
): Measured | undefined {
  let best: Measured | undefined;
  let most = PROFIT;
  for (const candidate of candidatesIn(sample, isWhole)) {
    const measured = measure(sample, candidate, isWhole);
    const saved = savedBy(measured, weight);
    if (saved > most && mayStand(measured.start)) {
      most = saved;
      best = measured;
    }
  }
  return best;
}

/** Those that may save most, by a rough measure. */
function candidatesIn(
  sample: readonly Head[],
  isWhole: boolean,
): readonly Candidate[] {
  const candidates = new Map<number, Candidate>();
  for (const { line, hashes, lengths } of sample) {
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i]!;
      const length = lengths[i]!;
      if (isWhole && !isWholeAt(line, length)) continue;
      const known = candidates.get(hash);
      if (known !== undefined) known.count++;
      else candidates.set(hash, { hash, length, count: 1 });
    }
  }
  return [...candidates.values()].filter(({ count }) => count > 1)
    .sort((a, b) => roughly(b) - roughly(a) || a.length - b.length)
    .slice(0, MEASURED);
}

function isWholeAt(line: string, length: number): boolean {
  return length >= SHORTEST_WHOLE && line[length - 1] === " ";
}

function roughly({ count, length }: Candidate): number {
  return (count - 1) * (length - 2);
}

/** The places where a word begins. */
function headOf(line: string): Head {
  const head = { line, hashes: [] as number[], lengths: [] as number[] };
  let hash = SEED;
  let numbers = 0;
  for (let at = 0; at < line.length && head.hashes.length < MOST_CUTS;) {
    const code = line.charCodeAt(at);
    if (code > 126) break;
    if (isDigit(code)) {
      if (++numbers > MOST_NUMBERS) break;
      at = numberEnd(line, at);
      hash = Math.imul(hash ^ NUMBER, PRIME);
      continue;
    }
    hash = Math.imul(hash ^ code, PRIME);
    at++;
    const isCut = at >= SHORTEST && !isLetter(code) && !isOpening(code) &&
      !IN_WORD.includes(code) &&
      isBegin(line.charCodeAt(at));
    if (!isCut) continue;
    head.hashes.push(hash);
    head.lengths.push(at);
  }
  return head;
}

function numberEnd(line: string, from: number): number {
  let at = from;
  while (isDigit(line.charCodeAt(at))) {
    at++;
    const code = line.charCodeAt(at);
    const isJoint = code === 58 || code === 46 || code === 44;
    if (isJoint && isDigit(line.charCodeAt(at + 1))) at++;
  }
  return at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

/** A bracket or a quote: what follows belongs to it. */
function isOpening(code: number): boolean {
  return code === 34 || code === 39 || code === 40 || code === 91;
}

/** A letter, a digit, a slash, a quote or an opening bracket. */
function isBegin(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 47 || code === 34 ||
    code === 91 || code === 40;
}

function measure(
  sample: readonly Head[],
  { hash }: Candidate,
  isWhole: boolean,
): Measured {
  const members: Head[] = [];
  const heads: string[] = [];
  const rests: string[] = [];
  for (const head of sample) {
    const cut = head.hashes.indexOf(hash);
    if (cut < 0) continue;
    members.push(head);
    heads.push(head.line.slice(0, head.lengths[cut]!));
    if (!isWhole) rests.push(numberAt(head.line, head.lengths[cut]!));
  }
  return { members, start: startOf(heads, commonOf(rests)) };
}

function numberAt(line: string, at: number): string {
  return line.slice(at, numberEnd(line, at));
}

/** Numbers that differ become holes, as far as they differ. */
function startOf(heads: readonly string[], next: string): Start {
  const numbers = heads.map((head) => head.match(NUMBERS) ?? []);
  const literals: string[] = [];
  const first = heads[0]!;
  let literal = "";
  let from = 0;
  let index = 0;
  for (const { 0: value, index: at } of first.matchAll(NUMBERS)) {
    literal += first.slice(from, at);
    const same = commonOf(numbers.map((all) => all[index]!));
    literal += same;
    if (same !== value || numbers.some((all) => all[index] !== value)) {
      literals.push(literal);
      literal = "";
    }
    from = at + value.length;
    index++;
  }
  literal += first.slice(from);
  literals.push(literal + next);
  return { literals };
}

/** What all numbers start with, whole between its signs; all of it when they are equal. */
function commonOf(values: readonly string[]): string {
  const first = values[0] ?? "";
  if (values.every((value) => value === first)) return first;
  let same = 0;
  while (values.every((value) => value[same] === first[same])) same++;
  while (same > 0 && isDigit(first.charCodeAt(same - 1))) same--;
  return first.slice(0, same);
}

function savedBy({ start, members }: Measured, weight: number): number {
  const size = start.literals.reduce((sum, { length }) => sum + length, 0);
  const holes = start.literals.length - 1;
  if (holes > MAX_HOLES) return 0;
  return members.length * weight * (size - 1 - holes) - size - NOTE;
}

/** Whether a reader who sees a sign misses nothing: a start that says that something failed stays. */
function mayStand({ literals }: Start): boolean {
  const said = literals.join(" ");
  return !PLACE.test(said) &&
    (severityOf(said) & (ERROR | FAILED | WARNING)) === 0;
}
