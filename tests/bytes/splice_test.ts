import assert from "node:assert/strict";
import fc from "fast-check";
import { splice } from "../../src/bytes/splice.ts";
import type { Edit } from "../../src/core/block.ts";

/** A body and ordered, disjoint edits of it, insertions included. */
const bodyAndEdits = fc.uint8Array({ maxLength: 200 }).chain((body) =>
  fc.record({
    body: fc.constant(body),
    cuts: fc.array(fc.nat(body.length), { maxLength: 12 }).map((cuts) =>
      cuts.toSorted((a, b) => a - b)
    ),
    replacement: fc.uint8Array({ maxLength: 10 }),
  })
).map(({ body, cuts, replacement }) => {
  const edits: Edit[] = [];
  for (let i = 0; i + 1 < cuts.length; i += 2) {
    edits.push({ span: { start: cuts[i]!, end: cuts[i + 1]! }, replacement });
  }
  return { body, edits };
});

Deno.test("splice keeps every byte outside the edits and puts each replacement in place", () => {
  fc.assert(
    fc.property(bodyAndEdits, ({ body, edits }) => {
      const expected: number[] = [];
      let at = 0;
      for (const { span, replacement } of edits) {
        expected.push(...body.subarray(at, span.start), ...replacement);
        at = span.end;
      }
      expected.push(...body.subarray(at));
      assert.deepEqual([...splice(body, edits)], expected);
    }),
  );
});

Deno.test("splice without edits returns the same array", () => {
  const body = new Uint8Array([1, 2, 3]);
  assert.equal(splice(body, []), body);
});

Deno.test("splice refuses overlapping, reversed and outlying spans", () => {
  const body = new Uint8Array(10);
  const replacement = new Uint8Array(20);
  const edit = (start: number, end: number): Edit => ({
    span: { start, end },
    replacement,
  });
  for (
    const edits of [
      [edit(0, 5), edit(4, 6)],
      [edit(5, 4)],
      [edit(8, 11)],
      [edit(6, 7), edit(1, 2)],
    ]
  ) {
    assert.throws(() => splice(body, edits), RangeError);
  }
});
