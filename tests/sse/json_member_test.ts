import assert from "node:assert/strict";
import fc from "fast-check";
import { parseObject, watchJsonMember } from "../../src/sse/json_member.ts";

const utf8 = new TextEncoder();

function find(
  text: string,
  path: readonly string[],
  step = Infinity,
): readonly object[] {
  const found: object[] = [];
  const watch = watchJsonMember(path, (value) => found.push(value));
  const bytes = utf8.encode(text);
  for (let at = 0; at < bytes.length; at += step) {
    watch.push(bytes.subarray(at, at + step));
  }
  return found;
}

Deno.test("watchJsonMember finds the member of the outermost object only", () => {
  const text =
    '{"a":{"usage":{"n":1}},"b":[{"usage":{"n":2}}],"c":"\\"usage\\":{\\"n\\":3}", "usage" : {"n":4,"d":{"e":[5]}} }';
  assert.deepEqual(find(text, ["usage"]), [{ n: 4, d: { e: [5] } }]);
});

Deno.test("watchJsonMember follows a path", () => {
  const text =
    '{"usage":{"n":1},"response":{"x":{"usage":{"n":2}},"usage":{"n":3}},"y":{"usage":{"n":4}}}';
  assert.deepEqual(find(text, ["response", "usage"]), [{ n: 3 }]);
});

Deno.test("watchJsonMember skips a value that is no object", () => {
  for (const value of ["null", "1", '"{}"', "[{}]", "true"]) {
    assert.deepEqual(find(`{"usage":${value},"b":{"n":1}}`, ["usage"]), []);
  }
});

Deno.test("watchJsonMember skips what stands before the object", () => {
  assert.deepEqual(
    find('event: "x"\ndata: {"usage":{"n":1}}\n\n', ["usage"]),
    [{ n: 1 }],
  );
});

Deno.test("watchJsonMember skips a value above 64 KiB and finds the next", () => {
  const big = `{"usage":{"n":"${"x".repeat(70_000)}"}}`;
  assert.deepEqual(find(`${big}{"usage":{"n":1}}`, ["usage"], 1000), [{
    n: 1,
  }]);
});

Deno.test("watchJsonMember finds what JSON.parse finds, in chunks of any size", () => {
  const json = fc.json({ maxDepth: 4 });
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom("a", 'q"uote', "response", "z"), json),
      json,
      fc.integer({ min: 1, max: 20 }),
      (members, usage, step) => {
        const pairs = Object.entries(members).map(([key, value]) =>
          `${JSON.stringify(key)}: ${value}`
        );
        const text = `{${[...pairs, `"usage":${usage}`].join(" , ")}}`;
        const value: unknown = JSON.parse(text).usage;
        const isObject = typeof value === "object" && value !== null &&
          !Array.isArray(value);
        assert.deepEqual(find(text, ["usage"], step), isObject ? [value] : []);
      },
    ),
  );
});

Deno.test("watchJsonMember never throws, whatever the bytes", () => {
  fc.assert(fc.property(
    fc.array(fc.constantFrom(...'{}[]",:\\a', '{"usage":{', '"usage":')),
    (parts) => {
      find(parts.join(""), ["usage"]);
      find(parts.join(""), ["usage", "a"], 1);
    },
  ));
});

Deno.test("parseObject gives undefined for what is no object", () => {
  assert.deepEqual(parseObject('{"a":1}'), { a: 1 });
  for (const text of ["", "null", "1", "{", '"a"']) {
    assert.equal(parseObject(text), undefined);
  }
});
