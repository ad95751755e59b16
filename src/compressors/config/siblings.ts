/** Entries that stand below the same line, and which of many alike ones stay. @module */

import { hashRange } from "./line_ids.ts";
import { BLANK, COMMENT, KEY, OPEN, SEPARATOR, TEXT } from "./scan_line.ts";
import type { ConfigView } from "./view.ts";
import { FAILING } from "./words_said.ts";

/** Entries of a list or a map that stay, by their mean size in lines: at the start and at the end. */
const SMALL = { lines: 8, first: 5, last: 2 };
const MIDDLE = { lines: 25, first: 3, last: 1 };
const LARGE = { lines: Infinity, first: 2, last: 1 };
/** Values without anything below them: so many may stand in a row before some are left out. */
const MOST_ITEMS = 40;
const MOST_VALUES = 300;
const ITEM_ENDS = { first: 12, last: 3 };
const VALUE_ENDS = { first: 80, last: 20 };
/** Entries with a failure that stay, of one kind. */
const MOST_FAILING = 20;
/** An alike group of this many or fewer entries is rare and stays. */
const RARE_GROUP = 3;
/** A value is rare when so few of so many entries have it, and there are few values. */
const RARE_VALUE = 2;
const MOST_DISTINCT = 6;
/** Entries with a rare value that stay, of one kind. */
const MOST_ODD = 12;
/** UTF-16 units of a value that is compared. */
const COMPARED = 40;

/** Who stands below whom. */
export interface Tree {
  /** Per line: the line after the last one below it. */
  readonly ends: Int32Array;
  /** Entries below a line: `children[offsets[i] … offsets[i + 1])`; `offsets` of the number of lines is for the top. */
  readonly offsets: Int32Array;
  readonly children: Int32Array;
}

/** Reads who stands below whom. O(n). */
export function treeOf({ kinds, parents }: ConfigView): Tree {
  const count = kinds.length;
  const ends = new Int32Array(count);
  const offsets = new Int32Array(count + 2);
  for (let i = count - 1; i >= 0; i--) {
    if (ends[i] === 0) ends[i] = i + 1;
    const parent = parents[i]!;
    if (parent < 0) continue;
    if (ends[parent]! < ends[i]!) ends[parent] = ends[i]!;
  }
  for (let i = 0; i < count; i++) {
    if (isEntry(kinds[i]!)) offsets[placeOf(parents[i]!, count) + 1]!++;
  }
  for (let i = 0; i <= count; i++) offsets[i + 1]! += offsets[i]!;
  const children = new Int32Array(offsets[count + 1]!);
  const filled = offsets.slice();
  for (let i = 0; i < count; i++) {
    if (!isEntry(kinds[i]!)) continue;
    children[filled[placeOf(parents[i]!, count)]!++] = i;
  }
  return { ends, offsets, children };
}

function placeOf(parent: number, count: number): number {
  return parent < 0 ? count : parent;
}

/** Neither blank, comment, separator nor text. */
function isEntry(kind: number): boolean {
  return kind !== BLANK && kind !== COMMENT && kind !== SEPARATOR &&
    kind !== TEXT;
}

/** Entries below `parent`, a line or the number of lines for the top. */
export function childrenOf(tree: Tree, parent: number): Int32Array {
  return tree.children.subarray(
    tree.offsets[parent]!,
    tree.offsets[parent + 1]!,
  );
}

/**
 * Entries that may be left out: those of many alike ones that are neither first nor last, rare or failing.
 *
 * @param flags Of `words_said.ts`. @returns One byte per line, 1 for the first line of such an entry.
 */
export function spareEntries(
  view: ConfigView,
  tree: Tree,
  flags: Uint8Array,
): Uint8Array {
  const count = view.kinds.length;
  const spare = new Uint8Array(count);
  const counted = failuresBefore(flags);
  for (let parent = 0; parent <= count; parent++) {
    const children = childrenOf(tree, parent);
    if (children.length <= SMALL.first + SMALL.last) continue;
    for (const group of groupsOf(view, tree, children)) {
      spareInGroup({ view, tree, failures: counted, spare }, group);
    }
  }
  return spare;
}

/** What choosing needs. */
interface Choosing {
  readonly view: ConfigView;
  readonly tree: Tree;
  /** Per line: failures before it. */
  readonly failures: Int32Array;
  readonly spare: Uint8Array;
}

function failuresBefore(flags: Uint8Array): Int32Array {
  const before = new Int32Array(flags.length + 1);
  for (let i = 0; i < flags.length; i++) {
    before[i + 1] = before[i]! + (flags[i]! & FAILING ? 1 : 0);
  }
  return before;
}

/** Entries of a line by the keys below them. */
function groupsOf(
  view: ConfigView,
  tree: Tree,
  children: Int32Array,
): Iterable<number[]> {
  const groups = new Map<number, number[]>();
  for (const child of children) {
    const shape = shapeOf(view, tree, child);
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [child]);
    else group.push(child);
  }
  return groups.values();
}

/** The same for entries with the same keys right below them, in any order. */
function shapeOf(view: ConfigView, tree: Tree, entry: number): number {
  const { kinds, dashes, keyAt, keyEnd, lines } = view;
  let shape = kinds[entry]! * 2 + dashes[entry]!;
  if (tree.ends[entry]! === entry + 1) return shape;
  // The key beside a dash is one of the entry's keys; that of a map is its name.
  if (dashes[entry] === 1) {
    shape = hashRange(lines.codes, keyAt[entry]!, keyEnd[entry]!);
  }
  for (const child of childrenOf(tree, entry)) {
    shape = shape + hashRange(lines.codes, keyAt[child]!, keyEnd[child]!) | 0;
  }
  return shape;
}

function spareInGroup(choosing: Choosing, group: readonly number[]): void {
  const { tree, failures, spare, view } = choosing;
  if (group.length <= RARE_GROUP) return;
  const size = group.reduce((sum, i) => sum + tree.ends[i]! - i, 0) /
    group.length;
  const most = size > 1
    ? 0
    : view.kinds[group[0]!] === KEY
    ? MOST_VALUES
    : MOST_ITEMS;
  if (group.length <= most) return;
  const { first, last } = endsFor(view, group[0]!, size);
  const odd = oddEntries(choosing, group);
  let failing = 0;
  let strange = 0;
  for (let n = first; n < group.length - last; n++) {
    const entry = group[n]!;
    const fails = failures[tree.ends[entry]!]! > failures[entry]!;
    if (fails && failing++ < MOST_FAILING) continue;
    if (odd.has(entry) && strange++ < MOST_ODD) continue;
    spare[entry] = 1;
  }
}

function endsFor(view: ConfigView, entry: number, size: number) {
  if (size <= 1) return view.kinds[entry] === KEY ? VALUE_ENDS : ITEM_ENDS;
  return size <= SMALL.lines ? SMALL : size <= MIDDLE.lines ? MIDDLE : LARGE;
}

/** Entries that hold a value which hardly any other has, under a key that has few values. */
function oddEntries(
  { view, tree }: Choosing,
  group: readonly number[],
): ReadonlySet<number> {
  const odd = new Set<number>();
  if (tree.ends[group[0]!]! === group[0]! + 1) return odd;
  const columns = new Map<number, Map<number, number[]>>();
  for (const entry of group) {
    for (const [key, value] of valuesOf(view, tree, entry)) {
      let values = columns.get(key);
      if (values === undefined) columns.set(key, values = new Map());
      const holders = values.get(value);
      if (holders === undefined) values.set(value, [entry]);
      else if (holders.length <= RARE_VALUE) holders.push(entry);
    }
  }
  for (const values of columns.values()) {
    if (values.size > Math.min(MOST_DISTINCT, group.length / 3)) continue;
    for (const holders of values.values()) {
      if (holders.length > RARE_VALUE) continue;
      for (const entry of holders) odd.add(entry);
    }
  }
  return odd;
}

/** Hashes of keys and values in an entry, two levels deep. */
function* valuesOf(
  view: ConfigView,
  tree: Tree,
  entry: number,
): Generator<readonly [number, number]> {
  if (view.kinds[entry] === KEY) yield valueOf(view, entry, 0);
  for (const child of childrenOf(tree, entry)) {
    if (view.kinds[child] === KEY) yield valueOf(view, child, 0);
    else if (view.kinds[child] === OPEN) {
      for (const inner of childrenOf(tree, child)) {
        if (view.kinds[inner] === KEY) yield valueOf(view, inner, child);
      }
    }
  }
}

function valueOf(
  { lines, keyAt, keyEnd, valueAt }: ConfigView,
  line: number,
  above: number,
): readonly [number, number] {
  const { codes, starts } = lines;
  const key = hashRange(codes, keyAt[line]!, keyEnd[line]!);
  const outer = above === 0
    ? 0
    : hashRange(codes, keyAt[above]!, keyEnd[above]!);
  const from = valueAt[line]!;
  const to = Math.min(starts[line + 1]! - 1, from + COMPARED);
  return [Math.imul(outer, 31) ^ key, hashRange(codes, from, to)];
}
