/** What the words of a text say about the lines they are in. @module */
import type { Lines } from "../lines.ts";
import { DIGIT, hashOf, KINDS, UPPER } from "../words.ts";
import { ERROR, FAILED, PASSED, REFUSED, SUMMARY, WARNING } from "./flags.ts";
import {
  digitsEnd,
  endsNumber,
  isAmount,
  isBlank,
  numberAt,
  valueStart,
} from "./line_cursor.ts";
import { RequestStatus, STATUS_DIGITS } from "./requests.ts";
import {
  isErrorLevel,
  isFailingStatus,
  isRefusal,
  isStatus,
  isWarningLevel,
} from "./status.ts";
import { Usual } from "./usual.ts";
import * as words from "./vocabulary.ts";
import {
  type Count,
  countOf,
  type Found,
  isAlone,
  isCapital,
  isJoinedState,
  isNamePart,
  isNegated,
  isVerdict,
} from "./word_place.ts";
import { exitCode, FAILING, ownerOfCode } from "./phrases.ts";
import {
  isKo,
  isLevel,
  isSet,
  letterLevel,
  resultCode,
  skipFlags,
} from "./field_values.ts";

/** The failure is said by more than the status of a refused request. */
const SAID = 128;
/** Kinds of fields besides those of `vocabulary.ts`. */
const REQUEST = 40;
const WORD_VALUE = 41;
/** A failing word is the usual value of its field from half of so many values on: 0.9 of the lines. */
const WORD_SHARE = 1.8;

const QUOTE = 34;
const DASH = 45;
const SLASH = 47;
const EQUALS = 61;
/** `=`, `_`, `"`: what is between the parts of a field. */
const FIELD_SIGNS: ReadonlySet<number> = new Set([61, 95, 34]);
const SMALL_S = 115;
const SMALL_U = 117;

function errorIf(fails: boolean): number {
  return fails ? ERROR : 0;
}

/** Gathers the signs of a text, word after word. */
export class WordSigns {
  /** Whether a word counts failing tests, as mocha does below its results. */
  countsFailing = false;
  readonly #lines: Lines;
  readonly #inCells: boolean;
  readonly #flags: Uint8Array;
  readonly #usual = new Usual();
  readonly #found: Found;
  #line = -1;
  /** Start of the value of the last key of a state or a level in the line. */
  #valueAt = -1;
  readonly #request = new RequestStatus();
  /** Whether the line has a status with a key. */
  #hasStatus = false;
  /** Whether the line says that something exited. */
  #hasExited = false;

  /** @param inCells Whether a bare word may be the value of a cell. */
  constructor(lines: Lines, inCells: boolean) {
    this.#lines = lines;
    this.#inCells = inCells;
    this.#flags = new Uint8Array(lines.count);
    const { text, codes } = lines;
    this.#found = { text, codes, start: 0, end: 0, part: 0, stop: 0 };
  }

  /** Takes the next word of the text. @param word As `vocabulary.ts` has it. */
  add(word: number, part: number, stop: number): void {
    const found = this.#found;
    if (part >= found.end) this.#enter(part);
    found.part = part;
    found.stop = stop;
    let flags = this.#flagsOf(word, found);
    if (flags === 0) return;
    if (flags & ERROR) flags |= SAID;
    const isValue = (flags & ERROR) !== 0 && part > 0 &&
      found.codes[part - 1] === EQUALS;
    if (!isValue) {
      this.#flags[this.#line]! |= flags;
      return;
    }
    this.#flags[this.#line]! |= flags & ~(ERROR | FAILED);
    this.#fail(WORD_VALUE, hashOf(found.codes, part, stop) >>> 8, flags);
  }

  /** Flags of each line, once all words are taken. */
  flags(): Uint8Array {
    this.#leave();
    this.#usual.setTotal(WORD_VALUE, WORD_SHARE * this.#lines.count);
    const flags = this.#flags;
    this.#usual.settle(flags);
    for (let line = 0; line < flags.length; line++) {
      if (flags[line]! & SAID) flags[line]! &= ~(SAID | REFUSED);
    }
    return flags;
  }

  #enter(part: number): void {
    this.#leave();
    const { starts } = this.#lines;
    do this.#line++; while (starts[this.#line + 1]! <= part);
    this.#found.start = starts[this.#line]!;
    this.#found.end = starts[this.#line + 1]! - 1;
    this.#valueAt = -1;
    this.#request.start();
    this.#hasStatus = false;
    this.#hasExited = false;
  }

  /** Looks for the status of the request in the line that ends. */
  #leave(): void {
    const status = this.#hasStatus ? 0 : this.#request.end(this.#found);
    if (status !== 0) this.#judgeStatus(REQUEST, status);
  }

  #fail(kind: number, value: number, flags: number): void {
    this.#usual.fail({ kind, line: this.#line }, value, flags);
  }

  #judge(kind: number, value: number, fails: boolean): void {
    if (fails) this.#fail(kind, value, ERROR | SAID);
    else this.#usual.count(kind);
  }

  /** Takes note of a status of HTTP. */
  #judgeStatus(kind: number, status: number): void {
    if (isRefusal(status)) this.#fail(kind, status, ERROR | REFUSED);
    else this.#judge(kind, status, isFailingStatus(status));
  }

  #flagsOf(word: number, found: Found): number {
    switch (word) {
      case words.STATUS_KEY:
      case words.CODE_KEY:
        return this.#status(word, found);
      case words.RESULT_CODE_KEY:
      case words.RETURN_KEY:
        return this.#resultCode(word, found);
      case words.LEVEL_KEY:
        return this.#levelKey(found);
      case words.METHOD_WORD:
      case words.HTTP_WORD:
        return this.#requestWord(word, found);
      case words.EXIT_WORD:
        return this.#exit(found);
      case words.SKIP_WORD:
        return skipFlags(found);
      case words.LEVEL_WORD:
        return errorIf(found.part === this.#valueAt || isLevel(found));
      case words.STATE_WORD:
        return errorIf(this.#isState(found));
    }
    const fails = FAILING.get(word);
    return fails ? errorIf(fails(found)) : this.#said(word, found);
  }

  /** Words that say it themselves. */
  #said(word: number, found: Found): number {
    const count = countOf(found);
    // A total of nothing is no news.
    const counted = count === undefined || count.value === 0 ? 0 : SUMMARY;
    if (word === words.COUNTED_WORD) return counted;
    if (word === words.PASS_WORD) {
      return counted | (isVerdict(found) ? PASSED : 0);
    }
    if (count?.value === 0) return counted;
    if (isNegated(found)) return 0;
    if (count === undefined && isNamePart(found)) {
      return isJoinedState(found) ? ERROR : 0;
    }
    if (word === words.WARNING_WORD) return counted | WARNING;
    if (word === words.LIMIT_WORD) return isSet(found) ? 0 : ERROR;
    return counted | ERROR | this.#failing(word, found, count);
  }

  /** What a word that reports a failure says besides. */
  #failing(word: number, found: Found, count: Count | undefined): number {
    const { codes, part, stop } = found;
    if (count?.isField === false && stop - part === 7) {
      this.countsFailing = true;
    }
    const isName = word === words.FAIL_WORD &&
      KINDS[codes[part + 1]!] === UPPER;
    return isName ? FAILED : 0;
  }

  /** `status=404`, `"statusCode": 503`, `code 404`; remembers where the value of the key begins. */
  #status(kind: number, found: Found): number {
    const { codes, stop, end } = found;
    const last = codes[stop - 1]! | 32;
    if (last === SMALL_S && (codes[stop - 2]! | 32) !== SMALL_U) return 0;
    const signed = valueStart(codes, stop, end);
    const isSigned = signed >= 0;
    const at = isSigned ? signed : isBlank(codes[stop]!) ? stop + 1 : -1;
    if (at < 0 || at >= end) return 0;
    if (kind === words.CODE_KEY && !ownerOfCode(found)) return 0;
    if (isSigned) {
      this.#valueAt = at;
      if (isKo(codes, at, end)) return ERROR;
    }
    this.#statusAt(kind, at, isSigned);
    return 0;
  }

  /** Judges the number that begins at a place, if one does. @param isSigned Whether it is behind a sign. */
  #statusAt(kind: number, at: number, isSigned: boolean): void {
    const { text, codes, end } = this.#found;
    const isNegative = codes[at] === DASH && isSigned;
    const first = isNegative ? at + 1 : at;
    if (KINDS[codes[first]!] !== DIGIT || first >= end) return;
    const stop = digitsEnd(codes, first, end);
    const value = numberAt(codes, first, stop);
    // `exited, code=exited, status=203/EXEC`
    const isExit = this.#hasExited && codes[stop] === SLASH;
    if (isExit) return this.#judge(words.EXIT_WORD, value, value !== 0);
    if (!endsNumber(codes, stop, end)) return;
    if (isNegative) return this.#judge(kind, value, value !== 0);
    if (stop - first !== STATUS_DIGITS || !isStatus(value)) {
      if (isSigned) this.#usual.count(kind);
    } else if (isSigned || !isAmount(text, stop)) {
      this.#hasStatus = true;
      this.#judgeStatus(kind, value);
    }
  }

  /** `rc=2`, `errno: -5`, `[Errno 2]`, `hr rc=0x80070005`; `ret=-1`. */
  #resultCode(kind: number, found: Found): number {
    const code = resultCode(found);
    if (code === undefined) return 0;
    const fails = kind === words.RETURN_KEY ? code < 0 : code !== 0;
    this.#judge(kind, Math.abs(code), fails);
    return 0;
  }

  /** An exit code: kept, a failure unless it is 0. */
  #exit(found: Found): number {
    const { codes, stop } = found;
    this.#hasExited = true;
    const code = exitCode(found);
    if (code === undefined) return 0;
    this.#judge(words.EXIT_WORD, code, code !== 0);
    const isField = FIELD_SIGNS.has(codes[stop]!);
    return isField && code === 0 ? 0 : SUMMARY;
  }

  /** `"level":50`, `level=E`; remembers where the value of the key begins. */
  #levelKey({ codes, stop, end }: Found): number {
    const at = valueStart(codes, stop, end);
    if (at < 0) return 0;
    this.#valueAt = at;
    const letter = letterLevel(codes, at);
    if (letter !== undefined) return letter;
    if (codes[stop] !== QUOTE || KINDS[codes[at]!] !== DIGIT) return 0;
    const stopDigits = digitsEnd(codes, at, end);
    const value = numberAt(codes, at, stopDigits);
    this.#judge(words.LEVEL_KEY, value, isErrorLevel(value));
    return isWarningLevel(value) ? WARNING : 0;
  }

  #isState(found: Found): boolean {
    const mayBeAlone = this.#inCells || found.part === this.#valueAt;
    return mayBeAlone && isAlone(found) || isJoinedState(found);
  }

  /** Takes note of a request whose status follows. */
  #requestWord(word: number, found: Found): number {
    const { part, stop } = found;
    let status = 0;
    if (word === words.HTTP_WORD) {
      status = this.#request.version(found, part, stop);
    } else if (isCapital(found)) this.#request.method(found, part, stop);
    if (status !== 0) this.#judgeStatus(REQUEST, status);
    return 0;
  }
}
