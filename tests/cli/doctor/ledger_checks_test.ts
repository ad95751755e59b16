import assert from "node:assert/strict";
import {
  checkBudget,
  checkClock,
  checkPrefix,
  checkSavings,
} from "../../../src/cli/doctor/ledger_checks.ts";
import { costOf } from "../../ledger/samples.ts";
import { request, REQUESTS, SUNDAY } from "../savings/ledger.ts";
import { foundIn, HEALTH } from "./world.ts";

const USD = 1e9;
const DAY = 86_400_000;
/** A dollar measured and one estimated today, a dollar yesterday. */
const BUDGET_CHECK_REQUESTS = [
  request("a", { cost: costOf(USD) }),
  request("b", { cost: costOf(USD, "estimated") }),
  request("c", { cost: costOf(USD), at: SUNDAY - DAY }),
];
const check = async (env: Record<string, string>) =>
  checkBudget(await foundIn({ env, requests: BUDGET_CHECK_REQUESTS }));

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
      requests: BUDGET_CHECK_REQUESTS,
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

const OURS = {
  verdict: "ours",
  previousBytes: 100,
  equalBytes: 40,
  firstDifference: "/messages/0",
} as const;

Deno.test("checkSavings passes with today's sums and those of all time", async () => {
  const { status, summary, details } = checkSavings(
    await foundIn({ requests: REQUESTS }),
  );
  assert.equal(status, "pass");
  assert.equal(
    summary,
    "last request 1 min ago; saved 800 tokens today (UTC), 1,200 in 4 requests of all time",
  );
  assert.equal(details["tokens_saved_today"], 800);
});

Deno.test("checkSavings warns when no request came for days, or when nothing is saved", async () => {
  const old = [request("a", { at: SUNDAY - 5 * DAY })];
  const quiet = checkSavings(await foundIn({ requests: old }));
  assert.equal(quiet.status, "warn");
  assert.match(quiet.summary, /^last request 5 d ago; saved 0 tokens today/);
  const vain = Array.from(
    { length: 20 },
    (_, i) => request(`${i}`, { tokensAfter: 1000 }),
  );
  const nothing = checkSavings(await foundIn({ requests: vain }));
  assert.equal(nothing.status, "warn");
  assert.match(nothing.hint ?? "", /svc perf shows why/);
  const off = await foundIn({
    requests: vain,
    env: { SVC_OPTIMIZE: "0" },
  });
  assert.match(checkSavings(off).hint ?? "", /passthrough/);
  assert.equal(checkSavings(await foundIn({ requests: [] })).status, "warn");
});

Deno.test("checks of the ledger skip where there is none, but a missing one is worth a warning", async () => {
  const missing = await foundIn();
  assert.equal(checkSavings(missing).status, "warn");
  assert.match(checkSavings(missing).hint ?? "", /start svc proxy/);
  assert.equal(checkPrefix(missing).status, "skip");
  const stateless = await foundIn({ env: { SVC_STATELESS: "1" } });
  assert.equal(checkSavings(stateless).status, "skip");
  const openLedger = () => Promise.reject(new Error("broken"));
  const broken = await foundIn({ io: { openLedger } });
  assert.equal(checkPrefix(broken).status, "skip");
});

Deno.test("checkPrefix passes while svc broke no prefix, and fails once it did, with the request", async () => {
  assert.equal(
    checkPrefix(await foundIn({ requests: REQUESTS })).status,
    "pass",
  );
  const broken = [...REQUESTS, request("bad", { prefix: OURS })];
  const { status, summary, hint } = checkPrefix(
    await foundIn({ requests: broken }),
  );
  assert.equal(status, "fail");
  assert.match(summary, /in 1 of 5 requests/);
  assert.match(hint ?? "", /svc show bad$/);
});

Deno.test("checkClock compares the clock with the newest request and with the proxy", async () => {
  const answers = { "/health": HEALTH };
  const fine = checkClock(await foundIn({ answers, requests: REQUESTS }));
  assert.equal(fine.status, "pass");
  const future = [request("a", { at: SUNDAY + DAY })];
  const back = checkClock(await foundIn({ requests: future }));
  assert.equal(back.status, "warn");
  assert.match(back.summary, /23 h from now: the clock was set back/);
  const late = { ...HEALTH, timestamp: new Date(SUNDAY - DAY).toISOString() };
  const differs = checkClock(await foundIn({ answers: { "/health": late } }));
  assert.equal(differs.status, "warn");
  assert.match(differs.summary, /proxy's clock differs by 1 d/);
  const ancient = checkClock(await foundIn({ io: { now: () => DAY } }));
  assert.equal(ancient.status, "fail");
});
