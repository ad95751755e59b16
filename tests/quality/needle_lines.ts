/** Needles in texts of lines: logs and search results. @module */
import type { LoadedItem } from "./corpus.ts";
import type { Needle } from "./needle_bodies.ts";
import {
  type Sort,
  SORTS,
  type Spelling,
  SPELLINGS,
} from "./needle_spellings.ts";
import {
  fill,
  type Filled,
  oneOf,
  type Random,
  randomOf,
  usualText,
  wordAt,
} from "./needle_values.ts";

/** A text whose most frequent lines get a field more. */
export interface Host {
  /** The text. */
  readonly item: LoadedItem;
  /** Its lines. */
  readonly lines: readonly string[];
  /** Indexes of the lines of the most frequent shape; empty where no shape is frequent. */
  readonly places: readonly number[];
  /** Whether these lines say that something passed. */
  readonly passes: boolean;
  /** Whether most of these lines report failures themselves. */
  readonly fails: boolean;
}

/** Lines of a shape that is frequent. */
const FREQUENT = 8;

/** Lines that have a spelling of their own, among those of the text. */
const OWN_LINES = 24;

const ALARM =
  /error|fail|warn|fatal|denied|exception|refused|timeout|panic|✗|\b[45]\d\d\b/i;

const PASSED = /[✓✔]|\b(?:PASS|PASSED|ok)\b/;

/**
 * Frames of a trace, source that a compiler quotes, rules and bare levels: such a line has no fields, and what is in
 * it goes with the failure that it belongs to.
 */
const NO_FIELDS =
  /^\s*(?:at |\S+\.go:\d|\d+: |goroutine \d|created by |\d*\s*\||[-=~^_|]*$|\[\w+\]\s*$|\S+\(\S*\)$)/;

const MATCH = /^[^\s:]+[:-]\d+[:-]/;
const PATH = /^[^\s:]+[:=-](?=\d+[:=-])/;

/** Takes a text apart. */
export function hostOf(item: LoadedItem): Host {
  const lines = item.text.split("\n");
  const shapes = lines.map((line) =>
    item.kind === "grep" ? `${MATCH.test(line)}` : shapeOf(line)
  );
  const groups = [...Map.groupBy(lines.keys(), (i) => shapes[i]!)]
    .filter(([shape]) => shape !== "" && shape !== "false")
    .filter(([, places]) =>
      2 * places.filter((i) => NO_FIELDS.test(lines[i]!)).length <
        places.length
    )
    .map(([, places]) => ({
      places,
      alarms: places.filter((i) => ALARM.test(lines[i]!)).length,
    }));
  const calm = groups.filter(({ places, alarms }) =>
    2 * alarms < places.length
  );
  const [most] = (calm.length > 0 ? calm : groups)
    .sort((a, b) => b.places.length - a.places.length);
  const places = most === undefined || most.places.length < FREQUENT
    ? []
    : most.places;
  const passes = places.some((i) => PASSED.test(lines[i]!));
  return { item, lines, places, passes, fails: calm.length === 0 };
}

/** What the first words of a line look like; empty for a line without words. */
function shapeOf(line: string): string {
  const words = line.trim().split(/\s+/).slice(0, 5);
  return words.map((word) =>
    /\d/.test(word) ? "0" : /[/.]/.test(word) ? "/" : word
  ).join(" ");
}

/** The text once for each spelling, with one needle at a random place. */
export function lineNeedles(item: LoadedItem): readonly Needle[] {
  const host = hostOf(item);
  return SORTS.flatMap((sort) =>
    SPELLINGS[sort].flatMap((spelling) => {
      const planted = plantedOf(host, spelling, sort);
      return planted === undefined ? [] : [planted];
    })
  );
}

function plantedOf(
  host: Host,
  spelling: Spelling,
  sort: Sort,
): Needle | undefined {
  const { position, pattern, telling } = spelling;
  const variant = pattern.replace("§", telling);
  const random = randomOf(`${host.item.file} ${position} ${variant}`);
  // A line that says it passed does not fail at its end; among failing lines one more is one of many alike.
  const isUnclear = host.passes || host.fails;
  if (sort === "failing" && position !== "line" && isUnclear) {
    return undefined;
  }
  const planted = position === "line"
    ? onLines(host, spelling, random)
    : inLines(host, spelling, random);
  if (planted === undefined) return undefined;
  const { lines, at, filled } = planted;
  const isAhead = position === "start" || position === "level";
  const word = wordAt(filled, telling, isAhead);
  return {
    item: { ...host.item, facts: [], text: lines.join("\n") },
    base: lines.toSpliced(at, 1).join("\n"),
    sort,
    variant,
    // Search results write a path above its rows.
    word: host.item.kind === "grep" ? word.replace(PATH, "") : word,
    value: telling,
  };
}

interface Planted {
  readonly lines: readonly string[];
  /** Index of the needle. */
  readonly at: number;
  readonly filled: Filled;
}

/** The field is added to each line of the most frequent shape; the needle is a copy of one of them. */
function inLines(
  { lines, places, item }: Host,
  spelling: Spelling,
  random: Random,
): Planted | undefined {
  if (places.length === 0) return undefined;
  const chosen = oneOf(places, random);
  // A second field of the same name says something else.
  const key = /^GET /.test(spelling.pattern)
    // So does the status of a second request.
    ? "status(?:_code)?"
    : /[\w.]+(?=[=:])/.exec(spelling.pattern)?.[0];
  if (key !== undefined && new RegExp(`\\b${key}[=:]`).test(lines[chosen]!)) {
    return undefined;
  }
  const attached = (i: number, value: string) =>
    attach(lines[i]!, fill(spelling.pattern, value, random), {
      position: spelling.position,
      isMatch: item.kind === "grep",
    });
  const all = lines.slice();
  for (const i of places) {
    all[i] = attached(i, usualText(spelling.usual, random)).text;
  }
  const filled = attached(chosen, spelling.telling);
  all.splice(chosen + 1, 0, filled.text);
  return { lines: all, at: chosen + 1, filled };
}

/** Lines of a spelling of their own come between those of the text, one of them is the needle. */
function onLines(
  { lines, item }: Host,
  { pattern, usual, telling }: Spelling,
  random: Random,
): Planted {
  const prefix = (i: number) =>
    item.kind === "grep" ? `logs/app.log:${100 + 7 * i}:` : "";
  const own = Math.floor(random() * OWN_LINES);
  const step = (lines.length - 1) / OWN_LINES;
  const all: string[] = [];
  let at = 0;
  let filled: Filled = { text: "", at: 0 };
  let done = 0;
  for (let k = 0; k < OWN_LINES; k++) {
    const until = 1 + Math.floor(k * step);
    all.push(...lines.slice(done, until));
    done = until;
    const value = k === own ? telling : usualText(usual, random);
    const line = fill(prefix(k) + pattern, value, random);
    if (k === own) {
      at = all.length;
      filled = line;
    }
    all.push(line.text);
  }
  return { lines: [...all, ...lines.slice(done)], at, filled };
}

const TIME = /^(?:[[(]?[\d][\d:.,TZ/+-]*[\])]?\s+)*/;
const LEVEL =
  /(?<=^|[\s[=(])(?:INFO|DEBUG|LOG|NOTICE|TRACE|info|debug|notice|trace)(?=[\s\]):]|$)/;

/** How a field is put into a line. */
interface Manner {
  readonly position: Spelling["position"];
  /** Whether a path and a number come before the text of the line. */
  readonly isMatch: boolean;
}

/** A line with a field more. */
export function attach(
  line: string,
  { text, at }: Filled,
  { position, isMatch }: Manner,
): Filled {
  if (position === "end") {
    const head = `${line.trimEnd()} `;
    return { text: head + text, at: head.length + at };
  }
  const level = position === "level" ? LEVEL.exec(line) : null;
  if (level !== null) {
    // `[INFO]` becomes `[E]`, not `[[E]]`.
    const inner = /^\[(.*)\]$/.exec(text)?.[1] ?? text.replace(/^level=/, "");
    const head = line.slice(0, level.index);
    const found = text.length - inner.length;
    return {
      text: head + inner + line.slice(level.index + level[0].length),
      at: head.length + Math.max(0, at - found + (text.endsWith("]") ? 1 : 0)),
    };
  }
  const start = (isMatch ? MATCH : TIME).exec(line)?.[0].length ?? 0;
  const head = line.slice(0, start);
  const rest = line.slice(start);
  return { text: `${head}${text} ${rest}`, at: head.length + at };
}
