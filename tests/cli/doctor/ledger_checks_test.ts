import assert from "node:assert/strict";
import {
  checkClock,
  checkPrefix,
  checkSavings,
} from "../../../src/cli/doctor/ledger_checks.ts";
import { request, REQUESTS, SUNDAY } from "../savings/ledger.ts";
import { foundIn, HEALTH } from "./world.ts";

const DAY = 86_400_000;
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
