import assert from "node:assert/strict";
import { digestsOf } from "../../../src/compressors/json/digests.ts";
import {
  coverOf,
  digestNote,
  withoutDigests,
} from "../../../src/compressors/json/leave_out.ts";
import {
  childrenOf,
  rawOf,
  type Tape,
} from "../../../src/compressors/json/tape.ts";
import { hexOf, integrityOf } from "./digest_text.ts";
import { gridIn, tapeOfValue } from "./tapes.ts";

const digestsIn = (tape: Tape) =>
  digestsOf(tape, { failures: new Int32Array(0), hits: [], query: "" });
const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

Deno.test("withoutDigests drops whole columns and notes them by path", () => {
  const tape = tapeOfValue(times(4, (i) => ({
    name: `a${i}`,
    dist: { integrity: integrityOf(i) },
    ...i > 0 && { sha256: hexOf(i) },
  })));
  const reduced = withoutDigests(gridIn(tape), digestsIn(tape));
  assert.deepEqual(reduced.grid.columns.map(({ key }) => key), ["name"]);
  assert.equal(
    reduced.note,
    "… omitted: dist.integrity (sha512) of all 4 rows, sha256 (64 hex digits) of 3 of 4 rows",
  );
  assert.equal(reduced.dropped.length, 2);
});

Deno.test("withoutDigests covers single cells of a column that keeps others", () => {
  const tape = tapeOfValue(times(6, (i) => ({
    name: `a${i}`,
    sum: i === 2 ? "none" : hexOf(i),
  })));
  const { covered, dropped, note } = withoutDigests(
    gridIn(tape),
    digestsIn(tape),
  );
  assert.deepEqual(
    covered.map((node) => rawOf(tape, node)),
    [0, 1, 3, 4, 5].map((i) => `"${hexOf(i)}"`),
  );
  assert.equal(dropped.length, 0);
  assert.equal(note, "… omitted: sum (64 hex digits) of 5 of 6 rows");
});

Deno.test("withoutDigests keeps a column that others are made from", () => {
  const tape = tapeOfValue(times(4, (i) => ({
    path: `p${i}`,
    sum: hexOf(i),
    blob: `https://example.com/blobs/${hexOf(i)}`,
  })));
  const { grid, needed, note } = withoutDigests(gridIn(tape), digestsIn(tape));
  assert.equal(grid.columns.length, 3);
  assert.equal(needed.length, 4);
  assert.equal(note, "");
});

Deno.test("coverOf gives one note for many values, none for few", () => {
  const tape = tapeOfValue(
    Object.fromEntries(times(5, (i) => [`f${i}`, hexOf(i)])),
  );
  const rows = childrenOf(tape, 1);
  const cover = coverOf(rows, digestsIn(tape));
  assert.equal(cover.note, "… 5 values omitted (64 hex digits)");
  assert.deepEqual(cover.covered, [...rows]);
  assert.equal(coverOf(rows.slice(0, 2), digestsIn(tape)).note, "");
});

Deno.test("digestNote has brackets for a list", () => {
  const tape = tapeOfValue({ a: [1], b: 2 });
  assert.equal(digestNote(tape, 2, "3 × sha256"), "[… 3 × sha256 omitted]");
  assert.equal(digestNote(tape, 4, "sha512"), "… sha512 omitted");
});
