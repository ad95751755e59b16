/** Needles in the fields that a text has itself. @module */
import type { LoadedItem } from "./corpus.ts";
import type { Needle } from "./needle_bodies.ts";
import { hostOf } from "./needle_lines.ts";
import type { Sort } from "./needle_spellings.ts";
import { type Filled, oneOf, randomOf, wordAt } from "./needle_values.ts";

/** Lines that a field must be in before its values say what is usual. */
const ENOUGH = 12;

/** Different values that a measure has. */
const VARIED = 4;

/** How far outside: times the largest value. */
const FAR = 90;

/** What counts or names, and does not measure. */
const NAMES =
  /(?:id|line|col|column|port|pid|tid|seq|num|no|index|time|ts|date|year|version|v|lines?)$/i;

const FIELD =
  /(?<![\w.-])"?([A-Za-z_][\w.]*)"?(=|:\s?)"?(?:(-?\d+(?:\.\d+)?)(ns|µs|ms|s|[kKMG]?i?B|%)?|([A-Za-z][\w-]*))"?(?=[\s,)}\]]|$)/g;

const STATUS = /HTTP\/\d(?:\.\d)?" 200 /;

/** A field in a line. */
interface Spot {
  /** Index of the line. */
  readonly line: number;
  /** Start of the value. */
  readonly at: number;
  /** The value, without its unit. */
  readonly value: string;
  readonly unit: string;
}

/** The text with a needle in each field that is nearly always the same, or measures something. */
export function ownNeedles(item: LoadedItem): readonly Needle[] {
  const { lines, places } = hostOf(item);
  const spots = spotsOf(lines, places);
  const elsewhere = spotsOf(
    lines,
    [...lines.keys()].filter((i) => !places.includes(i)),
  );
  return [...spots].flatMap(([key, found]) => {
    const inLines = new Set(found.map(({ line }) => line)).size;
    // In lines of another shape the field may well have such a value.
    if (inLines < ENOUGH || elsewhere.has(key)) return [];
    const telling = tellingOf(key, found);
    if (telling === undefined) return [];
    const random = randomOf(`${item.file} own ${key}`);
    const { line, at, value, unit } = oneOf(found, random);
    const old = lines[line]!;
    const text = old.slice(0, at) + telling.value +
      old.slice(at + value.length);
    const filled: Filled = { text, at };
    return [{
      item: {
        ...item,
        facts: [],
        text: lines.toSpliced(line + 1, 0, text).join("\n"),
      },
      base: item.text,
      sort: telling.sort,
      variant: `own ${key}: ${telling.value}${unit}`,
      word: wordAt(filled, telling.value),
      value: telling.value + unit,
    }];
  });
}

function spotsOf(
  lines: readonly string[],
  places: readonly number[],
): ReadonlyMap<string, readonly Spot[]> {
  const spots = new Map<string, Spot[]>();
  const add = (key: string, spot: Spot) =>
    spots.set(key, [...spots.get(key) ?? [], spot]);
  for (const line of places) {
    const text = lines[line]!;
    for (const found of text.matchAll(FIELD)) {
      const [whole, key, separator, number, unit = "", word] = found;
      const value = number ?? word!;
      const from = whole.indexOf(separator!, key!.length) + separator!.length;
      const at = found.index + whole.indexOf(value, from);
      add(key!, { line, at, value, unit });
    }
    const status = STATUS.exec(text);
    if (status !== null) {
      const at = status.index + status[0].length - 4;
      add("HTTP status", { line, at, value: "200", unit: "" });
    }
  }
  return spots;
}

/** A value that the field never has, and what it says. */
function tellingOf(
  key: string,
  spots: readonly Spot[],
): { readonly value: string; readonly sort: Sort } | undefined {
  const values = new Set(spots.map(({ value }) => value));
  if (key === "HTTP status") return { value: "404", sort: "failing" };
  const [first = ""] = values;
  if (/^[A-Za-z]/.test(first)) {
    if (values.size > 1) return undefined;
    return /level|severity/i.test(key)
      ? { value: "error", sort: "failing" }
      : { value: "canary", sort: "rare" };
  }
  const units = new Set(spots.map(({ unit }) => unit));
  const numbers = spots.map(({ value }) => +value);
  const rises = numbers.every((n, i) => i === 0 || n >= numbers[i - 1]!);
  const isMeasure = values.size >= VARIED && units.size === 1 && !rises &&
    !NAMES.test(key) && numbers.every(Number.isFinite);
  if (!isMeasure) return undefined;
  const far = Math.max(...numbers.map(Math.abs), 1) * FAR;
  return { value: `${Math.ceil(far)}`, sort: "extreme" };
}
