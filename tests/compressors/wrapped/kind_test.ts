import assert from "node:assert/strict";
import fc from "fast-check";
import { wrappedKind } from "../../../src/compressors/wrapped/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import type {
  CompressContext,
  CompressOutcome,
} from "../../../src/core/compressor.ts";

const { compressor, recognise } = entryOf(wrappedKind);

const HEAD = "Exit code: 1\nWall time: 0.2 seconds\nOutput:\n";
const TAIL = "\n<system-reminder>Mind the gap.</system-reminder>\n";

function contextOf(
  part: (text: string) => CompressOutcome,
  facts: Partial<CompressContext> = {},
): CompressContext {
  return {
    query: "",
    mayElide: true,
    countTokens: (text) => text.length,
    compressPart: (text) => part(text),
    ...facts,
  };
}

Deno.test("wrappedKind keeps every byte around the form of the inner text", () => {
  const omitted = { count: 1, total: 2, unit: "lines" };
  const outcome = compressor.compress(
    `${HEAD}a\nb\nc${TAIL}`,
    contextOf((text) => ({ type: "elided", text: text.slice(0, 1), omitted })),
  );
  assert.deepEqual(outcome, {
    type: "elided",
    text: `${HEAD}a${TAIL}`,
    omitted,
  });
});

Deno.test("wrappedKind turns any reformatted inner text back", () => {
  fc.assert(fc.property(
    fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""),
    fc.string(),
    (inner, form) => {
      const text = `${HEAD}x${inner}${TAIL}`;
      const outcome = compressor.compress(
        text,
        contextOf((part) => ({
          type: "reformatted",
          text: form,
          restore: (given) => given === form ? part : "wrong",
        })),
      );
      assert(outcome.type === "reformatted");
      assert.equal(outcome.restore?.(outcome.text), text);
    },
  ));
});

Deno.test("wrappedKind tells the inner text its first line, its file and that it is the whole", () => {
  const hints: unknown[] = [];
  compressor.compress(`${HEAD}a`, {
    ...contextOf(() => ({ type: "unchanged", reason: "x" })),
    firstLine: 10,
    path: "a.log",
    compressPart: (_, hint) => {
      hints.push(hint);
      return { type: "unchanged", reason: "x" };
    },
  });
  assert.deepEqual(hints, [{ firstLine: 13, isWhole: true, path: "a.log" }]);
});

Deno.test("wrappedKind gives the reason of the inner text, or that there is nothing to see in the text", () => {
  const unchanged = contextOf(() => ({ type: "unchanged", reason: "dull" }));
  assert.deepEqual(compressor.compress(`${HEAD}a`, unchanged), {
    type: "unchanged",
    reason: "dull",
  });
  assert.deepEqual(compressor.compress("plain", unchanged), {
    type: "unchanged",
    reason: "no_view",
  });
});

Deno.test("wrappedKind claims an output in a wrapper and nothing else", () => {
  assert.equal(recognise("<stdout>\na\nb\n</stdout>"), 1);
  assert.equal(recognise("Exit code: 0\nOutput:\na\n"), 1);
  assert.equal(recognise("<html><body>a</body></html>"), 0);
  assert.equal(recognise("a\nb\n"), 0);
});
