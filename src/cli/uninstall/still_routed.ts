/** Which clients still send their requests to the proxy. @module */
import { checkClaude } from "../doctor/claude_check.ts";
import { checkCodex } from "../doctor/codex_check.ts";
import type { Found } from "../doctor/found.ts";
import { checkOpencode } from "../doctor/opencode_check.ts";
import { checkShell } from "../doctor/shell_check.ts";
import { isRecord } from "../agents/agent.ts";

/** Files and variables that name the proxy as base URL, each once; nothing is changed. */
export async function stillRouted(found: Found): Promise<readonly string[]> {
  const { HOME, USERPROFILE } = found.io.env;
  const agents = HOME || USERPROFILE
    ? [
      await checkClaude(found),
      await checkCodex(found),
      await checkOpencode(found),
    ]
    : [];
  const inFiles = agents.flatMap(({ details }) =>
    partsOf(details["providers"] ?? [details])
  );
  const inShell = partsOf(checkShell(found).details["variables"])
    .map((name) => `${name} in the shell`);
  return [...new Set([...inFiles, ...inShell])];
}

function partsOf(routes: unknown): string[] {
  return Array.isArray(routes) ? routes.flatMap(placeOf) : [];
}

/** Where a route stands that leads to the proxy. */
function placeOf(route: unknown): string[] {
  if (!isRecord(route) || route["leads"] !== "here") return [];
  const { from } = route;
  return typeof from === "string" ? [from] : [];
}
