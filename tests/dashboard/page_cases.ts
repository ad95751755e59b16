/** What holds in all sections: keyboard, contrast, width, policy, a proxy that goes away. */
import assert from "node:assert/strict";
import axe from "axe-core";
import { BROKEN, feedRow } from "./canned_feed.ts";
import { NEWEST, shows, visit } from "./visit.ts";

const SECTIONS = [
  "overview",
  "time",
  "breakdown",
  "conversations",
  "feed",
  "budget",
  "health",
  "settings",
];

/** The request whose page has most to say. */
const BROKEN_ID = feedRow(BROKEN).request_id;

visit(
  "a proxy that goes away leaves its last figures, and is found again",
  async ({ open, page, server, panel }) => {
    await open();
    await shows(panel("This run"), "8,412,905");
    server.answers.isBroken = true;
    await page.clock.runFor(3500);
    await shows(page.getByRole("alert"), "not reachable since");
    await shows(panel("This run"), "8,412,905");
    await shows(page.getByRole("banner"), "not reachable");
    server.answers.isBroken = false;
    await page.clock.runFor(3500);
    await page.getByRole("alert").filter({ hasText: "not reachable" })
      .waitFor({ state: "detached" });
  },
  { errorsExpected: true },
);

visit("all can be reached with the keyboard", async ({ open, page }) => {
  await open();
  const active = () =>
    page.evaluate("document.activeElement.textContent.trim()");
  await page.keyboard.press("Tab");
  assert.equal(await active(), "Skip to content");
  await page.keyboard.press("Enter");
  assert.equal(await active(), "Overview");
  await page.getByRole("link", { name: "Breakdown" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("h1:focus", { hasText: "Breakdown" }).waitFor();
  assert.equal(await page.title(), "Breakdown · svc");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await page.getByRole("heading", { name: "By tool" }).waitFor();
  assert.equal(
    await page.getByRole("radio", { name: "Tool" }).isChecked(),
    true,
  );
});

visit(
  "colours follow the system, or the switch, and the choice is kept",
  async ({ open, page }) => {
    await open();
    const ground = () =>
      page.evaluate("getComputedStyle(document.body).backgroundColor");
    const dark = await ground();
    await page.getByText("Light", { exact: true }).click();
    await page.locator("html[data-theme=light]").waitFor();
    assert.notEqual(await ground(), dark);
    await page.reload();
    await page.locator("html[data-theme=light]").waitFor();
  },
);

visit(
  "axe finds nothing serious in any section, dark or light",
  async ({ open, page, server }) => {
    // Rows are alike; to look at all of them takes long.
    server.answers.rows = 8;
    await open();
    await page.evaluate(axe.source);
    const look = async (
      scheme: "dark" | "light",
      sections: readonly string[],
      rules: string,
    ) => {
      await page.emulateMedia({ colorScheme: scheme });
      for (const section of sections) {
        await open(`#/${section}`);
        await page.locator(".panel, .notice").first().waitFor();
        if (section === "time") await page.locator("summary").click();
        assert.deepEqual(await page.evaluate(axeRun(rules)), [], section);
      }
    };
    await look(
      "dark",
      [...SECTIONS, `feed/${BROKEN_ID}`],
      '["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]',
    );
    // These hold all that has a colour.
    await look(
      "light",
      [
        "overview",
        "time",
        "breakdown",
        "conversations",
        `feed/${BROKEN_ID}`,
        "settings",
      ],
      '["color-contrast"]',
    );
  },
);

/** Runs some rules in the page; what is serious comes back. */
function axeRun(rules: string): string {
  return `axe.run(document,
      { resultTypes: ["violations"], preload: false, runOnly: ${rules} })
    .then(({ violations }) => violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`;
}

visit("nothing scrolls sideways on a phone", async ({ open, page }) => {
  for (const section of [...SECTIONS, `feed/${NEWEST}`]) {
    await open(`#/${section}`);
    await page.locator(".panel, .notice").first().waitFor();
    const width = await page.evaluate("document.documentElement.scrollWidth");
    assert.equal(width, 360, section);
  }
  // A table that is too wide for it says so.
  const hint = page.getByText("More columns: scroll sideways →");
  assert.equal(await hint.count(), 0);
  await open("#/breakdown");
  await page.getByText("Model", { exact: true }).click();
  await hint.waitFor();
}, { width: 360 });

visit(
  "the policy runs no other script, takes no other style and asks no other origin",
  async ({ open, page }) => {
    await open();
    page.removeAllListeners();
    const outcome = await page.evaluate(`(async () => {
    const refused = [];
    document.addEventListener("securitypolicyviolation",
      ({ effectiveDirective }) => refused.push(effectiveDirective));
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.head.append(script);
    document.body.insertAdjacentHTML("beforeend", "<b style='color:red'>x</b>");
    await fetch("http://127.0.0.1:9/").catch(() => {});
    const image = document.createElement("img");
    const failed = new Promise((done) => image.onerror = done);
    image.src = "/other.png";
    await failed;
    return { ran: globalThis.ran === true, refused: refused.sort() };
  })()`);
    assert.deepEqual(outcome, {
      ran: false,
      refused: ["connect-src", "img-src", "script-src-elem", "style-src-attr"],
    });
  },
);
