/** Ways into a JSON document: from value to value, and what is there instead of one. @module */
import {
  copyOf,
  countIn,
  decoded,
  eachChild,
  type JsonChild,
  keyOf,
} from "./json_children.ts";
import { findJson, type JsonSpan, type JsonValues } from "./json_scan.ts";
import { type Step, stepText } from "./json_place.ts";
import { kindAt } from "./json_tokens.ts";
import { counted, echo, someOf } from "./piece.ts";
import { isWithinCharacter } from "./windows.ts";

/** Bare names that are tried as one key with dots. */
const MAX_JOINED = 8;
/** Keys of a container that an error looks at, and UTF-16 units of those it names. */
const NAMED_KEYS = 10;
const KEYS_WIDTH = 400;
/** Longest prefix that an error repeats, in UTF-16 units. */
const MAX_PREFIX = 200;

/** Where a walk is: a value, or the row of all values of JSON Lines. */
export interface Spot {
  readonly json: JsonValues;
  /** `undefined`: all values of `json`, more than one. */
  readonly span: JsonSpan | undefined;
  /** Way so far. */
  readonly prefix: string;
  /** The array that the last step was taken in; `undefined`: no array. */
  readonly array?: JsonSpan;
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

/** Follows all steps; a way leads on into a string that holds JSON. O(n), not recursive. */
export function walk(start: Spot, steps: readonly Step[]): Found {
  let spot = start;
  for (let i = 0; i < steps.length;) {
    const next = enter(spot, steps, i);
    if ("at" in next) return next;
    spot = next.spot;
    i += next.taken;
  }
  return spot;
}

/** Follows one step, or several that are one key with dots. */
function enter(
  from: Spot,
  steps: readonly Step[],
  i: number,
): { readonly spot: Spot; readonly taken: number } | Missing {
  const spot = insideString(from);
  const step = steps[i]!;
  const missing = { at: spot, step };
  if (step.type === "range") return missing;
  if (spot.span === undefined) {
    const index = indexOf(step);
    const span = index === undefined
      ? undefined
      : spot.json.spans.at(index < 0 ? index : index - 1);
    if (index === 0 || span === undefined) return missing;
    const prefix = `${spot.prefix}[${index}]`;
    return { spot: { json: spot.json, span, prefix }, taken: 1 };
  }
  const kind = kindAt(spot.json.text, spot.span.start);
  if (kind === "array") {
    const span = elementAt(spot.json, spot.span, indexOf(step));
    if (span === undefined) return missing;
    return {
      spot: {
        json: spot.json,
        span,
        prefix: `${spot.prefix}[${indexOf(step)}]`,
        array: spot.span,
      },
      taken: 1,
    };
  }
  if (kind !== "object") return missing;
  const found = memberAt(spot, steps, i);
  return found ?? missing;
}

/** A number as an index, also as models write it: `items.3`. */
function indexOf(step: Step): number | undefined {
  if (step.type === "index") return step.index;
  return step.type === "key" && /^-?\d{1,9}$/.test(step.key)
    ? Number(step.key)
    : undefined;
}

function elementAt(
  json: JsonValues,
  { start }: JsonSpan,
  index: number | undefined,
): JsonSpan | undefined {
  if (index === undefined) return undefined;
  const wanted = index < 0 ? countIn(json, start) + index : index;
  let found: JsonSpan | undefined;
  eachChild(json, start, (child) => {
    if (child.index === wanted) found = copyOf(child);
    return child.index < wanted;
  });
  return found;
}

/** The member with the key, or with the longest key that the next bare names make with dots. */
function memberAt(
  { json, span, prefix }: Spot,
  steps: readonly Step[],
  i: number,
): { readonly spot: Spot; readonly taken: number } | undefined {
  const keys = new Map<string, number>();
  let joined = "";
  for (let n = 0; n < MAX_JOINED; n++) {
    const step = steps[i + n];
    if (step === undefined || step.type === "range") break;
    if (n > 0 && !(step.type === "key" && step.isBare)) break;
    joined += (n > 0 ? "." : "") +
      (step.type === "key" ? step.key : `${step.index}`);
    keys.set(joined, n + 1);
    if (!(step.type === "key" && step.isBare)) break;
  }
  let best: JsonChild | undefined;
  let taken = Infinity;
  eachChild(json, span!.start, (child) => {
    const names = keys.get(keyOf(json, child));
    // The shortest key is what the path says to the letter.
    if (names !== undefined && names < taken) {
      [best, taken] = [copyOf(child), names];
    }
    return taken > 1;
  });
  if (best === undefined) return undefined;
  const key = keyOf(json, best);
  const text = stepText({ type: "key", key, isBare: false }, prefix === "");
  return { spot: { json, span: best, prefix: prefix + text }, taken };
}

/** The JSON that a string holds, when it holds some; else the spot itself. */
export function insideString(spot: Spot): Spot {
  const { json, span } = spot;
  if (span === undefined || kindAt(json.text, span.start) !== "string") {
    return spot;
  }
  const text = decoded(json.text.slice(span.start, span.end));
  if (text === undefined || !/^\s*[[{]/.test(text)) return spot;
  const inner = findJson(text);
  if (inner === undefined) return spot;
  const [one] = inner.spans;
  return {
    ...spot,
    json: inner,
    span: inner.spans.length === 1 ? one : undefined,
  };
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
function contentsOf({ json, span }: Spot): string {
  if (span === undefined) {
    const count = json.spans.length;
    return `there are ${counted(count, "documents")}, [1] to [${count}]; ` +
      "give several as [3-9], counted from 1, or all as [*]";
  }
  const kind = kindAt(json.text, span.start);
  if (kind === "array") {
    const count = countIn(json, span.start);
    if (count === 0) return "it is an empty array";
    return `it has ${counted(count, "elements")}, [0] to [${count - 1}]; ` +
      `give several as [1-${count}], counted from 1 as notes do`;
  }
  if (kind === "object") {
    const keys: string[] = [];
    const count = eachChild(json, span.start, (child) => {
      if (keys.length < NAMED_KEYS) keys.push(keyOf(json, child) || '""');
    });
    return count === 0
      ? "it is an empty object"
      : `it has the ${count === 1 ? "key" : "keys"} ${
        someOf(keys, count, KEYS_WIDTH)
      }`;
  }
  const text = json.text.slice(span.start, span.end);
  return kind === "string" ? "it is a string" : `it is ${text.slice(0, 40)}`;
}
