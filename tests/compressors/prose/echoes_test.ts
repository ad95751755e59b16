import assert from "node:assert/strict";
import { EchoIndex } from "../../../src/compressors/prose/echoes.ts";
import { factsOf } from "../../../src/compressors/prose/facts.ts";
import { codesOf } from "../../../src/text/lines.ts";

/** Which of the sentences repeat an earlier one. */
function echoes(sentences: readonly string[], mayDiffer = true): boolean[] {
  const codes = codesOf(sentences.join("\n"));
  const index = new EchoIndex(codes);
  let start = 0;
  return sentences.map((sentence) => {
    const end = start + sentence.length;
    const facts = factsOf(codes, start, end);
    const isEcho = index.isEcho({ start, end, facts }, mayDiffer);
    start = end + 1;
    return isEcho;
  });
}

const LONG = "the cache keeps every answer for as long as the client stays";

Deno.test("isEcho finds the same words, whatever their capitals and marks", () => {
  assert.deepEqual(
    echoes([`${LONG}.`, `${LONG.toUpperCase()}!`, "ok ok", "ok ok"]),
    [false, true, false, false],
  );
});

Deno.test("isEcho finds nearly the same words, unless names or numbers differ", () => {
  assert.deepEqual(
    echoes([LONG, `so ${LONG}`, `${LONG} 30 s`, `${LONG} \`open\``]),
    [false, true, false, false],
  );
  assert.deepEqual(echoes([LONG, `so ${LONG}`], false), [false, false]);
});

Deno.test("isEcho does not join sentences that share a few words", () => {
  const other =
    "the cache keeps every answer but the server forgets all of them soon";
  assert.deepEqual(echoes([LONG, other]), [false, false]);
});
