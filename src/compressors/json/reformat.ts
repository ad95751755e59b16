/** The same JSON with fewer characters: minified, and similar objects as tables. @module */
import { gridOf } from "./columns.ts";
import type { Grid } from "./column.ts";
import { tableOf } from "./table.ts";
import type { Strings } from "./embedded.ts";
import {
  ARRAY,
  childrenOf,
  ESCAPED,
  keyOf,
  OBJECT,
  rawOf,
  type Tape,
} from "./tape.ts";

/** Levels of containers that are searched for tables. */
const MAX_LEVELS = 12;
/** What a table must save to be used, as a share and in characters. */
const MAX_SHARE = 0.9;
const MIN_SAVED = 16;

/** Tables of one text, each found once. */
export class Tables {
  readonly #tape: Tape;
  readonly #grids = new Map<number, Grid | undefined>();
  readonly #chosen = new Set<number>();

  /** For the containers of `tape`. */
  constructor(tape: Tape) {
    this.#tape = tape;
  }

  /** The columns of a container's children; `undefined` when they have none in common. */
  gridOf(node: number): Grid | undefined {
    if (this.#grids.has(node)) return this.#grids.get(node);
    const grid = gridOf(this.#tape, childrenOf(this.#tape, node));
    this.#grids.set(node, grid);
    return grid;
  }

  /** Remembers that a container is shorter as a table. */
  choose(node: number): void {
    this.#chosen.add(node);
  }

  /** Number of containers that are shorter as tables. */
  get chosen(): number {
    return this.#chosen.size;
  }

  /** Whether {@linkcode reformat} wrote a container as a table. */
  isChosen(node: number): boolean {
    return this.#chosen.has(node);
  }
}

/** What takes part in the writing of one document. */
export interface Parts {
  /** Tables of the tape. */
  readonly tables: Tables;
  /** Writes long strings as what they hold; without it they stay strings. */
  readonly strings?: Strings | undefined;
}

/** Writes the document with tables wherever they are shorter. O(size · 12). */
export function reformat(tape: Tape, parts: Parts): string {
  if (tape.count[0] === 1) return valueOf(tape, 1, parts, 0);
  return tabulated(tape, 0, parts, tape.text);
}

function valueOf(
  tape: Tape,
  node: number,
  parts: Parts,
  level: number,
): string {
  if (tape.tabular[node] === 0 || level > MAX_LEVELS) return rawOf(tape, node);
  if (tape.kind[node] === ESCAPED) {
    const literal = rawOf(tape, node);
    return parts.strings?.write(literal) ?? literal;
  }
  return tabulated(tape, node, parts, plainOf(tape, node, parts, level));
}

/** The table of a container's children, or `plain` when that is not much longer. */
function tabulated(
  tape: Tape,
  node: number,
  { tables }: Parts,
  plain: string,
): string {
  const keyed = tape.kind[node] === OBJECT;
  const grid = tables.gridOf(node);
  if (grid === undefined) return plain;
  const table = tableOf(tape, grid, keyed);
  const isShorter = table.length <= plain.length * MAX_SHARE &&
    table.length + MIN_SAVED <= plain.length;
  if (!isShorter) return plain;
  tables.choose(node);
  return table;
}

/** A container in JSON, with tables inside. */
function plainOf(
  tape: Tape,
  node: number,
  parts: Parts,
  level: number,
): string {
  const children = childrenOf(tape, node);
  if (!children.some((child) => tape.tabular[child] === 1)) {
    return rawOf(tape, node);
  }
  const isList = tape.kind[node] === ARRAY;
  const texts: string[] = [];
  for (const child of children) {
    const value = valueOf(tape, child, parts, level + 1);
    texts.push(isList ? value : `"${keyOf(tape, child)}":${value}`);
  }
  return isList ? `[${texts.join(",")}]` : `{${texts.join(",")}}`;
}
