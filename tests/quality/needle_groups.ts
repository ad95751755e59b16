/** Needles of several lines: stack traces, failures that are alike, and harmless lines. @module */
import type { LoadedItem } from "./corpus.ts";
import { attach, hostOf } from "./needle_lines.ts";
import { TRACES } from "./needle_traces.ts";
import { fill, oneOf, randomOf, usualText } from "./needle_values.ts";

/** A text with lines whose parts must be inline. */
export interface Group {
  /** The text. */
  readonly item: LoadedItem;
  /** What was planted. */
  readonly variant: string;
  /** Parts that must be inline. */
  readonly telling: readonly string[];
  /** How many lines are alike, and what tells one from the others. */
  readonly alike?: { readonly count: number; readonly tags: readonly string[] };
}

/** The text with the trace of each language at a random place. */
export function traceGroups(item: LoadedItem): readonly Group[] {
  const { lines, places } = hostOf(item);
  return TRACES.map((trace) => {
    const random = randomOf(`${item.file} ${trace.name}`);
    const at = places.length > 0
      ? oneOf(places, random) + 1
      : Math.floor(random() * lines.length);
    const text = lines.toSpliced(at, 0, ...trace.lines).join("\n");
    return {
      item: { ...item, facts: [], text },
      variant: trace.name,
      telling: trace.telling,
    };
  });
}

/** Lines that are alike. */
const ALIKE = 30;

/** Spellings of failures with a place: `§`. */
const ALIKE_SPELLINGS = [
  ["upload failed: connection reset at src/store.ts:§", "41|87|133|209|318"],
  ["ERROR upload: connection reset by db-§:5432", "2|3|5|7|9"],
  ["status=502 upstream=10.0.0.§:8080", "14|23|35|47|59"],
  ["AssertionError: totals differ (tests/test_area.py:§)", "17|44|71|98|152"],
] as const;

/** The text with thirty failures that are alike but for their places. */
export function alikeGroups(item: LoadedItem): readonly Group[] {
  const { lines, places, passes } = hostOf(item);
  if (places.length === 0) return [];
  return ALIKE_SPELLINGS.map(([pattern, spots]) => {
    const random = randomOf(`${item.file} ${pattern}`);
    const values = spots.split("|");
    const chosen = Array.from({ length: ALIKE }, () => oneOf(places, random))
      .sort((a, b) => a - b);
    const tags: string[] = [];
    const words = new Set<string>();
    const added = Map.groupBy(
      chosen.map((at, i) => {
        const value = i < values.length ? values[i]! : oneOf(values, random);
        tags.push(`req=q${i}x${Math.floor(random() * 9000) + 1000}`);
        const filled = fill(`${pattern} ${tags[i]}`, value, random);
        words.add(/\S*§\S*/.exec(pattern)![0].replace("§", value));

        const { text } = attach(passes ? "" : lines[at]!, filled, {
          position: "end",
          isMatch: false,
        });
        return { at, text };
      }),
      ({ at }) => at,
    );
    const all = lines.flatMap((line, i) => [
      line,
      ...(added.get(i) ?? []).map(({ text }) => text),
    ]);
    return {
      item: { ...item, facts: [], text: all.join("\n") },
      variant: pattern,
      telling: [...words, tags[0]!, tags.at(-1)!],
      alike: { count: ALIKE, tags },
    };
  });
}

/** What sounds like a failure and is none, and the like without the sound. */
const HARMLESS = [
  ["id=§ status=200", "503", "610..690"],
  ["bytes=§ status=200", "502", "610..690"],
  ["order § shipped", "500", "610..690"],
  ["took §ms", "404", "380..399"],
  ["GET /pages/§.html 200", "404", "110..190"],
  ["port=§", "5003", "6100..6900"],
  ["§=0", "error_count", "item_count"],
  ["§=0 ms=##", "errors", "orders"],
  ["0 §", "failed", "queued"],
  ["no §", "errors", "orders"],
  ["§: 0", "failures", "features"],
  ["§=0", "exit", "slot"],
  ["§=0", "rc", "hc"],
  ["§=500ms", "timeout", "window"],
  ["user=§-reporter", "error", "usage"],
  ["§=null", "error", "label"],
  ["§=<nil>", "err", "ctx"],
  ["§ ok", "test_error_handling", "test_order_handling"],
  ["§=false", "failed", "cached"],
  ["GET /§/list 200", "errors", "orders"],
] as const;

/** A text in which some of the lines sound like failures. */
export interface Harmless {
  /** The text. */
  readonly item: LoadedItem;
  /** What sounds like a failure. */
  readonly variant: string;
  /** Tags of the lines that sound like failures. */
  readonly sounding: readonly string[];
  /** Tags of the other lines of the same shape. */
  readonly others: readonly string[];
}

/** The text with each harmless spelling on a quarter of its most frequent lines. */
export function harmlessTexts(item: LoadedItem): readonly Harmless[] {
  const { lines, places } = hostOf(item);
  if (places.length === 0) return [];
  return HARMLESS.map(([pattern, sound, other]) => {
    const variant = pattern.replace("§", sound);
    const random = randomOf(`${item.file} ${variant}`);
    const sounding: string[] = [];
    const others: string[] = [];
    const all = lines.slice();
    for (const i of places) {
      const sounds = random() < 0.25;
      const value = sounds ? sound : usualText(other, random);
      const tag = `req=q${i}x${1000 + Math.floor(random() * 9000)}`;
      (sounds ? sounding : others).push(tag);
      const filled = fill(`${pattern} ${tag}`, value, random);
      all[i] = attach(lines[i]!, filled, {
        position: "end",
        isMatch: false,
      }).text;
    }
    const text = all.join("\n");
    return { item: { ...item, facts: [], text }, variant, sounding, others };
  });
}
