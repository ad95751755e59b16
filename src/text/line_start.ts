/**
 * What stands before the message of a log line: times, levels, sources and numbers, in any spelling. Which of them
 * begin the lines of a text is learnt from a sample of them.
 * @module
 */

import { indexLines, lineHeads, type Lines } from "./lines.ts";

/** Kinds of fields at the start of a line. */
export const FIELD = {
  /** A time of day or an epoch in any spelling, also with its date, a key or brackets. */
  time: 1,
  /** `INFO`, `[warn]`, `level=error`; after a time also `D` and `info`. */
  level: 2,
  /** What no message begins with: `sshd[7]:`, `api |`, `D/Tag( 12):`, `job<TAB>step<TAB>`. */
  source: 3,
  /** `a.b.C` or a word with a colon, with which a message may begin. */
  name: 4,
  /** Anything else in brackets. */
  bracket: 5,
  /** A number, an address, an id. */
  number: 6,
  /** Any other word. */
  word: 7,
} as const;

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

/** Longest field without blanks that may be a source, in UTF-16 units. */
const LONGEST = 120;

const TAB = 9;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const BAR = 124;
const BLANK = 32;
const BRACKET = 91;
/** `*`, `,`, `-`, `:`, `|`. */
const SIGNS = [42, 44, 45, 58, 124];

const MONTH = "(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)";
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const ZONE = "(?: ?(?:Z|[+-]\\d\\d:?\\d\\d|UTC|GMT|[A-Z]{2,3}T)\\b)?";
const CLOCK = `\\d\\d?:\\d\\d?:\\d\\d?(?:[.,:]\\d{1,9})?(?: [AP]M)?${ZONE}`;
const DATE = "(?:" + [
  "\\d{4}[-/.]\\d\\d[-/.]\\d\\d",
  "\\d\\d?[-/.]\\d\\d[-/.](?:\\d{4}|\\d\\d)",
  "\\d\\d[-.]\\d\\d",
  "[IWEF]?\\d{4}(?:\\d{4})?",
  `\\d\\d?[-/ ]${MONTH}[-/ ]\\d{2,4}`,
  `${MONTH} {1,2}\\d\\d?(?:,? \\d{4})?`,
].join("|") + ")";
const STAMP = "(?:" + [
  `(?:${DAY},? )?${DATE}(?:[T:_-]| {1,2}|, )(?:${CLOCK}|\\d\\d:\\d\\d${ZONE})(?: \\d{4})?`,
  CLOCK,
  "\\d{2,4}(?:0\\d|1[0-2])[0-3]\\d[ T-]?[0-2]\\d[0-5]\\d[0-5]\\d(?:\\.\\d+)?Z?",
  "\\d{4}-\\d\\d-\\d\\d-\\d\\d\\.\\d\\d\\.\\d\\d(?:\\.\\d+)?",
  "1\\d{9}(?:\\.\\d{1,9}|\\d{3}|\\d{6})?",
].join("|") + ")";
const TIMES = sticky(
  `(?:(?:time|ts|timestamp|@timestamp|date|t)=)?(?:"?${STAMP}"?|\\[(?:${STAMP}| *\\d+\\.\\d{3,9})(?:[ ,:][^\\]\\n]{0,40})?\\]|\\(${STAMP}\\))(?=[\\s\\]|)>\\[]|[,:;-]+ |$)`,
);
const LOUD =
  "(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE|VERBOSE|EMERG|ALERT)";
const QUIET =
  "(?:trace|debug|info|notice|warn|warning|error|err|fatal|critical|crit|verbose|emerg|alert|note|Info|Warning|Error|Note)";
const KEY = "(?:level|lvl|severity)=";
const LEVELS = sticky(
  `${LOUD}:[\\w.]{1,60}:|[VDIWEF], (?=\\[\\d)|(?:${KEY})?["[<(*|!]{0,2}${LOUD} {0,2}(?:["\\])>*:|,]{1,2}(?=[\\s[\\w-]|$)|(?=[\\s[]|$))|(?:${KEY}["[]?|[[<(])${QUIET}["\\])>]?:?(?=[\\s[]|$)`,
);
/** Levels that only a time makes one. */
const LEVELS_AFTER_TIME = sticky(
  `(?:[VDIWEFT]|LOG|DETAIL|HINT|STATEMENT|PANIC|${QUIET})[:,]?(?=\\s)`,
);
const SOURCES = sticky([
  "[\\w./@-]{0,80}[\\w-](?:\\([\\w.-]+\\))?\\[[\\w.-]{1,20}\\]:(?=\\s)",
  "[VDIWEF]/[\\w.$-]{1,60} *\\( *\\d+\\):(?=\\s)",
  "[\\w./-]{1,80}\\.\\w{1,10}:\\d{1,7}\\](?=\\s)",
].join("|"));
/** Sources that only begin a line: a container, a file before a time, `job<TAB>step<TAB>` before one. */
const FIRST_SOURCES = sticky([
  "[A-Za-z][\\w.@-]{0,60} *\\|(?= )",
  "[\\w/-][\\w./-]{0,80}\\.\\w{1,10}:(?=\\d{4}-)",
  "[^\\t\\n ][^\\t\\n]{0,99}\\t[^\\t\\n]{1,100}\\t\\ufeff?(?=\\d{4}-)",
].join("|"));
const BRACKETS = sticky(
  "\\[(?:[^\\[\\]\\n]|\\[[^\\[\\]\\n]{0,60}\\]){1,160}\\]:?",
);
const NAMES = sticky(
  "[\\w$@()-]{1,60}(?::(?=\\s)|(?=\\|))|[A-Za-z_][\\w$-]{0,60}(?:(?:\\.|::)[\\w$@-]{1,60}){1,12}:?(?=\\s)|[\\w./-]{1,80}\\.\\w{1,10}:\\d{1,7}:?(?=\\s)",
);
const NUMBERS = sticky(
  "[#(]?[\\w.:/@+$[\\]-]{0,60}\\d[\\w.:/@+$[\\]-]{0,60}[):,]?(?=[\\s|]|$)",
);
const WORDS = sticky("[^\\s|=\"'{}<>,]{1,60}(?=\\s)");
/** Signs between fields, and blanks. */
const BETWEEN = sticky("(?:[\\s|]|-{1,3}(?=\\s)|:(?=\\s)|\\*(?=\\s)|,(?= ))*");

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
    const { kind, stop } = fieldAt(text, { at: start, shape, isTimed }, shapes);
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

/** A form of a field. */
interface Form {
  readonly kind: number;
  readonly form: RegExp;
  /** 1 for each ASCII code with which such a field can begin. */
  readonly starts: Uint8Array;
  /** Whether it is tried at the start of a line only, or after a time only. */
  readonly where?: "first" | "after time";
  /** 1 for each ASCII code with which what is up to the next blank can end; any when absent. */
  readonly ends?: Uint8Array;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
const NAMED = codes(`${LETTERS}0123456789$@()-./#:+`);
/** In the order in which they are tried. */
const FORMS: readonly Form[] = [
  {
    kind: FIELD.time,
    form: TIMES,
    starts: codes('0123456789"[(@tdJFMASONDTWIE'),
  },
  { kind: FIELD.level, form: LEVELS, starts: codes('"[<(*|!lsTDINWEFCSVA') },
  {
    kind: FIELD.level,
    form: LEVELS_AFTER_TIME,
    starts: codes(LETTERS),
    where: "after time",
  },
  { kind: FIELD.source, form: FIRST_SOURCES, starts: NAMED, where: "first" },
  { kind: FIELD.source, form: SOURCES, starts: NAMED, ends: codes(":](") },
  { kind: FIELD.bracket, form: BRACKETS, starts: codes("[") },
  { kind: FIELD.name, form: NAMES, starts: NAMED },
  { kind: FIELD.number, form: NUMBERS, starts: NAMED },
  { kind: FIELD.word, form: WORDS, starts: new Uint8Array(128).fill(1) },
];

function fieldAt(
  text: string,
  { at, shape, isTimed }: { at: number; shape: number; isTimed: boolean },
  shapes: StartShapes | undefined,
): { readonly kind: number; readonly stop: number } {
  const code = text.charCodeAt(at);
  for (const { kind, form, starts, where, ends } of FORMS) {
    if (starts[code] !== 1) continue;
    if (shapes?.has((shape << BITS) | kind) === false) continue;
    if (where === "first" && (shape !== 0 || !mayHaveSource(text, at))) {
      continue;
    }
    if (where === "after time" && !isTimed) continue;
    if (ends?.[lastCode(text, at)] === 0) continue;
    form.lastIndex = at;
    if (form.test(text)) return { kind, stop: form.lastIndex };
  }
  return { kind: 0, stop: at };
}

/** Whether a line has a tab, a bar or a colon before a digit in its first part. */
function mayHaveSource(text: string, at: number): boolean {
  let before = 0;
  for (let i = at; i < at + LONGEST; i++) {
    const code = text.charCodeAt(i);
    if (code === TAB || code === BAR) return true;
    if (before === COLON && code >= ZERO && code <= NINE) return true;
    if (!(code >= BLANK)) return false;
    before = code;
  }
  return false;
}

/** Code of the last character before a blank; 0 when there is none soon. */
function lastCode(text: string, at: number): number {
  for (let i = at + 1; i < at + LONGEST; i++) {
    const code = text.charCodeAt(i);
    if (!(code > BLANK)) return text.charCodeAt(i - 1);
  }
  return 0;
}

/** A table of the codes of some ASCII characters. */
function codes(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

function skipSigns(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code > BLANK && !SIGNS.includes(code)) return at;
  BETWEEN.lastIndex = at;
  BETWEEN.test(text);
  return BETWEEN.lastIndex;
}

function sticky(source: string): RegExp {
  return new RegExp(source, "y");
}
