import assert from "node:assert/strict";
import {
  notRebuilt,
  RETRIEVAL_TOOL,
  RETRIEVAL_TOOL_DESCRIPTION,
  RETRIEVAL_TOOL_SCHEMA,
  retrievalArguments,
} from "../../src/core/retrieval.ts";

Deno.test("RETRIEVAL_TOOL is the name that clients and models know", () => {
  assert.equal(RETRIEVAL_TOOL, "headroom_retrieve");
});

Deno.test("the description explains each argument, of which only the hash is required", () => {
  const names = Object.keys(RETRIEVAL_TOOL_SCHEMA.properties);
  assert.deepEqual(names, ["hash", "lines", "query", "path"]);
  assert.deepEqual(RETRIEVAL_TOOL_SCHEMA.required, ["hash"]);
  for (const name of names) {
    assert.match(RETRIEVAL_TOOL_DESCRIPTION, new RegExp(`\\b${name}\\b`));
  }
});

Deno.test("retrievalArguments keeps what is text or a number and not empty", () => {
  assert.deepEqual(
    retrievalArguments({ hash: "h", lines: 41, query: "", path: null, x: "y" }),
    { hash: "h", lines: "41" },
  );
  assert.deepEqual(retrievalArguments({ hash: 5, path: "a.b" }), {
    hash: "",
    path: "a.b",
  });
});

Deno.test("notRebuilt says what is missing", () => {
  assert.equal(
    notRebuilt("an item is cut").message,
    "Cannot continue after a tool call that svc answered: an item is cut",
  );
});
