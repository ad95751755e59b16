/** The page of a real proxy. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { LifetimeBody } from "../../src/ledger/lifetime_body.ts";
import type { StatsBody } from "../../src/ledger/stats_body.ts";
import { count, usd } from "../../dashboard/format.ts";
import { type Rig, withProxy } from "../e2e/proxy.ts";
import { browse, openPage, panelOf, shows } from "./visit.ts";
import { tempDir } from "../temp_dir.ts";

const LOG = Array.from(
  { length: 400 },
  (_, i) =>
    i === 200
      ? "2026-03-02T08:05:01Z ERROR worker-5 job 18301 failed: no free connection"
      : `2026-03-02T08:00:00Z INFO  worker-${i % 8} job ${18000 + i} done`,
).join("\n");

/** A conversation in which a tool prints a long log. */
const MESSAGES = [
  { role: "user", content: "Why does the worker fail?" },
  {
    role: "assistant",
    content: [{ type: "tool_use", id: "call_1", name: "Bash", input: {} }],
  },
  {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "call_1", content: LOG }],
  },
];

/** Runs a test with a proxy that a conversation of two requests went through, and a workspace of its own. */
async function withTraffic(
  use: (url: string, workspace: string) => Promise<void>,
): Promise<void> {
  await using temp = await tempDir();
  const workspace = temp.path;
  const env = { SVC_STATELESS: "false", SVC_WORKSPACE_DIR: workspace };
  await withProxy(() => ({ text: "done" }), async (rig) => {
    for (const length of [1, MESSAGES.length]) await send(rig, length);
    await use(rig.url, workspace);
  }, env);
}

/** Sends the first messages of the conversation. */
async function send({ url }: Rig, length: number): Promise<void> {
  const response = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": "k",
      "x-svc-project": "storefront",
      "user-agent": "claude-cli/2.0.1",
    },
    body: JSON.stringify({
      model: "claude-sonnet-4-5",
      max_tokens: 100,
      tools: [{ name: "Bash", input_schema: { type: "object" } }],
      messages: MESSAGES.slice(0, length),
    }),
  });
  await response.text();
  assert.equal(response.status, 200);
}

async function json<T>(url: string): Promise<T> {
  const body: T = await (await fetch(url)).json();
  return body;
}

browse(
  "the page of a real proxy shows its figures, its requests and its settings",
  (page) =>
    withTraffic(async (url, workspace) => {
      // The proxy's clock is the real one.
      await page.clock.setSystemTime(new Date());
      const stats = await json<StatsBody>(`${url}/stats`);
      const lifetime = await json<LifetimeBody>(`${url}/stats-lifetime`);
      const { total_saved_usd } = stats.summary.cost;
      assert(stats.tokens.saved > 0);
      await openPage(page, `${url}/dashboard`);
      const saved = [count(stats.tokens.saved), usd(total_saved_usd)];
      // On the first day all of them are the same.
      const scope = panelOf(page, "This run, last 7 days and lifetime");
      await shows(scope, ...saved, "Requests2");
      assert.equal(lifetime.tokens.saved, stats.tokens.saved);
      await shows(panelOf(page, "Prompt prefix"), "0 changed by svc");
      await openPage(page, `${url}/dashboard#/breakdown`);
      await page.getByText("Project", { exact: true }).click();
      await shows(panelOf(page, "By project"), "storefront", saved[0]!);
      await openPage(page, `${url}/dashboard#/conversations`);
      const conversations = panelOf(page, "Conversations").locator("tbody tr");
      await shows(
        conversations.first(),
        "2 requests",
        saved[0]!,
        "held by svc",
      );
      assert.equal(await conversations.count(), 1);
      await openPage(page, `${url}/dashboard#/feed`);
      const requests = panelOf(page, "Newest requests").locator("tbody tr");
      await requests.first().click();
      const result = page.getByRole("article", { name: "Tool result 1" });
      await shows(result, "Bash", "parts left out", "Rule log");
      await shows(result.locator("del").first(), "worker-");
      assert.equal(await requests.count(), 2);
      await openPage(page, `${url}/dashboard/settings`);
      await page.getByLabel("Budget in USD", { exact: true }).fill("25");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await shows(
        page.locator(".savebar"),
        "Waiting for Apply: Budget in USD.",
      );
      const file = await Deno.readTextFile(join(workspace, "settings.json"));
      assert.equal(JSON.parse(file).budget, 25);
    }),
);

browse(
  "a page that reached the proxy by another name is told sums only",
  (page) =>
    withTraffic(async (url) => {
      await page.clock.setSystemTime(new Date());
      const { tokens } = await json<StatsBody>(`${url}/stats`);
      // The browser resolves it to this machine, as a rebound name would be.
      const rebound = url.replace("127.0.0.1", "rebound.example");
      const opened = await page.goto(`${rebound}/dashboard/settings`);
      assert.equal(opened?.status(), 404);
      await openPage(page, `${rebound}/dashboard`);
      await shows(
        panelOf(page, "This run, last 7 days and lifetime"),
        count(tokens.saved),
      );
      for (const section of ["feed", "settings", "health", "conversations"]) {
        await openPage(page, `${rebound}/dashboard#/${section}`);
        await shows(page.locator("main"), "Only on this machine");
      }
      await openPage(page, `${rebound}/dashboard#/breakdown`);
      for (const by of ["Model", "Project", "Tool", "Agent"]) {
        await page.getByText(by, { exact: true }).click();
        await shows(page.locator("main"), "Only on this machine");
      }
      assert.doesNotMatch(await page.content(), /storefront|sonnet|claude-cli/);
    }),
  { errorsExpected: true },
);
