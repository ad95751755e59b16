import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { dashboardModule } from "../../scripts/build_dashboard.ts";
import {
  DASHBOARD_PAGE,
  DASHBOARD_POLICY,
} from "../../src/proxy/dashboard_page.ts";

const SOURCE = new URL("../../src/proxy/dashboard_page.ts", import.meta.url);
/** Characters of the whole page: it is part of the program. */
const MAX_SIZE = 120_000;

Deno.test("dashboard_page.ts is what the sources in dashboard/ give", async () => {
  const isCurrent = await dashboardModule() === await Deno.readTextFile(SOURCE);
  assert(
    isCurrent,
    "src/proxy/dashboard_page.ts is old: run deno run -A scripts/build_dashboard.ts",
  );
});

Deno.test("DASHBOARD_POLICY allows the one script and the one style of the page by their digests", () => {
  for (const tag of ["script", "style"]) {
    const elements = [
      ...DASHBOARD_PAGE.matchAll(
        new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"),
      ),
    ];
    assert.equal(elements.length, 1, tag);
    const digest = createHash("sha256").update(elements[0]![1]!)
      .digest("base64");
    assert(DASHBOARD_POLICY.includes(`${tag}-src 'sha256-${digest}'`), tag);
  }
  assert.doesNotMatch(DASHBOARD_POLICY, /unsafe/);
});

Deno.test("DASHBOARD_PAGE is small, and names no other host", () => {
  assert(DASHBOARD_PAGE.length < MAX_SIZE, `${DASHBOARD_PAGE.length}`);
  const hosts = [...DASHBOARD_PAGE.matchAll(/https?:\/\/([\w.]+)/g)]
    .map(([, host]) => host)
    // Names of XML.
    .filter((host) => host !== "www.w3.org");
  assert.deepEqual(hosts, []);
});
