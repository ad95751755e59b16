import assert from "node:assert/strict";
import { figures } from "../../src/ledger/figures.ts";
import {
  keptFamilies,
  moneyFamilies,
  requestFamilies,
  tokenFamilies,
} from "../../src/ledger/metrics_requests.ts";
import { RECORD, spent } from "./samples.ts";
import { partsOf } from "./stats_parts.ts";

Deno.test("what may go down is a gauge: net savings, also those of all time", () => {
  const body = figures(partsOf([{
    ...RECORD,
    cost: {
      basis: "measured",
      nanoUsd: 1e9,
      savedGrossNanoUsd: 0,
      savedNetNanoUsd: -2e9,
    },
  }]));
  const families = [...moneyFamilies(body), ...keptFamilies(body)];
  const below = families.filter(({ samples }) =>
    samples.some(([, value]) => value < 0)
  );
  assert.deepEqual(below.map(({ name, type }) => [name, type]), [
    ["savings_net_usd", "gauge"],
    ["persistent_savings_compression_savings_usd_total", "gauge"],
  ]);
});

Deno.test("tokens that were added are counted beside those taken away, so that neither goes back", () => {
  const samples = new Map(
    tokenFamilies(
      figures(partsOf([RECORD, { ...RECORD, tokensAfter: 1300 }])),
    ).map(({ name, samples }) => [name, samples[0]?.[1]]),
  );
  assert.equal(samples.get("tokens_saved_total"), 800);
  assert.equal(samples.get("tokens_added_total"), 700);
});

Deno.test("without a budget there are no series of it, without tables none by name", () => {
  const { requests, ...body } = figures(partsOf([spent("a", 1)]));
  const { budget_limit_usd: _, ...cost } = body.cost;
  const limit = moneyFamilies({ ...body, requests, cost })
    .find(({ name }) => name === "budget_limit_usd");
  assert.deepEqual(limit?.samples, []);
  const { by_model: _m, ...counts } = requests;
  const models = requestFamilies({ ...body, requests: counts })
    .find(({ name }) => name === "requests_by_model");
  assert.deepEqual(models?.samples, []);
});
