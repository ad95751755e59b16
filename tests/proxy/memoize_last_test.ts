import assert from "node:assert/strict";
import { memoizeLast } from "../../src/proxy/memoize_last.ts";

Deno.test("memoizeLast asks again only for another text than the last one", () => {
  const asked: string[] = [];
  const length = memoizeLast((text) => asked.push(text) && text.length);
  const texts = ["a", "a", "bb", "bb", "a", ""];
  assert.deepEqual(texts.map(length), [1, 1, 2, 2, 1, 0]);
  assert.deepEqual(asked, ["a", "bb", "a", ""]);
});

Deno.test("memoizeLast keeps an answer that is nothing, and no failure", () => {
  let asked = 0;
  const nothing = memoizeLast((text) => {
    asked++;
    if (text === "bad") throw new Error("bad");
    return undefined;
  });
  nothing("a");
  nothing("a");
  assert.equal(asked, 1);
  for (let i = 0; i < 2; i++) assert.throws(() => nothing("bad"), /bad/);
  assert.equal(asked, 3);
  nothing("a");
  assert.equal(asked, 3);
});
