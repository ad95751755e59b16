/** Each section shows the figures of the answers. */
import assert from "node:assert/strict";
import {
  LIFETIME,
  STATS,
  unused,
  UNUSED_HISTORY,
  unusedLifetime,
} from "./canned.ts";
import { NEWEST, shows, visit } from "./visit.ts";

/** Of requests that cost nobody knows what. */
const NO_MONEY = {
  without_svc_usd: 0,
  with_svc_usd: 0,
  total_saved_usd: 0,
  savings_pct: 0,
  breakdown: { gross_savings_usd: 0, compression_savings_usd: 0 },
};

visit(
  "overview shows the figures of the answers, for a run, a day and all time",
  async ({ open, panel }) => {
    await open();
    await shows(
      panel("This run"),
      "8,412,905",
      "23.4% of 35.9M",
      "$12.41",
      "31.2% of $39.71",
      "$27.30",
      "$25.24",
      "1,204",
      "17 requests without a known price",
    );
    await shows(
      panel("Today"),
      "191,375",
      "\u2212$0.7221",
      "svc made it dearer",
    );
    await shows(panel("Lifetime"), "301,552,871", "$412.88", "41,772", "103");
    await shows(panel("Time"), "2.3 ms", "6.8 ms", "31 ms", "1.24 s");
    await shows(panel("Time"), "1,204 requests of this run");
    assert.equal(await panel("Time").getByText("sideways").count(), 0);
    await shows(panel("Provider's cache"), "92.2%", "24,980,031", "$71.05");
    await shows(
      panel("Requests"),
      "Refused: budget used up5",
      "Answered from the response cache9",
      "1,210 of 2,841",
      "Originals asked for again41",
    );
  },
);

visit(
  "prefix panel is calm while svc changed nothing, and raises an alarm when it did",
  async ({ open, panel, page, server }) => {
    await open();
    const proof = panel("Prompt prefix");
    await shows(proof, "99.3%", "1,042", "51", "0 changed by svc");
    assert.equal(await proof.locator(".badge.good").count(), 1);
    await shows(proof, "(cache_control) that moved and white space");
    server.answers.stats = {
      ...STATS,
      prefix_stability: {
        ...STATS.prefix_stability,
        ours: 1,
        last_ours: {
          request_id: NEWEST,
          timestamp: "2026-10-14T14:00:00.000Z",
          first_difference: "/messages/3/content",
        },
      },
    };
    await page.clock.runFor(3500);
    await shows(proof, "1 changed by svc", "/messages/3/content");
    assert.equal(await proof.locator(".badge.bad").count(), 1);
  },
);

visit(
  "a proxy without requests says how to point a client at it",
  async ({ open, page, server, panel }) => {
    server.answers.stats = unused();
    server.answers.lifetime = unusedLifetime();
    server.answers.history = UNUSED_HISTORY;
    await open();
    const first = panel("No requests yet");
    await shows(first, "is running", `_BASE_URL=${server.origin} `);
    server.answers.isBroken = true;
    await page.clock.runFor(3500);
    await shows(first, "Start the proxy again");
    assert.doesNotMatch(await first.innerText(), /is running/);
    await page.getByRole("link", { name: "Budget" }).click();
    await shows(page.locator("main"), "No budget is set");
  },
  { errorsExpected: true },
);

visit(
  "over time has a chart, a table and a CSV for each length of steps",
  async ({ open, panel, page }) => {
    await open("#/time");
    await panel("Tokens saved per day").getByRole("img").waitFor();
    const label = await panel("Tokens saved per day").getByRole("img")
      .getAttribute("aria-label");
    assert.match(label ?? "", /the last is 191,375 tokens/);
    await page.getByText("Months", { exact: true }).click();
    await panel("Money saved per month, net").getByRole("img").waitFor();
    await page.getByText("Show the figures as a table").click();
    const rows = panel("By month").getByRole("row");
    assert.equal(await rows.count(), 1 + 4);
    const links = await page.getByRole("link", { name: "weekly" })
      .getAttribute("href");
    assert.equal(links, "/stats-history?format=csv&series=weekly");
  },
);

visit(
  "breakdown is sorted by the heading that is clicked, of a run or of all time",
  async ({ open, panel, page }) => {
    await open("#/breakdown");
    await shows(panel("By kind"), "3,402,118", "(added)", "\u221261,204");
    await shows(panel("Left alone"), "too short to gain anything", "1,204");
    await page.getByText("Model", { exact: true }).click();
    const table = panel("By model").getByRole("table");
    const names = () => table.locator("tbody th").allTextContents();
    assert.deepEqual((await names())[0], "claude-sonnet-4-5");
    const heading = table.getByRole("columnheader", { name: "Requests" });
    await heading.getByRole("button").click();
    assert.equal(await heading.getAttribute("aria-sort"), "descending");
    await heading.getByRole("button").click();
    assert.equal(await heading.getAttribute("aria-sort"), "ascending");
    assert.equal((await names())[0], "my-unknown-model");
    const money = table.getByRole("columnheader", { name: "Saved, net" });
    await money.getByRole("button").click();
    // What nobody knows is not zero, and not among the figures.
    assert.equal((await names()).at(-1), "my-unknown-model");
    const rowOf = (name: string) => table.locator("tr", { hasText: name });
    await shows(rowOf("my-unknown-model"), "unknownunknown");
    await shows(rowOf("gpt-5.2-preview"), "$0.41005 unpriced");
    await page.getByText("Lifetime", { exact: true }).click();
    await shows(panel("By model"), "238,810,204", "$309.71");
  },
);

visit(
  "what is withheld is said to be shown on the machine only",
  async ({ open, page, server, panel }) => {
    const { savings: { by_layer, total_tokens }, ...stats } = STATS;
    server.answers.isStranger = true;
    server.answers.stats = {
      ...stats,
      savings: { by_layer, total_tokens },
      otel: undefined,
      beacon: undefined,
    };
    for (const section of ["feed", "settings", "health"]) {
      await open(`#/${section}`);
      await shows(page.locator("main"), "Only on this machine");
    }
    await open("#/breakdown");
    await page.getByText("Project", { exact: true }).click();
    await shows(panel("By project"), "Only on this machine");
  },
  { errorsExpected: true },
);

visit(
  "money of requests without a price is unknown, not zero",
  async ({ open, panel, server }) => {
    server.answers.stats = {
      ...STATS,
      summary: { ...STATS.summary, cost: NO_MONEY },
      cost: { ...STATS.cost, unpriced_requests: 1204 },
    };
    await open();
    await shows(
      panel("This run"),
      "no request had a known price",
      "Cost with svcunknown",
      "1,204 requests without a known price",
    );
  },
);

visit(
  "budget shows what is spent, by where the figures come from",
  async ({ open, panel }) => {
    await open("#/budget");
    await shows(
      panel("Budget, daily"),
      "$19.12",
      "of $40.00",
      "$18.77",
      "$0.3502",
      "$1.60",
      "$19.28",
    );
    await shows(panel("How it is counted"), "811", "22", "1.8%");
  },
);

visit(
  "health shows the parts, and whether anything leaves the machine",
  async ({ open, panel, page, server }) => {
    await open("#/health");
    await shows(panel("Proxy"), "ready", "0.1.0", "2 h 14 min", "sqlite");
    await shows(panel("Ledger"), "healthy", "41,772");
    await shows(panel("Store of originals"), "1,180", "61.2 MB of 1.07 GB");
    const leaves = panel("What leaves this machine");
    await shows(leaves, "only your requests", "names nobody to report to");
    server.answers.stats = {
      ...STATS,
      beacon: {
        enabled: true,
        endpoint: "counts.example",
        reason: "it is set",
      },
    };
    server.answers.lifetime = {
      ...LIFETIME,
      persistence: { enabled: true, healthy: false, pending_records: 12 },
    };
    await page.clock.runFor(11_000);
    await shows(leaves, "counts leave it", "reported to counts.example");
    await shows(panel("Ledger"), "not written");
  },
);
