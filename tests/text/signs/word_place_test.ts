import assert from "node:assert/strict";
import { codesOf } from "../../../src/text/lines.ts";
import {
  countOf,
  isAlone,
  isJoinedState,
  isNamePart,
  isNegated,
} from "../../../src/text/signs/word_place.ts";

/** The word in braces, in its line. */
function found(marked: string) {
  const part = marked.indexOf("{");
  const stop = marked.indexOf("}") - 1;
  const text = marked.replace(/[{}]/g, "");
  return { text, codes: codesOf(text), start: 0, end: text.length, part, stop };
}

Deno.test("countOf reads the number that goes with a word", () => {
  const counts: readonly (readonly [string, number | undefined])[] = [
    ["3 {failed}", 3],
    ["{failed}: 3", 3],
    ["{failed}=3", 3],
    ["{error}_count=0", 0],
    ["{error}=null", 0],
    ["bytes=134 {error}_count=0", 0],
    ["stage 3 {failed}=false", 0],
    ["took 12 {errors}=0", 0],
    ["3 {errors}: x", 3],
    ["{error}: x", undefined],
    ["1.3 {failed}", undefined],
  ];
  for (const [text, value] of counts) {
    assert.equal(countOf(found(text))?.value, value, text);
  }
  assert.equal(countOf(found("0 {errors}"))?.isField, false);
  assert.equal(countOf(found("{errors}=0"))?.isField, true);
});

Deno.test("isNamePart, isAlone and isNegated look around a word", () => {
  for (const text of ["src/{error}.rs", "this{error} 1", "non-{fatal}"]) {
    assert.ok(isNamePart(found(text)), text);
  }
  for (const text of ["Value{Error}: x", "[{error}]", "status=1/{FAILURE}"]) {
    assert.ok(!isNamePart(found(text)), text);
  }
  assert.ok(isAlone(found("[{ERR}]")));
  assert.ok(!isAlone(found("a-{down}")));
  assert.ok(isNegated(found("no {errors}")));
  assert.ok(!isNegated(found("on {errors}")));
});

Deno.test("isJoinedState knows states of one word", () => {
  assert.ok(isJoinedState(found("{Crash}LoopBackOff")));
  assert.ok(isJoinedState(found("Not{Ready}")));
  assert.ok(!isJoinedState(found("a-{Crash}LoopBackOff")));
  assert.ok(!isJoinedState(found("{Crash}Test")));
});
