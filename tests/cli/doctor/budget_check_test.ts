import assert from "node:assert/strict";
import { checkBudget } from "../../../src/cli/doctor/budget_check.ts";
import { costOf } from "../../ledger/samples.ts";
import { request, SUNDAY } from "../savings/ledger.ts";
import { foundIn, HEALTH } from "./world.ts";

const USD = 1e9;
const DAY = 86_400_000;
/** A dollar measured and one estimated today, a dollar yesterday. */
const REQUESTS = [
  request("a", { cost: costOf(USD) }),
  request("b", { cost: costOf(USD, "estimated") }),
  request("c", { cost: costOf(USD), at: SUNDAY - DAY }),
];
const check = async (env: Record<string, string>) =>
  checkBudget(await foundIn({ env, requests: REQUESTS }));

Deno.test("checkBudget shows what was spent in the period, and the share of estimates", async () => {
  const { status, summary, details } = await check({ SVC_BUDGET: "10" });
  assert.equal(status, "pass");
  assert.equal(
    summary,
    "$2.00 of $10.00 spent (20 %), daily in UTC; estimated: 50 % of the spend, which counts",
  );
  assert.equal(details["estimated_percent"], 50);
  const month = await check({ SVC_BUDGET: "10", SVC_BUDGET_PERIOD: "monthly" });
  assert.match(month.summary, /^\$3\.00 of \$10\.00 spent \(30 %\), monthly/);
});

Deno.test("checkBudget warns when it soon ends, and fails when requests are refused", async () => {
  assert.equal((await check({ SVC_BUDGET: "2.5" })).status, "warn");
  const spent = await check({ SVC_BUDGET: "2" });
  assert.equal(spent.status, "fail");
  assert.match(spent.hint ?? "", /refused until the next period/);
  const SVC_BUDGET_ESTIMATED_BASIS = "ignore";
  const ignored = await check({ SVC_BUDGET: "2", SVC_BUDGET_ESTIMATED_BASIS });
  assert.match(ignored.summary, /^\$1\.00 of \$2\.00 .*does not count$/);
  const blocked = await check({
    SVC_BUDGET: "10",
    SVC_BUDGET_ESTIMATED_BASIS: "block",
  });
  assert.equal(blocked.status, "fail");
  assert.match(blocked.hint ?? "", /one was estimated/);
});

Deno.test("checkBudget believes the running proxy, whose flags may have set the budget", async () => {
  const cost = {
    budget_limit_usd: 4,
    budget_period: "hourly",
    budget_estimated_basis: "count",
    budget_basis: { total_usd: 1, estimated_usd: 0.25, estimated_records: 1 },
  };
  const { summary, details } = checkBudget(
    await foundIn({
      answers: { "/health": HEALTH, "/stats": { cost } },
      requests: REQUESTS,
    }),
  );
  assert.match(summary, /^\$1\.00 of \$4\.00 spent \(25 %\), hourly .* 25 %/);
  assert.equal(details["source"], "proxy");
});

Deno.test("checkBudget skips where none is set, or nothing is spent yet", async () => {
  assert.match((await check({})).summary, /none is set/);
  const env = { SVC_BUDGET: "1" };
  const { status, summary } = checkBudget(await foundIn({ env }));
  assert.deepEqual([status, summary], ["skip", "nothing is spent yet"]);
});
