/** Failures that are one message with a word that varies: a host, a volume, a tenant. @module */
import type { Lines } from "../../text/lines.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { KINDS } from "../../text/words.ts";

/** So many different words in one place make it a place that varies. */
const LEAST_WORDS = 5;
/** Words that must stay the same besides. */
const LEAST_SAID = 3;
/** Places of one message that may vary, apart from numbers. */
const PLACES = 2;
/** Groups in which places are looked for; what is found holds for all groups. */
const MAX_GROUPS = 600;
/** Lines with more tokens are left alone. */
const MAX_TOKENS = 40;

const SPACE = 32;
const DIGIT = 3;
/** Stand for a token with a number in it, and for one that varies. */
const NUMBER = 0x51ed270b;
const ANY = 0x3c6ef372;
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const DELIMITERS = delimiters();

/** The first line of a group, as hashes. */
interface Row {
  readonly group: number;
  /** One hash per token. */
  readonly tokens: number[];
  /** Hash of all of them. */
  shape: number;
  /** Tokens that are words and do not vary. */
  said: number;
}

/**
 * Gives groups of failures that differ in one or two words the same number, when enough of them
 * agree in all others. Changes `groups`. O(n).
 *
 * @param flags Flags of `text/signs/flags.ts`, one per line. @param groups One number per line.
 */
export function joinTemplates(
  lines: Lines,
  flags: Uint16Array,
  groups: Int32Array,
): void {
  const rows = failingRows(lines, flags, groups);
  const joined = new Map<number, number>();
  for (let place = 0; place < PLACES; place++) joinOnce(rows, joined);
  if (joined.size === 0) return;
  for (let i = 0; i < groups.length; i++) {
    const template = joined.get(groups[i]!);
    if (template !== undefined) groups[i] = template;
  }
}

function failingRows(
  lines: Lines,
  flags: Uint16Array,
  groups: Int32Array,
): Row[] {
  const seen = new Set<number>();
  const rows: Row[] = [];
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i]!;
    if ((flags[i]! & ERROR) === 0 || group === 0 || seen.has(group)) continue;
    seen.add(group);
    const row = rowOf(lines, i, group);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** Lets one token of each row vary, where enough rows differ in it only. */
function joinOnce(rows: readonly Row[], joined: Map<number, number>): void {
  const agreeing = countVariants(rows);
  if (agreeing.size === 0) return;
  for (const row of rows) {
    let best = -1;
    let most = LEAST_WORDS - 1;
    for (let at = 0; at < row.tokens.length; at++) {
      const count = agreeing.get(variant(row, at)) ?? 0;
      if (count > most && mayVary(row, at)) {
        best = at;
        most = count;
      }
    }
    if (best < 0) continue;
    row.shape = variant(row, best);
    if (isWord(row.tokens[best]!)) row.said--;
    row.tokens[best] = ANY;
    joined.set(row.group, row.shape || 1);
  }
}

/** How many different rows there are for each way to let one token vary; only those with enough of them. */
function countVariants(rows: readonly Row[]): Map<number, number> {
  const counts = new Map<number, number>();
  const counted = new Set<number>();
  for (const row of rows) {
    if (counted.has(row.shape)) continue;
    if (counted.size === MAX_GROUPS) break;
    counted.add(row.shape);
    for (let at = 0; at < row.tokens.length; at++) {
      if (!mayVary(row, at)) continue;
      const shape = variant(row, at);
      counts.set(shape, (counts.get(shape) ?? 0) + 1);
    }
  }
  for (const [shape, count] of counts) {
    if (count < LEAST_WORDS) counts.delete(shape);
  }
  return counts;
}

function mayVary({ tokens, said }: Row, at: number): boolean {
  const token = tokens[at]!;
  return token !== ANY && said - (isWord(token) ? 1 : 0) >= LEAST_SAID;
}

/** Shape of the row with any token at `at`. */
function variant({ tokens, shape }: Row, at: number): number {
  return (shape - placed(tokens[at]!, at) + placed(ANY, at)) | 0;
}

/** A sum of these is a shape from which one token can be taken out. */
function placed(token: number, at: number): number {
  const mixed = Math.imul(token ^ Math.imul(at + 1, 0x85ebca6b), 0x9e3779b1);
  return Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
}

/** Hashes of tokens with a number are even, of others odd. */
function isWord(token: number): boolean {
  return (token & 1) === 1;
}

function rowOf(lines: Lines, line: number, group: number): Row | undefined {
  const { codes, starts } = lines;
  const end = starts[line + 1]! - 1;
  const tokens: number[] = [];
  let shape = 0;
  let said = 0;
  for (let at = starts[line]!; at < end;) {
    if (codes[at]! <= SPACE) {
      at++;
      continue;
    }
    if (tokens.length === MAX_TOKENS) return undefined;
    let stop = at + 1;
    while (stop < end && codes[stop]! > SPACE) stop++;
    const token = tokenHash(codes, at, stop);
    if (isWord(token)) said++;
    shape = (shape + placed(token, tokens.length)) | 0;
    tokens.push(token);
    at = stop;
  }
  return { group, tokens, shape, said };
}

/** All pieces with a digit are equal. */
function tokenHash(codes: Uint8Array, start: number, stop: number): number {
  let token = SEED;
  let hasNumber = false;
  for (let at = start; at < stop;) {
    if (DELIMITERS[codes[at]!]) {
      token = Math.imul(token ^ codes[at++]!, PRIME);
      continue;
    }
    let piece = SEED;
    let hasDigit = false;
    for (; at < stop && !DELIMITERS[codes[at]!]; at++) {
      piece = Math.imul(piece ^ codes[at]!, PRIME);
      hasDigit ||= KINDS[codes[at]!] === DIGIT;
    }
    token = Math.imul(token ^ (hasDigit ? NUMBER : piece), PRIME);
    hasNumber ||= hasDigit;
  }
  return hasNumber ? token & ~1 : token | 1;
}

function delimiters(): Uint8Array {
  const table = new Uint8Array(256);
  for (const char of "=,;:()[]{}\"<>|/\\`'") table[char.charCodeAt(0)] = 1;
  return table;
}
