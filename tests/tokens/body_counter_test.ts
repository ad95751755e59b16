import assert from "node:assert/strict";
import type { CountPieces } from "../../src/core/tokens.ts";
import { BodyCounter, pieceSpans } from "../../src/tokens/body_counter.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** A counter whose worker counts bytes, when it is told to. */
function counterWith(maxCounts?: number) {
  const asked: CountPieces[] = [];
  const release: (() => void)[] = [];
  const counter = new BodyCounter((pieces, onCounted) => {
    asked.push(pieces);
    const { promise, resolve } = Promise.withResolvers<void>();
    release.push(() => {
      const spans = pieceSpans(pieces.ends);
      for (const [i, { start, end }] of spans.entries()) {
        onCounted(i, [end - start]);
      }
      resolve();
    });
    return promise;
  }, maxCounts);
  const texts = () =>
    asked.map(({ bytes, ends }) =>
      pieceSpans(ends).map(({ start, end }) =>
        decoder.decode(bytes.subarray(start, end))
      )
    );
  return { counter, texts, release: () => release.pop()!() };
}

const body = utf8.encode('{"a":"first","b":"second one"}');
const spans = [{ start: 5, end: 12 }, { start: 17, end: 29 }];

Deno.test("BodyCounter asks for values it has not met, and for nothing twice", async () => {
  const { counter, texts, release } = counterWith();
  const first = counter.count({ body, spans, model: "m", extra: "tool" });
  release();
  assert.deepEqual(await first.done, { tokens: 7 + 12, extraTokens: 4 });
  const again = counter.count({ body, spans, model: "m", extra: "tool" });
  assert.deepEqual(again.estimate(), { tokens: 19, extraTokens: 4 });
  assert.deepEqual(await again.done, { tokens: 19, extraTokens: 4 });
  const wider = [...spans, { start: 14, end: 15 }];
  counter.count({ body, spans: wider, model: "m", extra: "" });
  assert.deepEqual(texts(), [['"first"', '"second one"', "tool"], ["b"]]);
});

Deno.test("BodyCounter estimates from the length what is not counted yet", async () => {
  const { counter, release } = counterWith();
  const first = counter.count({ body, spans, model: "m", extra: "12345678" });
  assert.deepEqual(first.estimate(), { tokens: 5, extraTokens: 2 });
  assert.equal(first.isExact(), false);
  release();
  await first.done;
  assert.equal(first.isExact(), true);
  assert.deepEqual(first.estimate(), { tokens: 19, extraTokens: 8 });
});

Deno.test("BodyCounter looks up many values in steps, and takes the rest from its length until then", async () => {
  const texts = Array.from({ length: 1300 }, (_, i) => `text ${i} `.repeat(20));
  const literals = texts.map((text) => JSON.stringify(text));
  const many = utf8.encode(literals.join(""));
  let at = 0;
  const spans = literals.map(({ length }) => ({
    start: at,
    end: at += length,
  }));
  const asked: number[] = [];
  const counter = new BodyCounter(({ ends }, onCounted) => {
    asked.push(ends.length);
    onCounted(0, [...ends].map((end, i) => end - (ends[i - 1] ?? 0)));
    return Promise.resolve();
  });
  const input = { body: many, spans, model: "m", extra: "" };
  const first = counter.count(input);
  assert.equal(first.estimate().tokens, Math.ceil(many.length / 4));
  assert.equal(first.isExact(), false);
  assert.equal((await first.done).tokens, many.length);
  assert.equal(first.isExact(), true);
  const again = counter.count(input);
  assert.equal(again.isExact(), false);
  assert.equal((await again.done).tokens, many.length);
  assert.deepEqual(asked, [1300]);
});

Deno.test("BodyCounter says that it estimates as long as a single text is not counted", async () => {
  const counter = new BodyCounter((_, onCounted) => {
    onCounted(0, [3]);
    return Promise.resolve();
  });
  const some = counter.count({ body, spans, model: "m", extra: "" });
  await some.done;
  assert.equal(some.isExact(), false);
  const known = counter.count({
    body,
    spans: spans.slice(0, 1),
    model: "m",
    extra: "",
  });
  assert.equal(known.isExact(), true);
  // Only the text beside the body is open.
  const beside = counter.count({ body, spans: [], model: "m", extra: "x y" });
  assert.equal(beside.isExact(), true);
});

Deno.test("BodyCounter keeps counts of different encodings apart", () => {
  const { counter, texts, release } = counterWith();
  for (const model of ["gpt-4", "gpt-4o"]) {
    counter.count({ body, spans, model, extra: "" });
    release();
  }
  assert.equal(texts().length, 2);
});

Deno.test("BodyCounter forgets the least recently used", () => {
  const { counter, texts, release } = counterWith(1);
  counter.count({ body, spans, model: "m", extra: "" });
  release();
  counter.count({ body, spans: spans.slice(1), model: "m", extra: "" });
  assert.equal(texts().length, 1);
  counter.count({ body, spans: spans.slice(0, 1), model: "m", extra: "" });
  assert.deepEqual(texts()[1], ['"first"']);
});

Deno.test("BodyCounter takes an id in place of a digest", () => {
  const { counter, texts, release } = counterWith();
  const named = (id: string) => [{ ...spans[0]!, id }];
  for (const id of ["a", "b", "a"]) {
    counter.count({ body, spans: named(id), model: "m", extra: "" });
    if (texts().length === 1 || id === "b") release();
  }
  assert.equal(texts().length, 2);
});

Deno.test("BodyCounter counts nothing for an empty body", async () => {
  const { counter } = counterWith();
  const empty = counter.count({ body, spans: [], model: "m", extra: "" });
  assert.deepEqual(await empty.done, { tokens: 0, extraTokens: 0 });
});

Deno.test("BodyCounter copies a bounded number of bytes at a time; small bodies do not wait", async () => {
  const asked: { readonly pieces: CountPieces; readonly end: () => void }[] =
    [];
  const counter = new BodyCounter((pieces, onCounted) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => {
      onCounted(0, [pieces.bytes.length]);
      resolve();
    };
    asked.push({ pieces, end });
    return promise;
  });
  const of = (bytes: number, fill: number) => {
    const body = new Uint8Array(bytes).fill(fill);
    const spans = [{ start: 0, end: bytes }];
    return counter.count({ body, spans, model: "m", extra: "" });
  };
  const large = [1, 2, 3].map((fill) => of(3_000_000, fill));
  assert.equal(asked.length, 1);
  const small = of(1000, 4);
  assert.equal(asked.length, 2);
  asked[1]!.end();
  assert.equal((await small.done).tokens, 1000);
  for (const [i, at] of [0, 2, 3].entries()) {
    asked[at]!.end();
    assert.equal((await large[i]!.done).tokens, 3_000_000);
  }
});
