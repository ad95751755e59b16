/** Phrases around a code: `exited with status 1`, `returned 503`, `404 Not Found`, `status_code`. @module */
import { matches } from "../sticky.ts";
import { endsNumber, isAmount, isLetter } from "./line_cursor.ts";
import { isFailingStatus } from "./status.ts";
import {
  ANSWER_WORD,
  CODE_OWNERS,
  PHRASE_WORD,
  PHRASED_STATUS,
  STATE_PART,
} from "./vocabulary.ts";
import { type Found, isAlone, isJoinedState } from "./word_place.ts";

/** What follows `exit` or `exited` up to its code. */
const EXIT =
  /(?:[ _-]?(?:was|is|abnormally|with|error|non-?zero|code|status|value|by|on|signal|process|command)){0,6}["']?\s{0,2}(?:=>|[:=(])?\s{0,2}["'(]?(-?\d{1,10})(?![\d.]*\w)/iy;
const ANSWER =
  /\s+(?:with\s+)?(?:an?\s+)?(?:status\s+|code\s+)?(\d{3})(?=$|[^\s\w]|\s*[^\sa-z]|\s(?:from|for|on|in|at|when|while|instead|with|to|after|not|bad|un|too|service|internal)\b)/iym;
const REASON =
  /[ -]+(?:bad (?:request|gateway)|unauthorized|payment req|forbidden|not (?:found|implemented|acceptable|extended)|method not|request (?:time|ent|uri|header)|conflict|gone\b|length req|precondition|payload|content too|uri too|unsupported|range not|expectation|unprocessable|locked|failed dep|too (?:many|early)|upgrade req|unavailable|internal (?:server )?err|service (?:temporarily )?unav|gateway time|http version|insufficient|loop det|network auth)/iy;
/** Phrases that report a failure though none of their words does, and what comes before their first word. */
const FAILING_PHRASE =
  /(?:timed out|gave up|giving up|dumped core|could not|too (?:quickly|many|large)|reset by|already in use|quota exceeded|(?<=\bno )(?:space left|route to)|(?<=\bbroken )pipe|(?<=\bnot )permitted|(?<=\bresource )busy|(?<=\bread-only file )system|(?<=\bstale file )handle|(?<=\bno )such (?:file|table|host|device|process|key|method|user|command|option|column)|(?<=\b(?:soft|hard) )lockup)(?![\w-])/iy;
/** Units of a name that are read. */
const LONGEST_NAME = 24;

/** The exit code that a word announces; `undefined` where no number follows. */
export function exitCode({ text, stop, end }: Found): number | undefined {
  EXIT.lastIndex = stop;
  const match = EXIT.exec(text);
  if (match === null || EXIT.lastIndex > end) return undefined;
  return Number(match[1]);
}

/** Whether a failing status of HTTP follows a word that says what an answer was. */
export function isAnswer({ text, codes, stop, end }: Found): boolean {
  ANSWER.lastIndex = stop;
  const match = ANSWER.exec(text);
  if (match === null || ANSWER.lastIndex > end) return false;
  return isFailingStatus(Number(match[1])) &&
    endsNumber(codes, ANSWER.lastIndex, end) &&
    !isAmount(text, ANSWER.lastIndex);
}

/** Whether a phrase that reports a failure starts with the word: `timed out`, `too many`. */
export function isFailingPhrase({ text, part, end }: Found): boolean {
  return matches(FAILING_PHRASE, text, part) &&
    FAILING_PHRASE.lastIndex <= end;
}

/** Whether the phrase of a status follows: `503 Service Unavailable`. */
export function isPhrased({ text, stop, end }: Found): boolean {
  return stop < end && matches(REASON, text, stop) && REASON.lastIndex <= end;
}

/** Whether the name before `code` makes it one of a result: `status_code`, `exitCode`, `code` alone; not `zip_code`. */
export function ownerOfCode({ text, codes, part, start }: Found): boolean {
  let end = part;
  const joint = codes[part - 1];
  if (part > start && (joint === 95 || joint === 45 || joint === 46)) end--;
  let from = end;
  const least = Math.max(start, end - LONGEST_NAME);
  while (from > least && isLetter(codes[from - 1]!)) from--;
  if (from === end) return end === part;
  const words = text.slice(from, end).match(/[A-Z]?[a-z]+|[A-Z]+/g);
  return CODE_OWNERS.has(words?.at(-1)?.toLowerCase() ?? "");
}

/** Words that report a failure where something goes with them, and whether it does. */
export const FAILING: ReadonlyMap<number, (found: Found) => boolean> = new Map([
  [ANSWER_WORD, isAnswer],
  [PHRASED_STATUS, (found) => isAlone(found) && isPhrased(found)],
  [PHRASE_WORD, isFailingPhrase],
  [STATE_PART, isJoinedState],
]);
