import assert from "node:assert/strict";
import { signsOf } from "../../../src/compressors/source_code/signs.ts";

Deno.test("signsOf knows what a line of code starts like, in many languages", () => {
  for (
    const line of [
      "from a.b import c",
      "export class A {",
      "func (s *S) f() error {",
      "impl Display for A {",
      "import java.util.List;",
      "#include <stdio.h>",
      "template <typename T>",
      "fun main() {",
      "defmodule Shop.Cart do",
      "my $count = 0;",
      "message Reading {",
      "public string Name { get; }",
    ]
  ) {
    const { weight, isCode, isOther } = signsOf(line);
    assert.ok(weight > 0 && isCode && !isOther, line);
  }
});

Deno.test("signsOf says that a fence or a page of markup is in no code", () => {
  for (const line of ["```ts", "<!DOCTYPE html>", "<script>"]) {
    const { weight, isCode, isOther } = signsOf(line);
    assert.ok(weight < 0 && !isCode && isOther, line);
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
      "src/a.ts(12,5): error TS2345: no",
      "2024-05-01 12:00 started",
      "$ npm test",
      "+++ b/a.ts",
      "close(3) = 0",
    ]
  ) {
    const { isOther, isCode } = signsOf(line);
    assert.ok(isOther && !isCode, line);
  }
  assert.deepEqual(signsOf("plain words here"), {
    weight: 0,
    isCode: false,
    isOther: false,
  });
});
