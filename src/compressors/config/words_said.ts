/** What the words of a line say: a value that reports a failure, a comment that warns. @module */
import { WordTable } from "../../text/words.ts";
import { COMMENT, ITEM, KEY, TEXT } from "./scan_line.ts";
import type { ConfigView } from "./view.ts";

/** A value reports a failure. A key does not: `timeout: 30` and `on_error: stop` are settings. */
export const FAILING = 1;
/** A comment warns or asks for work. */
export const WARNING = 2;

const SPACE = 32;
const DASH = 45;
const DOT = 46;
const SLASH = 47;
const UNDERSCORE = 95;
const JOINTS = new Set([DASH, DOT, SLASH, UNDERSCORE]);

const W_FAILURE = 1;
const W_WARNING = 2;
const W_BOTH = 3;
/** Of `CrashLoopBackOff`. */
const W_BACK = 4;

const WORDS = new WordTable([
  ...words(
    W_FAILURE,
    "err errors failed failure crash crashed killed oom evicted unhealthy degraded unschedulable unavailable " +
      "exception fatal panic denied refused unauthorized expired invalid mismatch unreachable corrupt corrupted",
  ),
  ...words(
    W_WARNING,
    "todo fixme xxx hack warning warn caution danger dangerous deprecated important never must security careful " +
      "attention bug workaround unsafe required mandatory",
  ),
  ...words(W_BOTH, "error fail broken"),
  ...words(W_BACK, "back"),
]);

/** Flags of each line. O(n). */
export function saidBy(view: ConfigView): Uint8Array {
  const { kinds, keyAt, valueAt, lines } = view;
  const { codes, starts } = lines;
  const flags = new Uint8Array(kinds.length);
  let line = 0;
  WORDS.find(codes, (word, start, end) => {
    while (starts[line + 1]! <= start) line++;
    const kind = kinds[line]!;
    if (kind === COMMENT) {
      if (word === W_WARNING || word === W_BOTH) flags[line] = WARNING;
      return;
    }
    if (kind !== KEY && kind !== ITEM && kind !== TEXT) return;
    const isFailure = word === W_BACK
      ? codes[end] === 79 && codes[end + 1] === 102 && codes[end + 2] === 102
      : word !== W_WARNING;
    const from = kind === KEY ? valueAt[line]! : keyAt[line]!;
    if (!isFailure || start < from) return;
    if (!isNamePart(codes, start, end)) flags[line] = FAILING;
  });
  return flags;
}

/** Part of something longer: `on-failure`, `#/responses/Invalid`, `error.log`. */
function isNamePart(codes: Uint8Array, start: number, end: number): boolean {
  const next = codes[end];
  return JOINTS.has(codes[start - 1]!) || next === DASH || next === SLASH ||
    next === UNDERSCORE || (next === DOT && codes[end + 1]! > SPACE);
}

function words(value: number, said: string): [string, number][] {
  return said.split(" ").map((word) => [word, value]);
}
