import assert from "node:assert/strict";
import { declaresRetrieval } from "../../../src/sdk/adapters/declared_tool.ts";
import { retrieveTool } from "../../../src/sdk/retrieve_tools.ts";

const FORMATS = [
  "anthropic",
  "openai",
  "responses",
  "vercel",
  "google",
] as const;

Deno.test("declaresRetrieval finds the tool in the way of every provider, alone, in a group and by name", () => {
  for (const format of FORMATS) {
    const tool = retrieveTool(format);
    assert(declaresRetrieval([{ name: "other" }, tool]), format);
    assert(declaresRetrieval([{ functionDeclarations: [tool] }]), format);
  }
  assert(declaresRetrieval({ headroom_retrieve: {} }));
  assert(declaresRetrieval([{ name: "mcp__svc__headroom_retrieve" }]));
  assert(declaresRetrieval([{ tools: [{ name: "headroom_retrieve" }] }]));
});

Deno.test("declaresRetrieval finds nothing where only something like it is declared", () => {
  for (
    const tools of [
      undefined,
      null,
      "headroom_retrieve",
      [],
      {},
      [null, 5, "headroom_retrieve"],
      [{ name: "retrieve", description: "headroom_retrieve" }],
      [{ name: "headroom_retrieve_all" }],
      { other: { name: "headroom_retrieve" } },
    ]
  ) assert(!declaresRetrieval(tools), JSON.stringify(tools));
});
