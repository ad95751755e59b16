import assert from "node:assert/strict";
import { factsOf } from "../../../src/compressors/prose/facts.ts";
import { newsOf } from "../../../src/compressors/prose/news.ts";
import { codesOf } from "../../../src/text/lines.ts";

function news(...sentences: string[]): number[] {
  return [...newsOf(
    sentences.map((text) => factsOf(codesOf(text), 0, text.length)),
  )];
}

Deno.test("newsOf gives points for what is named first, none when it is named again", () => {
  const [first, again, other] = news(
    "Call `open` there.",
    "Then call `open` again.",
    "Call `close` with 12 keys.",
  );
  assert.ok(first! > 0);
  assert.equal(again, 0);
  assert.ok(other! > first!);
});

Deno.test("newsOf gives no more points for a long list of names", () => {
  const [few, many] = news(
    "`a1` `a2` `a3`",
    "`b1` `b2` `b3` `b4` `b5` `b6` `b7`",
  );
  assert.equal(few, many);
});
