/** Children of JSON objects and arrays as offsets. @module */
import { parseJson } from "../../bytes/json_parts.ts";
import type { JsonSpan, JsonValues } from "./json_scan.ts";
import {
  isOpening,
  memberValue,
  scalarEnd,
  skipSpace,
  stringEnd,
} from "./json_tokens.ts";

/** A child of a container. */
export interface JsonChild extends JsonSpan {
  /** Place among its siblings, from 0. */
  readonly index: number;
  /** Where its key starts, quote included; -1 in an array. */
  readonly key: number;
  /** Behind the closing quote of its key; -1 in an array. */
  readonly keyEnd: number;
}

const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;

/**
 * The children of a container, one after the other; a container that the text broke off in counts, a scalar does not.
 * Makes no objects: there may be millions. O(children) and the lengths of scalars.
 */
export class JsonChildren implements JsonChild {
  index = -1;
  start = -1;
  end = -1;
  key = -1;
  keyEnd = -1;
  readonly #json: JsonValues;
  readonly #limit: number;
  readonly #isObject: boolean;
  #at: number;

  /** Before the first child of the container at offset `start`. */
  constructor(json: JsonValues, start: number) {
    this.#json = json;
    this.#limit = json.ends[start]!;
    this.#isObject = json.text.charCodeAt(start) === OPEN_BRACE;
    this.#at = start + 1;
  }

  /** Moves to the next child; false when there is none. */
  next(): boolean {
    const { text, ends } = this.#json;
    let at = skipSpace(text, this.#at);
    if (this.index >= 0) {
      if (text.charCodeAt(at) !== COMMA) return false;
      at = skipSpace(text, at + 1);
    }
    if (at >= this.#limit) return false;
    if (this.#isObject) {
      const value = memberValue(text, at);
      if (value < 0 || value >= this.#limit) return false;
      this.key = at;
      this.keyEnd = stringEnd(text, at);
      at = value;
    }
    const end = isOpening(text.charCodeAt(at))
      ? ends[at]!
      : scalarEnd(text, at);
    if (end <= at || end > this.#limit) return false;
    this.index++;
    this.start = at;
    this.#at = this.end = end;
    return true;
  }
}

/**
 * Visits the children of the container at `start`, in order, until `visit` returns false.
 *
 * @param visit Gets the same object each time.
 * @returns How many were visited.
 */
export function eachChild(
  json: JsonValues,
  start: number,
  visit: (child: JsonChild) => boolean | void,
): number {
  const children = new JsonChildren(json, start);
  while (children.next()) {
    if (visit(children) === false) break;
  }
  return children.index + 1;
}

/** How many children the container at `start` has. */
export function countIn(json: JsonValues, start: number): number {
  return eachChild(json, start, () => true);
}

/** A child that stays as it is when its siblings are visited. */
export function copyOf(
  { index, start, end, key, keyEnd }: JsonChild,
): JsonChild {
  return { index, start, end, key, keyEnd };
}

/** The key of a member, decoded. */
export function keyOf({ text }: JsonValues, child: JsonChild): string {
  const literal = text.slice(child.key, child.keyEnd);
  return decoded(literal) ?? literal.slice(1, -1);
}

/** What a string literal says; `undefined` when it is not valid. */
export function decoded(literal: string): string | undefined {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  return parseJson(literal) as string | undefined;
}
