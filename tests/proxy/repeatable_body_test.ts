import assert from "node:assert/strict";
import fc from "fast-check";
import { isRepeatable } from "../../src/proxy/repeatable_body.ts";

const utf8 = new TextEncoder();

/** Long enough that nothing of its middle stands near an end. */
const LONG = "x".repeat(2000);

function answer(members: string, keepsState = false): boolean {
  return isRepeatable(utf8.encode(`{"model":"m",${members}}`), keepsState);
}

for (const zero of ["0", "0.0", "0e0", "0E+7", "-0", "0.000"]) {
  Deno.test(`isRepeatable takes temperature ${zero}`, () => {
    assert(answer(`"temperature":${zero}`));
  });
}

for (const other of ["1", "0.1", "1e-9", '"0"', "null", "false", "[0]"]) {
  Deno.test(`isRepeatable does not take temperature ${other}`, () => {
    assert(!answer(`"temperature":${other}`));
  });
}

Deno.test("isRepeatable takes a seed whatever the temperature, but not null", () => {
  assert(answer(`"temperature":1,"seed":7`));
  assert(answer(`"seed":0`));
  assert(!answer(`"temperature":1,"seed":null`));
  assert(!answer(`"max_tokens":1`));
});

Deno.test("isRepeatable reads only members of the body itself", () => {
  assert(!answer(`"metadata":{"temperature":0,"seed":1}`));
  assert(answer(`"temperature":0,"metadata":{"background":true}`));
});

for (
  const member of [
    `"stream":true`,
    `"background":true`,
    `"store":true`,
    `"previous_response_id":"resp_1"`,
    `"conversation":"conv_1"`,
    `"conversation":{"id":"conv_1"}`,
    `"container":"container_1"`,
    `"mcp_servers":[{"url":"https://tool.test"}]`,
    `"prompt":{"id":"pmpt_1"}`,
    `"web_search_options":{}`,
    `"plugins":[{"id":"web"}]`,
    `"tools":[{"type":"function"},{"type":"web_search_20250305"}]`,
    `"tools":[{"type":"code_interpreter"}]`,
    `"tools":{}`,
  ]
) {
  Deno.test(`isRepeatable does not take ${member}, wherever it stands`, () => {
    assert(!answer(`${member},"temperature":0`));
    assert(!answer(`"temperature":0,${member}`));
    assert(!answer(`"a":"${LONG}",${member},"temperature":0,"b":"${LONG}"`));
  });
}

for (
  const member of [
    `"stream":false`,
    `"stream":null`,
    `"store":false`,
    `"store":null`,
    `"background":false`,
    `"previous_response_id":null`,
    `"conversation":null`,
    `"tools":null`,
    `"tools":[]`,
    `"tools":[{"name":"a","input_schema":{"type":"object"}}]`,
    `"tools":[{"type":"custom","name":"a"},{"type":"function"}]`,
    `"messages":[{"content":"say \\"stream\\":true"}]`,
  ]
) {
  Deno.test(`isRepeatable takes ${member}`, () => {
    assert(answer(`${member},"temperature":0`));
  });
}

Deno.test("isRepeatable does not take what the provider keeps unless told not to", () => {
  assert(!answer(`"temperature":0`, true));
  assert(!answer(`"temperature":0,"store":null`, true));
  assert(!answer(`"temperature":0,"store":true`, true));
  assert(answer(`"temperature":0,"store":false`, true));
});

Deno.test("isRepeatable takes nothing but one JSON object without repeated keys", () => {
  for (
    const text of [
      "",
      "[]",
      "0",
      `{"temperature":0`,
      `{"temperature":0}x`,
      `{"temperature":0,"temperature":1}`,
      `{"stream":false,"temperature":0,"stream":false}`,
    ]
  ) assert(!isRepeatable(utf8.encode(text), false), text);
});

Deno.test("isRepeatable reads what JSON.parse reads, for any order, spacing and escape of members", () => {
  const members = fc.record({
    temperature: fc.constantFrom(0, 0.5, 1, null),
    seed: fc.constantFrom(null, 1),
    stream: fc.constantFrom(true, false, null),
    store: fc.constantFrom(true, false, null),
    background: fc.constantFrom(true, false),
    messages: fc.array(fc.string()),
  }, { requiredKeys: [] });
  fc.assert(
    fc.property(
      members,
      fc.boolean(),
      fc.constantFrom(undefined, 1, "\t"),
      (body, keepsState, space) => {
        const isSteady = body.temperature === 0 ||
          (body.seed ?? undefined) !== undefined;
        const isKept = body.store ?? keepsState;
        assert.equal(
          isRepeatable(
            utf8.encode(JSON.stringify(body, null, space)),
            keepsState,
          ),
          isSteady && !isKept && body.stream !== true && !body.background,
        );
      },
    ),
  );
});
