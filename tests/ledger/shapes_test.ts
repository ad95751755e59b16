import assert from "node:assert/strict";
import { ShapeCounts } from "../../src/ledger/shapes.ts";
import type { CcrKey, RetrievalEvent } from "../../src/core/store.ts";

const EVENT: RetrievalEvent = {
  key: "k" as CcrKey,
  at: 0,
  via: "proxy",
  part: "full",
  query: "",
  strategy: "log",
  toolName: "Bash",
  items: 9,
  totalItems: 9,
  tokens: 700,
};

Deno.test("a retrieval is subtracted from what the forms of its kind and tool saved", () => {
  const counts = new ShapeCounts();
  counts.made({
    toolName: "Bash",
    strategy: "log",
    isElided: true,
    saved: 500,
  });
  counts.made({
    toolName: "Bash",
    strategy: "paths",
    isElided: false,
    saved: 30,
  });
  counts.retrieved(EVENT);
  const { total, tokens, by_strategy, by_tool } = counts.report();
  assert.deepEqual([total, tokens], [1, 700]);
  assert.deepEqual(by_strategy["log"], {
    forms: 1,
    elided: 1,
    tokens_saved: 500,
    asked_for: 1,
    tokens_given_back: 700,
    net_tokens_saved: -200,
  });
  assert.equal(by_strategy["paths"]?.net_tokens_saved, 30);
  assert.equal(by_tool?.["Bash"]?.net_tokens_saved, -170);
});

Deno.test("names beyond the bound are counted together, and a missing one as unknown", () => {
  const counts = new ShapeCounts();
  for (let i = 0; i < 300; i++) {
    counts.retrieved({ ...EVENT, toolName: `tool${i}` });
  }
  counts.retrieved({ ...EVENT, toolName: "" });
  const { by_tool = {} } = counts.report();
  assert.equal(Object.keys(by_tool).length, 201);
  assert.equal(by_tool["other"]?.asked_for, 101);
  const fresh = new ShapeCounts();
  fresh.retrieved({ ...EVENT, toolName: "" });
  assert.equal(fresh.report().by_tool?.["unknown"]?.asked_for, 1);
});

Deno.test("a report shares nothing with the counts", () => {
  const counts = new ShapeCounts();
  const before = counts.report();
  counts.retrieved(EVENT);
  assert.deepEqual(before.by_strategy, {});
});
