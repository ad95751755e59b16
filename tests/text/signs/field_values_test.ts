import assert from "node:assert/strict";
import { codesOf } from "../../../src/text/lines.ts";
import {
  isKo,
  isLevel,
  letterLevel,
  resultCode,
  skipFlags,
} from "../../../src/text/signs/field_values.ts";
import { ERROR, SUMMARY, WARNING } from "../../../src/text/signs/flags.ts";

function found(marked: string) {
  const part = marked.indexOf("{");
  const stop = marked.indexOf("}") - 1;
  const text = marked.replace(/[{}]/g, "");
  return { text, codes: codesOf(text), start: 0, end: text.length, part, stop };
}

Deno.test("resultCode reads decimal, negative and hexadecimal codes", () => {
  const codes: readonly (readonly [string, number | undefined])[] = [
    ["{rc}=2", 2],
    ["{errno}: -5", -5],
    ["[{Errno} 2]", 2],
    ["{rc}=0x80070005", 1],
    ["{rc}=0xffff", 1],
    ["{rc}=0x0", 0],
    ["{rc} 2", undefined],
    ["{rc}=abc", undefined],
    ["{rc}=3rd", undefined],
  ];
  for (const [text, code] of codes) {
    assert.equal(resultCode(found(text)), code, text);
  }
});

Deno.test("isLevel takes a level for one only where it is written as such", () => {
  for (
    const text of [
      "a {ERR} b",
      "[{err}]",
      "npm {ERR}!",
      "{err}=x",
      "{ERR}_MODULE",
    ]
  ) {
    assert.ok(isLevel(found(text)), text);
  }
  for (const text of ["an {alert} b", "{err}=nil", "{err} b"]) {
    assert.ok(!isLevel(found(text)), text);
  }
});

Deno.test("skipFlags and isKo know results", () => {
  for (
    const text of [
      "x {SKIPPED}",
      "x ... {ignored}",
      "ok 1 # {skip}",
      "3 {skipped}",
    ]
  ) {
    assert.equal(skipFlags(found(text)), SUMMARY, text);
  }
  for (
    const text of ["{skip} this", "a-{SKIP}-b", "> Task :app:lint {SKIPPED}"]
  ) {
    assert.equal(skipFlags(found(text)), 0, text);
  }
  assert.ok(isKo(codesOf("KO"), 0, 2));
  assert.ok(!isKo(codesOf("KOA"), 0, 3));
});

Deno.test("letterLevel reads levels of one letter", () => {
  const levels = ["E", "F", "W ", "I", "Error", "e", "5"].map((value) =>
    letterLevel(codesOf(value), 0)
  );
  assert.deepEqual(levels, [
    ERROR,
    ERROR,
    WARNING,
    0,
    undefined,
    undefined,
    undefined,
  ]);
});
