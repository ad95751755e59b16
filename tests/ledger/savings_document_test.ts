import { openMemoryLedger } from "../../src/ledger/open_ledger.ts";
import assert from "node:assert/strict";
import {
  isSavingsDocument,
  savingsDocument,
} from "../../src/ledger/savings_document.ts";
import { NOON, spent, standingClock } from "./samples.ts";

const DAY = 86_400_000;

async function ledgerOf(days: readonly number[]) {
  const ledger = openMemoryLedger({
    clock: standingClock(),
    budget: undefined,
  });
  for (const [i, day] of days.entries()) {
    ledger.record({
      ...spent(`r${i}`, 5e8),
      at: NOON - day * DAY,
      project: `p${day}`,
    });
  }
  await ledger.flush();
  return ledger;
}

Deno.test("savingsDocument holds sums, the last session, their course and projects", async () => {
  await using ledger = await ledgerOf([2, 0, 0]);
  assert.deepEqual(savingsDocument(ledger.reader), {
    schema_version: 3,
    lifetime: {
      requests: 3,
      tokens_saved: 1200,
      compression_savings_usd: 1.5,
      total_input_tokens: 1800,
      total_input_cost_usd: 1.5,
    },
    display_session: {
      requests: 2,
      tokens_saved: 800,
      compression_savings_usd: 1,
      total_input_tokens: 1200,
      total_input_cost_usd: 1,
      savings_percent: 40,
      started_at: "2026-03-15T10:30:00.000Z",
      last_activity_at: "2026-03-15T10:30:00.100Z",
    },
    history: [
      {
        timestamp: "2026-03-13T00:00:00.000Z",
        provider: "",
        model: "",
        total_tokens_saved: 400,
        compression_savings_usd: 0.5,
        total_input_tokens: 600,
        total_input_cost_usd: 0.5,
      },
      {
        timestamp: "2026-03-15T00:00:00.000Z",
        provider: "",
        model: "",
        total_tokens_saved: 1200,
        compression_savings_usd: 1.5,
        total_input_tokens: 1800,
        total_input_cost_usd: 1.5,
      },
    ],
    projects: {
      p0: {
        requests: 2,
        tokens_saved: 800,
        compression_savings_usd: 1,
        total_input_tokens: 1200,
        total_input_cost_usd: 1,
        savings_percent: 40,
      },
      p2: {
        requests: 1,
        tokens_saved: 400,
        compression_savings_usd: 0.5,
        total_input_tokens: 600,
        total_input_cost_usd: 0.5,
        savings_percent: 40,
      },
    },
  });
});

Deno.test("savingsDocument names 50 projects, and nothing of an empty ledger", async () => {
  await using ledger = await ledgerOf(Array.from({ length: 60 }, (_, i) => i));
  const { projects } = savingsDocument(ledger.reader);
  assert.equal(Object.keys(projects).length, 50);
  await using empty = await ledgerOf([]);
  const { history, display_session } = savingsDocument(empty.reader);
  assert.deepEqual(history, []);
  assert.equal(display_session.started_at, null);
});

Deno.test("isSavingsDocument knows its own, of any version", () => {
  assert.ok(isSavingsDocument(`{"schema_version": 1, "lifetime": {}}`));
  for (const text of ["", "{", "null", "[]", `{"lifetime": {}}`, "7"]) {
    assert.equal(isSavingsDocument(text), false, text);
  }
});
