/** Values that tell of a failure; keys, null, false, 0 and empty strings never do by themselves. @module */
import { lowerBound, lowered, nodeAt } from "./order.ts";
import { keysOf } from "./shape.ts";
import {
  ESCAPED,
  isContainer,
  keyOf,
  OBJECT,
  STRING,
  type Tape,
} from "./tape.ts";
import { BAD_KEY, fails, keyKind } from "../../text/signs/values.ts";

/** In lower case. */
const WORDS =
  /error|fail(?:ed|ure|ing)|exception|critical|fatal|crash|panic|abort|time(?:d[ -]?)?out|denied|rejected|refused|traceback|unhealthy|oomkilled|backoff|unable to|cannot /g;
const NEGATED = /(?:^|[^\w.])(?:0|no|zero|without)[ -]$/;
/** Units of a value that say whether it is a failure. */
const VALUE_CHARS = 64;
/** So many equal values, and such a share of the objects of a shape, are usual ones. */
const LEAST_USUAL = 10;
const USUAL = 0.5;

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

/** A member whose key may report a failure: its place in the object and the kind of its key. */
type Flag = readonly [place: number, kind: number];

/** Members that report failures by key and value; those whose value is usual for their key do not. */
function flaggedOf(tape: Tape): number[] {
  const flagsOf = new Map<number, readonly Flag[]>();
  const objects = new Map<number, number>();
  const alike = new Map<string, { shape: number; nodes: number[] }>();
  for (let node = 1; node < tape.length; node++) {
    if (tape.kind[node] !== OBJECT) continue;
    const id = tape.shape[node]!;
    objects.set(id, (objects.get(id) ?? 0) + 1);
    let flags = flagsOf.get(id);
    if (flags === undefined) {
      flags = flagsIn(id === 0 ? keysIn(tape, node) : keysOf(tape.shapes[id]!));
      if (id !== 0) flagsOf.set(id, flags);
    }
    let child = node + 1;
    let place = 0;
    for (const [at, kind] of flags) {
      for (; place < at; place++) child = tape.next[child]!;
      if (!reports(tape, child, kind)) continue;
      const value = `${id} ${at} ${valueOf(tape, child)}`;
      const known = alike.get(value);
      if (known !== undefined) known.nodes.push(child);
      else alike.set(value, { shape: id, nodes: [child] });
    }
  }
  return [...alike.values()].flatMap(({ shape, nodes }) => {
    const isUsual = shape !== 0 && nodes.length >= LEAST_USUAL &&
      nodes.length > USUAL * objects.get(shape)!;
    return isUsual ? [nodes[0]!, nodes.at(-1)!] : nodes;
  });
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
  return keys.map((key, place): Flag => [place, keyKind(key)])
    .filter(([, kind]) => kind !== 0);
}

function reports(tape: Tape, node: number, kind: number): boolean {
  if (isContainer(tape.kind[node]!)) {
    return kind === BAD_KEY && tape.count[node]! > 0;
  }
  return fails(kind, valueOf(tape, node));
}

/** The start of a value, without quotes. */
function valueOf({ text, kind, start, end }: Tape, node: number): string {
  const isText = kind[node] === STRING || kind[node] === ESCAPED;
  const from = start[node]! + (isText ? 1 : 0);
  const to = end[node]! - (isText ? 1 : 0);
  return text.slice(from, Math.min(to, from + VALUE_CHARS));
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
