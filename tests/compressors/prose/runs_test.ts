import assert from "node:assert/strict";
import {
  ALONE,
  BLOCK,
  LIST,
  ROWS,
  runsOf,
  TABLE,
} from "../../../src/compressors/prose/runs.ts";
import { unitsOf } from "../../../src/compressors/prose/units.ts";
import { indexLines } from "../../../src/text/lines.ts";

function runs(text: string) {
  const lines = indexLines(text);
  return runsOf(lines, unitsOf(lines));
}

Deno.test("runsOf finds lists, tables, code and options, and counts their entries", () => {
  const { what, index, size } = runs(
    "Text it is.\n\n- One is here. It goes on.\n- Two is here.\n\n| a |\n| b |\n\n```\nx\n```\n```\ny\n```\n",
  );
  assert.deepEqual(
    [...what],
    [ALONE, LIST, LIST, LIST, TABLE, TABLE, ...Array(6).fill(BLOCK)],
  );
  assert.deepEqual([...index], [0, 0, 0, 1, 0, 1, 0, 1, 2, 0, 1, 2]);
  assert.deepEqual([...size], [1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3]);
});

Deno.test("runsOf takes the lines below an option as part of it", () => {
  const { what, size } = runs(
    "Options:\n  -a, --all          Shows all of it\n                     and more of it\n  -b, --brief        Shows less\n",
  );
  assert.deepEqual([...what].slice(1), [ROWS, ROWS, ROWS]);
  assert.equal(size[1], 2);
});

Deno.test("runsOf marks entries that end otherwise than most", () => {
  const items = Array.from(
    { length: 12 },
    (_, i) => `- package${i} - ${i === 5 ? "GPL" : "MIT"}`,
  );
  const { odd, alike } = runs(items.join("\n"));
  assert.deepEqual([...odd].flatMap((mark, i) => mark ? [i] : []), [5]);
  assert.deepEqual([...alike].flatMap((mark, i) => mark ? [i] : []), [10, 11]);
  assert.ok(
    !runs(items.map((_, i) => `- item ${i}`).join("\n")).odd.includes(1),
  );
});
