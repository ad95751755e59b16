/** Each section shows the figures of the answers. */
import assert from "node:assert/strict";
import { LIFETIME, STATS, unused, unusedLifetime } from "./canned.ts";
import { unusedRange } from "./canned_range.ts";
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
    await shows(panel("Last 7 days"), "3,975,663", "$3.46", "Refused (4xx)9");
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
    server.answers.range = unusedRange;
    await open();
    const first = panel("No requests yet");
    const origin = server.origin;
    await shows(
      first,
      "is running",
      `svc wrap claude --port ${new URL(origin).port}`,
      `ANTHROPIC_BASE_URL=${origin} claude`,
      `base_url="${origin}/v1"`,
      `"anthropic": { "options": { "baseURL": "${origin}/v1" } }`,
      `export ANTHROPIC_BASE_URL=${origin}`,
      `export OPENAI_BASE_URL=${origin}/v1`,
    );
    assert.equal(await page.getByText("This run").count(), 0);
    await page.evaluate(`navigator.clipboard.writeText = async (text) => {
      globalThis.copied = text; }`);
    const lines = await first.innerText();
    assert(lines.indexOf("svc wrap claude") < lines.indexOf("ANTHROPIC_BASE"));
    await first.getByRole("button", { name: "Copy: Claude Code", exact: true })
      .click();
    await shows(page.getByRole("status"), "Copied");
    assert.equal(
      await page.evaluate("globalThis.copied"),
      `svc wrap claude --port ${new URL(origin).port}`,
    );
    // Where the browser lends no clipboard, the old way is tried.
    await page.evaluate(`{
      navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
      document.execCommand = (what) => {
        globalThis.copied = getSelection().toString() ||
          document.activeElement.value;
        return what === "copy";
      };
    }`);
    await first.getByRole("button", { name: "Copy: OpenAI SDK" }).click();
    await page.waitForFunction(
      `globalThis.copied === "export OPENAI_BASE_URL=${origin}/v1"`,
    );
    server.answers.isBroken = true;
    await page.clock.runFor(3500);
    await shows(first, "Start the proxy again");
    assert.doesNotMatch(await first.innerText(), /is running/);
    await page.getByRole("link", { name: "Budget" }).click();
    await shows(page.locator("main"), "No budget is set");
    server.answers.isBroken = false;
    await page.getByRole("link", { name: "Over time" }).click();
    await shows(page.locator("main"), "No requests in this time");
  },
  { errorsExpected: true },
);

visit(
  "over time has charts and a table for each length of steps, and the days that are chosen",
  async ({ open, panel, page, server }) => {
    await open("#/time");
    const label = async (name: string) =>
      await panel(name).getByRole("img").getAttribute("aria-label") ?? "";
    assert.match(
      await label("Tokens saved per day"),
      /From 8 Oct 2026 to 14 Oct 2026; .*the last is [\d,]+ tokens/,
    );
    await shows(
      panel("Cost by model per day"),
      "claude-sonnet-4-5",
      "gpt-5.2",
      "my-unknown-model",
      "unknown",
      "without a known price",
    );
    // What has no price is no bar of nothing, but a mark.
    assert(
      await panel("Cost by model per day").locator(".missing").count() > 0,
    );
    await shows(panel("Error rate per day"), "Failed (5xx)", "Refused (4xx)");
    assert.match(
      await label("Whole request, per day"),
      /p95: the most is .* s/,
    );
    await panel("Added by svc, per day").getByRole("img").waitFor();
    await page.getByText("Show the figures as a table").click();
    assert.equal(await panel("By day").getByRole("row").count(), 1 + 7);
    await page.getByText("Today", { exact: true }).click();
    await shows(panel("By hour"), "14 Oct, ");
    await page.getByText("From – to").click();
    await page.getByLabel("First day").fill("2026-10-01");
    await page.getByLabel("Last day").fill("2026-10-03");
    await panel("Tokens saved per day").waitFor();
    assert.match(
      await label("Tokens saved per day"),
      /From 1 Oct 2026 to 3 Oct/,
    );
    const edges = [1, 2, 3, 4].map((day) => Date.UTC(2026, 9, day)).join();
    assert(server.asked.includes(`/stats-range?edges=${edges}`));
    // In other sections the same days are shown, also after a new start.
    await page.reload();
    await page.getByRole("link", { name: "Conversations" }).click();
    await shows(panel("Conversations"), "last active: 1 Oct – 3 Oct 2026");
    const links = await page.getByRole("link", { name: "weekly" }).count();
    assert.equal(links, 0);
    await open("#/time");
    assert.equal(
      await page.getByRole("link", { name: "weekly" }).getAttribute("href"),
      "/stats-history?format=csv&series=weekly",
    );
    await page.getByText("Last 7 days").click();
  },
);

visit(
  "all times are in the time zone of the browser, which is named",
  async ({ open, page, panel, server }) => {
    await open();
    const session = await page.context().newCDPSession(page);
    const zone = (timezoneId: string) =>
      session.send("Emulation.setTimezoneOverride", { timezoneId });
    await zone("Asia/Kolkata");
    try {
      await open("#/time");
      await shows(page.locator(".bar"), "Times in Asia/", "(UTC+5:30)");
      await page.getByText("Yesterday").click();
      await panel("Tokens saved per hour").waitFor();
      const midnight = Date.parse("2026-10-12T18:30:00Z");
      assert(
        server.asked.some((path) =>
          path.startsWith(
            `/stats-range?edges=${midnight},${midnight + 3_600_000}`,
          )
        ),
      );
      await open("#/feed");
      await shows(
        panel("Newest requests").locator("tbody tr").first(),
        "19:50:00",
      );
    } finally {
      await zone("");
      await session.detach();
      await page.evaluate("localStorage.clear()");
    }
  },
);

visit(
  "overview lists requests that were refused or failed, with the reason, and opens them",
  async ({ open, page, panel }) => {
    await open();
    const problems = panel("Newest problems");
    await shows(problems, "failed (529)", "upstream: overloaded_error");
    await shows(problems, "refused (404)", "upstream: no such path or model");
    await shows(problems, "sent as it came", "commit_forms: Error: database");
    await problems.locator("li").first().click();
    await panel("Request 3f2a91c0").waitFor();
    await panel("Problems").waitFor();
    assert.match(page.url(), /problems=1$/);
  },
);

visit(
  "conversations are listed by last activity, and lead to their requests",
  async ({ open, page, panel, server }) => {
    await open("#/conversations");
    const rows = panel("Conversations").locator("tbody tr");
    await rows.nth(19).waitFor();
    assert.equal(await rows.count(), 20);
    await shows(
      rows.first(),
      "14 Oct, 14:20",
      "c0ffeec0",
      "claude-sonnet-4-5",
      "claude-cli",
      "3 requests",
      "181,204",
      "40,111",
      "$0.4213",
      "held by svc",
    );
    await shows(rows.nth(2), "5 requests3 problems");
    await shows(rows.nth(4), "unknown");
    await shows(rows.nth(9), "1 changed by svc");
    await page.getByRole("button", { name: "Older" }).click();
    await shows(rows.first(), "13 Oct, 22:40");
    assert.match(server.asked.at(-1) ?? "", /&after=1\.c$/);
    await rows.first().click();
    await panel("Newest requests of conversation c0ffee20").waitFor();
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
    await page.getByText("Project", { exact: true }).click();
    await page.getByText("Days", { exact: true }).click();
    await shows(panel("By project"), "last 7 days; days in UTC", "195,210,204");
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
    for (const section of ["feed", "settings", "health", "conversations"]) {
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
      stage_failures: { commit_forms: 2, count_tokens: 1 },
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
    const failed = panel("Failed and sent as it came");
    await shows(failed, "commit_forms", "2 times", "request 3f2a91c0");
    await shows(failed, "Error: database is locked");
    await shows(failed, "count_tokens", "belongs to no request");
    await shows(leaves, "counts leave it", "reported to counts.example");
    await shows(panel("Ledger"), "not written");
  },
);
