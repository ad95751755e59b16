import assert from "node:assert/strict";
import {
  RESPONSES_PATHS,
  RESPONSES_PREVIEWS,
} from "../../../src/providers/responses/paths.ts";

Deno.test("RESPONSES_PATHS holds the route and its aliases as clients write them, each once", () => {
  assert.deepEqual(RESPONSES_PATHS, [
    "/v1/responses",
    "/v1/codex/responses",
    "/backend-api/responses",
    "/backend-api/codex/responses",
  ]);
  assert.deepEqual(RESPONSES_PREVIEWS, ["/input_tokens", "/compact"]);
});
