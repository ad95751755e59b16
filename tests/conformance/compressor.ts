/** Rules every compressor obeys; each compressor's test file calls this once. @module */
import assert from "node:assert/strict";
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../src/core/compressor.ts";

/** In every run: nothing, almost nothing, a lone surrogate, markers of earlier compressions. */
const ALWAYS = [
  "",
  "\n",
  "\ud800",
  "\r\n\r\n",
  "[12 items compressed. Retrieve more: hash=0123456789abcdef01234567]",
  "a\n<<ccr:0123456789abcdef01234567>>\nb",
];

/** A marker line as the pipeline appends it. */
const MARKER =
  "[12 lines compressed. Retrieve more: hash=0123456789abcdef01234567]";

/**
 * Registers one test per rule and sample.
 *
 * @param compressor The one under test.
 * @param samples Texts of its kind; at least one that it shortens.
 */
export function testCompressor(
  compressor: Compressor,
  samples: readonly string[],
): void {
  const { id } = compressor;
  for (const [i, text] of [...ALWAYS, ...samples].entries()) {
    Deno.test(`${id} is deterministic and never grows, sample ${i}`, () => {
      for (const mayElide of [true, false]) {
        const outcome = compressor.compress(text, contextOf(mayElide));
        const again = compressor.compress(text, contextOf(mayElide));
        assert.deepEqual(withoutInverse(again), withoutInverse(outcome));
        assertOutcome(compressor, text, outcome);
        if (!mayElide) assert.notEqual(outcome.type, "elided");
      }
    });
    Deno.test(`${id} is safe with a lone surrogate or a marker beside sample ${i}`, () => {
      for (const extra of ["\ud800", `\n${MARKER}`]) {
        const changed = text + extra;
        const outcome = compressor.compress(changed, contextOf(true));
        assertOutcome(compressor, changed, outcome);
        if (extra.includes(MARKER) && outcome.type !== "unchanged") {
          assert.ok(outcome.text.includes(MARKER), "the marker is gone");
        }
      }
    });
  }
  Deno.test(`${id} has a slug as its id and shortens a sample`, () => {
    assert.match(id, /^[a-z][a-z0-9_]*$/);
    const outcomes = samples.map((text) =>
      compressor.compress(text, contextOf(true)).type
    );
    assert.ok(outcomes.some((type) => type !== "unchanged"), `${outcomes}`);
  });
}

/** Inverses are made anew each time. */
function withoutInverse(outcome: CompressOutcome): unknown {
  return { ...outcome, restore: undefined };
}

/** Counts characters, so that a token never hides a longer text. */
function contextOf(mayElide: boolean): CompressContext {
  return { query: "", mayElide, countTokens: (text) => text.length };
}

function assertOutcome(
  compressor: Compressor,
  text: string,
  outcome: CompressOutcome,
): void {
  if (outcome.type === "unchanged") {
    assert.match(outcome.reason, /^[a-z][a-z0-9_]*$/);
    return;
  }
  assert.ok(outcome.text.length < text.length, "the text grew");
  assert.ok(outcome.text.trim() !== "" || text.trim() === "", "all is gone");
  if (outcome.type === "reformatted") {
    const restore = outcome.restore ?? compressor.restore?.bind(compressor);
    assert.ok(restore, "a reformatted text needs an inverse");
    assert.equal(restore(outcome.text), text);
    return;
  }
  const { count, total, unit } = outcome.omitted;
  assert.ok(Number.isInteger(count) && count > 0, `count is ${count}`);
  assert.ok(Number.isInteger(total) && total >= count, `total is ${total}`);
  assert.match(unit, /^[a-z]+$/);
}
