/** Whether a proxy will be there whenever an agent starts. @module */
import { isRecord } from "../agents/agent.ts";
import type { CliIo } from "../io.ts";

/** Milliseconds for its answer. */
const TIMEOUT_MS = 1000;

/**
 * Whether the proxy that answers at an address was started by a supervisor, which starts it again. One that does not
 * answer now counts as none.
 *
 * @param base Base URL of the proxy, without a slash at its end.
 */
export async function isServiceInstalled(
  base: string,
  io: Pick<CliIo, "ask">,
): Promise<boolean> {
  const answer = await io.ask(new URL("/health", base), TIMEOUT_MS);
  try {
    const health: unknown = JSON.parse(answer?.text ?? "null");
    if (!isRecord(health) || health["service"] !== "svc-proxy") return false;
    const { deployment } = health;
    const supervisor = isRecord(deployment) ? deployment["supervisor"] : "none";
    return typeof supervisor === "string" &&
      !["", "none"].includes(supervisor);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}
