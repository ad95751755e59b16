import assert from "node:assert/strict";
import type { BudgetRefusal } from "../../src/core/cost.ts";
import type { ProviderFormat } from "../../src/core/format.ts";
import { openAiError } from "../../src/providers/error_body.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { refusedByBudget } from "../../src/proxy/budget_refusal.ts";

const SPENT: BudgetRefusal = {
  reason: "spent",
  period: "daily",
  limitNanoUsd: 10_000_000_000,
  spentNanoUsd: 10_020_000_000,
  retryAfterMs: 60_001,
};

/** The answer where the budget refuses. */
async function refused(
  format: Pick<ProviderFormat, "errorBody">,
  refusal: BudgetRefusal,
): Promise<Response> {
  const seen: unknown[] = [];
  const response = await refusedByBudget({
    budget: {
      admit: (id, nanoUsd) => {
        seen.push(id, nanoUsd);
        return Promise.resolve(refusal);
      },
    },
    pricing: {
      reserveFor: (model, bytes) => model.length * bytes,
      costOf: () => undefined,
      contextLimit: () => undefined,
    },
    onRefused: (refusal) => seen.push(refusal),
  }, {
    format,
    meter: { id: "call", refused: (...by) => seen.push(...by) },
  }, { model: "m1", bytes: 21 });
  assert.deepEqual(seen, ["call", 42, "budget", "m1", refusal]);
  assert.ok(response);
  return response;
}

/** Status, fields and error of the answer in the shape of chat completions. */
async function answerTo(facts: Partial<BudgetRefusal>) {
  const refusal = { ...SPENT, ...facts };
  const response = await refused({ errorBody: openAiError }, refusal);
  const { error } = await response.json();
  return {
    response,
    error,
    field: (name: string) => response.headers.get(name),
  };
}

Deno.test("refusedByBudget answers with a 429 that names the period, the spend and the setting, and asks nobody to wait for hours", async () => {
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

Deno.test("refusedByBudget writes both sums in the way of all reports", async () => {
  const { error } = await answerTo({
    limitNanoUsd: 500_000_000,
    spentNanoUsd: 2_330_000_000,
  });
  assert.match(error.message, /: \$2\.33 of \$0\.5000 are spent;/);
});

Deno.test("refusedByBudget has the slug in the shape of the messages format too", async () => {
  const response = await refused(messagesFormat, SPENT);
  const { type, error } = await response.json();
  assert.deepEqual([type, error.type], ["error", "budget_exceeded"]);
});

Deno.test("refusedByBudget lets SDKs try again only where requests under way hold the rest", async () => {
  for (const reason of ["spent", "estimated", "reserved"] as const) {
    const { field, error } = await answerTo({ reason, retryAfterMs: 0 });
    assert.equal(field("x-should-retry"), `${reason === "reserved"}`);
    assert.equal(field("retry-after"), "1", "never at once");
    assert.match(error.message, /^Budget exceeded for daily period: /);
  }
  const { error } = await answerTo({ reason: "estimated" });
  assert.match(error.message, /SVC_BUDGET_ESTIMATED_BASIS/);
});

Deno.test("refusedByBudget shows small amounts with the digits that matter", async () => {
  const spentOf = async (spentNanoUsd: number) =>
    (await answerTo({ spentNanoUsd })).error.message.match(/: (\S+) of/)[1];
  assert.equal(await spentOf(0), "$0");
  assert.equal(await spentOf(1_234_000), "$0.001234");
  assert.equal(await spentOf(1_000_000_000), "$1.00");
});

Deno.test("refusedByBudget says when to come back where that is within a minute", async () => {
  for (const [ms, said] of [[60_000, "60"], [60_001, null]] as const) {
    const { field } = await answerTo({ retryAfterMs: ms });
    assert.equal(field("retry-after"), said);
  }
});
