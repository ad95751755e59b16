import assert from "node:assert/strict";
import { codesOf } from "../../../src/text/lines.ts";
import * as vocabulary from "../../../src/text/signs/vocabulary.ts";

function kindOf(word: string): number {
  let kind = 0;
  vocabulary.VOCABULARY.find(codesOf(word), (found) => kind = found);
  return kind;
}

Deno.test("VOCABULARY knows each word as one kind", () => {
  assert.equal(kindOf("error"), vocabulary.ERROR_WORD);
  assert.equal(kindOf("FAILED"), vocabulary.FAIL_WORD);
  assert.equal(kindOf("Status"), vocabulary.STATUS_KEY);
  assert.equal(kindOf("errno"), vocabulary.RESULT_CODE_KEY);
  assert.equal(kindOf("GET"), vocabulary.METHOD_WORD);
  assert.equal(kindOf("404"), vocabulary.PHRASED_STATUS);
  assert.equal(kindOf("terror"), 0);
});

Deno.test("joined states are in small letters and not longer than said", () => {
  for (const state of vocabulary.JOINED_STATES) {
    assert.match(state, /^[a-z]+$/);
    assert.ok(state.length <= vocabulary.LONGEST_STATE);
  }
});
