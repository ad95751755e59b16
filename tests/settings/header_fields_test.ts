import assert from "node:assert/strict";
import fc from "fast-check";
import {
  parseHeaderList,
  parseHeaderMap,
} from "../../src/settings/header_fields.ts";

const read = (map: unknown) => parseHeaderMap("X", JSON.stringify(map));

/** Asserts that `raw` is refused for a reason, with nothing of its secret. */
function refused(raw: string, reason: RegExp) {
  assert.throws(() => parseHeaderMap("X", raw), (error: Error) => {
    assert(error instanceof RangeError);
    assert.match(error.message, /^Cannot use X: .*; it must be a JSON object /);
    assert.match(error.message, reason, raw);
    assert.doesNotMatch(error.message, /hunter2/);
    return true;
  });
}

Deno.test("parseHeaderMap gives names in lower case and trimmed values, in their order", () => {
  assert.deepEqual(
    read({ "X-Team": " a b\t", authorization: "Bearer ü", "x-empty": "" }),
    [["x-team", "a b"], ["authorization", "Bearer ü"], ["x-empty", ""]],
  );
  assert.deepEqual(read({}), []);
});

Deno.test("parseHeaderMap gives fields that a request can carry", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (map) => {
      let fields;
      try {
        fields = read(map);
      } catch (error) {
        assert(error instanceof RangeError);
        return;
      }
      const headers = new Headers(
        fields.map(([name, value]): [string, string] => [name, value]),
      );
      assert.equal([...headers].length, fields.length);
    }),
  );
});

Deno.test("parseHeaderMap refuses what is no JSON object", () => {
  for (
    const raw of [
      "hunter2",
      '"hunter2"',
      '["hunter2"]',
      '{"a":"hunter2"',
      '{a:"hunter2"}',
      "null",
      "1",
      "",
    ]
  ) refused(raw, /it is no JSON object/);
});

Deno.test("parseHeaderMap refuses names that are none, and says only where they stand", () => {
  for (const name of ["", "a b", "a\n", ":path", "ü", "a:", "(a)"]) {
    refused(
      JSON.stringify({ ok: "hunter2", [name]: "hunter2" }),
      /: the name of field 2 is no field name/,
    );
  }
  refused('{"Authorization: Bearer hunter2":""}', /field 1 is no field name/);
});

Deno.test("parseHeaderMap refuses fields of the connection and of the message's frame, in any case", () => {
  for (
    const name of [
      "Host",
      "content-length",
      "Content-Encoding",
      "transfer-encoding",
      "connection",
      "Keep-Alive",
      "upgrade",
      "te",
      "trailer",
      "expect",
      "accept-encoding",
      "proxy-authenticate",
      "proxy-authorization",
      "proxy-connection",
    ]
  ) {
    refused(
      JSON.stringify({ [name]: "hunter2" }),
      new RegExp(`field "${name}" is set by svc itself`),
    );
  }
});

Deno.test("parseHeaderMap refuses values that are no strings, or hold line breaks or other control characters", () => {
  for (const value of [1, null, true, ["hunter2"], { a: "hunter2" }]) {
    refused(
      JSON.stringify({ a: value }),
      /the value of field "a" is no string/,
    );
  }
  for (const end of ["\r\nx: y", "\n", "\r", "\0", "\x7f", "\x1b", "☃"]) {
    refused(
      JSON.stringify({ a: `hunter2${end}` }),
      /the value of field "a" has a line break or another character/,
    );
  }
});

Deno.test("parseHeaderMap refuses the same name in another case", () => {
  refused(
    '{"X-Key":"hunter2","x-key":"hunter2"}',
    /"x-key" stands there twice/,
  );
});

Deno.test("parseHeaderList reads names and values in order, values percent-decoded", () => {
  assert.deepEqual(parseHeaderList("X", " a=1, b=x%20y ,c=a=b,"), [
    ["a", "1"],
    ["b", "x y"],
    ["c", "a=b"],
  ]);
  assert.deepEqual(parseHeaderList("X", ""), []);
});

Deno.test("parseHeaderList leaves a value that is no percent-encoding as it is", () => {
  assert.deepEqual(parseHeaderList("X", "a=100%"), [["a", "100%"]]);
});

Deno.test("parseHeaderList refuses a part without a name, and repeats no value", () => {
  for (const raw of ["sesame", "=sesame", "a=1,sesame"]) {
    assert.throws(
      () => parseHeaderList("X", raw),
      (error: RangeError) =>
        error.message === 'Cannot use X="***": must be name=value,name=value',
    );
  }
});
