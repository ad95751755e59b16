import assert from "node:assert/strict";
import fc from "fast-check";
import { makeUsageTap, member, tokens } from "../../src/sse/usage_tap.ts";
import { JsonMemberWatch } from "../../src/sse/json_member_watch.ts";

const utf8 = new TextEncoder();

function tap(contentType: string, text: string, step = Infinity): unknown {
  const made = makeUsageTap(contentType, {
    body: ["usage"],
    events: [["response", "usage"], ["usage"]],
    merge: (known, reported) => ({
      input: (known.input ?? 0) + (tokens(reported, "n") ?? 0),
    }),
  });
  const bytes = utf8.encode(text);
  for (let at = 0; at < bytes.length; at += step) {
    made.push(bytes.subarray(at, at + step));
  }
  return made.finish();
}

Deno.test("makeUsageTap reads the body's usage object when it is no event stream", () => {
  assert.deepEqual(tap("application/json", '{"usage":{"n":2}}'), { input: 2 });
  assert.deepEqual(tap("", '{"usage":{"n":2}}'), { input: 2 });
});

Deno.test("makeUsageTap merges the usage objects of all events, by whichever path leads to one", () => {
  const stream =
    'data: {"usage":{"n":1}}\n\ndata: {"usage":null}\n\ndata: {"response":{"usage":{"n":4}},"usage":{"n":100}}\n\n';
  assert.deepEqual(tap("Text/Event-Stream; charset=utf-8", stream), {
    input: 5,
  });
});

Deno.test("makeUsageTap reads a last event without its blank line", () => {
  assert.deepEqual(
    tap("text/event-stream", 'data: {"usage":{"n":3}}'),
    { input: 3 },
  );
});

Deno.test("makeUsageTap finds the usage of an event above the size bound", () => {
  const pad = "x".repeat(1 << 20);
  const big =
    `event: done\ndata: {"response":{"text":"${pad}","usage":{"n":3}}}\n\n`;
  const stream = `${big}data: {"usage":{"n":1}}\n\n`;
  assert.deepEqual(tap("text/event-stream", stream, 10_000), { input: 4 });
});

Deno.test("makeUsageTap reports nothing for malformed input and does not throw", () => {
  for (const text of ['data: {"usage":{"n":', 'data: "usage"\n\n', "\xff{"]) {
    assert.deepEqual(tap("text/event-stream", text), {});
    assert.deepEqual(tap("application/json", text), {});
  }
});

Deno.test("tokens takes non-negative whole numbers only", () => {
  const from = { a: 1, b: -1, c: 1.5, d: "1", e: null, f: 0 };
  assert.deepEqual(
    ["a", "b", "c", "d", "e", "f", "g"].map((key) => tokens(from, key)),
    [1, undefined, undefined, undefined, undefined, 0, undefined],
  );
  assert.equal(tokens(null, "a"), undefined);
  assert.equal(member("text", "length"), undefined);
});

function find(
  text: string,
  path: readonly string[],
  step = Infinity,
): readonly object[] {
  const found: object[] = [];
  const watch = new JsonMemberWatch(path, (value) => found.push(value));
  const bytes = utf8.encode(text);
  for (let at = 0; at < bytes.length; at += step) {
    watch.push(bytes.subarray(at, at + step));
  }
  return found;
}

Deno.test("JsonMemberWatch finds the member of the outermost object only", () => {
  const text =
    '{"a":{"usage":{"n":1}},"b":[{"usage":{"n":2}}],"c":"\\"usage\\":{\\"n\\":3}", "usage" : {"n":4,"d":{"e":[5]}} }';
  assert.deepEqual(find(text, ["usage"]), [{ n: 4, d: { e: [5] } }]);
});

Deno.test("JsonMemberWatch follows a path", () => {
  const text =
    '{"usage":{"n":1},"response":{"x":{"usage":{"n":2}},"usage":{"n":3}},"y":{"usage":{"n":4}}}';
  assert.deepEqual(find(text, ["response", "usage"]), [{ n: 3 }]);
});

Deno.test("JsonMemberWatch skips a value that is no object", () => {
  for (const value of ["null", "1", '"{}"', "[{}]", "true"]) {
    assert.deepEqual(find(`{"usage":${value},"b":{"n":1}}`, ["usage"]), []);
  }
});

Deno.test("JsonMemberWatch skips what stands before the object", () => {
  assert.deepEqual(
    find('event: "x"\ndata: {"usage":{"n":1}}\n\n', ["usage"]),
    [{ n: 1 }],
  );
});

Deno.test("JsonMemberWatch skips a value above 64 KiB and finds the next", () => {
  const big = `{"usage":{"n":"${"x".repeat(70_000)}"}}`;
  assert.deepEqual(find(`${big}{"usage":{"n":1}}`, ["usage"], 1000), [{
    n: 1,
  }]);
});

Deno.test("JsonMemberWatch finds what JSON.parse finds, in chunks of any size", () => {
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

Deno.test("JsonMemberWatch never throws, whatever the bytes", () => {
  fc.assert(fc.property(
    fc.array(fc.constantFrom(...'{}[]",:\\a', '{"usage":{', '"usage":')),
    (parts) => {
      find(parts.join(""), ["usage"]);
      find(parts.join(""), ["usage", "a"], 1);
    },
  ));
});
