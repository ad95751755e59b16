import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldStarts,
  shortenStarts,
  unfoldStarts,
} from "../../../src/compressors/log/starts.ts";
import { GOLDENS } from "./samples.ts";

const interleaved = Array.from(
  { length: 40 },
  (_, i) =>
    i % 3 === 0
      ? `2026-03-02 10:15:${10 + i},${
        100 + 7 * i
      } WARNING [main] shop: slow ${i}`
      : `2026-03-02 10:15:${10 + i},${
        100 + 7 * i
      } INFO    [main] http: "GET /items/${i}"`,
);

Deno.test("foldStarts writes a sign and what differs, and explains the sign once", () => {
  const folded = foldStarts(interleaved.join("\n"));
  const [note, first, second] = folded.split("\n");
  assert.equal(
    note,
    '… (line starts: ~{1} is "2026-03-02 10:15:{1} INFO    [main] http: \\"GET /items/", ^ is "2026-03-02 10:15:")',
  );
  assert.equal(first, "^10,100 WARNING [main] shop: slow 0");
  assert.equal(second, '~11,107 1"');
  assert.equal(unfoldStarts(folded), interleaved.join("\n"));
});

Deno.test("foldStarts takes what never differs whole", () => {
  const text = 'C:\\logs\\"app" [main] step done\n'.repeat(3) +
    Array.from(
      { length: 9 },
      (_, i) => `C:\\logs\\"app" [main] ${"abcdefghi"[i]}\n`,
    )
      .join("");
  const folded = foldStarts(text);
  assert.match(folded, /^… \(line starts: ~ is "C:/);
  assert.equal(unfoldStarts(folded), text);
});

Deno.test("foldStarts never hides that a line reports a failure", () => {
  const text = Array.from(
    { length: 30 },
    (_, i) => `2026-03-02 10:15:${10 + i} ERROR [db] connection lost to ${i}`,
  ).join("\n");
  for (const folded of [foldStarts(text), shortenStarts(text)]) {
    for (const line of folded.split("\n").slice(1)) {
      assert.ok(line.includes("ERROR"), line);
    }
  }
});

Deno.test("shortenStarts leaves failing lines whole and cuts no word", () => {
  const lines = interleaved.toSpliced(
    7,
    0,
    "2026-03-02 10:15:20,011 INFO    [main] http: request failed",
  );
  const short = shortenStarts(lines.join("\n"));
  assert.ok(short.includes(`\n${lines[7]}\n`));
  for (
    const [, start] of short.split("\n")[0]!.matchAll(
      / is "((?:[^"\\]|\\.)*)"/g,
    )
  ) {
    assert.ok(start!.endsWith(" "), `${start}`);
  }
});

Deno.test("foldStarts leaves a text alone that has no starts in common, or whose lines begin with all signs", () => {
  for (
    const text of [
      "",
      "one",
      "one thing\nanother thing\na third one\n",
      interleaved.map((line, i) => `${"~^§"[i % 3]} ${line}`).join("\n"),
    ]
  ) {
    const folded = foldStarts(text);
    assert.equal(unfoldStarts(folded), text);
    if (!text.includes("~")) assert.equal(folded, text);
  }
});

const start = fc.constantFrom(
  "2026-03-02T10:15:12.5",
  "2026-03-02T10:15:1",
  "time=1,2:3 level=INFO ",
  "{1} is a place ",
  "~ sign ",
  "… (line starts: ~ is ",
  "127.0.0.1 - - [21/Nov/2026:22:29:15 +0000] ",
  "\tat org.x.Y(Y.java:",
  "é ünïcode ",
  "",
);
const line = fc.tuple(start, fc.nat(99_999), fc.string({ maxLength: 12 }))
  .map(([begin, number, end]) => begin + number + end.replaceAll("\n", ""));

Deno.test("foldStarts is undone by unfoldStarts on any lines", () => {
  let folds = 0;
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 30, maxLength: 90 }),
      fc.boolean(),
      (lines, isSorted) => {
        const text = (isSorted ? lines.toSorted() : lines).join("\n");
        const folded = foldStarts(text);
        if (folded === text) return;
        folds++;
        assert.ok(folded.length < text.length);
        assert.equal(unfoldStarts(folded), text);
      },
    ),
    { numRuns: 400 },
  );
  assert.ok(folds > 50, `${folds} texts were folded`);
});

Deno.test("foldStarts is undone by unfoldStarts on real logs", () => {
  for (const { name, input } of GOLDENS) {
    assert.equal(unfoldStarts(foldStarts(input)), input, name);
  }
});

Deno.test("foldStarts leaves lines whole that name what failed", () => {
  const lines = Array.from(
    { length: 40 },
    (_, i) =>
      `checks of part ${i} in module ${i} ... ${i % 3 ? "ok" : "FAILED"}`,
  );
  const folded = foldStarts(lines.join("\n"));
  const told = new Set(folded.split("\n"));
  assert.ok(folded.length < lines.join("\n").length);
  lines.forEach((line, i) => assert.equal(told.has(line), i % 3 === 0, line));
});
