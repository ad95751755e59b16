import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type HeadItem,
  headItem,
  readHead,
} from "../../../src/compressors/table/heading.ts";

Deno.test("headItem quotes values only where they need it", () => {
  const value = (text: string) =>
    headItem({ name: "A", plan: { type: "constant", value: text } });
  assert.equal(value("1/1"), "A=1/1");
  assert.equal(value("3 hours ago"), 'A="3 hours ago"');
  assert.equal(value(""), 'A=""');
  assert.equal(
    headItem({
      name: "path",
      plan: { type: "affix", prefix: "src/", suffix: "" },
    }),
    "path=src/*",
  );
  assert.equal(headItem({ name: "own", plan: { type: "own" } }), "own");
});

Deno.test("readHead reads every header that headItem wrote", () => {
  const text = fc.string({ maxLength: 12 }).filter((part) =>
    !part.includes("\n")
  );
  const plan = fc.oneof(
    fc.constant({ type: "own" as const }),
    fc.record({ type: fc.constant("constant" as const), value: text }, {
      noNullPrototype: true,
    }),
    fc.record({
      type: fc.constant("affix" as const),
      prefix: text,
      suffix: text,
    }, { noNullPrototype: true }),
  );
  const item = fc.record({
    name: fc.stringMatching(/^[A-Za-z%#_.-]{1,9}$/),
    plan,
  }, { noNullPrototype: true });
  const split = fc.constantFrom(" ", "|", ",", "\t", ";");
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 1 }),
      split,
      (items: HeadItem[], between) => {
        const line = items.map(headItem).join(between);
        assert.deepEqual(readHead(line, between), items);
      },
    ),
  );
});

Deno.test("readHead keeps separators in quoted names and behind backslashes", () => {
  assert.deepEqual(
    readHead('"a, ""b""",c=1', ",").map(({ name }) => name),
    ['"a, ""b"""', "c"],
  );
  assert.deepEqual(readHead("a\\|b|c", "|").map(({ name }) => name), [
    "a\\|b",
    "c",
  ]);
});
