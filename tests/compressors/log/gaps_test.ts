import assert from "node:assert/strict";
import {
  FAILURE,
  gapsOf,
  kindsIn,
  OTHERS,
  shortNote,
  totalsOf,
} from "../../../src/compressors/log/gaps.ts";
import { viewLog } from "../../../src/compressors/log/view.ts";
import { indexLines } from "../../../src/text/lines.ts";

const lines = Array.from(
  { length: 60 },
  (_, i) =>
    i % 3 === 0
      ? `ERROR disk ${i} is lost`
      : `all is well at place number ${i}`,
);
const view = viewLog(indexLines(lines.join("\n")));

/** Keeps these lines. */
function keeping(...kept: number[]): Uint8Array {
  const keep = new Uint8Array(lines.length);
  for (const i of kept) keep[i] = 1;
  return keep;
}

Deno.test("gapsOf names range and failures, and passes over gaps that are not worth a note", () => {
  const gaps = gapsOf(view, keeping(0, 30, 32));
  assert.deepEqual(gaps.map(shortNote), [
    "… lines 2-30 omitted (9 error lines)",
    "… lines 34-60 omitted (9 error lines)",
  ]);
});

Deno.test("kindsIn and totalsOf count lines per kind in one gap and in all", () => {
  const gaps = gapsOf(view, keeping(0, 30, 32));
  const kinds = kindsIn(view, gaps[0]!);
  assert.deepEqual(kinds.map(({ rank, count }) => [rank, count]), [
    [OTHERS, 20],
    [FAILURE, 9],
  ]);
  const { counts, failures } = totalsOf(view, gaps);
  assert.deepEqual(kinds.map(({ key }) => counts.get(key)), [38, 18]);
  assert.equal(failures.get(kinds[1]!.key)!.length, 18);
});
