/** Services for tests. @module */
import {
  describe,
  type Installed,
  type PlatformId,
} from "../../../src/cli/install/installed.ts";
import type { Service } from "../../../src/cli/install/service.ts";
import type { TextValues } from "../../../src/settings/row.ts";
import { fakeIo } from "../fake_io.ts";

/** What a sample is made from. */
export interface SampleOptions {
  readonly scope?: "user" | "system";
  readonly env?: Record<string, string>;
  readonly command?: readonly string[];
  readonly stored?: TextValues;
  readonly sources?: string | undefined;
  readonly userId?: number | null;
}

/** A service of the user `ada` on port 8787, from a checkout in `/opt/svc`. */
export function sample(
  platform: PlatformId,
  {
    scope = "user",
    env = {},
    command = ["/opt/deno", "run", "-A", "--no-prompt", "/opt/svc/main.ts"],
    stored = {},
    sources = "/opt/svc",
    userId = 1000,
  }: SampleOptions = {},
): Installed {
  const io = fakeIo({
    env: { HOME: "/home/ada", USER: "ada", ...env },
    selfCommand: () => command,
  });
  const request = { profile: "default", scope, port: 8787, platform };
  return describe(io, request, { machine: { userId, sources }, stored });
}

/** The same, without its platform. */
export function sampleService(
  platform: PlatformId,
  options?: SampleOptions,
): Service {
  return sample(platform, options).service;
}

/** A text of `tests/golden/install/`. */
export async function golden(name: string): Promise<string> {
  const url = new URL(`../../golden/install/${name}`, import.meta.url);
  return await Deno.readTextFile(url);
}
