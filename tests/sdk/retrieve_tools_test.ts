import assert from "node:assert/strict";
import { asSchema, jsonSchema } from "ai";
import { chatRetrieval } from "../../src/providers/chat_completions/retrieval.ts";
import { messagesRetrieval } from "../../src/providers/messages/retrieval.ts";
import { responsesRetrieval } from "../../src/providers/responses/retrieval.ts";
import {
  retrieveTool,
  vercelRetrieveTool,
} from "../../src/sdk/retrieve_tools.ts";

Deno.test("retrieveTool defines the tool in the bytes that the proxy sends", () => {
  const json = (tool: unknown) => JSON.stringify(tool);
  assert.equal(json(retrieveTool("anthropic")), messagesRetrieval.definition);
  assert.equal(json(retrieveTool("openai")), chatRetrieval.definition);
  assert.equal(json(retrieveTool("responses")), responsesRetrieval.definition);
});

Deno.test("retrieveTool gives a new definition each time", () => {
  const tool = retrieveTool("openai");
  tool.function.parameters.type = "changed";
  assert.equal(retrieveTool("openai").function.parameters.type, "object");
  assert.equal(
    retrieveTool("anthropic").input_schema.type,
    "object",
  );
});

Deno.test("vercelRetrieveTool has a schema that the ai package reads in each of its ways", async () => {
  const { inputSchema } = vercelRetrieveTool({
    retrieve: () => Promise.reject(new Error("not asked")),
  });
  const wanted = {
    ...retrieveTool("google").parametersJsonSchema,
    additionalProperties: false,
  };
  assert.equal(asSchema(inputSchema), inputSchema);
  assert.deepEqual(inputSchema.jsonSchema, wanted);
  const standard = asSchema({ "~standard": inputSchema["~standard"] });
  assert.deepEqual(
    await standard.jsonSchema,
    await jsonSchema(wanted).jsonSchema,
  );
  assert.deepEqual(
    await standard.validate?.({ hash: "a", lines: "" }),
    { success: true, value: { hash: "a" } },
  );
});

Deno.test("vercelRetrieveTool answers with the original", async () => {
  const { execute } = vercelRetrieveTool({
    retrieve: (hash, part) =>
      Promise.resolve({
        hash,
        originalContent: `${part?.query}`,
        originalItemCount: 1,
        compressedItemCount: 1,
      }),
  });
  assert.deepEqual(await execute({ hash: "a", query: "q" }), {
    hash: "a",
    original_content: "q",
    original_item_count: 1,
    compressed_item_count: 1,
  });
});
