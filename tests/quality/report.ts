/** Tables of what was judged. @module */
import { table } from "../bench/measure.ts";
import { isFailure, SIZE_CLASSES } from "./corpus.ts";
import type { Judged, Place } from "./judge.ts";

/** What kinds and sizes should save in the mean of their items, in percent. */
const AIMS: Readonly<Record<string, number>> = {
  build_log: 65,
  code: 45,
  config: 30,
  diff: 35,
  grep: 60,
  markdown: 30,
  paths: 60,
  prose: 30,
  service_log: 85,
  table: 60,
  "100-500": 20,
  "500-2,000": 40,
};

/** Share of each kind among the tokens of tool results in coding sessions, in percent. */
const WEIGHTS: Readonly<Record<string, number>> = {
  markdown: 28,
  prose: 2,
  code: 6,
  code_read: 13,
  numbered_read: 14,
  shell: 9,
  table: 3,
  config: 2,
  html: 1,
  json: 9,
  diff: 7,
  paths: 4,
  build_log: 1.5,
  service_log: 0.5,
  grep: 1,
};

/** Share of tokens saved, in percent; `undefined` for no items. */
export function savedShare(rows: readonly Judged[]): number | undefined {
  const before = sum(rows, (row) => row.before);
  return before === 0
    ? undefined
    : 100 * (1 - sum(rows, (row) => row.after) / before);
}

/** One row per kind: what was saved, the aim, where the facts are, and how many failures are inline. */
export function kindTable(rows: readonly Judged[]): string {
  const groups = Map.groupBy(rows, kindOf);
  const lines = [...groups.keys()].sort().map((kind) =>
    groupLine(kind, groups.get(kind)!)
  );
  return table(HEAD, [...lines, groupLine("all", rows)]);
}

/** One row per class of size. */
export function sizeTable(rows: readonly Judged[]): string {
  const lines = SIZE_CLASSES.map(({ name }) =>
    groupLine(name, rows.filter(({ size }) => size === name))
  );
  return table(["tokens of the result", ...HEAD.slice(1)], lines);
}

/** How many items were left alone for which reason, and which kinds they are of. */
export function reasonTable(rows: readonly Judged[]): string {
  const alone = rows.filter(({ reason }) => reason !== "");
  const groups = [...Map.groupBy(alone, ({ reason }) => reason)]
    .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  return table(
    ["left alone because", "items", "tokens", "kinds"],
    groups.map(([reason, group]) => [
      reason,
      `${group.length}`,
      `${sum(group, ({ before }) => before)}`,
      [...new Set(group.map(({ item }) => item.kind))].sort().join(", "),
    ]),
  );
}

/** One row per item: what was decided and how its facts fared. */
export function itemTable(rows: readonly Judged[]): string {
  return table(
    [
      "file",
      "kind",
      "strategy",
      "before",
      "after",
      "saved %",
      "facts",
      "reason",
    ],
    rows.map((row) => [
      row.item.file,
      row.kind,
      row.strategy === "-" || row.elided
        ? row.strategy
        : `${row.strategy}, lossless`,
      `${row.before}`,
      `${row.after}`,
      percent(savedShare([row])),
      factCounts(row.places),
      row.reason || "-",
    ]),
  );
}

/** Facts that are not inline, by file. */
export function factList(rows: readonly Judged[], place: Place): string[] {
  return rows.flatMap(({ item, places }) =>
    item.facts.flatMap((fact, i) =>
      places[i] === place ? [`${item.file}: ${JSON.stringify(fact)}`] : []
    )
  );
}

/**
 * Share of tokens saved in a session whose results are of the kinds that
 * coding sessions have, in percent. Kinds without items do not count.
 */
export function weightedTotal(rows: readonly Judged[]): number | undefined {
  const usual = rows.filter(({ item }) => !item.extra);
  const groups = [...Map.groupBy(usual, ({ item }) => item.kind)];
  const weight = sum(groups, ([kind]) => WEIGHTS[kind] ?? 0);
  if (weight === 0) return undefined;
  const saved = sum(
    groups,
    ([kind, group]) => (WEIGHTS[kind] ?? 0) * savedShare(group)!,
  );
  return saved / weight;
}

/** A share in percent with one decimal, or `-`. */
export function percent(share: number | undefined): string {
  return share === undefined ? "-" : share.toFixed(1);
}

const HEAD = [
  "kind",
  "items",
  "tokens",
  "saved % tuning",
  "held out",
  "both",
  "mean of items",
  "aim for the mean",
  "facts",
  "inline",
  "recoverable",
  "lost",
  "failures inline",
];

function groupLine(name: string, rows: readonly Judged[]): string[] {
  const places = rows.flatMap((row) => row.places);
  const mean = sum(rows, (row) => savedShare([row]) ?? 0) / rows.length;
  return [
    name,
    `${rows.length}`,
    `${sum(rows, ({ before }) => before)}`,
    percent(savedShare(rows.filter(({ item }) => !item.heldOut))),
    percent(savedShare(rows.filter(({ item }) => item.heldOut))),
    percent(savedShare(rows)),
    percent(rows.length === 0 ? undefined : mean),
    AIMS[name] === undefined ? "-" : `${AIMS[name]}`,
    `${places.length}`,
    ...(["inline", "recoverable", "lost"] as const)
      .map((place) => `${countOf(places, place)}`),
    failuresInline(rows),
  ];
}

/** `9 of 10, 90.0 %`: facts about failures that are inline, or `-` where no fact is about one. */
function failuresInline(rows: readonly Judged[]): string {
  const places = rows.flatMap(({ item, places }) =>
    places.filter((_, i) => isFailure(item.facts[i]!))
  );
  if (places.length === 0) return "-";
  const inline = countOf(places, "inline");
  const share = percent(100 * inline / places.length);
  return `${inline} of ${places.length}, ${share} %`;
}

function kindOf({ item }: Judged): string {
  return item.shape === undefined ? item.kind : `${item.kind}, ${item.shape}`;
}

/** `4/5`: inline of all; `, 1 lost` if so. */
function factCounts(places: readonly Place[]): string {
  const lost = countOf(places, "lost");
  const counts = `${countOf(places, "inline")}/${places.length}`;
  return lost === 0 ? counts : `${counts}, ${lost} lost`;
}

function countOf(places: readonly Place[], wanted: Place): number {
  return places.filter((place) => place === wanted).length;
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
