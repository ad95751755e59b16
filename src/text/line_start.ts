/**
 * What stands before the message of a log line: times, levels, sources and numbers, in any spelling. Which of them
 * begin the lines of a text is learnt from a sample of them.
 * @module
 */
import { FIELD, fieldAt, skipSigns } from "./line_fields.ts";
import { indexLines, lineHeads, type Lines } from "./lines.ts";

/** Fields read of one line, and UTF-16 units. */
const MAX_FIELDS = 9;
const WIDTH = 240;
/** Bits of a field in a shape. */
const BITS = 3;
/** The last field of a shape. */
const ANY_FIELD = 7;
/** Words and numbers in a row before another field, at most: ids, a host, a program. */
const MAX_PLAIN = 3;
/** Lines that must begin alike, and their share of the sample. */
const LEAST = 3;
const LEAST_SHARE = 0.04;
/** Share of the lines with the fields before it that a field needs to belong to the start: one that is unmistakable, and another. */
const CLEAR_SHARE = 0.1;
const STEADY_SHARE = 0.7;

/** A start changes one of the first codes of its line. */
const SEEN = 4;
/** Lines from which starts are learnt, at three places each. */
const SAMPLE = 18;

const BLANK = 32;
const BRACKET = 91;

/** A field at the start of a line. */
export interface Field {
  /** One of {@linkcode FIELD}. */
  readonly kind: number;
  /** Kinds of the fields up to this one, as one number. */
  readonly shape: number;
  /** Offset of the field. */
  readonly start: number;
  /** Offset behind it, and behind the signs and blanks after it. */
  readonly end: number;
}

/** Shapes with which many lines of a text begin, and all that lead to them. */
export type StartShapes = ReadonlySet<number>;

/**
 * Reads the fields that may belong to the start of a line; bounded work.
 *
 * @param line Offsets of the line in `text`.
 * @param shapes Reading ends with a field that leads to none of these; absent: it does not.
 */
export function readStart(
  text: string,
  line: { readonly from: number; readonly to: number },
  shapes?: StartShapes,
): Field[] {
  const fields: Field[] = [];
  const limit = Math.min(line.to, line.from + WIDTH);
  let start = skipSigns(text, line.from);
  let shape = 0;
  let plain = 0;
  let isTimed = false;
  let maySay = false;
  while (start < limit && plain <= MAX_PLAIN && fields.length < MAX_FIELDS) {
    const { kind, stop } = fieldAt(
      text,
      { at: start, isFirst: shape === 0, isTimed },
      (kind) => shapes?.has((shape << BITS) | kind) !== false,
    );
    shape = (shape << BITS) | kind;
    if (kind === 0 || stop > line.to) break;
    if (kind === FIELD.time && maySay) break;
    isTimed ||= kind === FIELD.time;
    // A sentence, or a field of a record: `The run at 10:00:00`, `Modified: 2026-02-02 10:00:00`.
    maySay ||= !isTimed &&
      (kind === FIELD.word || kind === FIELD.name && text[stop - 1] === ":");
    plain = kind >= FIELD.number ? plain + 1 : 0;
    const end = Math.min(line.to, skipSigns(text, stop));
    fields.push({ kind, shape, start, end });
    start = end;
  }
  return fields;
}

/**
 * Learns which fields begin the lines of a text.
 *
 * @param starts Fields of a sample of its lines. @param lines Size of the sample.
 */
export function learnShapes(
  starts: readonly (readonly Field[])[],
  lines: number,
): StartShapes {
  const counts = new Map<number, number>();
  for (const fields of starts) {
    for (const { shape } of fields) {
      counts.set(shape, (counts.get(shape) ?? 0) + 1);
    }
  }
  const least = Math.max(LEAST, LEAST_SHARE * lines);
  const shapes = new Set<number>();
  for (const [shape, count] of counts) {
    const before = counts.get(shape >> BITS) ?? count;
    const isClear = (shape & ANY_FIELD) <= FIELD.source;
    const share = isClear ? CLEAR_SHARE : STEADY_SHARE;
    if (count >= Math.max(least, share * before)) shapes.add(shape);
  }
  return shapes;
}

/** The fields with which a line begins as others do, up to the last that is no part of a message; a time, a level or a source is one of them. */
export function startOf(
  fields: readonly Field[],
  shapes: StartShapes,
): readonly Field[] {
  let count = 0;
  for (const [i, { kind, shape }] of fields.entries()) {
    if (!shapes.has(shape)) break;
    const isAfterWord = fields[i - 1]?.kind === FIELD.word;
    const isLast = kind <= FIELD.source ||
      (kind <= FIELD.bracket && !isAfterWord);
    if (isLast) count = i + 1;
  }
  const start = fields.slice(0, count);
  const isStart = start[0]?.kind === FIELD.bracket ||
    start.some(({ kind }) => kind <= FIELD.source);
  return isStart ? start : [];
}

/**
 * The same lines with blanks in place of what stands before their messages, but for levels, so that lines that say
 * the same at another time and place are alike. A start is written as one bracket; offsets stay. O(text).
 */
export function withoutStarts(lines: Lines): Lines {
  const heads = lineHeads(lines.text, SAMPLE, WIDTH);
  const sample = heads.map((head) =>
    readStart(head, { from: 0, to: head.length })
  );
  const shapes = learnShapes(sample, heads.length);
  if (shapes.size === 0) return lines;
  const codes = lines.codes.slice();
  let from = 0;
  for (const next of lines.starts.subarray(1)) {
    const fields = startOf(
      readStart(lines.text, { from, to: next - 1 }, shapes),
      shapes,
    );
    for (const { kind, start, end } of fields) {
      if (kind !== FIELD.level) codes.fill(BLANK, start, end);
    }
    if (fields.length > 0) codes[from] = BRACKET;
    from = next;
  }
  return { ...lines, codes };
}

/**
 * The messages alone, one per line, with their indentation but without what is before it.
 *
 * @param said The lines as {@linkcode withoutStarts} gives them. @returns `lines` itself where nothing is before any. O(text).
 */
export function messagesOf(lines: Lines, said: Lines): Lines {
  if (said === lines) return lines;
  const parts: string[] = [];
  let from = 0;
  for (const next of lines.starts.subarray(1)) {
    const start = messageStart(lines, said, { from, to: next - 1 });
    parts.push(lines.text.slice(start, next));
    from = next;
  }
  return indexLines(parts.join(""));
}

function messageStart(
  { codes }: Lines,
  said: Lines,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  let at = from;
  while (at < from + SEEN && codes[at] === said.codes[at]) at++;
  if (at === from + SEEN || at >= to) return from;
  while (at < to && (at === from || said.codes[at] === BLANK)) at++;
  const message = at;
  while (codes[at - 1] === BLANK) at--;
  return Math.min(message, at + 1);
}
