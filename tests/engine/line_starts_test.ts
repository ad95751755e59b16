import assert from "node:assert/strict";
import fc from "fast-check";
import { foldStarts, unfoldStarts } from "../../src/engine/line_starts.ts";
import { goldensIn } from "../compressors/goldens.ts";

/** The folded text, or the same when nothing is won. */
function folded(
  text: string,
  isWhole: (line: string) => boolean = () => false,
): string {
  const lines = text.split("\n");
  return foldStarts(text, (line) => isWhole(lines[line] ?? ""))?.text ?? text;
}

const interleaved = Array.from(
  { length: 40 },
  (_, i) =>
    i % 5 === 0
      ? `2026-03-02 10:15:${10 + i},${
        100 + 7 * i
      } WARNING [main] shop: slow ${i}`
      : `2026-03-02 10:15:${10 + i},${
        100 + 7 * i
      } INFO    [main] http: "GET /items/${i}"`,
);

Deno.test("foldStarts writes a sign and what differs, and explains the sign once", () => {
  const short = folded(interleaved.join("\n"));
  const [note, first, second] = short.split("\n");
  assert.equal(
    note,
    '… (line starts: ~{1} is "2026-03-02 10:15:{1} INFO    [main] http: \\"GET ", ^{1} is "2026-03-02 10:15:{1} ")',
  );
  assert.equal(first, "^10,100 WARNING [main] shop: slow 0");
  assert.equal(second, '~11,107 /items/1"');
  assert.equal(unfoldStarts(short), interleaved.join("\n"));
});

Deno.test("foldStarts takes what never differs whole", () => {
  const text = 'C:\\logs\\"app" [main] step done\n'.repeat(3) +
    Array.from(
      { length: 9 },
      (_, i) => `C:\\logs\\"app" [main] ${"abcdefghi"[i]}\n`,
    )
      .join("");
  const short = folded(text);
  assert.match(short, /^… \(line starts: ~ is "C:/);
  assert.equal(unfoldStarts(short), text);
});

Deno.test("foldStarts never hides a failure among other lines", () => {
  const lines = (failing: number) =>
    Array.from(
      { length: 60 },
      (_, i) =>
        `2026-03-02 10:15:${10 + i} ${
          i % failing === 0 ? "ERROR" : "INFO"
        } [db] connection lost to ${i}`,
    ).join("\n");
  const short = folded(lines(5));
  assert.ok(short.length < lines(5).length);
  assert.equal(short.match(/ERROR/g)?.length, 12);
  assert.equal(unfoldStarts(folded(lines(1))), lines(1));
  assert.ok(folded(lines(1)).length < 0.6 * lines(1).length);
});

Deno.test("foldStarts leaves lines whole as it is told and cuts no word", () => {
  const failed = "2026-03-02 10:15:20,011 INFO    [main] http: request failed";
  const lines = interleaved.toSpliced(7, 0, failed);
  const short = folded(lines.join("\n"), (line) => line === failed);
  assert.ok(short.includes(`\n${failed}\n`));
  const [note = ""] = short.split("\n", 1);
  for (const [, start = ""] of note.matchAll(/ is "((?:[^"\\]|\\.)*)"/g)) {
    assert.ok(start.endsWith(" "), start);
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
    const short = folded(text);
    assert.equal(unfoldStarts(short), text);
    if (!text.includes("~")) assert.equal(short, text);
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
        const short = folded(text);
        if (short === text) return;
        folds++;
        assert.ok(short.length < text.length);
        assert.equal(unfoldStarts(short), text);
      },
    ),
    { numRuns: 400 },
  );
  assert.ok(folds > 50, `${folds} texts were folded`);
});

Deno.test("foldStarts is undone by unfoldStarts on real logs", () => {
  for (const { name, input } of goldensIn("log")) {
    assert.equal(unfoldStarts(folded(input)), input, name);
  }
});
