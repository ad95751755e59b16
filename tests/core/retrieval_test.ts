import assert from "node:assert/strict";
import {
  notRebuilt,
  RETRIEVAL_TOOL,
  RETRIEVAL_TOOL_DESCRIPTION,
  RETRIEVAL_TOOL_SCHEMA,
} from "../../src/core/retrieval.ts";

Deno.test("RETRIEVAL_TOOL is the name that clients and models know", () => {
  assert.equal(RETRIEVAL_TOOL, "headroom_retrieve");
});

Deno.test("RETRIEVAL_TOOL_SCHEMA has one argument, which the description explains", () => {
  assert.deepEqual(Object.keys(RETRIEVAL_TOOL_SCHEMA.properties), ["hash"]);
  assert.deepEqual(RETRIEVAL_TOOL_SCHEMA.required, ["hash"]);
  assert.match(RETRIEVAL_TOOL_DESCRIPTION, /hash=/);
});

Deno.test("notRebuilt says what is missing", () => {
  assert.equal(
    notRebuilt("an item is cut").message,
    "Cannot continue after a retrieval: an item is cut",
  );
});
