import assert from "node:assert/strict";
import {
  ALIKE,
  BOOKKEEPING,
  COMMENTED,
  LONG_VALUE,
  selectLines,
  STAYS,
} from "../../../src/compressors/config/select.ts";
import { viewConfig } from "../../../src/compressors/config/view.ts";
import { hostLines } from "./samples.ts";

const whyOf = (lines: readonly string[], query = "") => [
  ...selectLines(viewConfig(lines.join("\n")), query).why,
];

Deno.test("selectLines keeps the first line of a long comment and what warns in it", () => {
  assert.deepEqual(
    whyOf(["# one", "# two", "# TODO three", "# four", "a: 1", "# x", "# y"]),
    [STAYS, COMMENTED, STAYS, COMMENTED, STAYS, STAYS, STAYS],
  );
});

Deno.test("selectLines keeps both ends of a long text and failures in it", () => {
  const text = Array.from({ length: 20 }, (_, i) => `  line number ${i}`);
  text[12] = "  Error: it broke";
  const why = whyOf(["run: |", ...text, "next: 1"]);
  assert.equal(why.filter((w) => w === LONG_VALUE).length, 10);
  assert.equal(why[13], STAYS);
  assert.equal(why[6], STAYS);
  assert.equal(why[18], STAYS);
});

Deno.test("selectLines keeps first and last line of encoded data", () => {
  const data = Array.from({ length: 6 }, () => `  ${"Ab3+".repeat(16)}`);
  const why = whyOf([
    "ca: |",
    "  -----BEGIN CERTIFICATE-----",
    ...data,
    "  -----END CERTIFICATE-----",
  ]);
  assert.deepEqual(why, [0, 0, ...data.map(() => LONG_VALUE), 0]);
});

Deno.test("selectLines leaves bookkeeping out", () => {
  assert.deepEqual(
    whyOf([
      "metadata:",
      "  managedFields:",
      "  - a: 1",
      "    b: 2",
      "  name: x",
    ]),
    [STAYS, STAYS, BOOKKEEPING, BOOKKEEPING, STAYS],
  );
});

Deno.test("selectLines leaves comments between alike entries out with them", () => {
  const lines = hostLines(12);
  lines.splice(2 + 6 * 7, 0, "  # the eighth");
  const why = whyOf(lines);
  assert.equal(why[2 + 6 * 7], ALIKE);
});

Deno.test("selectLines keeps an entry for the query", () => {
  const lines = hostLines(40);
  lines[2 + 6 * 20] = "  - name: payments";
  const why = whyOf(lines, "is payments enabled?");
  assert.deepEqual(why.slice(2 + 6 * 20, 2 + 6 * 21), [0, 0, 0, 0, 0, 0]);
  assert.equal(why[2 + 6 * 21], ALIKE);
});
