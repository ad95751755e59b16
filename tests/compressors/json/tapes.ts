/** Tapes and contexts for the tests of this folder. @module */
import assert from "node:assert/strict";
import type { CompressContext } from "../../../src/core/compressor.ts";
import type { Column, Grid } from "../../../src/compressors/json/column.ts";
import { gridOf } from "../../../src/compressors/json/columns.ts";
import { scanJson } from "../../../src/compressors/json/scan.ts";
import { childrenOf, type Tape } from "../../../src/compressors/json/tape.ts";

/** The tape of a valid text. */
export function tapeOf(text: string): Tape {
  const tape = scanJson(text);
  assert.ok(typeof tape !== "string", `${tape}: ${text.slice(0, 200)}`);
  return tape;
}

/** The tape of the JSON of a value. */
export function tapeOfValue(value: unknown): Tape {
  return tapeOf(JSON.stringify(value));
}

/** The columns of the children of the outermost value. */
export function gridIn(tape: Tape): Grid {
  const grid = gridOf(tape, childrenOf(tape, 1));
  assert.ok(grid, "no columns");
  return grid;
}

/** A column by its key. */
export function columnIn(grid: Grid, key: string): Column {
  const column = grid.columns.find((one) => one.key === key);
  assert.ok(column, `no column ${key}`);
  return column;
}

/** A context that counts four characters as a token. */
export function contextOf(
  { mayElide = true, query = "" }: Partial<CompressContext> = {},
): CompressContext {
  return {
    mayElide,
    query,
    countTokens: (text) => Math.ceil(text.length / 4),
  };
}
