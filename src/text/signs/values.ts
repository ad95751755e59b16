/** Whether the value of a key means failure: for members of JSON, cells of tables and fields of a log alike. @module */
import {
  CODE_KEY,
  CODE_OWNERS,
  FAILING_STATES,
  JOINED_STATES,
  KEYS,
  LEVEL_KEY,
  RESULT_CODE_KEY,
  RETURN_KEY,
  STATUS_KEY,
} from "./vocabulary.ts";
import { isErrorLevel, isFailingStatus } from "./status.ts";

/** The value says how it went: `false` fails. */
export const GOOD_KEY = 101;
/** The value is what went wrong: anything but nothing fails. */
export const BAD_KEY = 102;

const GOOD = /^(?:ok|success|succeeded|successful|passed|healthy|ready)$/;
const BAD = /^(?:errors?|err|failed|failures?|exceptions?|crashed|panic)$/;
/** Words before one of them, or none, that leave it what went wrong; others make a setting of it: `max_failures`. */
const BAD_OWNERS =
  /^(?:|last|has|is|num|total|tests?|upstream|job|build|fatal)$/;
/** Last words of keys whose first ones say what went wrong: `error_message`. */
const TEXTS = /^(?:message|msg|reason|detail|details|text|string|count)$/;
/** Last two words of keys. */
const RESULT_CODES = new Set(["exit code", "return code", "exit status"]);
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;
const INTEGER = /^[+-]?\d{1,10}$/;
/** Values that say that there was nothing. */
const NOTHING =
  /^(?:|<?nil>?|null|none|false|undefined|no|n\/a|-|0(?:\.0+)?|\[\]|\{\}|""|'')$/i;
/** Longer keys and values are none of these. */
const LONGEST_KEY = 48;
const LONGEST_STATE = 40;

/**
 * What kind of key a name is: a kind of `vocabulary.ts`, {@linkcode GOOD_KEY}, {@linkcode BAD_KEY}, or 0 for a name
 * whose values say nothing about failures.
 *
 * @param key In any spelling: `http.status_code`, `exitCode`, `"rc"`.
 */
export function keyKind(key: string): number {
  if (key.length > LONGEST_KEY) return 0;
  const words = (key.match(WORD) ?? []).map((word) => word.toLowerCase());
  const last = words.at(-1) ?? "";
  const before = words.at(-2) ?? "";
  if (GOOD.test(last)) return GOOD_KEY;
  if (BAD.test(last) && BAD_OWNERS.test(before)) return BAD_KEY;
  if (BAD.test(before) && TEXTS.test(last)) return BAD_KEY;
  if (RESULT_CODES.has(`${before} ${last}`)) return RESULT_CODE_KEY;
  if (last === "code" && before !== "" && !CODE_OWNERS.has(before)) return 0;
  return KEYS.get(last) ?? 0;
}

/**
 * Whether a value means failure for its key.
 *
 * @param kind Of the key, by {@linkcode keyKind}. @param value Without quotes.
 */
export function fails(kind: number, value: string): boolean {
  if (kind === GOOD_KEY) return /^(?:false|no|ko)$/i.test(value);
  if (kind === BAD_KEY) return !NOTHING.test(value);
  const number = INTEGER.test(value) ? Number(value) : NaN;
  if (Number.isNaN(number)) return isFailingState(kind, value);
  switch (kind) {
    case RESULT_CODE_KEY:
      return number !== 0;
    case STATUS_KEY:
    case CODE_KEY:
      return number < 0 || isFailingStatus(number);
    case RETURN_KEY:
      return number < 0;
    case LEVEL_KEY:
      return isErrorLevel(number);
  }
  return false;
}

/** Whether a value names a state that failed; of a key of unknown kind only what can be nothing else. */
function isFailingState(kind: number, value: string): boolean {
  if (value.length > LONGEST_STATE) return false;
  const word = value.toLowerCase();
  if (JOINED_STATES.has(word)) return true;
  if (kind === LEVEL_KEY && /^[EF]$/.test(value)) return true;
  const isState = kind === STATUS_KEY || kind === LEVEL_KEY ||
    kind === CODE_KEY;
  return isState && FAILING_STATES.has(word.replace(/[^a-z].*$/, ""));
}
