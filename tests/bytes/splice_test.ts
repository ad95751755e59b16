import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { splice, spliceInSteps } from "../../src/bytes/splice.ts";
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

const STEP = 4 * 1024 * 1024;

Deno.test("spliceInSteps makes the bytes of splice, with a pause behind each step", async () => {
  const body = Uint8Array.from({ length: 2 * STEP + 9 }, (_, i) => i * 31);
  // Near the ends of steps and of the body, and further than a step is long.
  const offset = fc.constantFrom(0, STEP, 2 * STEP).chain((near) =>
    fc.integer({ min: -4, max: 9 }).map((by) => Math.max(0, near + by))
  );
  const cuts = fc.array(offset, { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(cuts, async (cuts) => {
      const edits: Edit[] = [];
      const ordered = cuts.toSorted((a, b) => a - b);
      for (let i = 0; i + 1 < ordered.length; i += 2) {
        const [start, end] = [ordered[i]!, ordered[i + 1]!];
        edits.push({ span: { start, end }, replacement: Uint8Array.of(i, 7) });
      }
      let pauses = 0;
      const made = await spliceInSteps(body, edits, () => {
        pauses++;
        return Promise.resolve();
      });
      assert.equal(Buffer.compare(made, splice(body, edits)), 0);
      assert.ok(pauses <= 2);
    }),
    { numRuns: 30 },
  );
  const one = [{ span: { start: 1, end: 1 }, replacement: Uint8Array.of(5) }];
  let pauses = 0;
  await spliceInSteps(body, one, () => Promise.resolve(void pauses++));
  assert.equal(pauses, 2);
});

Deno.test("spliceInSteps returns the same array without edits, and refuses what splice refuses", async () => {
  const body = new Uint8Array(STEP + 10);
  const pause = () => Promise.resolve();
  assert.equal(await spliceInSteps(body, [], pause), body);
  const span = { start: STEP + 5, end: STEP + 11 };
  const outside = [{ span, replacement: new Uint8Array(0) }];
  await assert.rejects(spliceInSteps(body, outside, pause), RangeError);
});
