import assert from "node:assert/strict";
import fc from "fast-check";
import type { Upstream } from "../../src/core/upstream.ts";
import {
  type RepeatableCall,
  responseKey,
} from "../../src/proxy/response_key.ts";

const utf8 = new TextEncoder();
const UPSTREAM: Upstream = {
  base: new URL("https://api.test/v"),
  label: "api",
  extraHeaders: [["x-team", "a"]],
};
const FIELDS = {
  "authorization": "Bearer one",
  "x-api-key": "key-1",
  "api-version": "2024-01-01",
  "vendor-beta": "a,b",
  "user-agent": "sdk/1",
  "cookie": "session=1",
  "x-svc-user-id": "ann",
};
const BODY = `{"model":"m","temperature":0,"messages":[]}`;

function call(changes: Partial<RepeatableCall> = {}): RepeatableCall {
  return {
    method: "POST",
    url: "http://proxy/v1/messages?beta=true",
    headers: new Headers(FIELDS),
    body: utf8.encode(BODY),
    upstream: UPSTREAM,
    keepsState: false,
    ...changes,
  };
}

const fields = (changes: Record<string, string>) => ({
  headers: new Headers({ ...FIELDS, ...changes }),
});
const body = (text: string) => ({ body: utf8.encode(text) });
const upstream = (changes: Partial<Upstream>) => ({
  upstream: { ...UPSTREAM, ...changes },
});

Deno.test("responseKey is 64 hex digits, the same for the same call", async () => {
  const key = await responseKey(call());
  assert.match(key!, /^[0-9a-f]{64}$/);
  assert.equal(await responseKey(call()), key);
});

const DIFFERENT: Readonly<Record<string, Partial<RepeatableCall>>> = {
  "another API key": fields({ "x-api-key": "key-2" }),
  "another bearer token": fields({ authorization: "Bearer two" }),
  "no credential": { headers: new Headers({ "user-agent": "sdk/1" }) },
  "another beta": fields({ "vendor-beta": "a" }),
  "betas in another order": fields({ "vendor-beta": "b,a" }),
  "another API version": fields({ "api-version": "2025-01-01" }),
  "another organisation": fields({ "vendor-organization": "org-2" }),
  "another cookie": fields({ cookie: "session=2" }),
  "another user of ours": fields({ "x-svc-user-id": "bob" }),
  "another mode of ours": fields({ "x-svc-mode": "passthrough" }),
  "another session of ours": fields({ "x-svc-session-id": "s2" }),
  "a field that is not known": fields({ "x-brand-new": "1" }),
  "another idempotency key": fields({ "idempotency-key": "k2" }),
  "another client": fields({ "user-agent": "sdk/2" }),
  "another path": { url: "http://proxy/v1/messages/other?beta=true" },
  "another query": { url: "http://proxy/v1/messages?beta=false" },
  "another origin": upstream({ base: new URL("https://other.test/v") }),
  "another port": upstream({ base: new URL("https://api.test:444/v") }),
  "another prefix": upstream({ base: new URL("https://api.test/w") }),
  "another operator's field": upstream({ extraHeaders: [["x-team", "b"]] }),
  "another model": body(BODY.replace(`"m"`, `"n"`)),
  "another zero": body(BODY.replace("0", "0.0")),
  "a seed": body(BODY.replace(`"temperature":0`, `"temperature":0,"seed":1`)),
  "another message": body(BODY.replace("[]", `[{"role":"user"}]`)),
  "another space": body(BODY.replace(",", ", ")),
};

for (const [name, changes] of Object.entries(DIFFERENT)) {
  Deno.test(`responseKey differs for ${name}`, async () => {
    const key = await responseKey(call(changes));
    assert.notEqual(key, undefined);
    assert.notEqual(key, await responseKey(call()));
  });
}

Deno.test("responseKey differs for every pair of different calls", async () => {
  const keys = await Promise.all(
    Object.values(DIFFERENT).map((changes) => responseKey(call(changes))),
  );
  assert.equal(new Set(keys).size, keys.length);
});

Deno.test("responseKey tells a field's name from its value", async () => {
  const one = call({ headers: new Headers({ a: "b", c: "d" }) });
  const other = call({ headers: new Headers({ a: `b,["c","d"]` }) });
  assert.notEqual(await responseKey(one), await responseKey(other));
});

Deno.test("responseKey is the same for the next try of a request", async () => {
  const again = call(fields({
    "x-stainless-retry-count": "2",
    "x-stainless-timeout": "600",
    "traceparent": "00-1-2-01",
    "tracestate": "a=b",
    "x-request-id": "r2",
    "x-client-request-id": "r3",
    "date": "now",
    "content-length": "17",
    "accept-encoding": "gzip, br",
    "connection": "keep-alive",
    "keep-alive": "timeout=5",
    "transfer-encoding": "chunked",
    "expect": "100-continue",
    "content-encoding": "gzip",
  }));
  assert.equal(await responseKey(again), await responseKey(call()));
});

const NEVER: Readonly<Record<string, Partial<RepeatableCall>>> = {
  "another method": { method: "GET" },
  "a stream": body(BODY.replace("{", `{"stream":true,`)),
  "a temperature above 0": body(BODY.replace("0", "0.7")),
  "a response that the provider keeps": { keepsState: true },
  "a client that wants a new answer": fields({ "cache-control": "No-Cache" }),
  "a client that wants nothing kept": fields({ "cache-control": "no-store" }),
  "an old client that wants a new answer": fields({ pragma: "no-cache" }),
};

for (const [name, changes] of Object.entries(NEVER)) {
  Deno.test(`responseKey is undefined for ${name}`, async () => {
    assert.equal(await responseKey(call(changes)), undefined);
  });
}

Deno.test("responseKey shows nothing of a credential", async () => {
  const key = await responseKey(call(fields({ authorization: "abcdef01" })));
  assert(!key!.includes("abcdef01"));
});

/** Long enough that nothing of its middle stands near an end. */
const LONG = "x".repeat(2000);

async function isKept(text: string, keepsState = false): Promise<boolean> {
  return await responseKey(call({ ...body(text), keepsState })) !== undefined;
}

const answer = (members: string, keepsState = false) =>
  isKept(`{"model":"m",${members}}`, keepsState);

for (const zero of ["0", "0.0", "0e0", "0E+7", "-0", "0.000"]) {
  Deno.test(`responseKey takes temperature ${zero}`, async () => {
    assert(await answer(`"temperature":${zero}`));
  });
}

for (const other of ["1", "0.1", "1e-9", '"0"', "null", "false", "[0]"]) {
  Deno.test(`responseKey does not take temperature ${other}`, async () => {
    assert(!await answer(`"temperature":${other}`));
  });
}

Deno.test("responseKey takes a seed whatever the temperature, but not null", async () => {
  assert(await answer(`"temperature":1,"seed":7`));
  assert(await answer(`"seed":0`));
  assert(!await answer(`"temperature":1,"seed":null`));
  assert(!await answer(`"max_tokens":1`));
});

Deno.test("responseKey reads only members of the body itself", async () => {
  assert(!await answer(`"metadata":{"temperature":0,"seed":1}`));
  assert(await answer(`"temperature":0,"metadata":{"background":true}`));
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
  Deno.test(`responseKey does not take ${member}, wherever it stands`, async () => {
    assert(!await answer(`${member},"temperature":0`));
    assert(!await answer(`"temperature":0,${member}`));
    assert(
      !await answer(`"a":"${LONG}",${member},"temperature":0,"b":"${LONG}"`),
    );
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
  Deno.test(`responseKey takes ${member}`, async () => {
    assert(await answer(`${member},"temperature":0`));
  });
}

Deno.test("responseKey does not take what the provider keeps unless told not to", async () => {
  assert(!await answer(`"temperature":0`, true));
  assert(!await answer(`"temperature":0,"store":null`, true));
  assert(!await answer(`"temperature":0,"store":true`, true));
  assert(await answer(`"temperature":0,"store":false`, true));
});

Deno.test("responseKey takes nothing but one JSON object without repeated keys", async () => {
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
  ) assert(!await isKept(text), text);
});

Deno.test("responseKey reads what JSON.parse reads, for any order, spacing and escape of members", async () => {
  const members = fc.record({
    temperature: fc.constantFrom(0, 0.5, 1, null),
    seed: fc.constantFrom(null, 1),
    stream: fc.constantFrom(true, false, null),
    store: fc.constantFrom(true, false, null),
    background: fc.constantFrom(true, false),
    messages: fc.array(fc.string()),
  }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(
      members,
      fc.boolean(),
      fc.constantFrom(undefined, 1, "\t"),
      async (body, keepsState, space) => {
        const isSteady = body.temperature === 0 ||
          (body.seed ?? undefined) !== undefined;
        const stored = body.store ?? keepsState;
        assert.equal(
          await isKept(JSON.stringify(body, null, space), keepsState),
          isSteady && !stored && body.stream !== true && !body.background,
        );
      },
    ),
  );
});
