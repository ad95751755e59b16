import assert from "node:assert/strict";
import { missingFrom, withoutRepeats } from "../../src/ccr/retrieval_lists.ts";

const [A, B, C] = ["a", "b", "c"].map((anchor) => ({
  anchor,
  format: "f",
  data: "1",
}));

Deno.test("missingFrom gives what is not known, in its order", () => {
  assert.deepEqual(missingFrom([{ ...B! }], [C!, B!, A!]), [C, A]);
  assert.deepEqual(missingFrom([A!], []), []);
  assert.deepEqual(missingFrom([], [A!]), [A]);
});

Deno.test("withoutRepeats gives each once, at its first place", () => {
  const other = { ...A!, data: "2" };
  assert.deepEqual(withoutRepeats([A!, B!, { ...A! }, other, B!]), [
    A,
    B,
    other,
  ]);
  assert.deepEqual(withoutRepeats([]), []);
  const alone = { ...A!, data: "\ud800" };
  assert.equal(withoutRepeats([alone, { ...A!, data: "\ufffd" }]).length, 1);
});
