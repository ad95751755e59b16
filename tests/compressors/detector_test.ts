import assert from "node:assert/strict";
import { CONFIDENT, makeDetector } from "../../src/compressors/detector.ts";
import type { Recognise } from "../../src/core/detector.ts";

/** Rows in registry order. */
function detector(
  json: Recognise,
  diff: Recognise,
  log: Recognise = () => 0,
) {
  return makeDetector({
    json: { recognise: json },
    diff: { recognise: diff },
    search_results: { recognise: () => 0 },
    log: { recognise: log },
  });
}

Deno.test("makeDetector takes the first kind whose confidence is enough, not the highest", () => {
  assert.equal(detector(() => CONFIDENT, () => 1).detect("x"), "json");
  assert.equal(detector(() => 0.79, () => 0.8).detect("x"), "diff");
  assert.equal(detector(() => 0.79, () => 0.79).detect("x"), undefined);
});

Deno.test("makeDetector passes on what a recogniser throws, and takes no number for no", () => {
  const broken = () => {
    throw new RangeError("broken");
  };
  assert.throws(() => detector(broken, () => 1).detect("x"), /broken/);
  assert.equal(detector(() => NaN, () => 1).detect("x"), "diff");
});

Deno.test("makeDetector passes text and tool name on and asks no further than needed", () => {
  const asked: unknown[] = [];
  const recognise: Recognise = (...args) => asked.push(args) && 1;
  const never = () => assert.fail("asked behind the winner");
  assert.equal(detector(recognise, never).detect("text", "Bash"), "json");
  assert.deepEqual(asked, [["text", "Bash"]]);
});
