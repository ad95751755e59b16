/** Values that tell of a failure; keys, null, false, 0 and empty strings never do by themselves. @module */
import { ESCAPED, STRING, type Tape } from "./tape.ts";

const WORDS =
  /error|fail(?:ed|ure|ing)|exception|critical|fatal|crash|panic|abort|time(?:d[ -]?)?out|denied|rejected|refused|traceback|unhealthy|oomkilled|backoff|unable to|cannot /gi;
/** A key and a value that together report a failure; ends before the value. */
const FLAGS =
  /"(?:(?:ok|success|succeeded|passed|healthy|is_?success)":(?=false)|(?:errors?|err|error_?message|failed|failures?|failure_?(?:message|reason)|exception|crashed)":(?=true|-?[1-9]|"[^"]|\[[^\]]|\{[^}])|(?:exit_?code|exit_?status|return_?code|rc)":(?=-?[1-9])|(?:http_?)?(?:status|code)(?:_?code)?":(?=[45]\d\d[,}]))/gi;
const NEGATED = /(?:^|[^\w.])(?:0|no|zero|without)[ -]$/i;

/** Nodes of a text that report failures, ascending. Linear. */
export function failuresOf(tape: Tape): Int32Array {
  const found = new Set<number>();
  const { text } = tape;
  for (const [start, end] of hitsOf(text)) {
    const node = nodeAt(tape, start);
    const kind = tape.kind[node]!;
    const isValue = (kind === STRING || kind === ESCAPED) &&
      end <= tape.end[node]!;
    if (isValue) found.add(node);
  }
  FLAGS.lastIndex = 0;
  while (FLAGS.test(text)) found.add(nodeAt(tape, FLAGS.lastIndex));
  return Int32Array.from(found).sort();
}

/** Spans of words that tell of a failure, ascending. */
export function hitsOf(text: string): [start: number, end: number][] {
  const hits: [number, number][] = [];
  WORDS.lastIndex = 0;
  for (
    let match = WORDS.exec(text);
    match !== null;
    match = WORDS.exec(text)
  ) {
    const first = text.charCodeAt(match.index) | 0x20;
    const canBeNegated = first === 0x65 || first === 0x66; // e, f
    const before = text.slice(Math.max(0, match.index - 9), match.index);
    if (canBeNegated && NEGATED.test(before)) continue;
    hits.push([match.index, WORDS.lastIndex]);
  }
  return hits;
}

/** The last node that starts at or before an offset of the minified text. */
function nodeAt(tape: Tape, offset: number): number {
  let low = 0;
  let high = tape.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tape.start[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
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

/** Index of the first of `sorted` that is at least `value`. */
function lowerBound(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
