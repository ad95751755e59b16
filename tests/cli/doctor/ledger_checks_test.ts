import {
  checkBudget,
  checkClock,
  checkPrefix,
  checkSavings,
} from "../../../src/cli/doctor/ledger_checks.ts";
import { costOf } from "../../ledger/samples.ts";
import { request, REQUESTS, SUNDAY } from "../savings/ledger.ts";
import { HEALTH, testCheck } from "./world.ts";

const USD = 1e9;
const DAY = 86_400_000;
const answers = { "/health": HEALTH };
const openLedger = () => Promise.reject(new Error("broken"));
const stateless = { SVC_STATELESS: "1" };

/** A dollar measured and one estimated today, a dollar yesterday. */
const SPENT = [
  request("a", { cost: costOf(USD) }),
  request("b", { cost: costOf(USD, "estimated") }),
  request("c", { cost: costOf(USD), at: SUNDAY - DAY }),
];
const spend = (SVC_BUDGET: string, more: Record<string, string> = {}) => ({
  env: { SVC_BUDGET, ...more },
  requests: SPENT,
});
const cost = {
  budget_limit_usd: 4,
  budget_period: "hourly",
  budget_estimated_basis: "count",
  budget_basis: { total_usd: 1, estimated_usd: 0.25, estimated_records: 1 },
};

testCheck("checkBudget", checkBudget, {
  "a fifth is spent": spend("10"),
  "of a month": spend("10", { SVC_BUDGET_PERIOD: "monthly" }),
  "of an hour": spend("10", { SVC_BUDGET_PERIOD: "hourly" }),
  "it soon ends": spend("2.5"),
  "it is spent": spend("2"),
  "estimates do not count": spend("2", {
    SVC_BUDGET_ESTIMATED_BASIS: "ignore",
  }),
  "an estimate ends it": spend("10", { SVC_BUDGET_ESTIMATED_BASIS: "block" }),
  "that of the proxy, whose flags may have set it": {
    answers: { ...answers, "/stats": { cost } },
    requests: SPENT,
  },
  "none": { requests: SPENT },
  "nothing is spent": { env: { SVC_BUDGET: "1" } },
});

const vain = Array.from(
  { length: 20 },
  (_, i) => request(`${i}`, { tokensAfter: 1000 }),
);

testCheck("checkSavings", checkSavings, {
  "today's sums and those of all time": { requests: REQUESTS },
  "no request for days": { requests: [request("a", { at: SUNDAY - 5 * DAY })] },
  "nothing is saved": { requests: vain },
  "nothing is compressed": { requests: vain, env: { SVC_OPTIMIZE: "0" } },
  "no requests": { requests: [] },
  "no ledger, which is worth a warning": {},
  "stateless": { env: stateless },
});

const OURS = {
  verdict: "ours",
  previousBytes: 100,
  equalBytes: 40,
  firstDifference: "/messages/0",
} as const;

testCheck("checkPrefix", checkPrefix, {
  "none was broken": { requests: REQUESTS },
  "one was broken": {
    requests: [...REQUESTS, request("bad", { prefix: OURS })],
  },
  "no ledger": {},
  "a broken ledger": { io: { openLedger } },
});

testCheck("checkClock", checkClock, {
  "in agreement": { answers, requests: REQUESTS },
  "set back": { requests: [request("a", { at: SUNDAY + DAY })] },
  "another one than the proxy's": {
    answers: {
      "/health": {
        ...HEALTH,
        timestamp: new Date(SUNDAY - DAY).toISOString(),
      },
    },
  },
  "of long ago": { io: { now: () => DAY } },
});
