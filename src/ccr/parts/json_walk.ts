/** Ways into a JSON document: from value to value, and what is there instead of one. @module */
import { parseJson } from "../../bytes/json_parts.ts";
import { findJson, type JsonValues } from "../../text/json/find.ts";
import { ARRAY, OBJECT, type Tape } from "../../text/json/tape.ts";
import { type Step, stepText } from "./json_place.ts";
import { counted, echo, someOf } from "./piece.ts";
import { isWithinCharacter } from "./windows.ts";

/** Bare names that are tried as one key with dots. */
const MAX_JOINED = 8;
/** Keys of a container that an error looks at, and UTF-16 units of those it names. */
const NAMED_KEYS = 10;
const KEYS_WIDTH = 400;
/** Longest prefix that an error repeats, in UTF-16 units. */
const MAX_PREFIX = 200;

/** Where a walk is. */
export interface Spot {
  readonly json: JsonValues;
  /** A value; 0 for the row of all values of JSON Lines. */
  readonly node: number;
  /** Way so far. */
  readonly prefix: string;
}

/** A step that cannot be taken. Its error is written only where it is given: a range may miss in a million rows. */
export interface Missing {
  /** Where the walk came to. */
  readonly at: Spot;
  /** What is not there. */
  readonly step: Step;
}

/** A spot, or why there is none. */
export type Found = Spot | Missing;

/** Where a walk through a document starts. */
export function spotOf(json: JsonValues): Spot {
  const [first = 0, second] = json.values;
  return { json, node: second === undefined ? first : 0, prefix: "" };
}

/** The elements, members or documents at a spot. O(children). */
export function childrenOf({ json, node }: Spot): ArrayLike<number> {
  return node === 0 ? json.values : json.tape.children(node);
}

/** The key of a member, decoded. */
export function keyOf(tape: Tape, node: number): string {
  const raw = tape.key(node);
  return decoded(`"${raw}"`) ?? raw;
}

/** What a string literal says; `undefined` when it is not valid. */
export function decoded(literal: string): string | undefined {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  return parseJson(literal) as string | undefined;
}

/** Follows all steps; a way leads on into a string that holds JSON. O(n), not recursive. */
export function walk(start: Spot, steps: readonly Step[]): Found {
  let spot = start;
  for (let i = 0; i < steps.length;) {
    const next = enter(insideString(spot), steps.slice(i, i + MAX_JOINED));
    if ("at" in next) return next;
    spot = next.spot;
    i += next.taken;
  }
  return spot;
}

interface Taken {
  readonly spot: Spot;
  /** Steps. */
  readonly taken: number;
}

/** Follows the first of some steps, or several that are one key with dots. */
function enter(spot: Spot, steps: readonly Step[]): Taken | Missing {
  const { json, node, prefix } = spot;
  const [step = { type: "index", index: 0 }] = steps;
  const index = indexOf(step);
  if (json.tape.kind(node) === OBJECT && step.type !== "range") {
    const found = memberAt(spot, steps);
    if (found !== undefined) return found;
  } else if (index !== undefined && canIndex(spot)) {
    const children = childrenOf(spot);
    // Documents count from 1.
    const place = index < 0
      ? children.length + index
      : index - (node === 0 ? 1 : 0);
    const child = children[place];
    if (child !== undefined) {
      const found = { json, node: child, prefix: `${prefix}[${index}]` };
      return { spot: found, taken: 1 };
    }
  }
  return { at: spot, step };
}

/** Whether a spot has elements, or is several documents. */
function canIndex({ json, node }: Spot): boolean {
  return node === 0 || json.tape.kind(node) === ARRAY;
}

/** A number as an index, also as models write it: `items.3`. */
function indexOf(step: Step): number | undefined {
  if (step.type === "index") return step.index;
  return step.type === "key" && /^-?\d{1,9}$/.test(step.key)
    ? Number(step.key)
    : undefined;
}

/** The member with the key, or with the shortest key that the next bare names make with dots. */
function memberAt(
  { json, node, prefix }: Spot,
  steps: readonly Step[],
): Taken | undefined {
  const keys = new Map<string, number>();
  let joined = "";
  for (const [n, step] of steps.entries()) {
    if (step.type === "range") break;
    const isBare = step.type === "key" && step.isBare;
    if (n > 0 && !isBare) break;
    joined += (n > 0 ? "." : "") +
      (step.type === "key" ? step.key : `${step.index}`);
    keys.set(joined, n + 1);
    if (!isBare) break;
  }
  let best = 0;
  let taken = Infinity;
  for (const child of json.tape.children(node)) {
    const names = keys.get(keyOf(json.tape, child)) ?? Infinity;
    // The shortest key is what the path says to the letter.
    if (names < taken) [best, taken] = [child, names];
    if (taken === 1) break;
  }
  if (best === 0) return undefined;
  const key = keyOf(json.tape, best);
  const text = stepText({ type: "key", key, isBare: false }, prefix === "");
  return { spot: { json, node: best, prefix: prefix + text }, taken };
}

/** The JSON that a string holds, when it holds some; else the spot itself. */
export function insideString(spot: Spot): Spot {
  const { tape } = spot.json;
  if (!tape.isString(spot.node)) return spot;
  const text = decoded(tape.raw(spot.node));
  if (text === undefined || !/^\s*[[{]/.test(text)) return spot;
  const json = findJson(text);
  return json === undefined ? spot : { ...spotOf(json), prefix: spot.prefix };
}

/** A place, short enough to be said. */
export function placeText(prefix: string): string {
  if (prefix === "") return "$";
  const from = prefix.length - MAX_PREFIX;
  if (from <= 0) return prefix;
  const start = isWithinCharacter(prefix, from) ? from + 1 : from;
  return `…${prefix.slice(start).toWellFormed()}`;
}

/** What is there instead of what a step asks for. O(children). */
export function missingText({ at, step }: Missing): string {
  const wanted = step.type === "key" ? echo(step.key) : stepText(step, true);
  const place = placeText(at.prefix);
  const isSecond = step.type === "range" && at.prefix.includes("[…]");
  return `Cannot find ${wanted} in ${place}: ${
    isSecond ? "only one range can be given" : contentsOf(at)
  }`;
}

/** `it has the keys a, b and 3 more`, `it has 90 elements, [0] to [89]`, `it is a string`. */
function contentsOf(spot: Spot): string {
  const { tape } = spot.json;
  const children = childrenOf(spot);
  const count = children.length;
  if (spot.node === 0) {
    return `there are ${counted(count, "documents")}, [1] to [${count}]; ` +
      "give several as [3-9], counted from 1, or all as [*]";
  }
  switch (tape.kind(spot.node)) {
    case ARRAY:
      if (count === 0) return "it is an empty array";
      return `it has ${counted(count, "elements")}, [0] to [${count - 1}]; ` +
        `give several as [1-${count}], counted from 1 as notes do`;
    case OBJECT: {
      if (count === 0) return "it is an empty object";
      const named = Array.from(
        { length: Math.min(count, NAMED_KEYS) },
        (_, i) => keyOf(tape, children[i] ?? 0) || '""',
      );
      return `it has the ${count === 1 ? "key" : "keys"} ${
        someOf(named, count, KEYS_WIDTH)
      }`;
    }
  }
  return tape.isString(spot.node)
    ? "it is a string"
    : `it is ${tape.raw(spot.node).slice(0, 40)}`;
}
