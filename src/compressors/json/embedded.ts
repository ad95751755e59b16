/** Strings that hold JSON or lines of text: shown as what they hold, and back. @module */

/** Characters of a string literal from which it is worth a look inside. */
export const MIN_EMBEDDED = 160;
/** Characters that escapes must cost before lines of text stand on lines of their own. */
const MIN_ESCAPES = 40;
/** Ends lines of text. */
const END = "\nend of text";
/** Opens a string that holds JSON, or lines of text; groups: encoding, lines, number of the fold. */
const OPENING =
  /(ASCII |HTML-safe )?string\(|text in the next (\d+) lines(?:, fold (\d+))?:\n/y;
/** Control characters that a reader would not see; the line feed and the tab aside. */
// deno-lint-ignore no-control-regex
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f]/;

type Encode = (decoded: string) => string;

/** How a string may be escaped, by the word before `string(`. */
const ENCODINGS: readonly (readonly [name: string, encode: Encode])[] = [
  ["", (decoded) => JSON.stringify(decoded)],
  [
    "HTML-safe ",
    (decoded) => escaped(JSON.stringify(decoded), /[<>&\u2028\u2029]/g),
  ],
  ["ASCII ", (decoded) => escaped(JSON.stringify(decoded), /[^ -~]/g)],
];

function escaped(literal: string, signs: RegExp): string {
  return literal.replace(
    signs,
    (sign) => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** A text in fewer tokens and its inverse. */
export interface Fold {
  /** The shorter text. */
  readonly text: string;
  /** Gives the longer one back. */
  readonly restore: (text: string) => string;
}

/** What is inside strings, by what can be done with it. */
export interface Inside {
  /** A shorter form of JSON that the reader of the whole can restore; `undefined` when it is not JSON. */
  readonly json: (text: string) => string | undefined;
  /** A shorter form of lines of text; `undefined` when there is none. */
  readonly lines: (text: string) => Fold | undefined;
}

/** Writes the strings of one text as what they hold. */
export class Strings {
  /** Inverses of the folded texts, by their number less 1. */
  readonly folds: Fold["restore"][] = [];
  /** Strings written so. */
  count = 0;
  readonly #inside: Inside;

  /** With the means to shorten what strings hold. */
  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** The string as what it holds; `undefined` when it should stay a string. O(length). */
  write(literal: string): string | undefined {
    const decoded = JSON.parse(literal) as string;
    const encoding = ENCODINGS.find(([, encode]) =>
      encode(decoded) === literal
    );
    if (encoding === undefined) return undefined;
    const json = holdsBracket(decoded) ? this.#inside.json(decoded) : undefined;
    if (json !== undefined) {
      this.count++;
      return `${encoding[0]}string(${json})`;
    }
    return encoding[0] === "" ? this.#lines(decoded, literal) : undefined;
  }

  #lines(decoded: string, literal: string): string | undefined {
    if (UNSEEN.test(decoded)) return undefined;
    const fold = this.#inside.lines(decoded);
    const escapes = literal.length - decoded.length;
    if (fold === undefined && escapes < MIN_ESCAPES) return undefined;
    this.count++;
    if (fold === undefined) return linesOf(decoded, "");
    this.folds.push(fold.restore);
    return linesOf(fold.text, `, fold ${this.folds.length}`);
  }
}

/** Whether a text may be JSON. */
export function holdsBracket(text: string): boolean {
  return /^\s{0,100}[[{]/.test(text);
}

/** Lines of text in place of a string; `note` follows their number. */
export function linesOf(text: string, note: string): string {
  return `text in the next ${
    text.split("\n").length
  } lines${note}:\n${text}${END}`;
}

/** What stands in place of a string, read back. */
export interface Embedded {
  /** The string literal. */
  readonly literal: string;
  /** Offset after it. */
  readonly end: number;
}

/** How the reader of the whole restores what is inside a string. */
export interface Restorers {
  /** Restores JSON from `at` on; `end` is the offset of the bracket that closes it. */
  readonly json: (at: number) => { text: string; end: number };
  /** Inverses of folded texts, by their number less 1. */
  readonly folds: readonly Fold["restore"][];
}

/**
 * Reads what {@linkcode Strings} wrote at `at`.
 *
 * @returns `undefined` when something else stands there.
 * @throws {SyntaxError} If lines of text do not end.
 */
export function readEmbedded(
  body: string,
  at: number,
  { json, folds }: Restorers,
): Embedded | undefined {
  OPENING.lastIndex = at;
  const match = OPENING.exec(body);
  if (match === null) return undefined;
  const start = at + match[0].length;
  if (match[2] === undefined) {
    const { text, end } = json(start);
    const encode = ENCODINGS.find(([name]) => name === (match[1] ?? ""))![1];
    return { literal: encode(text), end: end + 1 };
  }
  let end = start - 1;
  for (let line = Number(match[2]); line > 0; line--) {
    end = body.indexOf("\n", end + 1);
    if (end < 0) break;
  }
  if (end < 0 || !body.startsWith(END, end)) {
    throw new SyntaxError(
      `Cannot read the text at offset ${at}: end it after ${match[2]} lines`,
    );
  }
  const shown = body.slice(start, end);
  const text = match[3] === undefined
    ? shown
    : folds[Number(match[3]) - 1]!(shown);
  return { literal: JSON.stringify(text), end: end + END.length };
}
