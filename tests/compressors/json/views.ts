/** Views for the tests of this folder. @module */
import assert from "node:assert/strict";
import { type JsonView, viewOf } from "../../../src/compressors/json/fold.ts";
import type { Grid } from "../../../src/text/json/grid.ts";

/** The view of a JSON text. */
export function viewOfText(text: string): JsonView {
  const view = viewOf(text);
  assert.ok(view !== undefined, text.slice(0, 200));
  return view;
}

/** The view of the JSON of a value. */
export function viewOfValue(value: unknown): JsonView {
  return viewOfText(JSON.stringify(value));
}

/** The columns of the outermost container. */
export function gridOf(view: JsonView): Grid {
  const grid = view.grids.of(1);
  assert.ok(grid !== undefined, "no columns");
  return grid;
}
