/** Random values and patterns of needles; the same for the same seed. @module */
import { hash } from "node:crypto";
import { randomSource } from "../bench/corpus.ts";
import type { Value } from "./needle_spellings.ts";

/** Numbers from 0, below 1. */
export type Random = () => number;

/** Random numbers that depend on `name` only. */
export function randomOf(name: string): Random {
  const random = randomSource(
    parseInt(hash("sha256", name, "hex").slice(0, 8), 16),
  );
  // The first numbers of near seeds are near each other.
  for (let i = 0; i < 4; i++) random();
  return random;
}

/** One of `values`, which are not empty. */
export function oneOf<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)]!;
}

const RANGE = /^(-?[\d.]+)(\w*)\.\.(-?[\d.]+)\w*$/;

/** A usual value: `4..20`, `1.5s..2.5s`, `a|b` or a constant. */
export function usualText(usual: string, random: Random): string {
  const range = RANGE.exec(usual);
  if (range === null) return oneOf(usual.split("|"), random);
  const [, low = "", unit = "", high = ""] = range;
  const value = +low + random() * (+high - +low);
  return value.toFixed(low.split(".")[1]?.length ?? 0) + unit;
}

/** A usual value of a member: of a range or of several numbers it is a number. */
export function usualValue(usual: Value, random: Random): Value {
  if (typeof usual !== "string") return usual;
  const text = usualText(usual, random);
  return text !== usual && /^-?[\d.]+$/.test(text) ? +text : text;
}

/** A text, and where the value of its needle is. */
export interface Filled {
  /** The text. */
  readonly text: string;
  /** Start of the value. */
  readonly at: number;
}

/** Fills `§` with a value and each `#` with a digit, from 1 to 9. */
export function fill(pattern: string, value: string, random: Random): Filled {
  const text = pattern.replace(
    /#/g,
    () => `${1 + Math.floor(random() * 9)}`,
  );
  return { text: text.replace("§", () => value), at: text.indexOf("§") };
}

/**
 * The word of a line that has the value; where the value is the whole word, with the word before it,
 * or behind it where there is none or `forward` asks for it.
 */
export function wordAt(
  { text, at }: Filled,
  value: string,
  forward = false,
): string {
  const before = text.slice(0, at);
  const after = text.slice(at + value.length);
  const head = /[^\s,{}]*$/.exec(before)![0];
  const tail = /^[^\s,{}]*/.exec(after)![0];
  if (head !== "" || tail !== "") return head + value + tail;
  const previous = /[^\s,{}]+\s+$/.exec(before)?.[0] ?? "";
  if (previous !== "" && !forward) return previous + value;
  return value + (/^\s+[^\s,{}]+/.exec(after)?.[0] ?? "");
}
