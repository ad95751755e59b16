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
    'start\n… lines 2-41 of 42 omitted (40× "GET /health 200 1ms")\nend\n',
  );
  assert.deepEqual(omitted, { count: 40, total: 42, unit: "lines" });
});

Deno.test("renderElided gives an example once and counts over all gaps", () => {
  const { text } = render(alike, [20]);
  assert.equal(
    text,
    '… lines 1-20 of 40 omitted (20× here, 39× in all: "GET /health 200 1ms")\n' +
      `${alike[20]}\n… lines 22-40 of 40 omitted`,
  );
});

Deno.test("renderElided keeps a gap that its note would not shorten", () => {
  const { text, omitted } = render(["a", "b", "c", "d"], [0, 3]);
  assert.equal(text, "a\nb\nc\nd");
  assert.equal(omitted.count, 0);
});

Deno.test("renderElided says line for a single long line", () => {
  const { text } = render(["a", "x".repeat(300), "c"], [0, 2]);
  assert.match(text, /^a\n… line 2 of 3 omitted\nc$/);
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
    /\n… lines 2-79 of 80 omitted \(78 error lines in 4 groups, e\.g\. 20× "ERROR fan lost", 20× "ERROR link lost", 19× "[^"]+"\)\n/,
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
    '… lines 1-20 of 60 omitted (20 error lines, 56 in all gaps: "ERROR host-0 does not answer" (host-0…host-19, host-23…host-39, host-41…host-59))',
    "… lines 24-40 of 60 omitted (17 error lines)",
    "… lines 42-60 of 60 omitted (19 error lines)",
  ]);
  assert.ok(text.includes(lines[21]!));
});
