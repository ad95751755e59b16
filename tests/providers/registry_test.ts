import assert from "node:assert/strict";
import { providerRouteOf } from "../../src/providers/registry.ts";

const PLACE = "/projects/p/locations/europe-west1";
const MODELS = `${PLACE}/publishers/anthropic/models`;

/** Whether it is paid, use, family and format of a route; its region and prefix where it has one. */
function of(path: string, method = "POST"): string | undefined {
  const route = providerRouteOf(method, path);
  if (route === undefined) return undefined;
  if (route.use === "refused") return "refused";
  const { use, isPaid, family, format, region, pathPrefix } = route;
  return [isPaid && "paid", use, family, format.id, region, pathPrefix]
    .filter((part) => part !== undefined).join(" ");
}

Deno.test("providerRouteOf knows the messages routes, and the others behind any prefix", () => {
  assert.equal(of("/v1/messages"), "generation messages messages");
  assert.equal(of("/v1/messages/count_tokens"), "preview messages messages");
  for (const prefix of ["", "/v1", "/openai/v1", "/openai/deployments/d"]) {
    assert.equal(
      of(`${prefix}/chat/completions`),
      "generation chat chat_completions",
    );
    assert.equal(of(`${prefix}/completions`), "generation chat completions");
  }
  for (
    const path of [
      "/v1/responses",
      "/v1/codex/responses",
      "/backend-api/responses",
      "/backend-api/codex/responses",
      "/responses",
      "/openai/responses",
      "/openai/v1/responses",
      "/openai/deployments/d/responses",
    ]
  ) {
    assert.equal(of(path), "generation chat responses");
    assert.equal(of(`${path}/input_tokens`), "preview chat responses");
    assert.equal(of(`${path}/compact`), "paid preview chat responses");
    assert.equal(of(`${path}/resp_1/cancel`), undefined);
  }
});

Deno.test("providerRouteOf gives routes without a region or a prefix to POST alone", () => {
  for (
    const path of [
      "/v1/messages",
      "/v1/messages/count_tokens",
      "/v1/chat/completions",
      "/v1/completions",
      "/v1/responses",
      "/v1/responses/compact",
    ]
  ) {
    assert.notEqual(of(path), undefined);
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"]) {
      assert.equal(of(path, method), undefined);
    }
  }
});

Deno.test("providerRouteOf takes the name of a deployment for the model where the body has none", () => {
  const modelOf = (path: string, json: string) => {
    const route = providerRouteOf("POST", path);
    assert.ok(route?.use === "generation");
    return route.format.scan(new TextEncoder().encode(json)).model;
  };
  const path = "/openai/deployments/gpt-4o";
  for (
    const [end, member] of [
      ["chat/completions", "messages"],
      ["completions", "prompt"],
      ["responses", "input"],
    ] as const
  ) {
    const json = `"${member}":[]`;
    assert.equal(modelOf(`${path}/${end}`, `{${json}}`), "gpt-4o");
    assert.equal(modelOf(`${path}/${end}`, `{"model":"m",${json}}`), "m");
    assert.equal(modelOf(`/v1/${end}`, `{${json}}`), "");
  }
});

Deno.test("providerRouteOf knows a route in other spellings of its path", () => {
  for (
    const [path, expected] of [
      ["/v1/messages/", "generation messages messages"],
      ["//v1/messages", "generation messages messages"],
      ["/v1//messages//", "generation messages messages"],
      ["/v1/%6Dessages", "generation messages messages"],
      ["/v1/chat/completions/", "generation chat chat_completions"],
      ["/v1/responses/compact/", "paid preview chat responses"],
      ["/anthropic//v1/messages/", "generation foundry messages"],
      [
        `/v1${MODELS}/claude:rawPredict/`,
        "generation vertex messages europe-west1",
      ],
      [
        `/${MODELS}/claude:%72awPredict`,
        "generation vertex messages europe-west1 /v1",
      ],
      ["/v1%2Fmessages", undefined],
      ["/v1/messages%20", undefined],
    ] as const
  ) assert.equal(of(path), expected, path);
});

Deno.test("providerRouteOf sends vertex-style paths to their region, with the version in front", () => {
  const vertex = "vertex messages europe-west1";
  assert.equal(of(`/v1${MODELS}/claude@1:rawPredict`), `generation ${vertex}`);
  assert.equal(
    of(`${MODELS}/claude@1:streamRawPredict`),
    `generation ${vertex} /v1`,
  );
  assert.equal(
    of(`${MODELS}/count-tokens:rawPredict`),
    `preview ${vertex} /v1`,
  );
});

Deno.test("providerRouteOf takes model and stream flag from a vertex-style path", () => {
  const body = new TextEncoder().encode(
    '{"anthropic_version":"x","messages":[]}',
  );
  for (const [verb, streaming] of [["r", false], ["streamR", true]] as const) {
    const path = `${MODELS}/claude-sonnet-4%402025:${verb}awPredict`;
    const route = providerRouteOf("POST", path);
    assert.ok(route?.use === "generation");
    const scan = route.format.scan(body);
    assert.equal(scan.model, "claude-sonnet-4@2025");
    assert.equal(scan.streaming, streaming);
  }
});

Deno.test("providerRouteOf passes other publishers, verbs and methods of vertex through, to the same region", () => {
  const passthrough = "passthrough vertex messages europe-west1";
  for (
    const [path, method] of [
      [`/v1${PLACE}/publishers/google/models/g:rawPredict`, "POST"],
      [`/v1${PLACE}/publishers/mistralai/models/m:streamRawPredict`, "POST"],
      [`/v1${MODELS}/claude:predict`, "POST"],
      [`/v1${MODELS}/claude:rawPredict`, "GET"],
      [`/v1${PLACE}/endpoints/openapi/chat/completions`, "GET"],
      [`/v1${PLACE}`, "GET"],
    ] as const
  ) {
    assert.equal(of(path, method), passthrough, path);
  }
});

Deno.test("providerRouteOf sends chat completions of vertex to their region", () => {
  assert.equal(
    of(`${PLACE}/endpoints/openapi/chat/completions`),
    "generation vertex chat_completions europe-west1 /v1",
  );
});

Deno.test("providerRouteOf refuses a vertex-style path that names no region, in every spelling, and says why", () => {
  for (
    const [method, place] of [
      ["POST", "/v1/projects/p/locations/evil.example"],
      ["GET", "/v1/projects/p/locations/evil.example"],
      ["POST", "//v1/projects/p/locations/evil%2Eexample"],
      ["POST", "/v1/projects/p/locations//us-east5"],
    ] as const
  ) {
    const path = `${place}/publishers/a/models/m:x`;
    const route = providerRouteOf(method, path);
    assert.ok(route?.use === "refused");
    assert.match(route.message, /^Cannot forward this path: the region/);
    assert.doesNotThrow(() => JSON.parse(route.format.errorBody(400, "m")));
  }
});

Deno.test("providerRouteOf sends messages behind a prefix to the foundry upstream", () => {
  const foundry = "foundry messages";
  assert.equal(of("/anthropic/v1/messages"), `generation ${foundry}`);
  assert.equal(
    of("/anthropic/v1/messages/count_tokens"),
    `preview ${foundry}`,
  );
  assert.equal(
    of("/anthropic/v1/messages/batches"),
    `passthrough ${foundry}`,
  );
  assert.equal(of("/anthropic/v1/messages", "GET"), `passthrough ${foundry}`);
});

Deno.test("providerRouteOf leaves everything else to the credentials", () => {
  for (
    const path of [
      "/",
      "/v1/models",
      "/v1/messages/batches",
      "/v1/batches",
      "/v1/retrieve/abc",
      "/v1/compress",
      "/mcp",
      "/V1/messages",
    ]
  ) {
    assert.equal(of(path), undefined, path);
  }
});
