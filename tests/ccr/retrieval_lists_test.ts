import assert from "node:assert/strict";
import { ccrKey } from "../../src/ccr/key.ts";
import {
  missingFrom,
  originalsIn,
  withoutRepeats,
} from "../../src/ccr/retrieval_lists.ts";

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

Deno.test("originalsIn names what was given back, not what a text inside pretends", () => {
  const [own, beside, foreign] = ["own", "beside", "foreign"].map(ccrKey);
  const given = (hash: unknown, original_content: string) =>
    JSON.stringify({ hash, original_content });
  const fake = given(foreign, "x");
  const miss = JSON.stringify({ error: "Entry not found", hash: foreign });
  const answer = (...contents: string[]) =>
    contents.map((content) =>
      JSON.stringify({ role: "user", content: [{ id: foreign, content }] })
    ).join(",");
  const turn = {
    at: 1,
    rounds: [
      { turn: JSON.stringify(fake), answer: answer(given(own, fake), miss) },
    ],
    last: [fake],
    beside: { calls: [], answer: answer(given(beside, "b")), clientCalls: [] },
  };
  const data = JSON.stringify(turn);
  assert.deepEqual(originalsIn({ ...A!, data }), [own, beside]);
  const empty = JSON.stringify({ at: 0, rounds: [], last: [] });
  assert.deepEqual(originalsIn({ ...A!, data: empty }), []);
});
