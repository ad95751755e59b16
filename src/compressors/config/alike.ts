/** Entries of a configuration that have the same keys, and settings with the same value. @module */
import { keyAt as numberAt, type Lines } from "../../text/lines.ts";
import { hashOf as hashOfCodes } from "../../text/signs/columns.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import { standouts } from "../../text/signs/standouts.ts";
import type { ConfigView } from "./parse.ts";
import type { Row } from "./row.ts";

/** Entries that stay of many alike ones, at both ends, by their mean size in lines; `more` of them are no reason to leave any out. */
const ENDS = [
  { lines: 1, first: 12, last: 3, more: 25 },
  { lines: 8, first: 5, last: 2, more: 0 },
  { lines: 25, first: 3, last: 1, more: 0 },
  { lines: Infinity, first: 2, last: 1, more: 0 },
] as const;
/** The same for keys with a value. */
const VALUE_ENDS = { first: 80, last: 20, more: 200 };
/** Settings below the same line of which those with a common value go, the share of them that have it, and their fewest. */
const MANY_SETTINGS = 40;
const COMMON_SHARE = 0.05;
const FEWEST_COMMON = 5;
/** Settings that stay at both ends of many. */
const SETTING_ENDS = { first: 8, last: 3 };
/** UTF-16 units of a value from which on its shape counts. */
const LONG_SETTING = 24;
/** What a program prints of a setting that nobody set, and such a one that is worth a line: a limit, a time. */
const DEFAULT = /^ ?\((?:default|built-?in)\)/i;
const LIMIT = /= ?["']?-?\d[\w.]*["']?$/;
/** Entries with a failure, and entries with a value that few others have, that stay. */
const MOST_FAILING = 24;
const MOST_ODD = 12;
/** A value is odd when so few entries have it and its key has few values. */
const ODD = 2;
const FEW_VALUES = 6;
/** Lines of an entry that are looked at. */
const LOOKED_AT = 400;

/** Hashes are as small as maps are fast with. */
export const SMALL = 0x3fffffff;

/** What is like others of one group. */
export interface Alike {
  /** Settings with a value that many have. */
  readonly common: readonly Row[];
  /** Entries between the first and the last ones. */
  readonly spare: readonly Row[];
}

/** Settings and entries that need not stay, group by group, but for a few that fail or are odd. O(n). */
export function alikeIn(view: ConfigView): readonly Alike[] {
  let signs: Int32Array | undefined;
  return groupsIn(view).map((group) => {
    const lines = group.reduce((sum, { line, end }) => sum + end - line, 0);
    const size = lines / group.length;
    const ends = endsOf(group, size);
    const isLarge = size <= 1 && group.length >= MANY_SETTINGS;
    const isLong = group.length > ends.first + ends.last + ends.more;
    if (!isLarge && !isLong) return { common: [], spare: [] };
    const before = signs ??= signsBefore(view);
    const common = isLarge ? commonIn(view, group) : [];
    return {
      common: common.filter(({ line }) => !hasSign(before, line, line + 1)),
      spare: isLong ? spareIn(view, group, { ...ends, before, size }) : [],
    };
  });
}

interface Kept {
  readonly first: number;
  readonly last: number;
  readonly more: number;
}

function endsOf([entry]: readonly Row[], size: number): Kept {
  if (size <= 1 && entry?.kind === "key") return VALUE_ENDS;
  return ENDS.find(({ lines }) => size <= lines) ?? ENDS[0];
}

/** Entries between the first and the last ones, but for a few that fail or are odd. */
function spareIn(
  view: ConfigView,
  group: readonly Row[],
  { first, last, before, size }: Kept & {
    readonly before: Int32Array;
    readonly size: number;
  },
): Row[] {
  const odd = size > 1 ? oddIn(view, group) : new Set<Row>();
  let failures = 0;
  let strange = 0;
  return group.slice(first, group.length - last).filter((entry) => {
    const fails = hasSign(before, entry.line, entry.end);
    if (fails && failures++ < MOST_FAILING) return false;
    return !(odd.has(entry) && strange++ < MOST_ODD);
  });
}

function hasSign(before: Int32Array, from: number, to: number): boolean {
  return numberAt(before, to) > numberAt(before, from);
}

/** Settings whose value many of them have, or a long one of the same shape, and those that are said to be defaults; not at the ends. O(n). */
function commonIn({ lines }: ConfigView, group: readonly Row[]): Row[] {
  const { first, last } = SETTING_ENDS;
  const holders = new Map<string, Row[]>();
  const defaults: Row[] = [];
  for (const row of group.slice(first, -last)) {
    // Where the value comes from is before its sign.
    const end = Math.min(row.stop, row.keyEnd + LOOKED_AT);
    const value = lines.text.slice(row.keyEnd, end);
    if (DEFAULT.test(value)) {
      if (!LIMIT.test(value)) defaults.push(row);
      continue;
    }
    const key = value.length < LONG_SETTING
      ? value
      : value.replace(/[\w.-]+/g, "w");
    const same = holders.get(key) ?? [];
    if (same.push(row) === 1) holders.set(key, same);
  }
  const least = Math.max(FEWEST_COMMON, COMMON_SHARE * group.length);
  const common = [...holders.values()].filter(({ length }) => length >= least);
  return [...defaults, ...common.flat()];
}

/** How many lines before each report a failure in a value, or have a rare or an extreme one. */
function signsBefore({ lines, rows }: ConfigView): Int32Array {
  const flags = severities(lines);
  for (const { line } of standouts(lines)) flags[line] = ERROR;
  const before = new Int32Array(lines.count + 1);
  for (const { line, kind } of rows) {
    const isValue = kind === "key" || kind === "item";
    const fails = isValue && ((flags[line] ?? 0) & ERROR) !== 0;
    before[line + 1] = numberAt(before, line) + (fails ? 1 : 0);
  }
  return before;
}

/** Entries below the same line that have the same keys right below them; groups of few are left out. O(n). */
function groupsIn(view: ConfigView): Row[][] {
  const shapes = new Int32Array(view.lines.count);
  const groups = new Map<number, Row[]>();
  for (const row of view.rows.toReversed()) {
    const { kind, parent, line, dash } = row;
    const isEntry = kind === "key" || kind === "open" || kind === "item" ||
      kind === "section";
    if (!isEntry) continue;
    const hash = hashOf(view.lines, row.keyAt, row.keyEnd);
    const above = parent?.line ?? -1;
    if (above >= 0) shapes[above] = numberAt(shapes, above) + hash | 0;
    const isLeaf = row.end === line + 1;
    // The key beside a dash is one of the entry's; that of a map is its name.
    const own = isLeaf ? kind.length : dash ? hash : 0;
    const shape = numberAt(shapes, line) + own;
    const key = (Math.imul(shape ^ above, 0x9e3779b1) ^ above) & SMALL;
    const group = groups.get(key) ?? [];
    if (group.push(row) === 1) groups.set(key, group);
  }
  return [...groups.values()].filter(({ length }) => length > 3)
    .map((group) => group.reverse());
}

/** Hash of the characters `[from, to)`, of at most 120 of them. */
export function hashOf({ codes }: Lines, from: number, to: number): number {
  return hashOfCodes(codes, from, Math.min(to, from + 120)) & SMALL;
}

/** Entries that have a value which hardly any other has, under a key that has few values. */
function oddIn(view: ConfigView, group: readonly Row[]): Set<Row> {
  const columns = new Map<number, Map<number, Row[]>>();
  for (const entry of group) {
    for (const row of rowsOf(view, entry)) {
      const key = hashOf(view.lines, row.keyAt, row.keyEnd);
      const values = columns.get(key) ?? new Map<number, Row[]>();
      columns.set(key, values);
      if (row.kind !== "key" || values.size > FEW_VALUES) continue;
      const value = hashOf(view.lines, row.valueAt, row.stop);
      const holders = values.get(value) ?? [];
      values.set(value, holders);
      if (holders.length <= ODD) holders.push(entry);
    }
  }
  const odd = new Set<Row>();
  for (const values of columns.values()) {
    if (values.size > Math.min(FEW_VALUES, group.length / 3)) continue;
    for (const holders of values.values()) {
      if (holders.length > ODD) continue;
      for (const entry of holders) odd.add(entry);
    }
  }
  return odd;
}

/** The first lines of an entry. */
export function rowsOf(
  { rows }: ConfigView,
  { line, end }: Row,
): readonly Row[] {
  return rows.slice(line, Math.min(end, line + LOOKED_AT));
}
