/** The form of the settings, before the real store. */
import assert from "node:assert/strict";
import { MASK } from "../../src/settings/fields.ts";
import { shows, visit } from "./visit.ts";

visit(
  "settings sends what was changed only, and shows what holds afterwards",
  async ({ open, page, server }) => {
    await open("/settings");
    const mode = page.getByLabel("Mode", { exact: true });
    const news = page.locator(".savebar");
    await shows(news, "Some saved settings are not in force");
    await shows(news, "Waiting for Apply: Mode.");
    await page.getByText("Saved, in force after Apply. Now in force: cache")
      .waitFor();
    await page.getByLabel("Lossless", { exact: true }).check();
    await page.getByLabel("Log file", { exact: true }).fill("/tmp/a.jsonl");
    await shows(news, "2 changes not saved");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await shows(news, "Saved, but not in force yet.");
    await shows(news, "Waiting for Apply: Lossless.");
    await shows(news, "Waiting for the next start: Log file.");
    await page.getByRole("button", { name: "Apply", exact: true }).click();
    await shows(news, "In force from now on: Mode, Lossless.");
    await shows(news, "Waiting for the next start: Log file. Stop svc proxy");
    await page.getByText("Now in force: cache").waitFor({ state: "detached" });
    assert.equal(await mode.inputValue(), "token");
    await page.getByLabel("Budget in USD", { exact: true }).fill("12");
    await page.getByRole("button", { name: "Save and apply" }).click();
    await shows(news, "In force from now on: Budget in USD.");
    assert.deepEqual(server.posted, [
      {
        path: "/settings",
        body: { values: { lossless: true, log_file: "/tmp/a.jsonl" } },
      },
      { path: "/settings/apply", body: {} },
      { path: "/settings", body: { values: { budget: 12 } } },
      { path: "/settings/apply", body: {} },
    ]);
    assert.equal(server.stored()["lossless"], true);
  },
);

visit(
  "settings takes back what was stored when the default is asked for",
  async ({ open, page, server }) => {
    await open("#/settings");
    await page.getByRole("button", { name: "Use the default of Mode" }).click();
    assert.equal(
      await page.getByLabel("Mode", { exact: true }).inputValue(),
      "cache",
    );
    await page.getByText("Will be unset").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await shows(page.locator(".savebar"), "Saved. In force as before: Mode.");
    assert.deepEqual(server.posted[0]?.body, { values: { mode: null } });
    assert.equal("mode" in server.stored(), false);
  },
);

visit(
  "settings shows what is wrong with a value beside it, and keeps what was typed",
  async ({ open, page, server }) => {
    await open("#/settings");
    const budget = page.getByLabel("Budget in USD", { exact: true });
    await budget.fill("oops");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText('Cannot use budget="oops": must be an amount')
      .waitFor();
    await page.getByText("Nothing was saved: 1 value cannot be used").waitFor();
    assert.equal(await budget.getAttribute("aria-invalid"), "true");
    assert.equal(await budget.inputValue(), "oops");
    assert.equal(
      await page.evaluate("document.activeElement.id"),
      "setting-budget",
    );
    assert.equal(server.stored()["budget"], 40);
    await budget.fill("12.50");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await shows(page.locator(".savebar"), "Waiting for Apply: Budget in USD.");
    assert.equal(server.stored()["budget"], 12.5);
  },
  { errorsExpected: true },
);

visit(
  "settings never shows a secret, and keeps one that nobody touched",
  async ({ open, page, server }) => {
    const secretOf = () => server.stored()["anthropic_extra_headers"];
    const before = secretOf();
    await open("#/settings");
    await page.getByLabel("Search settings").fill("MSG_TARGET_API_HEADERS");
    const secret = page.locator("#setting-anthropic_extra_headers");
    assert.equal(await secret.inputValue(), MASK);
    assert.doesNotMatch(await page.content(), /k-123/);
    // Typed away and back again: the mask itself means "as it was".
    await secret.fill("");
    await secret.fill(MASK);
    await page.getByLabel("Search settings").fill("SVC_LOSSLESS");
    await page.locator("#setting-lossless").check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await shows(page.locator(".savebar"), "Waiting for Apply: Lossless.");
    assert.deepEqual(secretOf(), before);
    await page.getByLabel("Search settings").fill("MSG_TARGET_API_HEADERS");
    await secret.fill("");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await shows(page.locator(".savebar"), "Waiting for");
    await page.getByText("Some saved").waitFor({ state: "detached" });
    assert.equal(secretOf(), undefined);
  },
);

visit(
  "settings that cannot be changed here say why",
  async ({ open, page }) => {
    await open("#/settings");
    await page.getByText("All", { exact: true }).click();
    const port = page.locator("#setting-port");
    assert.equal(await port.isDisabled(), true);
    assert.equal(await port.inputValue(), "8787");
    await page.getByText("Set by the environment (SVC_PORT)").waitFor();
    const planned = page.locator("#setting-target_ratio");
    assert.equal(await planned.isDisabled(), true);
  },
);
