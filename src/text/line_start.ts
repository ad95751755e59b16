/**
 * What stands before the message of a log line: times, levels, sources and numbers, in any spelling. Which of them
 * begin the lines of a text is learnt from a sample of them.
 * @module
 */
import { isDigit } from "./words.ts";
import { countsOf } from "./counts.ts";
import { FIELD, fieldAt, skipSigns } from "./line_fields.ts";
import { lineHeads } from "./lines.ts";

/** Fields read of one line, and UTF-16 units. */
const MAX_FIELDS = 9;
const WIDTH = 240;
/** Bits of a field in a shape. */
const BITS = 3;
/** The last field of a shape. */
const ANY_FIELD = 7;
/** A bit for each kind. */
const ANY_KIND = 0xff;
/** Words and numbers in a row before another field, at most: ids, a host, a program. */
const MAX_PLAIN = 3;
/** Lines that must begin alike, and their share of the sample. */
const LEAST = 3;
const LEAST_SHARE = 0.04;
/** Share of the lines with the fields before it that a field needs to belong to the start: one that is unmistakable, and another. */
const CLEAR_SHARE = 0.1;
const STEADY_SHARE = 0.7;

/** Lines from which starts are learnt, at three places each. */
const SAMPLE = 18;

const ZERO = 48;
const CAPITAL_A = 65;
const CAPITAL_Z = 90;
const SMALL_A = 97;
const SMALL_Z = 122;

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

/** Shapes with which many lines of a text begin, and all that lead to them; for each a bit for every kind of field that may be next. */
export type StartShapes = ReadonlyMap<number, number>;

/** What is known before a line is read. */
export interface StartOptions {
  /** Reading ends with a field that leads to none of these; absent: it does not. */
  readonly shapes?: StartShapes;
  /** Fields of the lines before, which are seldom of another form. */
  readonly memo?: FieldMemo;
}

/**
 * Reads the fields that may belong to the start of a line; bounded work.
 *
 * @param line Offsets of the line in `text`.
 */
export function readStart(
  text: string,
  line: { readonly from: number; readonly to: number },
  { shapes, memo }: StartOptions = {},
): Field[] {
  const fields: Field[] = [];
  const limit = Math.min(line.to, line.from + WIDTH);
  let start = skipSigns(text, line.from);
  let shape = 0;
  let plain = 0;
  let isTimed = false;
  let maySay = false;
  while (start < limit && plain <= MAX_PLAIN && fields.length < MAX_FIELDS) {
    const mayBe = kindsBehind(shape, shapes);
    if (mayBe === 0) break;
    const known = memo?.find(fields.length, shape, start);
    const { kind, stop }: { kind: number; stop: number } = known ??
      fieldAt(text, { at: start, isFirst: shape === 0, isTimed }, mayBe);
    if (kind === 0 || stop > line.to) break;
    if (kind === FIELD.time && maySay) break;
    const end = Math.min(line.to, known?.end ?? skipSigns(text, stop));
    if (known === undefined) {
      memo?.add(fields.length, { kind, shape, start, end }, stop);
    }
    shape = (shape << BITS) | kind;
    isTimed ||= kind === FIELD.time;
    maySay ||= !isTimed && begins(text, kind, stop);
    plain = kind >= FIELD.number ? plain + 1 : 0;
    fields.push({ kind, shape, start, end });
    start = end;
  }
  return fields;
}

/** A bit for each kind of field that is read behind a shape. */
function kindsBehind(shape: number, shapes?: StartShapes): number {
  return shapes === undefined ? ANY_KIND : shapes.get(shape) ?? 0;
}

/** Whether a field that ends at `stop` begins a sentence or a field of a record: `The run at 10:00:00`, `Modified: 2026-02-02 10:00:00`; not `wait.go:40:`. */
function begins(text: string, kind: number, stop: number): boolean {
  return kind === FIELD.word ||
    kind === FIELD.name && text[stop - 1] === ":" &&
      !isDigit(text.charCodeAt(stop - 2));
}

/** A field that was read, and the fields before it. */
interface KnownField {
  readonly before: number;
  readonly kind: number;
  readonly stop: number;
  readonly end: number;
  readonly start: number;
}

/** The last field at each place of a start, by the codes of a text: the next line mostly has the same but for digits. */
export class FieldMemo {
  readonly #codes: Uint8Array;
  readonly #known: KnownField[] = [];
  readonly #found = { kind: 0, stop: 0, end: 0 };

  constructor(codes: Uint8Array) {
    this.#codes = codes;
  }

  /** Notes a field. @param field Its shape is that of the fields before it. */
  add(place: number, { kind, shape, start, end }: Field, stop: number): void {
    this.#known[place] = { before: shape, kind, start, stop, end };
  }

  /** The field at an offset when it differs from the last one in digits only, what follows it included. Good until the next call. */
  find(
    place: number,
    before: number,
    at: number,
  ): { kind: number; stop: number; end: number } | undefined {
    const known = this.#known[place];
    if (known?.before !== before) return undefined;
    const codes = this.#codes;
    const { start, kind, stop, end } = known;
    const shift = at - start;
    if (end + shift > codes.length) return undefined;
    for (let i = start; i < end; i++) {
      if (BUT_DIGITS[codes[i]!] !== BUT_DIGITS[codes[i + shift]!]) {
        return undefined;
      }
    }
    // What begins otherwise may belong to the field.
    if (classOf(codes[end]) !== classOf(codes[end + shift])) return undefined;
    const found = this.#found;
    found.kind = kind;
    found.stop = stop + shift;
    found.end = end + shift;
    return found;
  }
}

/** Each code as it is, all digits as one. */
const BUT_DIGITS = Uint8Array.from(
  { length: 256 },
  (_, code) => isDigit(code) ? ZERO : code,
);

/** The same for digits, for small letters and for capitals; else the code. */
function classOf(code = 0): number {
  if (isDigit(code)) return ZERO;
  if (code >= SMALL_A && code <= SMALL_Z) return SMALL_A;
  return code >= CAPITAL_A && code <= CAPITAL_Z ? CAPITAL_A : code;
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
  const counts = countsOf(starts.flat().map(({ shape }) => shape));
  const least = Math.max(LEAST, LEAST_SHARE * lines);
  const shapes = new Set<number>();
  for (const [shape, count] of counts) {
    const before = counts.get(shape >> BITS) ?? count;
    const isClear = (shape & ANY_FIELD) <= FIELD.source;
    const share = isClear ? CLEAR_SHARE : STEADY_SHARE;
    if (count >= Math.max(least, share * before)) shapes.add(shape);
  }
  return leadingOn(shapes);
}

/** The shapes with which a start can end, and those that lead to them: no others need be read. */
function leadingOn(shapes: ReadonlySet<number>): StartShapes {
  const leading = new Map<number, number>();
  for (const shape of shapes) {
    if (!endsStart(shape)) continue;
    let next = 0;
    for (let part = shape; part === 0 || shapes.has(part); part >>= BITS) {
      leading.set(part, (leading.get(part) ?? 0) | next);
      if (part === 0) break;
      next = 1 << (part & ANY_FIELD);
    }
  }
  return leading;
}

/** Whether a start can end with the last field of a shape: it is no part of a message. */
function endsStart(shape: number): boolean {
  const kind = shape & ANY_FIELD;
  return kind <= FIELD.source ||
    (kind <= FIELD.bracket && ((shape >> BITS) & ANY_FIELD) !== FIELD.word);
}

const NO_FIELDS: readonly Field[] = [];

/** The fields with which a line begins as others do, up to the last that is no part of a message; a time, a level or a source is one of them. */
export function startOf(
  fields: readonly Field[],
  shapes: StartShapes,
): readonly Field[] {
  let count = 0;
  let isStart = fields[0]?.kind === FIELD.bracket;
  for (let i = 0; i < fields.length; i++) {
    const { kind, shape } = fields[i]!;
    if (!shapes.has(shape)) break;
    if (endsStart(shape)) count = i + 1;
    isStart ||= kind <= FIELD.source;
  }
  if (!isStart) return NO_FIELDS;
  return count === fields.length ? fields : fields.slice(0, count);
}

/** Learns the starts of lines from a sample of a text. O(1). */
export function shapesIn(text: string): StartShapes {
  const heads = lineHeads(text, SAMPLE, WIDTH);
  const sample = heads.map((head) =>
    readStart(head, { from: 0, to: head.length })
  );
  return learnShapes(sample, heads.length);
}
