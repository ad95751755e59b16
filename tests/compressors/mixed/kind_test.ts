import assert from "node:assert/strict";
import fc from "fast-check";
import { mixedKind } from "../../../src/compressors/mixed/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import type {
  CompressContext,
  CompressOutcome,
  PartHint,
} from "../../../src/core/compressor.ts";

const { compressor, recognise } = entryOf(mixedKind);

const CODE = "const value = compute(1);\n".repeat(20);
const PROSE = "A sentence that says something. ".repeat(10);

function contextOf(
  part: (text: string, hint?: PartHint) => CompressOutcome,
): CompressContext {
  return {
    query: "",
    mayElide: true,
    countTokens: (text) => text.length,
    compressPart: part,
  };
}

const dull: CompressOutcome = { type: "unchanged", reason: "dull" };
const document = `${PROSE}\n\`\`\`ts\n${CODE}\`\`\`\n${PROSE}\n`;

Deno.test("mixedKind keeps every byte between the parts that it shortens", () => {
  const hints: (PartHint | undefined)[] = [];
  const outcome = compressor.compress(
    document,
    contextOf((text, hint) => {
      hints.push(hint);
      if (text !== CODE.trimEnd()) return dull;
      const omitted = { count: 19, total: 20, unit: "lines" };
      return { type: "elided", text: "// short", omitted };
    }),
  );
  assert(outcome.type === "elided");
  assert.equal(outcome.text, document.replace(CODE, "// short\n"));
  assert.deepEqual(outcome.omitted, { count: 19, total: 20, unit: "lines" });
  assert.deepEqual(hints, [
    { firstLine: 1 },
    { firstLine: 3, path: "fence.ts" },
    { firstLine: 24 },
  ]);
});

Deno.test("mixedKind turns reformatted parts back, whatever their forms are", () => {
  fc.assert(fc.property(
    fc.array(fc.option(fc.string(), { nil: undefined }), {
      minLength: 3,
      maxLength: 3,
    }),
    (forms) => {
      fc.pre(forms.some((form) => form !== undefined));
      let next = 0;
      const outcome = compressor.compress(
        document,
        contextOf((text) => {
          const form = forms[next++];
          return form === undefined ? dull : {
            type: "reformatted",
            text: form,
            restore: (given) => given === form ? text : "wrong",
          };
        }),
      );
      assert(outcome.type === "reformatted");
      assert.equal(outcome.restore?.(outcome.text), document);
    },
  ));
});

Deno.test("mixedKind adds up what its parts left out, and calls it items where they differ", () => {
  const units = ["lines", "rows"];
  const text = (separator: string) => PROSE + separator + PROSE;
  const outcome = compressor.compress(
    text("\n\n"),
    contextOf(() => ({
      type: "elided",
      text: "x",
      omitted: { count: 2, total: 5, unit: units.pop()! },
    })),
  );
  assert(outcome.type === "elided");
  assert.deepEqual(outcome.omitted, { count: 4, total: 10, unit: "items" });
});

Deno.test("mixedKind prefers forms that lose nothing unless leaving out saves clearly more", () => {
  const outcomeWith = (length: number) =>
    compressor.compress(
      document,
      contextOf((text) =>
        text === CODE.trimEnd()
          ? { type: "reformatted", text: "x".repeat(99), restore: () => text }
          : {
            type: "elided",
            text: "x".repeat(length),
            omitted: { count: 1, total: 2, unit: "lines" },
          }
      ),
    ).type;
  assert.equal(outcomeWith(300), "reformatted");
  assert.equal(outcomeWith(10), "elided");
});

Deno.test("mixedKind leaves a text alone when no part gains, or when it stands too deep", () => {
  // Lines that repeat are folded.
  const once = document.replace(
    /^.+$/gm,
    (line, at: number) => `${line} ${at}`,
  );
  assert.deepEqual(compressor.compress(once, contextOf(() => dull)), {
    type: "unchanged",
    reason: "no_part_gains",
  });
  const { compressPart: _, ...deep } = contextOf(() => dull);
  assert.deepEqual(compressor.compress(document, deep), {
    type: "unchanged",
    reason: "too_deep",
  });
});

Deno.test("mixedKind claims what has seams, and nothing short or seamless", () => {
  const long = "some words on a line\n".repeat(30);
  assert.equal(recognise(`${long}\n${long}`), 1);
  assert.equal(recognise(`${long}\`\`\`js\nx\n\`\`\`\n`), 1);
  assert.equal(recognise(long), 0);
  assert.equal(recognise("a\n\nb"), 0);
});
