/** Tests in one browser, with one tab. */
import assert from "node:assert/strict";
import type { Browser, Locator, Page } from "playwright-core";
import { feedRow } from "./canned_feed.ts";
import { type CannedServer, serveCanned } from "./canned_server.ts";
import { openChromium } from "./chromium.ts";
import { HANG_MS } from "../hang.ts";

/** The newest request of the canned feed. */
export const NEWEST = feedRow(1000).request_id;

const found = await openChromium();
if ("missing" in found) {
  // deno-lint-ignore no-console
  console.log(`Skipped the tests of the dashboard: ${found.missing}`);
} else Deno.test.afterAll(() => found.browser.close());

/** How a test looks at the page. */
export interface Conditions {
  /** Of the system. */
  readonly scheme?: "dark" | "light";
  /** In pixels. */
  readonly width?: number;
  /** Whether answers with an error status belong to the test. */
  readonly errorsExpected?: boolean;
}

/** What a test gets. */
export interface Visit {
  /** The tab. */
  readonly page: Page;
  /** What the page asks. */
  readonly server: CannedServer;
  /** Opens the page at a path behind `/dashboard`. */
  open(path?: string): Promise<void>;
  /** The panel with a heading. */
  panel(name: string): Locator;
}

/** Registers a test with a server of its own. */
export function visit(
  name: string,
  run: (visit: Visit) => Promise<void>,
  conditions: Conditions = {},
): void {
  browse(name, async (page) => {
    await using server = serveCanned();
    await run({
      page,
      server,
      open: (path = "") => openPage(page, `${server.origin}/dashboard${path}`),
      panel: (name) => panelOf(page, name),
    });
    // What is asked from here on finds no server.
    page.removeAllListeners();
  }, conditions);
}

/** Registers a test; an error in the page, a violation of its policy or a request to another origin fails any. */
export function browse(
  name: string,
  run: (page: Page) => Promise<void>,
  { scheme = "dark", width = 1280, errorsExpected = false }: Conditions = {},
): void {
  Deno.test({
    name,
    ignore: "missing" in found,
    // The browser lives longer than a test.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      if ("missing" in found) return;
      const page = await tab(found.browser);
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: scheme });
      const complaints = listen(page, errorsExpected);
      try {
        await run(page);
      } finally {
        // What is open asks for nothing more: its time stands still. To load an empty page takes a while.
        page.removeAllListeners();
      }
      assert.deepEqual(complaints, []);
    },
  });
}

/** Opens an address and waits until something is drawn. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** The panel with a heading. */
export function panelOf(page: Page, name: string): Locator {
  return page.getByRole("region", { name, exact: true });
}

/** Waits until all words stand in a place. */
export async function shows(place: Locator, ...words: string[]): Promise<void> {
  for (const word of words) {
    await place.filter({ hasText: word }).first().waitFor();
  }
}

let opened: Promise<Page> | undefined;

/** One tab for all tests: to make one takes longer than most of them. */
function tab(browser: Browser): Promise<Page> {
  opened ??= browser.newPage().then(async (page) => {
    page.setDefaultTimeout(HANG_MS);
    // Time passes when a test says so.
    await page.clock.install({ time: new Date("2026-10-14T14:20:00Z") });
    return page;
  });
  return opened;
}

/** Gathers what no test may cause, from now on. */
function listen(page: Page, errorsExpected: boolean): readonly string[] {
  const complaints: string[] = [];
  // Until it opens an address, the page of the test before asks a server that is gone.
  let isOpened = false;
  page.once("framenavigated", () => isOpened = true);
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    const isStatus = message.text().startsWith("Failed to load resource");
    if (isOpened && (!isStatus || !errorsExpected)) {
      complaints.push(`${message.text()} ${message.location().url}`);
    }
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    const isOwn = request.isNavigationRequest() || protocol === "data:" ||
      origin === new URL(request.frame().url()).origin;
    if (!isOwn) complaints.push(`request to ${request.url()}`);
  });
  return complaints;
}
