import assert from "node:assert/strict";
import fc from "fast-check";
import { foldLog, unfoldLog } from "../../../src/compressors/log/fold.ts";
import { GOLDENS, serviceLines } from "./samples.ts";

Deno.test("foldLog is undone by unfoldLog on real logs", () => {
  for (const { name, input } of GOLDENS) {
    const folded = foldLog(input);
    if (folded !== undefined) assert.equal(unfoldLog(folded), input, name);
  }
});

const lines = fc.array(
  fc.tuple(
    fc.constantFrom(
      "",
      "Waiting for database to come up",
      "2026-02-02T10:00:00Z INFO step one is done",
      "2026-02-02T10:00:01Z INFO step two is done",
      "  indented line\r",
      "… ellipsis",
      '"quoted" \\ é',
    ),
    fc.integer({ min: 1, max: 30 }),
  ),
  { maxLength: 30 },
);

Deno.test("foldLog is undone by unfoldLog on repeated lines, with and without a final newline", () => {
  fc.assert(
    fc.property(
      lines,
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      (runs, ends, times) => {
        const once = runs.flatMap(([line, n]) => Array<string>(n).fill(line));
        const text = Array<string[]>(times).fill(once).flat().join("\n") +
          (ends ? "\n" : "");
        const folded = foldLog(text);
        if (folded === undefined) return;
        assert.ok(folded.length < text.length);
        assert.equal(unfoldLog(folded), text);
      },
    ),
  );
});

Deno.test("foldLog refuses a text with lines like its notes", () => {
  const text = `${
    "same line again and again\n".repeat(20)
  }… (repeated 9 times)\n`;
  assert.equal(foldLog(text), undefined);
  assert.equal(foldLog(`… (x)\n${"same line\n".repeat(50)}`), undefined);
});

Deno.test("foldLog gives nothing when little is won", () => {
  assert.equal(foldLog("one\ntwo\nthree\n"), undefined);
  assert.equal(foldLog(""), undefined);
});

Deno.test("foldLog says a common date once", () => {
  const folded = foldLog(serviceLines(40).join("\n"))!;
  assert.match(folded, /^… \(line starts: ~\{1\}.* is "2026-/);
});
