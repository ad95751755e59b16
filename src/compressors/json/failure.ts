/** Values that tell of a failure; keys, null, false, 0 and empty strings never do by themselves. @module */
import { lowerBound, lowered, nodeAt } from "./order.ts";
import { keysOf } from "./shape.ts";
import {
  ESCAPED,
  FALSE,
  isContainer,
  keyOf,
  NUMBER,
  OBJECT,
  STRING,
  type Tape,
  TRUE,
} from "./tape.ts";

/** In lower case. */
const WORDS =
  /error|fail(?:ed|ure|ing)|exception|critical|fatal|crash|panic|abort|time(?:d[ -]?)?out|denied|rejected|refused|traceback|unhealthy|oomkilled|backoff|unable to|cannot /g;
const NEGATED = /(?:^|[^\w.])(?:0|no|zero|without)[ -]$/;
/** Keys of values that report a failure, by what the value must be: `false`; anything but nothing; not 0; 4xx or 5xx. */
const FLAGS =
  /^(?:(ok|success|succeeded|passed|healthy|is_?success)|(errors?|err|error_?message|failed|failures?|failure_?(?:message|reason)|exception|crashed)|(exit_?code|exit_?status|return_?code|rc)|((?:http_?)?(?:status|code)(?:_?code)?))$/i;
/** Longer keys are none of them. */
const MAX_FLAG_CHARS = 16;

/** Nodes of a text that report failures, ascending. Linear. */
export function failuresOf(tape: Tape): Int32Array {
  const found: number[] = [];
  let node = 0;
  for (const [start, end] of hitsOf(tape.text)) {
    node = nodeAt(tape, start, node);
    const kind = tape.kind[node]!;
    const isValue = (kind === STRING || kind === ESCAPED) &&
      end <= tape.end[node]!;
    if (isValue && found.at(-1) !== node) found.push(node);
  }
  const flagged = flaggedOf(tape);
  if (flagged.length === 0) return Int32Array.from(found);
  return Int32Array.from(new Set([...found, ...flagged])).sort();
}

/** A member whose key may report a failure: its place in the object and the group of {@linkcode FLAGS}. */
type Flag = readonly [place: number, group: number];

/** Members that report failures by key and value. */
function flaggedOf(tape: Tape): number[] {
  const flagsOf = new Map<number, readonly Flag[]>();
  const found: number[] = [];
  for (let node = 1; node < tape.length; node++) {
    if (tape.kind[node] !== OBJECT) continue;
    const id = tape.shape[node]!;
    let flags = flagsOf.get(id);
    if (flags === undefined) {
      flags = id === 0
        ? flagsIn(keysIn(tape, node))
        : flagsIn(keysOf(tape.shapes[id]!));
      if (id !== 0) flagsOf.set(id, flags);
    }
    let child = node + 1;
    let place = 0;
    for (const [at, group] of flags) {
      for (; place < at; place++) child = tape.next[child]!;
      if (reports(tape, child, group)) found.push(child);
    }
  }
  return found;
}

function keysIn(tape: Tape, node: number): string[] {
  const keys: string[] = [];
  let child = node + 1;
  for (let i = 0; i < tape.count[node]!; i++) {
    keys.push(keyOf(tape, child));
    child = tape.next[child]!;
  }
  return keys;
}

function flagsIn(keys: readonly string[]): Flag[] {
  const flags: Flag[] = [];
  keys.forEach((key, place) => {
    const match = key.length > MAX_FLAG_CHARS ? null : FLAGS.exec(key);
    if (match !== null) flags.push([place, match.indexOf(match[0], 1)]);
  });
  return flags;
}

function reports(tape: Tape, node: number, group: number): boolean {
  const kind = tape.kind[node]!;
  const start = tape.start[node]!;
  if (group === 1) return kind === FALSE;
  if (kind === NUMBER) {
    const number = tape.text.slice(start, tape.end[node]!);
    return group === 4 ? /^[45]\d\d$/.test(number) : /^-?[1-9]/.test(number);
  }
  if (group !== 2) return false;
  if (isContainer(kind)) return tape.count[node]! > 0;
  const isText = kind === STRING || kind === ESCAPED;
  return kind === TRUE || (isText && tape.end[node]! - start > 2);
}

/** Spans of words that tell of a failure, ascending. */
export function hitsOf(text: string): [start: number, end: number][] {
  const hits: [number, number][] = [];
  const lower = lowered(text);
  WORDS.lastIndex = 0;
  for (
    let match = WORDS.exec(lower);
    match !== null;
    match = WORDS.exec(lower)
  ) {
    const first = lower.charCodeAt(match.index);
    const previous = lower.charCodeAt(match.index - 1);
    const canBeNegated = (first === 0x65 || first === 0x66) && // e, f
      (previous === 0x20 || previous === 0x2d);
    if (
      canBeNegated &&
      NEGATED.test(lower.slice(Math.max(0, match.index - 9), match.index))
    ) continue;
    hits.push([match.index, WORDS.lastIndex]);
  }
  return hits;
}

/** Failures in the subtree of `node`. */
export function failuresIn(
  tape: Tape,
  failures: Int32Array,
  node: number,
): Int32Array {
  return failures.subarray(
    lowerBound(failures, node),
    lowerBound(failures, tape.next[node]!),
  );
}
