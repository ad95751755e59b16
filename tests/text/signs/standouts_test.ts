import assert from "node:assert/strict";
import fc from "fast-check";
import { indexLines } from "../../../src/text/lines.ts";
import { standouts } from "../../../src/text/signs/standouts.ts";
import { assertLinear } from "../../cpu_time.ts";

const COUNT = 200;
const PLACE = 77;
const varied = (i: number) => 40 + (i * 7919) % 160;

function found(usual: (i: number) => string, planted = usual(PLACE)) {
  const lines = Array.from(
    { length: COUNT },
    (_, i) => i === PLACE ? planted : usual(i),
  );
  return standouts(indexLines(lines.join("\n"))).map(({ line, reason }) =>
    `${line} ${reason}`
  );
}

Deno.test("standouts finds a rare value of a key or behind a word", () => {
  const cases: readonly (readonly [(i: number) => string, string])[] = [
    [(i) => `a user${i} role=leader n=${i}`, "a user77 role=follower n=77"],
    [(i) => `{"n":${i},"role":"leader"}`, '{"n":77,"role":"follower"}'],
    [(i) => `state READY after ${varied(i)} s`, "state GONE after 81 s"],
    [(i) => `x ${varied(i)} retries=0`, "x 99 retries=7"],
  ];
  for (const [usual, planted] of cases) {
    assert.deepEqual(found(usual, planted), [`${PLACE} rare`], planted);
  }
});

Deno.test("standouts finds an extreme number in any unit", () => {
  const usual = (i: number) => `request ${i} took ${varied(i)}ms`;
  for (const took of ["48210ms", "48.2s", "-5ms", "2min"]) {
    const planted = `request ${PLACE} took ${took}`;
    assert.deepEqual(found(usual, planted), [`${PLACE} extreme`], took);
  }
});

Deno.test("standouts finds a value that is rare beside two usual ones", () => {
  const usual = (i: number) => `get ${i} cache=${i % 3 === 0 ? "MISS" : "HIT"}`;
  assert.deepEqual(found(usual, "get 77 cache=BYPASS"), [`${PLACE} rare`]);
  const each = (i: number) => `get ${i} cache=c${i % 6}`;
  assert.deepEqual(found(each, "get 77 cache=BYPASS"), []);
});

Deno.test("standouts of a few lines are values of keys, not words of a sentence", () => {
  const fewOf = (usual: (i: number) => string, planted: string) =>
    standouts(indexLines(
      Array.from({ length: 9 }, (_, i) => i === 5 ? planted : usual(i))
        .join("\n"),
    )).map(({ line, reason }) => `${line} ${reason}`);
  const cases: readonly (readonly [(i: number) => string, string, string])[] = [
    [(i) => `job ${i} role=leader`, "job 5 role=follower", "rare"],
    [(i) => `job ${i} http.status=200`, "job 5 http.status=206", "rare"],
    [(i) => `job ${i} [zone north]`, "job 5 [zone south]", "rare"],
    [(i) => `job ${i} rss=${41 + i}M`, "job 5 rss=3910M", "extreme"],
    [(i) => `job ${i} took=${9 + i}.671µs`, "job 5 took=2.35771ms", "extreme"],
  ];
  for (const [usual, planted, reason] of cases) {
    assert.deepEqual(fewOf(usual, planted), [`5 ${reason}`], planted);
  }
  assert.deepEqual(
    fewOf((i) => `job ${i} role=${i === 8 ? "follower" : "leader"}`, "job 5"),
    ["8 rare"],
  );
  assert.deepEqual(fewOf((i) => `f${i} is unused`, "f5 is shadowed"), []);
  assert.deepEqual(fewOf((i) => `f${i} n=${i}`, "f5 n=50"), []);
});

Deno.test("standouts finds nothing in times, counters, ids and ports", () => {
  const usual = (i: number) =>
    `2026-03-02T10:${10 + Math.floor(i / 60)}:${
      10 + i % 50
    }Z INFO job ${i} id=${(i * 2654435761 % 2 ** 32).toString(16)} port=${
      30000 + (i * 7919) % 30000
    } in ${varied(i)} ms`;
  assert.deepEqual(found(usual), []);
});

Deno.test("standouts gives a bounded number of lines for any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assert.ok(standouts(indexLines(text)).length <= 24);
  }));
});

Deno.test("standouts takes time in proportion to the text, also on hostile ones", async () => {
  for (
    const piece of [
      "a=1 ",
      "x ",
      "1 ",
      "a1\n",
      "a=-9\n",
      "=",
      '"a":',
      "word other\n",
    ]
  ) {
    await assertLinear(piece, {
      make: (size) =>
        Array.from({ length: size }, (_, i) => piece + i % 97).join(""),
      work: (text) => standouts(indexLines(text)),
      sizes: [4_000, 64_000],
    });
  }
});
