/** Lines of a form of their own among many that are alike: a test that was skipped, a file of no bytes. @module */
import { lineEnd, type Lines, lineStart } from "../../text/lines.ts";
import { mix } from "../../text/similarity.ts";

/**
 * Shares of the lines that have a word which makes a difference, whether only the ends of lines are compared, and lines
 * up to which what is found counts. Of many names chance alone makes some odd: where more are, it says little.
 */
const LEVELS = [
  { share: 0.4, isEdge: true, most: 12 },
  { share: 0.4, isEdge: false, most: 6 },
  { share: 0.15, isEdge: false, most: 6 },
  { share: 0.04, isEdge: false, most: 4 },
];
/** Lines of a form that is odd, at most, and of one that is usual, at least. */
const RARE = 2;
const USUAL = 12;
/** Lines on each side, and how many of both must be usual. */
const BESIDE = 3;
const LEAST_BESIDE = 4;
/** Share of the lines that may be of forms that are not usual, between usual ones. */
const MOST_SHARE = 0.02;
/** Parts at each end of a line that alone are compared where whole lines differ too much. */
const EDGE = 2;
/** UTF-16 units of a line that are looked at. */
const WIDTH = 300;
/** Lines of the shortest text in which any is odd: of shorter ones most lines stay. */
const FEWEST = 60;

/** Stands for all signs of rulers and of bars that grow. */
const RULER = 35;
const BLANK = 32;
const SLASH = 47;
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
/** Parts that are no words: any name, a number, a zero. */
const ANY = 1;
const NUMBER = 2;
const ZERO = 3;
/** Bits before a sign and before a unit; words are numbered from here on. */
const SIGN = 4;
const UNIT = 12;
const IS_WORD = 0x40000000;
const ZERO_CODE = 48;
const LONGEST_UNIT = 3;

const LETTER = 1;
const DIGIT = 2;
const JOINT = 4;
const IN_WORD = LETTER | DIGIT | JOINT;
/** Signs of rulers and of bars that grow. */
const RULE = 8;
const BITS = characterBits();

/** The lines that are compared; lines with the same parts share a template. */
interface Compared {
  /** Numbers of the lines. */
  readonly lines: number[];
  /** Template of each line. */
  readonly templates: number[];
  /** Parts of each template: words by number, numbers with what is right behind them, signs by code. */
  readonly parts: Int32Array[];
  /** Lines of each template. */
  readonly sizes: number[];
  /** Lines that have each word. */
  readonly counts: number[];
}

/**
 * Finds the lines whose form few others have, each between lines of usual forms. The form of a line is its signs,
 * its kinds of numbers, and the words that many lines have; names are all alike.
 *
 * @param which Which lines are compared, and which of them need be found.
 * @returns At most 12 lines. O(n).
 */
export function oddForms(
  lines: Lines,
  which: {
    readonly isSeen: (line: number) => boolean;
    readonly mayBeOdd: (line: number) => boolean;
  },
): readonly number[] {
  if (lines.count < FEWEST) return [];
  const compared = comparedIn(lines, which.isSeen);
  const { lines: seen, parts, counts } = compared;
  if (seen.length < FEWEST) return [];
  let found: ReadonlySet<number> = new Set();
  let before = "";
  for (const { share, most, isEdge } of LEVELS) {
    const least = Math.max(RARE + 1, share * seen.length);
    const isUsual = Uint8Array.from(counts, (count) => Number(count >= least));
    // The same words are usual as in the level before: nothing else is odd.
    const usual = isUsual.reduce((sum, one) => sum + one, 0);
    const level = `${usual} ${isEdge} ${most}`;
    if (level === before) continue;
    before = level;
    const formOfTemplate = parts.map((all) => formOf(all, isUsual, isEdge));
    const sizes = sizesOf(formOfTemplate, compared);
    const odd = sizes === undefined
      ? []
      : oddAmong(sizes, most, (at) => which.mayBeOdd(seen[at] ?? 0));
    const all = new Set([...found, ...odd.map((at) => seen[at] ?? 0)]);
    if (all.size <= most) found = all;
  }
  return [...found];
}

function comparedIn(
  lines: Lines,
  isSeen: (line: number) => boolean,
): Compared {
  const all: Compared = {
    lines: [],
    templates: [],
    parts: [],
    sizes: [],
    counts: [],
  };
  const words = new Map<number, number>();
  const known = new Map<number, number>();
  const { sizes } = all;
  const buffer = new Int32Array(WIDTH + 1);
  for (let i = 0; i < lines.count; i++) {
    if (lineEnd(lines, i) <= lineStart(lines, i) || !isSeen(i)) continue;
    const length = readParts(lines, i, { buffer, words });
    let hash = SEED;
    for (let at = 0; at < length; at++) hash = mix(hash, buffer[at]!);
    let template = known.get(hash);
    if (template === undefined) {
      known.set(hash, template = all.parts.length);
      all.parts.push(buffer.slice(0, length));
    }
    sizes[template] = (sizes[template] ?? 0) + 1;
    all.lines.push(i);
    all.templates.push(template);
  }
  const last = new Int32Array(words.size).fill(-1);
  for (const [template, parts] of all.parts.entries()) {
    for (const part of parts) {
      const word = part - IS_WORD;
      if (word < 0 || last[word] === template) continue;
      last[word] = template;
      all.counts[word] = (all.counts[word] ?? 0) + (sizes[template] ?? 0);
    }
  }
  return all;
}

/** What a line with words that are not usual is hashed from: those are one name, as are several of them in a row. */
const reduced = new Int32Array(WIDTH + 1);

/** Hash of a line, or of its ends, in which only usual words count. */
function formOf(
  parts: Int32Array,
  isUsual: Uint8Array,
  isEdge: boolean,
): number {
  let length = 0;
  let last = -1;
  for (let i = 0; i < parts.length; i++) {
    let part = parts[i]!;
    if (part >= IS_WORD && isUsual[part - IS_WORD] === 0) part = ANY;
    if (part !== last) reduced[length++] = last = part;
  }
  let hash = SEED;
  for (let at = 0; at < length; at++) {
    if (isEdge && at === EDGE) at = Math.max(at, length - EDGE);
    hash = mix(hash, reduced[at]!);
  }
  return hash;
}

/** For each line how many lines have its form; `undefined` where no form is rare. */
function sizesOf(
  forms: readonly number[],
  { templates, sizes }: Compared,
): Int32Array | undefined {
  const known = new Map<number, number>();
  for (let i = 0; i < forms.length; i++) {
    known.set(forms[i]!, (known.get(forms[i]!) ?? 0) + sizes[i]!);
  }
  const own = Int32Array.from(forms, (form) => known.get(form) ?? 0);
  if (!own.some((size) => size <= RARE)) return undefined;
  const all = new Int32Array(templates.length);
  for (let at = 0; at < all.length; at++) all[at] = own[templates[at]!]!;
  return all;
}

/** Indices of rare forms between usual ones; none where too many forms there are not usual. */
function oddAmong(
  sizes: Int32Array,
  most: number,
  mayBeOdd: (at: number) => boolean,
): readonly number[] {
  const odd: number[] = [];
  const limit = Math.max(most, MOST_SHARE * sizes.length);
  let unusual = 0;
  for (let at = 0; at < sizes.length; at++) {
    const size = sizes[at]!;
    if (size >= USUAL || !mayBeOdd(at)) continue;
    const above = usualBeside(sizes, at, -1);
    const below = usualBeside(sizes, at, 1);
    if (above === 0 || below === 0 || above + below < LEAST_BESIDE) continue;
    if (++unusual > limit) return [];
    if (size <= RARE) odd.push(at);
  }
  return odd.length <= most ? odd : [];
}

/** Usual forms among the next few on one side. */
function usualBeside(sizes: Int32Array, at: number, step: number): number {
  let usual = 0;
  for (let n = 1; n <= BESIDE; n++) {
    const size = sizes[at + step * n];
    if (size !== undefined && size >= USUAL) usual++;
  }
  return usual;
}

/** Writes the parts of a line to the buffer. @returns How many. */
function readParts(
  lines: Lines,
  line: number,
  { buffer, words }: {
    readonly buffer: Int32Array;
    readonly words: Map<number, number>;
  },
): number {
  const { codes } = lines;
  let length = 0;
  const end = Math.min(lineEnd(lines, line), lineStart(lines, line) + WIDTH);
  for (let at = lineStart(lines, line); at < end;) {
    const code = codes[at]!;
    // A joint joins; before and behind a name it is a sign.
    if ((BITS[code]! & (LETTER | DIGIT)) === 0) {
      if (code > BLANK) {
        buffer[length++] = ((BITS[code]! & RULE) !== 0 ? RULER : code) << SIGN;
      }
      at++;
      continue;
    }
    const ended = wordEnd(codes, at, end);
    const part = partOf(codes, at, ended);
    at = ended;
    if (part >= 0) buffer[length++] = part;
    else {
      let word = words.get(part);
      if (word === undefined) words.set(part, word = words.size);
      buffer[length++] = IS_WORD + word;
    }
  }
  return length;
}

/** Where the word at `start` ends; joints behind it are no part of it. */
function wordEnd(codes: Uint8Array, start: number, limit: number): number {
  let end = start + 1;
  for (let at = end; at < limit; at++) {
    const bits = BITS[codes[at]!]!;
    if ((bits & IN_WORD) === 0) break;
    if ((bits & JOINT) === 0) end = at + 1;
  }
  return end;
}

/** A word by its letters, below 0; a number by its unit; a name with digits or joints in it is any. */
function partOf(codes: Uint8Array, start: number, end: number): number {
  const isNumber = BITS[codes[start]!] === DIGIT;
  let at = start;
  let isZero = true;
  while (isNumber && at < end && BITS[codes[at]!] !== LETTER) {
    const code = codes[at++]!;
    isZero &&= code === ZERO_CODE || code === SLASH;
  }
  // A unit has few letters; an id has more.
  if (isNumber && end - at > LONGEST_UNIT) return ANY;
  let hash = SEED;
  for (let i = at; i < end; i++) {
    if (BITS[codes[i]!] !== LETTER) return ANY;
    hash = Math.imul(hash ^ codes[i]!, PRIME);
  }
  if (!isNumber) return hash | (1 << 31);
  const unit = end > at ? (hash & 0xffff) << UNIT : 0;
  return (isZero ? ZERO : NUMBER) + unit;
}

function characterBits(): Uint8Array {
  const table = new Uint8Array(256);
  table.fill(DIGIT, 48, 58);
  table.fill(LETTER, 65, 91);
  table.fill(LETTER, 97, 123);
  for (const char of "_.-/:\\@") table[char.charCodeAt(0)] = JOINT;
  for (const char of "#.=*") table[char.charCodeAt(0)]! |= RULE;
  return table;
}
