import assert from "node:assert/strict";
import { learnStarts } from "../../../src/compressors/log/start_forms.ts";
import { indexLines } from "../../../src/text/lines.ts";

function learnt(lines: readonly string[], isWhole = false) {
  return learnStarts(indexLines(lines.join("\n")), isWhole)
    .map(({ literals }) => literals);
}

const numbered = (make: (i: number) => string) =>
  Array.from({ length: 50 }, (_, i) => make(i));

Deno.test("learnStarts keeps what numbers have in common, up to a sign in them", () => {
  assert.deepEqual(
    learnt(numbered((i) => `10:15:${10 + i}.${i} [31] step of ${"ab"[i % 2]}`)),
    [["10:15:", " [31] step of "]],
  );
});

Deno.test("learnStarts lets two numbers differ, no more", () => {
  const two = numbered((i) => `worker ${i} job ${7 * i} said ${"xyz"[i % 3]}`);
  assert.deepEqual(learnt(two)[0], ["worker ", " job ", " said "]);
  const three = numbered((i) =>
    `a ${i} bb ${7 * i} cc ${3 * i} said ${"xyz"[i % 3]}`
  );
  for (const literals of learnt(three)) assert.ok(literals.length <= 3);
});

Deno.test("learnStarts ends with a blank when no word may be cut", () => {
  const lines = numbered((i) =>
    `https://example.com/some/where/item${"xyz"[i % 3]}`
  );
  assert.equal(learnt(lines).length, 1);
  assert.deepEqual(learnt(lines, true), []);
});

Deno.test("learnStarts passes over starts that say that something failed", () => {
  assert.deepEqual(
    learnt(numbered((i) => `ERROR failed to open file ${"xyz"[i % 3]}`)),
    [],
  );
});

Deno.test("learnStarts gives nothing for few or unlike lines", () => {
  assert.deepEqual(learnt([]), []);
  assert.deepEqual(learnt(["a common start of lines 1"]), []);
  assert.deepEqual(learnt(["one thing", "other things", "a third"]), []);
});

Deno.test("learnStarts ends within no name", () => {
  const lines = numbered((i) =>
    `pool-7 mode_change_${["file", "line", "word"][i % 3]} ${i} of many`
  );
  for (const [first] of learnt(lines)) assert.doesNotMatch(first ?? "", /_$/);
});
