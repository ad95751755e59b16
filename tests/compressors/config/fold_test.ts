import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldConfig,
  startFolding,
  writeFolded,
} from "../../../src/compressors/config/fold.ts";
import { unfoldConfig } from "../../../src/compressors/config/unfold.ts";
import { viewConfig } from "../../../src/compressors/config/view.ts";
import { GOLDENS } from "./samples.ts";

const fold = (text: string, firstLine = 1) =>
  foldConfig(viewConfig(text), firstLine);

const line = fc.constantFrom(
  "a:",
  "  b: 1",
  "  b: 2",
  "  b: x | y",
  "- name: one",
  "- name: two",
  "  value: 3",
  "  value:   4",
  "- item",
  "[s]",
  "[[s]]",
  "k = 1",
  "k = 2",
  "long.key.start.of.a.name = 7",
  "long.key.start.of.a.sort = 8",
  "",
  "  ",
  "# c",
  "…",
  "\tx = 1\r",
);

Deno.test("foldConfig has an exact inverse, whatever the lines", () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(line, { maxLength: 30 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 500 }),
      (block, times, rest, newline, firstLine) => {
        const blocks = Array.from({ length: times }, () => block).flat();
        const text = [...blocks, ...rest, ...blocks].join("\n") +
          (newline ? "\n" : "");
        const folded = fold(text, firstLine);
        if (folded === undefined) return;
        assert.equal(unfoldConfig(folded, firstLine), text);
        assert.ok(folded.length < text.length);
      },
    ),
    { numRuns: 400 },
  );
});

Deno.test("foldConfig has an exact inverse on every golden input", () => {
  for (const { input } of GOLDENS) {
    for (
      const text of [input, input.trimEnd(), input.replaceAll("\n", "\r\n")]
    ) {
      const folded = fold(text);
      if (folded !== undefined) assert.equal(unfoldConfig(folded), text);
    }
  }
});

Deno.test("foldConfig points to the lines where a block stands, with its first line", () => {
  const block =
    "  environment:\n    LOG_LEVEL: information\n    ENDPOINT: http://collector.example:4317\n    FORMAT: json\n";
  const text = `one:\n${block}two:\n${block}`;
  assert.equal(
    fold(text),
    `one:\n${block}two:\n… (same as lines 2-5, from "environment:")\n`,
  );
});

Deno.test("foldConfig writes a run of equal lines once", () => {
  const text = "a: 1\n" + "- the very same line of text\n".repeat(5);
  assert.equal(
    fold(text),
    "a: 1\n- the very same line of text\n… (repeated 5 times)\n",
  );
});

Deno.test("foldConfig leaves a text alone that holds lines like its notes", () => {
  const text = "- the very same line of text\n".repeat(9);
  assert.equal(fold(`${text}… (repeated 9 times)\n`), undefined);
  assert.equal(fold(`… (x\n${text}`), undefined);
});

Deno.test("writeFolded points to no line that is left out", () => {
  const block = Array.from(
    { length: 6 },
    (_, i) => `  some_key_${i}: value ${i}`,
  );
  const text = ["a:", ...block, "b:", ...block].join("\n");
  const why = new Uint8Array(14).fill(1, 4, 7);
  const folding = startFolding(viewConfig(text), 1, why)!;
  const notes: string[] = [];
  writeFolded(folding, { from: 0, to: 4 }, (_f, _t, w) => notes.push(...w));
  writeFolded(folding, { from: 7, to: 14 }, (_f, _t, w) => notes.push(...w));
  assert.deepEqual(notes, []);
});
