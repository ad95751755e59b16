import assert from "node:assert/strict";
import { makeDetector } from "../../src/compressors/detector.ts";
import { CONTENT } from "../../src/compressors/registry.ts";
import { SAMPLES } from "../bench/samples.ts";

const detector = makeDetector(CONTENT);

Deno.test("CONTENT is asked from what can be told for certain to what takes the rest", () => {
  assert.deepEqual(Object.keys(CONTENT), [
    "json",
    "wrapped",
    "diff",
    "numbered",
    "html",
    "search_results",
    "paths",
    "table",
    "log",
    "config",
    "source_code",
    "prose",
    "dense",
    "mixed",
  ]);
});

Deno.test("CONTENT has one compressor per kind, each with its own id", () => {
  const ids = Object.values(CONTENT).map((entry) => entry.compressor.id);
  assert.equal(new Set(ids).size, ids.length);
});

for (const [kind, make] of Object.entries(SAMPLES)) {
  // A made text of random words says too little to be taken for prose.
  if (kind === "prose") continue;
  Deno.test(`CONTENT recognises ${kind}, and nothing before it does, at several lengths`, () => {
    for (const length of [3_000, 9_000, 60_000]) {
      assert.equal(detector.detect(make(length)), kind, `${length} characters`);
    }
  });
}

Deno.test("CONTENT takes running text for prose", () => {
  const text =
    `The service keeps its state in one file. When it starts, it reads that file and checks every entry.

An entry that cannot be read is moved aside, and a warning names it. You must not delete such entries by hand: the next start reports them, and an operator decides what to do.

By default the file is written every 30 seconds, or after 1,000 changes.
`;
  assert.equal(detector.detect(text), "prose");
});

Deno.test("CONTENT leaves texts alone that say nothing of their kind", () => {
  for (const text of ["", "ok", "done.\n", "? ".repeat(200)]) {
    assert.equal(detector.detect(text), undefined, text.slice(0, 10));
  }
});
