import assert from "node:assert/strict";
import {
  answerRetrieval,
  retrievalAnswer,
} from "../../src/sdk/answer_retrieval.ts";
import type { RetrievePart } from "../../src/sdk/compress_types.ts";
import { SvcCompressError, SvcConnectionError } from "../../src/sdk/errors.ts";

const KEY = "0123456789abcdef01234567";
const name = "headroom_retrieve";
const input = { hash: KEY, lines: "1-2" };
const source = {
  retrieve: (hash: string, part?: RetrievePart) =>
    Promise.resolve({
      success: true as const,
      hash,
      originalContent: `all of it ${part?.lines}`,
      originalItemCount: 9,
      compressedItemCount: 2,
      part: "lines 1-2",
    }),
};
const data = {
  hash: KEY,
  original_content: "all of it 1-2",
  original_item_count: 9,
  compressed_item_count: 2,
  part: "lines 1-2",
};

Deno.test("answerRetrieval answers a call in the way in which it is written", async () => {
  const json = JSON.stringify(input);
  const content = JSON.stringify(data);
  for (
    const [call, answer] of [
      [
        { type: "tool_use", id: "a", name, input },
        { type: "tool_result", tool_use_id: "a", content },
      ],
      [
        { id: "a", type: "function", function: { name, arguments: json } },
        { role: "tool", tool_call_id: "a", content },
      ],
      [
        { type: "function_call", call_id: "a", name, arguments: json },
        { type: "function_call_output", call_id: "a", output: content },
      ],
      [
        { functionCall: { id: "a", name, args: input } },
        { functionResponse: { id: "a", name, response: data } },
      ],
      [
        { functionCall: { name, args: input } },
        { functionResponse: { name, response: data } },
      ],
      [
        { type: "tool-call", toolCallId: "a", toolName: name, input },
        {
          type: "tool-result",
          toolCallId: "a",
          toolName: name,
          output: { type: "json", value: data },
        },
      ],
    ]
  ) assert.deepEqual(await answerRetrieval(source, call), answer);
});

Deno.test("answerRetrieval knows the tool under the name that an MCP client gave it, and leaves other calls alone", async () => {
  const call = { type: "tool_use", id: "a", name: `mcp__svc__${name}`, input };
  assert.equal((await answerRetrieval(source, call))?.tool_use_id, "a");
  for (const other of [{ ...call, name: "Bash" }, {}, undefined, "call"]) {
    assert.equal(await answerRetrieval(source, other), undefined);
  }
});

Deno.test("retrievalAnswer says why there is nothing", async () => {
  const miss = {
    success: false as const,
    hash: KEY,
    error: "Entry not found",
    status: "missing" as const,
    ttlSeconds: 1800,
  };
  assert.deepEqual(
    await retrievalAnswer({ retrieve: () => Promise.resolve(miss) }, input),
    {
      error: "Entry not found",
      hash: KEY,
      status: "missing",
      ttl_seconds: 1800,
    },
  );
  const failing = (error: Error) => ({ retrieve: () => Promise.reject(error) });
  assert.deepEqual(
    await retrievalAnswer(
      failing(new SvcCompressError(404, "not_found", "Gone")),
      JSON.stringify(input),
    ),
    { error: "Gone", hash: KEY },
  );
});

Deno.test("retrievalAnswer throws what is no answer for a model", async () => {
  for (
    const error of [
      new SvcConnectionError("refused"),
      new SvcCompressError(503, "busy", "Busy"),
    ]
  ) {
    await assert.rejects(
      retrievalAnswer({ retrieve: () => Promise.reject(error) }, input),
      error,
    );
  }
});
