import assert from "node:assert/strict";
import {
  fillRow,
  ITEM_SLOT,
  KEY_SLOT,
  SECTION_SLOT,
  templateOf,
} from "../../../src/compressors/config/slots.ts";

Deno.test("templateOf and fillRow put the parts of a row where the names stand", () => {
  const template = templateOf(["  - name: A", "    value:  1"], [
    "name:",
    "value:",
  ])!;
  assert.deepEqual(template.parts, ["A", "1"]);
  assert.equal(fillRow(template, "B | 2"), "  - name: B\n    value:  2");
  assert.equal(fillRow(template, "B"), undefined);
});

Deno.test("templateOf knows keys, items and sections without a sign", () => {
  const lines = ["redis:", "- one", '[branch "x"]'];
  const template = templateOf(lines, [KEY_SLOT, ITEM_SLOT, SECTION_SLOT])!;
  assert.deepEqual(template.parts, ["redis", "one", 'branch "x"']);
});

Deno.test("templateOf gives nothing when a name fits no line or another one", () => {
  assert.equal(templateOf(["a: 1"], ["b:"]), undefined);
  assert.equal(templateOf(["a: 1", "a: 2"], ["a:"], [1]), undefined);
  assert.equal(templateOf(["a:"], ["a:"]), undefined);
});
