import assert from "node:assert/strict";
import { openTokenCounter } from "../../src/tokens/counter.ts";
import { countPieces, spanText } from "../../src/tokens/count_pieces.ts";

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

const utf8 = new TextEncoder();
const whole = (bytes: Uint8Array) =>
  spanText(bytes, { start: 0, end: bytes.length });

Deno.test("spanText gives the text a string literal stands for", () => {
  const body = utf8.encode('{"a":"x\\ny","b":12}');
  assert.equal(spanText(body, { start: 5, end: 11 }), "x\ny");
});

Deno.test("spanText gives the raw text of any other value", () => {
  const body = utf8.encode('[{"é": "\\n"}]');
  const span = { start: 1, end: body.length - 1 };
  assert.equal(spanText(body, span), '{"é": "\\n"}');
});

Deno.test("spanText gives raw text when a literal stands for no valid text", () => {
  assert.equal(whole(utf8.encode('"a\\ud800"')), '"a\\ud800"');
  assert.equal(whole(Uint8Array.of(0x22, 0x61, 0xff, 0x22)), '"a\ufffd"');
});

Deno.test("spanText keeps a byte order mark", () => {
  assert.equal(whole(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31)), "\ufeff1");
});
