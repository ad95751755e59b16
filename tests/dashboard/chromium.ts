/** A headless browser for tests, where there is one. @module */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Names under which systems install it. */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** Milliseconds for an installation. */
const INSTALL_MS = 180_000;

/** A browser, or why there is none. */
export type Found =
  | { readonly browser: Browser }
  | { readonly missing: string };

/** Starts Chromium; installs Debian's where that can be done without asking anybody. Never throws for want of one. */
export async function openChromium(): Promise<Found> {
  const path = installed() ?? await installs();
  if (path === undefined) {
    return {
      missing: `none of ${
        NAMES.join(", ")
      } is installed, and apt-get cannot do it`,
    };
  }
  const browser = await chromium.launch({
    executablePath: path,
    // Tests may run as root, where Chromium has no sandbox; pages are ours. Containers have a small /dev/shm. One name
    // that is not ours leads here.
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--disable-gpu",
      "--host-resolver-rules=MAP rebound.example 127.0.0.1",
    ],
  });
  return { browser };
}

function installed(): string | undefined {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  return NAMES.flatMap((name) => folders.map((folder) => `${folder}/${name}`))
    .find((path) => existsSync(path));
}

/** Only where nobody has to be asked: as root, on Debian and its like. */
async function installs(): Promise<string | undefined> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return undefined;
  if (!existsSync("/usr/bin/apt-get")) return undefined;
  // deno-lint-ignore no-console
  console.log("Installing chromium with apt-get, for tests of the dashboard");
  for (const args of [["update"], ["install", "chromium"]]) {
    const { success } = await new Deno.Command("/usr/bin/apt-get", {
      args: ["-qq", "-y", "--no-install-recommends", ...args],
      env: { DEBIAN_FRONTEND: "noninteractive" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
      signal: AbortSignal.timeout(INSTALL_MS),
    }).output();
    if (!success) return undefined;
  }
  return installed();
}
