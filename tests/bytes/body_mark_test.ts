import assert from "node:assert/strict";
import fc from "fast-check";
import { BodyMark } from "../../src/bytes/body_mark.ts";

const utf8 = new TextEncoder();
const MARK = '"ab"';

/** What both ways to look say of a body, and how often the second one pauses. */
async function found(body: Uint8Array, mark: BodyMark = new BodyMark(MARK)) {
  const isIn = mark.isIn(body);
  // Another body of the same bytes is not remembered.
  const copy = body.slice();
  let pauses = 0;
  await mark.look(copy, () => {
    pauses++;
    return Promise.resolve();
  });
  assert.equal(mark.isIn(copy), isIn);
  return { isIn, pauses };
}

Deno.test("BodyMark finds a mark exactly where a search of the text does", async () => {
  const text = fc.array(fc.constantFrom('"', "a", "b", "x"), { maxLength: 30 })
    .map((parts) => parts.join(""));
  await fc.assert(fc.asyncProperty(text, async (text) => {
    const { isIn, pauses } = await found(utf8.encode(text));
    assert.equal(isIn, text.includes(MARK));
    assert.equal(pauses, 0);
  }));
});

Deno.test("BodyMark finds a mark wherever it stands beside the end of a step, with pauses up to there", async () => {
  const STEP = 8 * 1024 * 1024;
  const body = new Uint8Array(2 * STEP + 100).fill(0x78);
  assert.deepEqual(await found(body), { isIn: false, pauses: 2 });
  for (let start = STEP - 6; start < STEP + 6; start++) {
    const marked = body.slice();
    marked.set(utf8.encode(MARK), start);
    const { isIn, pauses } = await found(marked);
    assert.equal(isIn, true, `${start}`);
    assert.ok(pauses <= 1);
  }
});

Deno.test("BodyMark takes only marks that count", async () => {
  const mark = new BodyMark(MARK, (body, end) => body[end] === 0x3a);
  assert.equal((await found(utf8.encode('"ab", "ab":1'), mark)).isIn, true);
  assert.equal((await found(utf8.encode('"ab", "ab"'), mark)).isIn, false);
});
