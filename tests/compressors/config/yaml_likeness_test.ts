import assert from "node:assert/strict";
import {
  countYaml,
  isYaml,
  mostUnknown,
  noYaml,
} from "../../../src/compressors/config/yaml_likeness.ts";
import { indexLines } from "../../../src/text/lines.ts";

function counted(text: string) {
  const counts = noYaml();
  countYaml(indexLines(text), counts);
  return counts;
}

Deno.test("countYaml counts keys, items and what stands below a key", () => {
  const counts = counted(
    "# c\na:\n  b: 1\nc:\n- d\n\nrun: |\n  if x; then {\n",
  );
  assert.deepEqual(counts, {
    lines: 5,
    keys: 4,
    items: 1,
    nested: 2,
    sentences: 0,
    aligned: 0,
    foreign: 0,
  });
});

Deno.test("countYaml counts lines of code, of tables and of prose", () => {
  assert.equal(counted("a: string;\nfoo(b): {\n\tc: 1\n").foreign, 3);
  assert.equal(counted("Name:    x\nPath:    y\n").aligned, 2);
  assert.equal(
    counted("note: it was the best of times, it was the worst\n").sentences,
    1,
  );
});

Deno.test("isYaml demands less of a file whose name says so", () => {
  const flat = counted("a: 1\nb: 2\nc: 3\n");
  assert.ok(!isYaml(flat, false));
  assert.ok(isYaml(flat, true));
  assert.ok(isYaml(counted("a:\n  b: 1\n  c: 2\n"), false));
});

Deno.test("countYaml stops after more lines that are neither keys nor items than there may be", () => {
  const counts = noYaml();
  const text = "words and more\n".repeat(9);
  assert.ok(!countYaml(indexLines(text), counts, 2));
  assert.equal(counts.lines, 3);
  assert.ok(countYaml(indexLines(text), noYaml(), 9));
  assert.ok(mostUnknown(100, true) > mostUnknown(100, false));
});
