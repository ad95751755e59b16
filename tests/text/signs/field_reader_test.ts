import assert from "node:assert/strict";
import { indexLines } from "../../../src/text/lines.ts";
import { FieldReader } from "../../../src/text/signs/field_reader.ts";
import { FieldStore } from "../../../src/text/signs/field_store.ts";

const COUNT = 200;
const PLACE = 77;
const varied = (i: number) => 40 + (i * 7919) % 160;

/** What stands out of a text whose lines are alike but for one. */
function found(usual: (i: number) => string, planted: string): string[] {
  const text = Array.from(
    { length: COUNT },
    (_, i) => i === PLACE ? planted : usual(i),
  ).join("\n");
  const store = new FieldStore();
  const reader = new FieldReader(indexLines(text), store);
  for (let line = 0; line < COUNT; line++) reader.read(line);
  return [
    ...new Set(store.unusual().map(({ line, reason }) => `${line} ${reason}`)),
  ];
}

Deno.test("FieldReader takes the number at the end of a line, whatever words are before it", () => {
  const word = (i: number) => (i * 7919 % 99991).toString(36);
  const cases: readonly (readonly [(i: number) => string, string])[] = [
    [(i) => `read ${word(i)} (${varied(i)} ms)`, "read abc (48210 ms)"],
    [(i) => `read ${word(i)} (${varied(i)}ms)`, "read abc (48210ms)"],
    [
      (i) => `${word(i)} GET /${word(i)} 200 0 ${varied(i)}`,
      "a GET /b 200 0 48210",
    ],
  ];
  for (const [usual, planted] of cases) {
    assert.deepEqual(found(usual, planted), [`${PLACE} extreme`], planted);
  }
});

Deno.test("FieldReader reads signed numbers, numbers with a slash between them and hosts", () => {
  const cases: readonly (readonly [(i: number) => string, string, string])[] = [
    [
      (i) => `lag ${i} by=${i % 2 ? "+" : "-"}${1 + i % 3}`,
      "lag 7 by=-9120",
      "extreme",
    ],
    [
      (i) => `times 0/0/${i % 7}/${varied(i)} x`,
      "times 0/0/3/48210 x",
      "extreme",
    ],
    [(i) => `get https://a.example/p${i}`, "get https://b.example/p7", "rare"],
  ];
  for (const [usual, planted, reason] of cases) {
    assert.deepEqual(found(usual, planted), [`${PLACE} ${reason}`], planted);
  }
});

Deno.test("FieldReader tells keys apart by their signs, and takes a dash for a missing value", () => {
  const cases: readonly (readonly [(i: number) => string, string, string[]])[] =
    [
      [
        (i) => `get user:${i}:cart user=app`,
        "get user:7:cart user=root",
        [`${PLACE} rare`],
      ],
      [
        (i) => `GET /${i} bytes ${i % 3 ? varied(i) : "-"}`,
        "GET /7 bytes 48210",
        [`${PLACE} extreme`],
      ],
      [
        (i) => `took ${varied(i)}ms.`,
        "took 48210ms.",
        [`${PLACE} extreme`],
      ],
    ];
  for (const [usual, planted, expected] of cases) {
    assert.deepEqual(found(usual, planted), expected, planted);
  }
});
