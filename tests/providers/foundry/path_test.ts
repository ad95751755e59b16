import assert from "node:assert/strict";
import { foundryUse } from "../../../src/providers/foundry/path.ts";

Deno.test("foundryUse tells generation, counting and the rest apart behind any prefix", () => {
  for (const prefix of ["/anthropic", "/a/b/c", "/my%20gateway", "/api"]) {
    assert.equal(foundryUse(`${prefix}/v1/messages`), "generation");
    assert.equal(
      foundryUse(`${prefix}/v1/messages/count_tokens`),
      "count_tokens",
    );
    for (const rest of ["/batches", "/", "/batches/b1/results"]) {
      assert.equal(foundryUse(`${prefix}/v1/messages${rest}`), "other");
    }
  }
});

Deno.test("foundryUse leaves paths without a prefix and of other routes alone", () => {
  for (
    const path of [
      "/",
      "/v1/messages",
      "/v1/messages/count_tokens",
      "//v1/messages",
      "/anthropic/v1/messagesx",
      "/anthropic/v2/messages",
      "/anthropic/v1/models",
      "/anthropic//v1/messages",
      "/v1/retrieve/x",
      "/v1/retrieve/v1/messages",
      "/v1/compress/v1/messages",
      "/v1/v1/messages",
      "/v1beta/v1/messages",
      "/mcp/v1/messages",
      "/MCP/v1/messages",
      "/%6dcp/v1/messages",
      "/%76%31/v1/messages",
      "/p/my-project/v1/messages",
      "/projects/p/locations/us/v1/messages",
      "/backend-api/v1/messages",
      "/.well-known/v1/messages",
    ]
  ) {
    assert.equal(foundryUse(path), undefined, path);
  }
});

Deno.test("foundryUse takes a prefix that is no UTF-8 as it stands", () => {
  assert.equal(foundryUse("/%ff/v1/messages"), "generation");
});
