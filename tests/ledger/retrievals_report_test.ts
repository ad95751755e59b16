import assert from "node:assert/strict";
import { retrievalsReport } from "../../src/ledger/retrievals_report.ts";
import type { SentForm } from "../../src/core/ledger.ts";
import type { BlockKey, CcrKey, RetrievalEvent } from "../../src/core/store.ts";
import { bookOf, counted, givenOf, sumsOfTasks } from "./counted.ts";
import { RECORD } from "./samples.ts";

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

const reportOf = (...forms: readonly SentForm[]) =>
  retrievalsReport(counted(...forms.map((one) => ({ forms: [one] }))));

Deno.test("a retrieval is subtracted from what the forms of its kind and tool saved", () => {
  const log = form("a", "log", { entry: "k", saved: 500 });
  // It is sent again with every request of its conversation.
  const forms = [log, log, form("b", "paths", { saved: 30 })];
  const { total, tokens, by_strategy, by_tool } = retrievalsReport(sumsOfTasks([
    ...forms.map((one) => bookOf({ ...RECORD, forms: [one] })),
    givenOf(EVENT),
  ]));
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
  const { total, by_strategy, by_tool } = retrievalsReport(
    sumsOfTasks([givenOf(EVENT)]),
  );
  assert.deepEqual([total, by_strategy, by_tool], [1, {}, {}]);
});

Deno.test("a form without a tool's name is of an unknown one", () => {
  const { by_tool } = reportOf({
    ...form("a", "log", { saved: 1 }),
    toolName: "",
  });
  assert.equal(by_tool?.["unknown"]?.forms, 1);
});

Deno.test("pairs of tool and compressor are counted once each", () => {
  const { shapes } = reportOf(
    form("a", "log", { saved: 1 }),
    form("b", "log", { saved: 1 }),
    form("c", "json", { saved: 1 }),
    { ...form("d", "json", { saved: 1 }), toolName: "Read" },
  );
  assert.equal(shapes, 3);
});
