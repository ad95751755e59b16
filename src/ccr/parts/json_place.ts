/** A place in a JSON document as models write it: `items[3].name`, `$.items[3-9]`, `/items/3/name`. @module */
import { parseJson } from "../../bytes/json_parts.ts";
import type { PartRange } from "./ranges.ts";

/** One step of a way into a document. */
export type Step =
  /** A key, or an index where an array stands; `isBare`: written without quotes, so that its dots parted it. */
  | { readonly type: "key"; readonly key: string; readonly isBare: boolean }
  /** An element; counted from 0, from the end when negative. */
  | { readonly type: "index"; readonly index: number }
  /** Elements, counted from 1 as notes count them; all of them: 1 to `Infinity`. */
  | ({ readonly type: "range" } & PartRange);

/** Longest path, in UTF-16 units. */
const MAX_LENGTH = 10_000;
/** Notes copied as they stand: `items 6-11 omitted`. */
const NOTE =
  /^(?:…\s*)?(?:items?|keys?|rows?|elements?|documents?) (\d+)(?:\s*[-–—]\s*(\d+))?(?: (?:of \d+|omitted).*)?$/;
const RANGE = /^(\d+)\s*(?:-|–|—|:|\.{2,3})\s*(\d*)$/;
const INDEX = /^-?\d{1,15}$/;
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/;

/** Reads a path; `undefined` when it is none. */
export function readPlace(given: string): readonly Step[] | undefined {
  const text = given.trim();
  if (text.length > MAX_LENGTH) return undefined;
  const note = NOTE.exec(text);
  if (note !== null) {
    const from = Number(note[1]);
    return [{ type: "range", from, to: Number(note[2] ?? from) }];
  }
  return text.startsWith("/") ? pointerSteps(text) : pathSteps(text);
}

/** RFC 6901; a step may also be a range, `/items/3-9`. */
function pointerSteps(text: string): Step[] {
  return text.slice(1).split("/").map((part): Step => {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    return RANGE.test(key)
      ? bracketStep(key)
      : { type: "key", key, isBare: false };
  });
}

function pathSteps(text: string): Step[] | undefined {
  const steps: Step[] = [];
  let at = /^\$(?=[.[]|$)/.test(text) ? 1 : 0;
  while (at < text.length) {
    if (text[at] === ".") {
      // Two dots are a search in all depths, which this is not.
      if (++at === text.length || text[at] === ".") return undefined;
      if (text[at] !== "[") continue;
    }
    if (text[at] === "[") {
      const end = bracketEnd(text, at);
      if (end < 0) return undefined;
      const inner = text.slice(at + 1, end).trim();
      steps.push(bracketStep(inner));
      at = end + 1;
      continue;
    }
    const quoted = QUOTED.exec(text.slice(at, at + MAX_LENGTH))?.[0];
    const end = quoted === undefined ? nameEnd(text, at) : at + quoted.length;
    const name = text.slice(at, end);
    if (quoted !== undefined) steps.push(keyStep(unquoted(quoted)));
    else if (name === "*") steps.push({ type: "range", from: 1, to: Infinity });
    else steps.push({ type: "key", key: name, isBare: true });
    at = end;
  }
  return steps;
}

function nameEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== "." && text[at] !== "[") at++;
  return at;
}

/** Offset of the bracket that closes the one at `at`; one in quotes closes nothing. -1: none does. */
function bracketEnd(text: string, at: number): number {
  let start = at + 1;
  while (text[start] === " ") start++;
  const quoted = QUOTED.exec(text.slice(start))?.[0];
  return text.indexOf("]", start + (quoted?.length ?? 0));
}

function bracketStep(inner: string): Step {
  if (inner === "" || inner === "*") {
    return { type: "range", from: 1, to: Infinity };
  }
  if (INDEX.test(inner)) return { type: "index", index: Number(inner) };
  const range = RANGE.exec(inner);
  if (range !== null) {
    const from = Number(range[1]);
    const to = range[2] === "" ? Infinity : Number(range[2]);
    return from <= to
      ? { type: "range", from, to }
      : { type: "range", from: to, to: from };
  }
  return keyStep(unquoted(inner));
}

function keyStep(key: string): Step {
  return { type: "key", key, isBare: false };
}

function unquoted(text: string): string {
  const quoted = QUOTED.exec(text)?.[0];
  if (quoted !== text) return text;
  const inner = text.slice(1, -1);
  if (!inner.includes("\\")) return inner;
  const literal = text.startsWith("'")
    ? `"${inner.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"')}"`
    : text;
  const name = parseJson(literal);
  return typeof name === "string" ? name : inner;
}

/** A step as it stands in a path behind others. */
export function stepText(step: Step, isFirst: boolean): string {
  switch (step.type) {
    case "index":
      return `[${step.index}]`;
    case "range":
      if (step.to === Infinity && step.from === 1) return "[*]";
      return `[${step.from}-${step.to === Infinity ? "" : step.to}]`;
    case "key":
      return keyText(step.key, isFirst);
  }
}

/** A key as it stands in a path: `.name`, `["a b"]`. */
export function keyText(key: string, isFirst: boolean): string {
  if (!/^[^\s.[\]"'\\/*$][^\s.[\]"'\\]*$/.test(key) || /^-?\d+$/.test(key)) {
    return `[${JSON.stringify(key)}]`;
  }
  return isFirst ? key : `.${key}`;
}
