import assert from "node:assert/strict";
import { openTokenCounter } from "../../src/tokens/counter.ts";
import { countPieces } from "../../src/tokens/count_pieces.ts";

const counter = await openTokenCounter();
const model = "gpt-5";

/** Values one behind the other, as a body has them. */
function piecesOf(values: readonly string[]) {
  const literals = values.map((value) => JSON.stringify(value));
  let end = 0;
  const encoder = new TextEncoder();
  const ends = literals.map((one) => end += encoder.encode(one).length);
  return {
    bytes: encoder.encode(literals.join("")),
    ends: Uint32Array.from(ends),
    model,
  };
}

Deno.test("countPieces counts the text of each value, in order", async () => {
  const values = ["déjà vu\n12345 times", "", "x".repeat(90_000), "ok"];
  const counted: number[] = [];
  await countPieces(counter, piecesOf(values), (from, tokens) => {
    assert.equal(from, counted.length);
    counted.push(...tokens);
  });
  assert.deepEqual(counted, values.map((text) => counter.count(text, model)));
});

Deno.test("countPieces gives other work its turn before it counts, and between two slices", async () => {
  const steps: string[] = [];
  const done = countPieces(
    counter,
    piecesOf(Array.from({ length: 90 }, () => "word ".repeat(200))),
    (from) => {
      steps.push(`slice from ${from}`);
      setTimeout(() => steps.push("other work"), 0);
    },
  );
  assert.deepEqual(steps, []);
  await done;
  assert(steps.length >= 4, `${steps}`);
  for (const [i, step] of steps.entries()) {
    assert.equal(step === "other work", i % 2 === 1, `${steps}`);
  }
});
