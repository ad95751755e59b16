import assert from "node:assert/strict";
import type { BudgetRefusal } from "../../src/core/cost.ts";
import { openAiError } from "../../src/providers/error_body.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { budgetResponse } from "../../src/proxy/budget_refusal.ts";

const SPENT: BudgetRefusal = {
  reason: "spent",
  period: "daily",
  limitNanoUsd: 10_000_000_000,
  spentNanoUsd: 10_020_000_000,
  retryAfterMs: 60_001,
};

/** Status, fields and error of the answer in the shape of chat completions. */
async function answerTo(facts: Partial<BudgetRefusal>) {
  const refusal = { ...SPENT, ...facts };
  const response = budgetResponse({ errorBody: openAiError }, refusal);
  const { error } = await response.json();
  return {
    response,
    error,
    field: (name: string) => response.headers.get(name),
  };
}

Deno.test("budgetResponse is a 429 that names the period, the spend and the setting, and asks nobody to wait for hours", async () => {
  const { response, error, field } = await answerTo({});
  assert.equal(response.status, 429);
  assert.equal(field("content-type"), "application/json");
  assert.equal(field("retry-after"), null, "some clients wait for it");
  assert.equal(error.type, "budget_exceeded");
  assert.equal(
    error.message,
    "Budget exceeded for daily period: $10.02 of $10.00 are spent; wait for the next period or raise SVC_BUDGET",
  );
});

Deno.test("budgetResponse writes both sums in the way of all reports", async () => {
  const { error } = await answerTo({
    limitNanoUsd: 500_000_000,
    spentNanoUsd: 2_330_000_000,
  });
  assert.match(error.message, /: \$2\.33 of \$0\.5000 are spent;/);
});

Deno.test("budgetResponse has the slug in the shape of the messages format too", async () => {
  const response = budgetResponse(messagesFormat, SPENT);
  const { type, error } = await response.json();
  assert.deepEqual([type, error.type], ["error", "budget_exceeded"]);
});

Deno.test("budgetResponse lets SDKs try again only where requests under way hold the rest", async () => {
  for (const reason of ["spent", "estimated", "reserved"] as const) {
    const { field, error } = await answerTo({ reason, retryAfterMs: 0 });
    assert.equal(field("x-should-retry"), `${reason === "reserved"}`);
    assert.equal(field("retry-after"), "1", "never at once");
    assert.match(error.message, /^Budget exceeded for daily period: /);
  }
  const { error } = await answerTo({ reason: "estimated" });
  assert.match(error.message, /SVC_BUDGET_ESTIMATED_BASIS/);
});

Deno.test("budgetResponse shows small amounts with the digits that matter", async () => {
  const spentOf = async (spentNanoUsd: number) =>
    (await answerTo({ spentNanoUsd })).error.message.match(/: (\S+) of/)[1];
  assert.equal(await spentOf(0), "$0");
  assert.equal(await spentOf(1_234_000), "$0.001234");
  assert.equal(await spentOf(1_000_000_000), "$1.00");
});

Deno.test("budgetResponse says when to come back where that is within a minute", async () => {
  for (const [ms, said] of [[60_000, "60"], [60_001, null]] as const) {
    const { field } = await answerTo({ retryAfterMs: ms });
    assert.equal(field("retry-after"), said);
  }
});
