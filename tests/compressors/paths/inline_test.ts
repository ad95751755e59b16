import assert from "node:assert/strict";
import {
  CONTINUES,
  OPENS,
  OWN,
  placesOf,
} from "../../../src/compressors/paths/inline.ts";
import { runsOf } from "../../../src/compressors/paths/runs.ts";
import { rowsOf } from "./samples.ts";

function places(lines: readonly string[], root = 0): number[] {
  const rows = rowsOf(lines.join("\n"));
  return [...placesOf(rows, runsOf(rows, 0, lines.length), root)];
}

Deno.test("placesOf gives a directory with many names its own line", () => {
  const lines = [..."abcdefgh"].flatMap((name) => [`src/deep/${name}.ts`]);
  assert.deepEqual(places(lines), [OWN]);
});

Deno.test("placesOf puts names of many directories into one line", () => {
  const lines = [..."abcdef"].map((name) => `packages/${name}/package.json`);
  assert.deepEqual(places(lines), [
    OPENS,
    ...Array.from({ length: 5 }, () => CONTINUES),
  ]);
});

Deno.test("placesOf keeps paths with different states apart", () => {
  const lines = ["a/x", "b/x", "c/x"].flatMap((path) => [
    `?? ${path}`,
    ` M ${path}`,
  ]);
  assert.ok(!places(lines).includes(CONTINUES));
});

Deno.test("placesOf leaves what stands above the root on its own", () => {
  const lines = ["/home/shop", "/home/shop/a/x.ts", "/home/shop/b/y.ts"];
  assert.equal(places(lines, "/home/shop/".length)[0], OWN);
});
