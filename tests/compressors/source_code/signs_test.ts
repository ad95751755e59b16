import assert from "node:assert/strict";
import { signsOf } from "../../../src/compressors/source_code/signs.ts";

Deno.test("signsOf knows what a line starts like", () => {
  const expected: readonly [string, string][] = [
    ["from a.b import c", "python"],
    ["export class A {", "js"],
    ["func (s *S) f() error {", "go"],
    ["impl Display for A {", "rust"],
    ["import java.util.List;", "java"],
    ["#include <stdio.h>", "c"],
    ["template <typename T>", "cpp"],
    ["fun main() {", "other"],
    ["```ts", "other"],
  ];
  for (const [line, sign] of expected) {
    assert.ok(sign in (signsOf(line).weights ?? {}), line);
  }
});

Deno.test("signsOf tells code from other text", () => {
  for (const line of ["x = 1", "foo(bar)", "}", "return 1", "a.b[c] += 2"]) {
    assert.ok(signsOf(line).isCode, line);
  }
  for (
    const line of [
      "- an item",
      "## Heading",
      "12\tconst x = 1;",
      "@@ -1,2 +3,4 @@",
      "src/a.ts:12:const x",
      "2024-05-01 12:00 started",
      "$ npm test",
      "+++ b/a.ts",
    ]
  ) {
    const { isOther, isCode } = signsOf(line);
    assert.ok(isOther && !isCode, line);
  }
  assert.deepEqual(signsOf("plain words here"), {
    weights: undefined,
    isCode: false,
    isOther: false,
  });
});
