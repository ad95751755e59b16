import assert from "node:assert/strict";
import { unfoldConfig } from "../../../src/compressors/config/unfold.ts";

Deno.test("unfoldConfig carries out each kind of note", () => {
  const folded = [
    "- name: A",
    "  value: 1",
    "… (2 more like these 2 lines, as name: | value:)",
    "B | 2",
    "C | 3",
    '… (next 2 lines start with "spring.")',
    "a=1",
    "b=2",
    "… (repeated 3 times)",
    '… (same as lines 1-2, 2 times, from "- name: A")',
  ].join("\n");
  assert.equal(
    unfoldConfig(folded),
    [
      "- name: A",
      "  value: 1",
      "- name: B",
      "  value: 2",
      "- name: C",
      "  value: 3",
      "spring.a=1",
      "spring.b=2",
      "spring.b=2",
      "spring.b=2",
      "- name: A",
      "  value: 1",
      "- name: A",
      "  value: 1",
    ].join("\n"),
  );
});

Deno.test("unfoldConfig returns a text without notes as it is", () => {
  assert.equal(unfoldConfig("a: 1\nb: 2\n"), "a: 1\nb: 2\n");
});

Deno.test("unfoldConfig refuses rows that do not fit", () => {
  assert.throws(
    () => unfoldConfig("a: 1\n… (1 more like these 1 lines, as b:)\n2\n"),
    /Cannot fill the row "2"/,
  );
});
