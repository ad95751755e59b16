import assert from "node:assert/strict";
import type { TokenCounter } from "../../src/core/tokens.ts";
import { makeCountMemo } from "../../src/tokens/memo.ts";

const utf8 = new TextEncoder();

/** Counts code units and notes what it was asked. */
function spy(): { counter: TokenCounter; asked: string[] } {
  const asked: string[] = [];
  const counter: TokenCounter = {
    encodingOf: (model) => model === "old" ? "old_base" : "new_base",
    count(text) {
      asked.push(text);
      return text.length;
    },
  };
  return { counter, asked };
}

function whole(json: string | Uint8Array) {
  const body = typeof json === "string" ? utf8.encode(json) : json;
  return { body, span: { start: 0, end: body.length } };
}

Deno.test("countSpan counts the text a string literal stands for", () => {
  const { counter, asked } = spy();
  const memo = makeCountMemo(counter);
  const body = utf8.encode('{"a":"x\\ny","b":12}');
  assert.equal(memo.countSpan(body, { start: 5, end: 11 }, "new"), 3);
  assert.deepEqual(asked, ["x\ny"]);
});

Deno.test("countSpan counts the raw text of any other value", () => {
  const { counter, asked } = spy();
  const memo = makeCountMemo(counter);
  const body = utf8.encode('[{"é": "\\n"}]');
  memo.countSpan(body, { start: 1, end: body.length - 1 }, "new");
  assert.deepEqual(asked, ['{"é": "\\n"}']);
});

Deno.test("countSpan counts raw text when a literal stands for no valid text", () => {
  const { counter, asked } = spy();
  const memo = makeCountMemo(counter);
  const surrogate = whole('"a\\ud800"');
  memo.countSpan(surrogate.body, surrogate.span, "new");
  const invalid = whole(Uint8Array.of(0x22, 0x61, 0xff, 0x22));
  memo.countSpan(invalid.body, invalid.span, "new");
  assert.deepEqual(asked, ['"a\\ud800"', '"a\ufffd"']);
});

Deno.test("countSpan keeps a byte order mark", () => {
  const { counter, asked } = spy();
  const { body, span } = whole(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31));
  makeCountMemo(counter).countSpan(body, span, "new");
  assert.deepEqual(asked, ["\ufeff1"]);
});

Deno.test("countSpan counts the same bytes once per encoding, wherever they stand", () => {
  const { counter, asked } = spy();
  const memo = makeCountMemo(counter);
  const body = utf8.encode('["same","same"]');
  for (const span of [{ start: 1, end: 7 }, { start: 8, end: 14 }]) {
    assert.equal(memo.countSpan(body, span, "new"), 4);
    assert.equal(memo.countSpan(body, span, "newer"), 4);
  }
  assert.equal(asked.length, 1);
  memo.countSpan(body, { start: 1, end: 7 }, "old");
  assert.equal(asked.length, 2);
});

Deno.test("known returns what was counted and never counts", () => {
  const { counter, asked } = spy();
  const memo = makeCountMemo(counter);
  const { body, span } = whole('"text"');
  assert.equal(memo.known(body, span, "new"), undefined);
  memo.countSpan(body, span, "new");
  assert.equal(memo.known(body, span, "new"), 4);
  assert.equal(memo.known(body, span, "old"), undefined);
  assert.equal(asked.length, 1);
});

Deno.test("makeCountMemo forgets the least recently used count first", () => {
  const { counter } = spy();
  const memo = makeCountMemo(counter, 2);
  const [a, b, c] = [whole('"a"'), whole('"bb"'), whole('"ccc"')];
  memo.countSpan(a.body, a.span, "new");
  memo.countSpan(b.body, b.span, "new");
  assert.equal(memo.known(a.body, a.span, "new"), 1);
  memo.countSpan(c.body, c.span, "new");
  assert.equal(memo.known(b.body, b.span, "new"), undefined);
  assert.equal(memo.known(a.body, a.span, "new"), 1);
  assert.equal(memo.known(c.body, c.span, "new"), 3);
});

Deno.test("makeCountMemo remembers a count of zero", () => {
  const { counter, asked } = spy();
  const memo = makeCountMemo(counter);
  const { body, span } = whole('""');
  assert.equal(memo.countSpan(body, span, "new"), 0);
  assert.equal(memo.known(body, span, "new"), 0);
  memo.countSpan(body, span, "new");
  assert.deepEqual(asked, [""]);
});

Deno.test("makeCountMemo refuses a bound that holds nothing", () => {
  const { counter } = spy();
  assert.throws(() => makeCountMemo(counter, 0), RangeError);
  assert.throws(() => makeCountMemo(counter, 1.5), RangeError);
});
