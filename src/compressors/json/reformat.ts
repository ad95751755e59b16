/** The same JSON with fewer characters: minified, and similar objects as tables. @module */
import { gridOf } from "./columns.ts";
import type { Grid } from "./column.ts";
import { tableOf } from "./table.ts";
import { ARRAY, childrenOf, keyOf, OBJECT, rawOf, type Tape } from "./tape.ts";

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

  /** Whether {@linkcode reformat} wrote a container as a table. */
  isChosen(node: number): boolean {
    return this.#chosen.has(node);
  }
}

/** Writes the document with tables wherever they are shorter. O(size · 12). */
export function reformat(tape: Tape, tables: Tables): string {
  if (tape.count[0] === 1) return valueOf(tape, 1, tables, 0);
  return tabulated(tape, 0, tables, tape.text);
}

function valueOf(
  tape: Tape,
  node: number,
  tables: Tables,
  level: number,
): string {
  if (tape.tabular[node] === 0 || level > MAX_LEVELS) return rawOf(tape, node);
  return tabulated(tape, node, tables, plainOf(tape, node, tables, level));
}

/** The table of a container's children, or `plain` when that is not much longer. */
function tabulated(
  tape: Tape,
  node: number,
  tables: Tables,
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
  tables: Tables,
  level: number,
): string {
  const children = childrenOf(tape, node);
  if (!children.some((child) => tape.tabular[child] === 1)) {
    return rawOf(tape, node);
  }
  const parts: string[] = [];
  for (const child of children) {
    const value = valueOf(tape, child, tables, level + 1);
    parts.push(
      tape.kind[node] === ARRAY ? value : `"${keyOf(tape, child)}":${value}`,
    );
  }
  return tape.kind[node] === ARRAY
    ? `[${parts.join(",")}]`
    : `{${parts.join(",")}}`;
}
