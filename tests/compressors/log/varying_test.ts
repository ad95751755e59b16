import assert from "node:assert/strict";
import { varyingParts } from "../../../src/compressors/log/varying.ts";
import { indexLines } from "../../../src/text/lines.ts";

function parts(lines: readonly string[], width = 200): string {
  const members = lines.map((_, i) => i);
  return varyingParts(indexLines(lines.join("\n")), members, width);
}

Deno.test("varyingParts lists each place that differs, with the word before a bare value", () => {
  assert.equal(
    parts([3, 4, 5].map((n) => `ERROR host-${n}: exit code ${n * n}`)),
    "host-3…host-5; code 9, 16, 25",
  );
});

Deno.test("varyingParts leaves times and durations out", () => {
  assert.equal(
    parts([
      "2026-01-01T10:00:00Z ERROR db lost after 12ms",
      "2026-01-01T10:00:01Z ERROR db lost after 13ms",
    ]),
    "",
  );
});

Deno.test("varyingParts tells letters beyond ASCII apart", () => {
  // These two have the same code in an index of lines.
  assert.equal(
    parts(["ERROR user é gone", "ERROR user ũ gone"]),
    "user é, ũ",
  );
});

Deno.test("varyingParts gives nothing for lines of different length, or without room", () => {
  assert.equal(parts(["ERROR a b", "ERROR a b c"]), "");
  assert.equal(parts(["ERROR a b", "ERROR a c"], 8), "");
  assert.equal(
    parts([`ERROR ${"x ".repeat(90)}`, `ERROR ${"y ".repeat(90)}`]),
    "",
  );
});

Deno.test("varyingParts lists three places, and names no word that varies itself", () => {
  const rows = [1, 2, 3].map((n) =>
    `ERROR a${n} b${n} c${n} ${"xyz"[n - 1]} ${n * 10 + n} end`
  );
  assert.equal(parts(rows), "a1…a3; b1…b3; c1…c3");
  const late = ["ERROR p to u 1", "ERROR p to v 2", "ERROR q by w 3"];
  assert.equal(parts(late), "ERROR p, q; u, v, w; 1…3");
});
