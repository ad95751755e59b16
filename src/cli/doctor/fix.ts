/** `svc doctor --fix`: points agents to the proxy that have no base URL. @module */
import { complain } from "../agents/report.ts";
import { keepAgent } from "../edits/keep.ts";
import { KEEPABLE } from "../edits/keep_rows.ts";
import type { Found } from "./found.ts";
import type { Check } from "./report.ts";
import { keepCommand } from "./routing.ts";

/**
 * Does what `svc wrap --keep` does, for each agent whose check names that as the fix. A failure with one does not keep
 * the others from their turn.
 *
 * @returns Whether anything was tried.
 */
export async function fixAgents(
  checks: readonly Check[],
  found: Found,
): Promise<boolean> {
  const { io, proxy } = found;
  const agents = Object.values(KEEPABLE).filter(({ id }) =>
    checks.some((check) =>
      check.id === id && check.details["fix"] === keepCommand(id, found)
    )
  );
  if (agents.length === 0) {
    io.stderr("There is nothing that --fix can fix.\n");
    return false;
  }
  if (proxy.state !== "up") {
    io.stderr(
      `Nothing was fixed: no proxy answers at ${proxy.url}, and the agents would fail without. Start svc proxy, then try again\n`,
    );
    return false;
  }
  // Stdout carries the report.
  const stdout = (bytes: Uint8Array) =>
    io.stderr(new TextDecoder().decode(bytes));
  for (const agent of agents) {
    try {
      const request = { agent, base: proxy.url, dryRun: false };
      await keepAgent({ ...io, stdout }, request);
    } catch (error) {
      complain(io, error);
    }
  }
  return true;
}
