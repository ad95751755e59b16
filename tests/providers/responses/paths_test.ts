import assert from "node:assert/strict";
import { RESPONSES_PATHS } from "../../../src/providers/responses/paths.ts";

Deno.test("RESPONSES_PATHS holds the route and its aliases as clients write them, each once", () => {
  assert.deepEqual(RESPONSES_PATHS, [
    "/v1/responses",
    "/v1/codex/responses",
    "/backend-api/responses",
    "/backend-api/codex/responses",
  ]);
});
