import assert from "node:assert/strict";
import { CONFIDENT, makeDetector } from "../../src/compressors/detector.ts";
import { CONTENT } from "../../src/compressors/registry.ts";
import type { ContentKind, Recognise } from "../../src/core/detector.ts";

const SILENT = Object.fromEntries(
  Object.keys(CONTENT).map((kind) => [kind, { recognise: () => 0 }]),
) as unknown as Record<ContentKind, { readonly recognise: Recognise }>;

/** Rows in registry order; the others claim nothing. */
function detector(
  json: Recognise,
  diff: Recognise,
  log: Recognise = () => 0,
) {
  return makeDetector({
    ...SILENT,
    json: { recognise: json },
    diff: { recognise: diff },
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

Deno.test("makeDetector passes text and hint on and asks no further than needed", () => {
  const asked: unknown[] = [];
  const recognise: Recognise = (...args) => asked.push(args) && 1;
  const never = () => assert.fail("asked behind the winner");
  assert.equal(
    detector(recognise, never).detect("text", { toolName: "Bash" }),
    "json",
  );
  assert.deepEqual(asked, [["text", { toolName: "Bash" }]]);
});

Deno.test("makeDetector asks about an unclaimed text before mixed takes it", () => {
  const asked: string[] = [];
  const says = (kind: string, confidence: number): Recognise => () => {
    asked.push(kind);
    return confidence;
  };
  const detect = (confidence: number) =>
    makeDetector({
      ...SILENT,
      log: {
        recognise: says("log", 0),
        recogniseUnclaimed: says("unclaimed", confidence),
      },
      mixed: { recognise: says("mixed", 1) },
    }).detect("x");
  assert.equal(detect(1), "log");
  assert.equal(detect(0.5), "mixed");
  assert.deepEqual(asked, ["log", "unclaimed", "log", "unclaimed", "mixed"]);
});

Deno.test("makeDetector asks no row that needs more lines than a text of no named file has", () => {
  const { detect } = makeDetector({
    ...SILENT,
    diff: {
      fewestLines: 3,
      recognise: () => 1,
      recogniseUnclaimed: () => 1,
    },
  });
  for (const text of ["", "a", "a\n", "a\nb", "a\n\n"]) {
    assert.equal(detect(text), undefined, JSON.stringify(text));
    assert.equal(detect(text, { path: "a" }), "diff", JSON.stringify(text));
  }
  for (const text of ["a\nb\nc", "\n\n\n", "a\n".repeat(99)]) {
    assert.equal(detect(text), "diff", JSON.stringify(text));
  }
});
