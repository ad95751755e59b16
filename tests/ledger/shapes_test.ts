import assert from "node:assert/strict";
import { ShapeCounts } from "../../src/ledger/shapes.ts";
import type { SentForm } from "../../src/core/ledger.ts";
import type { BlockKey, CcrKey, RetrievalEvent } from "../../src/core/store.ts";

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

function form(
  key: string,
  strategy: string,
  facts: { entry?: string; saved: number },
): SentForm {
  return {
    key: key as BlockKey,
    entry: facts.entry as CcrKey | undefined,
    toolName: "Bash",
    strategy,
    saved: facts.saved,
  };
}

Deno.test("a retrieval is subtracted from what the forms of its kind and tool saved", () => {
  const counts = new ShapeCounts();
  const log = form("a", "log", { entry: "k", saved: 500 });
  counts.sent(log);
  // It is sent again with every request of its conversation.
  counts.sent(log);
  counts.sent(form("b", "paths", { saved: 30 }));
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

Deno.test("what was given back of a form that was never sent from here is in no table", () => {
  const counts = new ShapeCounts();
  counts.retrieved(EVENT);
  const { total, by_strategy, by_tool } = counts.report();
  assert.deepEqual([total, by_strategy, by_tool], [1, {}, {}]);
});

Deno.test("names beyond the bound are counted together, and a missing one as unknown", () => {
  const counts = new ShapeCounts();
  const of = (toolName: string, i: number): SentForm => ({
    ...form(`${i}`, "log", { saved: 1 }),
    toolName,
  });
  for (let i = 0; i < 300; i++) counts.sent(of(`tool${i}`, i));
  counts.sent(of("", 300));
  const { by_tool = {} } = counts.report();
  assert.equal(Object.keys(by_tool).length, 201);
  assert.equal(by_tool["(other)"]?.forms, 101);
  const fresh = new ShapeCounts();
  fresh.sent(of("", 0));
  assert.equal(fresh.report().by_tool?.["unknown"]?.forms, 1);
});

Deno.test("pairs of tool and compressor are counted once each", () => {
  const counts = new ShapeCounts();
  counts.sent(form("a", "log", { saved: 1 }));
  counts.sent(form("b", "log", { saved: 1 }));
  counts.sent(form("c", "json", { saved: 1 }));
  counts.sent({ ...form("d", "json", { saved: 1 }), toolName: "Read" });
  assert.equal(counts.report().shapes, 3);
});

Deno.test("a report shares nothing with the counts", () => {
  const counts = new ShapeCounts();
  const before = counts.report();
  counts.sent(form("a", "log", { saved: 1 }));
  assert.deepEqual(before.by_strategy, {});
});
