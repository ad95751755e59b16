import assert from "node:assert/strict";
import { FIXED_ROUTES, providerRouteOf } from "../../src/providers/registry.ts";

const PLACE = "/projects/p/locations/europe-west1";
const MODELS = `${PLACE}/publishers/anthropic/models`;

/** Use, family and format of a route; its region and prefix where it has one. */
function of(path: string, method = "POST"): string | undefined {
  const route = providerRouteOf(method, path);
  if (route === undefined) return undefined;
  if (route.use === "refused") return "refused";
  const { use, family, format, region, pathPrefix } = route;
  return [use, family, format.id, region, pathPrefix]
    .filter((part) => part !== undefined).join(" ");
}

Deno.test("providerRouteOf knows the fixed paths, the responses aliases and what is below them", () => {
  assert.equal(of("/v1/messages"), "generation messages messages");
  assert.equal(of("/v1/messages/count_tokens"), "preview messages messages");
  assert.equal(
    of("/v1/chat/completions"),
    "generation chat chat_completions",
  );
  for (
    const path of [
      "/v1/responses",
      "/v1/codex/responses",
      "/backend-api/responses",
      "/backend-api/codex/responses",
    ]
  ) {
    assert.equal(of(path), "generation chat responses");
    assert.equal(of(`${path}/input_tokens`), "preview chat responses");
    assert.equal(of(`${path}/compact`), "preview chat responses");
    assert.equal(of(`${path}/resp_1/cancel`), undefined);
  }
  assert.equal(FIXED_ROUTES.size, 3 + 4 * 3);
});

Deno.test("providerRouteOf gives the fixed paths to POST alone", () => {
  for (const path of FIXED_ROUTES.keys()) {
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"]) {
      assert.equal(of(path, method), undefined);
    }
  }
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
      [`/v1${PLACE}/endpoints/openapi/chat/completions`, "POST"],
      [`/v1${PLACE}`, "GET"],
    ] as const
  ) {
    assert.equal(of(path, method), passthrough, path);
  }
});

Deno.test("providerRouteOf refuses a vertex-style path that names no region, and says why", () => {
  const path = `/v1/projects/p/locations/evil.example/publishers/a/models/m:x`;
  for (const method of ["POST", "GET"]) {
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
      "/v1/messages/",
      "/v1/messages/batches",
      "/v1/retrieve/abc",
      "/v1/compress",
      "/mcp",
      "/V1/messages",
    ]
  ) {
    assert.equal(of(path), undefined, path);
  }
});
