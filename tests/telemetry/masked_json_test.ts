import assert from "node:assert/strict";
import fc from "fast-check";
import {
  ERROR_RULES,
  maskedJson,
  maskedText,
  REQUEST_RULES,
} from "../../src/telemetry/masked_json.ts";
import { CANARY } from "./log_samples.ts";

Deno.test("maskedJson keeps structure, numbers and words of the wire formats, and no text", () => {
  const request = {
    model: "some-model",
    max_tokens: 1024,
    stream: true,
    stop: null,
    messages: [
      { role: "user", content: [{ type: "text", text: "Dear diary" }] },
      {
        role: "Dear",
        content: [{ type: "diary", "a long key, with words": 1 }],
      },
    ],
  };
  assert.deepEqual(maskedJson(request, REQUEST_RULES), {
    model: "<str 10>",
    max_tokens: 1024,
    stream: true,
    stop: null,
    messages: [
      { role: "user", content: [{ type: "text", text: "<str 10>" }] },
      {
        role: "<str 4>",
        content: [{ type: "<str 5>", "<key 22 at 1>": 1 }],
      },
    ],
  });
});

Deno.test("maskedJson keeps type and code of an error, and not its message", () => {
  const error = {
    type: "error",
    error: {
      type: "invalid_request_error",
      code: "context_length_exceeded",
      param: "messages",
      message: "prompt is too long: 'Dear diary'",
    },
    other: { type: "Dear diary", code: "sk-1234567890" },
  };
  assert.deepEqual(maskedJson(error, ERROR_RULES), {
    type: "error",
    error: {
      type: "invalid_request_error",
      code: "context_length_exceeded",
      param: "<str 8>",
      message: "<str 32>",
    },
    other: { type: "<str 10>", code: "<str 13>" },
  });
});

Deno.test("maskedJson shows no text of five characters or more, wherever it stands in a request", () => {
  const text = fc.string({ minLength: 5, maxLength: 40 }).map((text) =>
    `§${text}`
  );
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(text, fc.constantFrom("type", "role", "content")),
        tie("node"),
        { maxKeys: 4 },
      ),
    ),
  })).node;
  fc.assert(fc.property(tree, (value) => {
    for (const rules of [REQUEST_RULES, ERROR_RULES]) {
      assert(!JSON.stringify(maskedJson(value, rules)).includes("§"));
    }
  }));
});

Deno.test("maskedJson masks keys that look like credentials", () => {
  fc.assert(fc.property(CANARY, ({ text, secret }) => {
    const masked = maskedJson(
      { [text]: 1, [secret]: { [secret]: [] } },
      REQUEST_RULES,
    );
    assert(!JSON.stringify(masked).includes(secret));
  }));
});

Deno.test("maskedJson counts what is beyond its limits, and keeps keys of the same length apart", () => {
  const many = maskedJson({ a: Array(50_000).fill(1), b: 1 }, REQUEST_RULES);
  const { a, ...rest } = many as { a: unknown[] };
  assert.equal(a.length, 19_999);
  assert.equal(a.at(-1), `<cut ${50_000 - 19_998}>`);
  assert.deepEqual(rest, { "<cut 1>": null });
  let deep: unknown = [1, 2, 3];
  for (let i = 0; i < 1000; i++) deep = { a: deep };
  assert.match(
    JSON.stringify(maskedJson(deep, REQUEST_RULES)),
    /\{"<cut 1>":null\}/,
  );
  assert.deepEqual(
    maskedJson(JSON.parse('{"a b":1,"c d":2,"__proto__":3}'), REQUEST_RULES),
    { "<key 3 at 0>": 1, "<key 3 at 1>": 2, "<key 9 at 2>": 3 },
  );
});

Deno.test("maskedText says how long a text is", () => {
  assert.equal(maskedText("Dear"), "<str 4>");
});
