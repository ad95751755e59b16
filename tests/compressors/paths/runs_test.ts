import assert from "node:assert/strict";
import {
  directoryCost,
  hasSameLead,
  leadCost,
  runsOf,
  sharedHead,
} from "../../../src/compressors/paths/runs.ts";
import { rowsOf } from "./samples.ts";

const runs = (text: string) => {
  const rows = rowsOf(text);
  return runsOf(rows, 0, rows.lines.count);
};

Deno.test("runsOf keeps together what stands in one directory", () => {
  const found = runs("src/a\nsrc/b\nlib/c\nsrc/d\n").map(({ from, to }) => [
    from,
    to,
  ]);
  assert.deepEqual(found, [[0, 2], [2, 3], [3, 4]]);
});

Deno.test("runsOf gives a directory to its entries, not to those of another", () => {
  const found = runs("src\nsrc/a\nsrc/net\nsrc/net/b\nsrc/new\nsrc/net/c\n");
  assert.deepEqual(found.map(({ from, to, self }) => [from, to, self]), [
    [1, 2, true],
    [3, 4, true],
    [4, 5, false],
    [5, 6, false],
  ]);
  assert.deepEqual(runs("t/a/\nt/a/x\n").map(({ self }) => self), [true]);
});

Deno.test("runsOf leaves a directory where it would be alone", () => {
  const found = runs("a\na/b\na/b/c\n");
  assert.deepEqual(found.map(({ from, to, self }) => [from, to, self]), [
    [0, 1, false],
    [2, 3, true],
  ]);
});

Deno.test("sharedHead ends with a slash, and hasSameLead compares states", () => {
  const rows = rowsOf(" M src/net/a\n M src/new/b\nM  src/c\n");
  const [a, b, c] = runsOf(rows, 0, 3);
  assert.equal(sharedHead(rows, a!, b!), " M src/".length);
  assert.ok(hasSameLead(rows, a!, b!));
  assert.ok(!hasSameLead(rows, b!, c!));
});

Deno.test("directoryCost and leadCost are nothing where nothing is written", () => {
  const [run] = runs("src/net/a\nsrc/net/b\n");
  assert.equal(leadCost(run!), 0);
  assert.equal(directoryCost(run!, 8), 0);
  assert.ok(directoryCost(run!, 0) > directoryCost(run!, 4));
});
