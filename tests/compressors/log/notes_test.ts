import assert from "node:assert/strict";
import { renderElided } from "../../../src/compressors/log/notes.ts";
import { viewLog } from "../../../src/compressors/log/view.ts";
import { indexLines } from "../../../src/text/lines.ts";

function render(lines: readonly string[], kept: readonly number[], end = "") {
  const keep = new Uint8Array(lines.length);
  for (const i of kept) keep[i] = 1;
  return renderElided(viewLog(indexLines(lines.join("\n") + end)), keep);
}

const alike = Array.from(
  { length: 40 },
  (_, i) => `10:00:${10 + i} GET /health 200 ${i + 1}ms`,
);

Deno.test("renderElided names range, count and an example in place of a gap", () => {
  const { text, omitted } = render(["start", ...alike, "end"], [0, 41], "\n");
  assert.equal(
    text,
    'start\n… lines 2-41 omitted (40× "GET /health 200 1ms")\nend\n',
  );
  assert.deepEqual(omitted, { count: 40, total: 42, unit: "lines" });
});

Deno.test("renderElided gives an example once, of the lines of all gaps", () => {
  const { text } = render(alike.toSpliced(20, 1, "unlike"), [20]);
  assert.equal(
    text,
    '… lines 1-20 omitted (20 of 39× "GET /health 200 1ms")\nunlike\n' +
      "… lines 22-40 omitted",
  );
});

Deno.test("renderElided gives no example of a kind that stands beside the gap", () => {
  assert.equal(
    render(alike, [20]).text,
    `… lines 1-20 omitted\n${alike[20]}\n… lines 22-40 omitted`,
  );
});

Deno.test("renderElided counts steps and tests that passed, warnings always", () => {
  const steps = Array.from({ length: 9 }, (_, i) => `Get:${i} http://x/${i} y`);
  const tests = Array.from(
    { length: 12 },
    (_, i) => `--- PASS: TestA${i} (0s)`,
  );
  const { text } = render(
    [
      "a",
      ...steps,
      ...tests,
      "b",
      "WARN disk full on node 7 of rack 9, soon",
      "c",
    ],
    [0, 22, 24],
  );
  assert.equal(
    text,
    'a\n… lines 2-22 omitted (12 passed, 9 steps like "Get:0 http://x/0 y")\nb\n' +
      "WARN disk full on node 7 of rack 9, soon\nc",
  );
  const all = render([...steps, ...steps, "WARN a", "WARN a"], []);
  assert.match(all.text, /^… lines 1-20 omitted \(2 warnings; 18 steps like /);
});

Deno.test("renderElided keeps a gap that its note would not shorten", () => {
  const { text, omitted } = render(["a", "b", "c", "d"], [0, 3]);
  assert.equal(text, "a\nb\nc\nd");
  assert.equal(omitted.count, 0);
});

Deno.test("renderElided says line for a single long line", () => {
  const { text } = render(["a", "x".repeat(300), "c"], [0, 2]);
  assert.match(text, /^a\n… line 2 omitted\nc$/);
});

const WORDS = ["disk", "fan", "link", "node"];
const failing = Array.from(
  { length: 80 },
  (_, i) => `10:00:${10 + i % 40} ERROR ${WORDS[i % 4]} lost`,
);

Deno.test("renderElided says how many failures a gap leaves out, however few examples it gives", () => {
  const { text } = render(failing, [0, 79]);
  assert.match(
    text,
    /\n… lines 2-79 omitted \(78 error lines in 4 groups, e\.g\. 20× "ERROR fan lost", 20× "ERROR link lost", 19× "[^"]+"\)\n/,
  );
  const all = render(failing.filter((_, i) => i % 4 < 2), [0]);
  assert.match(all.text, /39 error lines in 2 groups: 20× "ERROR fan lost", /);
});

Deno.test("renderElided says how many failures each gap leaves out, and the values of all at once", () => {
  const lines = Array.from(
    { length: 60 },
    (_, i) => `10:00:${10 + i % 40} ERROR host-${i} does not answer`,
  );
  const { text } = render(lines, [20, 22, 40]);
  assert.deepEqual(text.split("\n").filter((line) => line.startsWith("…")), [
    '… lines 1-20 omitted (20 error lines, 56 in all gaps: "ERROR host-0 does not answer" (host-0…host-19, host-23…host-39, host-41…host-59))',
    "… lines 24-40 omitted (17 error lines)",
    "… lines 42-60 omitted (19 error lines)",
  ]);
  assert.ok(text.includes(lines[21]!));
});
