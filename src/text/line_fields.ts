/** Fields at the start of a log line, in any spelling: times, levels, sources, names, numbers and words. @module */
import { isDigit } from "./words.ts";
import { matches } from "./sticky.ts";

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

/** Longest field without blanks that may be a source, in UTF-16 units. */
const LONGEST = 120;

const TAB = 9;
const DOT = 46;
const COLON = 58;
const BAR = 124;
const BLANK = 32;
/** Digits, and `.`, `:` and `|`. */
const DIGIT = 1;
const JOINT = 2;
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
  "\\d{4}\\.\\d\\d\\.\\d\\d-\\d\\d\\.\\d\\d\\.\\d\\d:\\d{3}",
  "\\d{4}-\\d\\d-\\d\\d-\\d\\d\\.\\d\\d\\.\\d\\d(?:\\.\\d+)?",
  "1\\d{9}(?:\\.\\d{1,9}|\\d{3}|\\d{6})?",
].join("|") + ")";
const TIMES = sticky(
  `(?:<\\d{1,3}>(?:\\d )?|\\*)?(?:(?:time|ts|timestamp|@timestamp|date|t)=)?(?:"?${STAMP}"?|\\[(?:${STAMP}| *\\d+\\.\\d{3,9})(?:[ ,:][^\\]\\n]{0,40})?\\]|\\(${STAMP}\\))(?=[\\s\\]|)>\\[]|[,:;-]+ |$)`,
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
/** Levels that only the start of a line makes one: `info: up`. */
const FIRST_LEVELS = sticky(
  "(?:trace|debug|info|notice|warn|warning|error|fatal|critical|verbose):(?=\\s)",
);
/** Folders and packages before what their tasks print: `apps/web build: up`, `@acme/ui: up`. */
const FOLDERS = sticky(
  "[\\w.-]{0,60}[@/][\\w@./-]{1,80}(?: [\\w:-]{1,40})?[:$](?=\\s)",
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
/** `tests/a.py::test_7` names what a line is about, and is no id of many. */
const NUMBERS = sticky(
  "(?![\\w./-]{1,60}\\.[a-z]{1,4}::)[#(]?[\\w.:/@+$[\\]-]{0,60}\\d[\\w.:/@+$[\\]-]{0,60}[):,]?(?=[\\s|]|$)",
);
const WORDS = sticky("[^\\s|=\"'{}<>,]{1,60}(?=\\s)");
/** Signs between fields, and blanks. */
const BETWEEN = sticky("(?:[\\s|]|-{1,3}(?=\\s)|:(?=\\s)|\\*(?=\\s)|,(?= ))*");

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
  /** One of these is up to the next blank; nothing is needed when absent. */
  readonly needs?: number;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
const NAMED = codes(`${LETTERS}0123456789$@()-./#:+`);
/** In the order in which they are tried. */
const FORMS: readonly Form[] = [
  {
    kind: FIELD.time,
    form: TIMES,
    starts: codes('0123456789"[(@tdJFMASONDTWIE<*'),
  },
  { kind: FIELD.level, form: LEVELS, starts: codes('"[<(*|!lsTDINWEFCSVA') },
  {
    kind: FIELD.level,
    form: LEVELS_AFTER_TIME,
    starts: codes(LETTERS),
    where: "after time",
  },
  {
    kind: FIELD.level,
    form: FIRST_LEVELS,
    starts: codes("tdinwefcv"),
    where: "first",
  },
  { kind: FIELD.source, form: FOLDERS, starts: NAMED, where: "first" },
  { kind: FIELD.source, form: FIRST_SOURCES, starts: NAMED, where: "first" },
  { kind: FIELD.source, form: SOURCES, starts: NAMED, ends: codes(":](") },
  { kind: FIELD.bracket, form: BRACKETS, starts: codes("[") },
  { kind: FIELD.name, form: NAMES, starts: NAMED, needs: JOINT },
  { kind: FIELD.number, form: NUMBERS, starts: NAMED, needs: DIGIT },
  { kind: FIELD.word, form: WORDS, starts: new Uint8Array(128).fill(1) },
];

/** Where a field is looked for. */
export interface Place {
  readonly at: number;
  /** Whether no field was before it. */
  readonly isFirst: boolean;
  /** Whether a time was. */
  readonly isTimed: boolean;
}

/**
 * The field that begins at an offset; bounded work.
 *
 * @param mayBe A bit for each kind that is tried. @returns Its kind, 0 for none, and the offset behind it.
 */
export function fieldAt(
  text: string,
  { at, isFirst, isTimed }: Place,
  mayBe: number,
): { readonly kind: number; readonly stop: number } {
  const code = text.charCodeAt(at);
  let word: Word | undefined;
  for (const { kind, form, starts, where, ends, needs } of FORMS) {
    if (starts[code] !== 1 || (mayBe >> kind & 1) === 0) continue;
    if (where !== undefined && !(where === "first" ? isFirst : isTimed)) {
      continue;
    }
    if (form === FIRST_SOURCES && !mayHaveSource(text, at)) continue;
    if (needs !== undefined || ends !== undefined) {
      word ??= wordAt(text, at);
      if (ends?.[word.last] === 0) continue;
      if (needs !== undefined && (word.seen & needs) === 0) continue;
    }
    if (matches(form, text, at)) return { kind, stop: form.lastIndex };
  }
  return { kind: 0, stop: at };
}

/** Whether a line has a tab, a bar or a colon before a digit in its first part. */
function mayHaveSource(text: string, at: number): boolean {
  let before = 0;
  for (let i = at; i < at + LONGEST; i++) {
    const code = text.charCodeAt(i);
    if (code === TAB || code === BAR) return true;
    if (before === COLON && isDigit(code)) return true;
    if (!(code >= BLANK)) return false;
    before = code;
  }
  return false;
}

/** What is up to the next blank. */
interface Word {
  /** Code of the last character; 0 when there is no blank soon. */
  readonly last: number;
  /** {@linkcode DIGIT} and {@linkcode JOINT}, where there is one. */
  readonly seen: number;
}

function wordAt(text: string, at: number): Word {
  let last = 0;
  let seen = 0;
  for (let i = at; i < at + LONGEST; i++) {
    const code = text.charCodeAt(i);
    if (i > at && !(code > BLANK)) return { last, seen };
    if (isDigit(code)) seen |= DIGIT;
    else if (code === COLON || code === DOT || code === BAR) seen |= JOINT;
    last = code;
  }
  return { last: 0, seen: DIGIT | JOINT };
}

/** A table of the codes of some ASCII characters. */
function codes(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** Offset of the next field: behind blanks and signs that separate fields. */
export function skipSigns(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code > BLANK && !SIGNS.includes(code)) return at;
  matches(BETWEEN, text, at);
  return BETWEEN.lastIndex;
}

function sticky(source: string): RegExp {
  return new RegExp(source, "y");
}
