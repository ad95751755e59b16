import assert from "node:assert/strict";
import { headingsIn } from "../../../src/compressors/log/headings.ts";
import { indexLines } from "../../../src/text/lines.ts";

function headingsOf(lines: readonly string[], mayHead = true): number[] {
  const { above } = headingsIn(indexLines(lines.join("\n")), () => mayHead);
  return [...above];
}

Deno.test("headingsIn finds what comes behind blank lines again and again", () => {
  const part = (n: number) => [
    `TASK [role${n} : Step ${n}] ****`,
    "ok: [web1]",
    "changed: [web2]",
    "",
  ];
  const lines = [...part(1), ...part(2), ...part(3)];
  assert.deepEqual(headingsOf(lines), [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8]);
  assert(headingsOf(lines, false).every((line) => line === -1));
});

Deno.test("headingsIn finds what comes behind the end of the part before", () => {
  const lines = Array.from({ length: 6 }, (_, n) => [
    `make[1]: Entering directory '/repo/${"abcdef"[n]}'`,
    `  CC a${n}.o`,
    `  CC b${n}.o`,
    `make[1]: Leaving directory '/repo/${"abcdef"[n]}'`,
  ]).flat();
  const above = headingsOf(lines);
  assert.equal(above[2], 0);
  assert.equal(above[14], 12);
  assert.equal(above[23], 20);
});

Deno.test("headingsIn finds none among lines that come in any order", () => {
  const lines = Array.from(
    { length: 90 },
    (_, i) => `${["read", "write", "sync"][(i * i + (i >> 2)) % 3]} file ${i}`,
  );
  assert(headingsOf(lines).every((line) => line === -1));
});
