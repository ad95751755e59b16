import assert from "node:assert/strict";
import {
  checkBudget,
  checkClock,
  checkPrefix,
  checkSavings,
} from "../../../src/cli/doctor/ledger_checks.ts";
import { costOf } from "../../ledger/samples.ts";
import { request, REQUESTS, SUNDAY } from "../savings/ledger.ts";
import { checkCases, foundIn, HEALTH } from "./world.ts";

const USD = 1e9;
const DAY = 86_400_000;
/** A dollar measured and one estimated today, a dollar yesterday. */
const BUDGET_CHECK_REQUESTS = [
  request("a", { cost: costOf(USD) }),
  request("b", { cost: costOf(USD, "estimated") }),
  request("c", { cost: costOf(USD), at: SUNDAY - DAY }),
];
const SPENT_BY_PROXY = {
  budget_limit_usd: 4,
  budget_period: "hourly",
  budget_estimated_basis: "count",
  budget_basis: { total_usd: 1, estimated_usd: 0.25, estimated_records: 1 },
};

Deno.test("checkBudget shows what was spent in the period, warns when it soon ends, and fails when requests are refused", async () => {
  const requests = BUDGET_CHECK_REQUESTS;
  const spend = (SVC_BUDGET: string, more: Record<string, string> = {}) => ({
    env: { SVC_BUDGET, ...more },
    requests,
  });
  const basis = (SVC_BUDGET_ESTIMATED_BASIS: string) => ({
    SVC_BUDGET_ESTIMATED_BASIS,
  });
  // The running proxy's flags may have set the budget.
  const stats = { cost: SPENT_BY_PROXY };
  const answers = { "/health": HEALTH, "/stats": stats };
  await checkCases(checkBudget, [
    [
      spend("10"),
      "pass",
      "$2.00 of $10.00 spent (20 %), daily in UTC; estimated: 50 % of the spend, which counts",
    ],
    [
      spend("10", { SVC_BUDGET_PERIOD: "monthly" }),
      "pass",
      /^\$3\.00 of \$10\.00 spent \(30 %\), monthly/,
    ],
    [spend("2.5"), "warn"],
    [spend("2"), "fail", /^/, /refused until the next period/],
    [
      spend("2", basis("ignore")),
      "pass",
      /^\$1\.00 of \$2\.00 .*does not count$/,
    ],
    [spend("10", basis("block")), "fail", /^/, /one was estimated/],
    [
      { answers, requests },
      "pass",
      /^\$1\.00 of \$4\.00 spent \(25 %\), hourly .* 25 %/,
    ],
    [{ requests }, "skip", /none is set/],
    [{ env: { SVC_BUDGET: "1" } }, "skip", "nothing is spent yet"],
  ]);
  const { details } = checkBudget(await foundIn({ answers, requests }));
  assert.equal(details["source"], "proxy");
  const own = checkBudget(await foundIn(spend("10")));
  assert.equal(own.details["estimated_percent"], 50);
});

const OURS = {
  verdict: "ours",
  previousBytes: 100,
  equalBytes: 40,
  firstDifference: "/messages/0",
} as const;

Deno.test("checkSavings passes with sums, and warns when no request came for days, or when nothing is saved", async () => {
  const vain = Array.from(
    { length: 20 },
    (_, i) => request(`${i}`, { tokensAfter: 1000 }),
  );
  await checkCases(checkSavings, [
    [
      { requests: REQUESTS },
      "pass",
      "last request 1 min ago; saved 800 tokens today (UTC), 1,200 in 4 requests of all time",
    ],
    [
      { requests: [request("a", { at: SUNDAY - 5 * DAY })] },
      "warn",
      /^last request 5 d ago; saved 0 tokens today/,
    ],
    [{ requests: vain }, "warn", /^/, /svc perf shows why/],
    [
      { requests: vain, env: { SVC_OPTIMIZE: "0" } },
      "warn",
      /^/,
      /passthrough/,
    ],
    [{ requests: [] }, "warn", /^the ledger has no requests/],
    // A missing one is worth a warning.
    [{}, "warn", /^no request yet/, /start svc proxy/],
    [{ env: { SVC_STATELESS: "1" } }, "skip"],
  ]);
  const { details } = checkSavings(await foundIn({ requests: REQUESTS }));
  assert.equal(details["tokens_saved_today"], 800);
});

Deno.test("checkPrefix passes while svc broke no prefix, fails once it did, with the request, and skips without a ledger", async () => {
  const openLedger = () => Promise.reject(new Error("broken"));
  const bad = request("bad", { prefix: OURS });
  await checkCases(checkPrefix, [
    [{ requests: REQUESTS }, "pass"],
    [
      { requests: [...REQUESTS, bad] },
      "fail",
      /in 1 of 5 requests/,
      /svc show bad$/,
    ],
    [{}, "skip"],
    [{ io: { openLedger } }, "skip"],
  ]);
});

Deno.test("checkClock compares the clock with the newest request and with the proxy", async () => {
  const late = { ...HEALTH, timestamp: new Date(SUNDAY - DAY).toISOString() };
  await checkCases(checkClock, [
    [{ answers: { "/health": HEALTH }, requests: REQUESTS }, "pass"],
    [
      { requests: [request("a", { at: SUNDAY + DAY })] },
      "warn",
      /23 h from now: the clock was set back/,
    ],
    [
      { answers: { "/health": late } },
      "warn",
      /proxy's clock differs by 1 d/,
    ],
    [{ io: { now: () => DAY } }, "fail"],
  ]);
});
