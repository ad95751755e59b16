/** The live feed, and a request that is opened from it. */
import assert from "node:assert/strict";
import { BROKEN, feedRow } from "./canned_feed.ts";
import { shows, visit } from "./visit.ts";

visit(
  "feed shows what comes, says so, and rests while it is paused",
  async ({ open, page, server, panel }) => {
    await open("#/feed");
    const first = panel("Newest requests").locator("tbody tr").first();
    await shows(first, "14:20:00");
    server.answers.newest = 1002;
    await page.clock.runFor(2500);
    await shows(first, "14:20:18", "claude-sonnet-4-5");
    await shows(page.getByRole("status"), "2 new requests.");
    await page.getByRole("button", { name: "Pause" }).click();
    server.answers.newest = 1003;
    const asked = () => server.asked.filter((path) => path.includes("/feed?"));
    const before = asked().length;
    await page.clock.runFor(5000);
    // What was asked before this question has arrived before it.
    await page.evaluate("fetch('/health').then((response) => response.text())");
    assert.equal(asked().length, before);
    await shows(first, "14:20:18");
    await page.getByRole("button", { name: "Resume" }).click();
    await shows(first, "14:20:27");
  },
);

visit(
  "inspector shows each tool result with its rule or reason, its tokens and its difference",
  async ({ open, page, panel }) => {
    await open("#/feed");
    await panel("Newest requests").getByRole("link").first().press("Enter");
    const inspector = panel("Request 3f2a91c0");
    await shows(inspector, "all of the request before was sent again");
    await page.locator("a:focus", { hasText: "Close" }).waitFor();
    const [log, json, code] = [1, 2, 3].map((number) =>
      inspector.getByRole("article", { name: `Tool result ${number}` })
    );
    await shows(log!, "Bash", "parts left out", "2,410 \u2192 402 tokens");
    await shows(log!, "Rule log", "0a1b2c3d4e5f60718293a4b5");
    await shows(log!.locator("ins").first(), "[70 lines omitted]");
    await shows(log!.locator("del").first(), "ok 6 catalog_test.ts");
    await shows(log!.locator(".gap").first(), "lines, not shown here");
    assert.equal(await log!.locator("del", { hasText: "FAILED" }).count(), 0);
    // Texts are texts, whatever stands in them.
    await shows(json!, "written shorter", "<b>Cart</b> is empty");
    await shows(code!, "Left alone: it is a file that may be edited");
    await inspector.getByRole("link", { name: "Close" }).click();
    await inspector.waitFor({ state: "detached" });
  },
);

visit(
  "feed and inspector say how a request ended, and raise an alarm where svc changed a prefix",
  async ({ open, panel, page }) => {
    await open("#/feed");
    const rows = panel("Newest requests").locator("tbody tr");
    const at = (seq: number) => rows.nth(1000 - seq);
    await shows(at(999), "passed through");
    await shows(at(998), "my-unknown-model", "unknown2.3 ms");
    await shows(at(996), "refused by svc", "budget used up");
    await shows(at(992), "failed (529)", "upstream: overloaded_error");
    await shows(at(993), "sent as it came", "commit_forms: Error: database");
    await shows(at(988), "refused (404)", "upstream: no such path or model");
    assert.equal(await rows.locator(".badge.alarm").count(), 1);
    await shows(at(BROKEN), "prefix changed by svc");
    // Wide as it is, all of it can be seen.
    assert.equal(await page.getByText("scroll sideways").count(), 0);
    await at(BROKEN).click();
    await shows(
      page.getByRole("alert"),
      "svc changed the prefix of this request",
      "/messages/3/content",
    );
    await open(`#/feed/${feedRow(998).request_id}`);
    await shows(page.locator("main"), "cost and saving unknown");
  },
);

visit(
  "feed lists problems only, one conversation, and older pages",
  async ({ open, page, server, panel }) => {
    await open("#/feed");
    await page.getByText("Problems only").click();
    const problems = panel("Problems").locator("tbody tr");
    await shows(problems.nth(1), "upstream: overloaded_error");
    assert.equal(new URL(page.url()).hash, "#/feed?problems=1");
    await page.getByText("All", { exact: true }).click();
    await page.getByRole("button", { name: "Older" }).click();
    await shows(
      panel("Newest requests").locator("tbody tr").first(),
      "14:12:30",
    );
    assert(server.asked.includes("/transformations/feed?before=951&limit=50"));
    await page.getByRole("button", { name: "Newest" }).click();
    await shows(
      panel("Newest requests").locator("tbody tr").first(),
      "14:20:00",
    );
    await panel("Newest requests").locator("tbody tr").first().click();
    await panel("Request 3f2a91c0").getByRole("link", { name: "9f86d081" })
      .click();
    await shows(
      panel("Newest requests of conversation 9f86d081").locator("tbody tr"),
      "14:20:00",
    );
    const asked =
      "/transformations/feed?conversation=9f86d081884c7d65&limit=50";
    assert(server.asked.includes(asked));
    await page.getByRole("button", { name: "Show all conversations" }).click();
    await panel("Newest requests").waitFor();
  },
);

visit(
  "a row of the feed looks as if it opened, and does with the keyboard",
  async ({ open, page, panel }) => {
    await open("#/feed");
    const row = panel("Newest requests").locator("tbody tr").nth(2);
    await row.waitFor();
    const read = (property: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelectorAll(".feed tbody tr")[2]).${property}`,
      );
    assert.equal(await read("cursor"), "pointer");
    assert.equal(await row.locator("svg.chevron").count(), 1);
    const ground = await read("backgroundColor");
    await row.hover();
    assert.notEqual(await read("backgroundColor"), ground);
    assert.equal(await read("outlineStyle"), "none");
    // As a person who presses the key gets there: only then is the ring drawn.
    await row.getByRole("link").focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    assert.equal(await read("outlineStyle"), "solid");
    await page.keyboard.press("Enter");
    await panel("Request 3f2a91c0").waitFor();
  },
);

visit("model and agent stay on a phone", async ({ open, page, panel }) => {
  await open("#/feed");
  const row = panel("Newest requests").locator("tbody tr").first();
  const who = row.locator(".narrow");
  await shows(who, "claude-haiku-4-5", "claude-cli");
  assert.equal(await who.isVisible(), true);
  await open("#/conversations");
  const first = page.locator("tbody tr").first().locator(".narrow");
  await shows(first, "claude-sonnet-4-5", "claude-cli", "held by svc");
  assert.equal(await first.isVisible(), true);
}, { width: 390 });
