/** Whether a service runs, and the programs of the system that decide it. @module */
import { commandText } from "../agents/report.ts";
import type { CliIo } from "../io.ts";
import { askProxyIfAllowed, memberOf, proxyUrl } from "../running_proxy.ts";
import type { CommandLines, Service } from "./service.ts";

/** Milliseconds for an answer. */
const ASK_MS = 2000;
/** Milliseconds between two questions, and how many: 20 seconds. */
const RETRY_MS = 250;
const MAX_TRIES = 80;
/** Lines of a program that are repeated. */
const MAX_LINES = 3;

/** Who listens at the port of a service: itself, another svc proxy, another program. */
export type Listener = "nobody" | "service" | "proxy" | "other";

/** Address of a service. */
export function urlOf({ port }: Pick<Service, "port">): string {
  return proxyUrl({ host: "127.0.0.1", port });
}

/** Asks whoever listens there. */
export async function listenerAt(
  io: Pick<CliIo, "ask">,
  { port, profile }: Pick<Service, "port" | "profile">,
): Promise<Listener> {
  const place = { host: "127.0.0.1", port };
  const asked = await askProxyIfAllowed(place, io, ASK_MS);
  if (asked.state === "none") return "nobody";
  if (asked.state === "other") return "other";
  const { profile: theirs } = memberOf(asked.health, "deployment");
  return theirs === profile ? "service" : "proxy";
}

/** Waits until a service answers; `false` if it does not within 20 seconds. */
export async function isAnswering(
  io: Pick<CliIo, "ask" | "wait">,
  service: Pick<Service, "port" | "profile">,
): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (await listenerAt(io, service) === "service") return true;
    await io.wait(RETRY_MS);
  }
  return false;
}

/**
 * Runs programs one after the other.
 *
 * @param harmless What a program says whose failure does not count; then it does not count either if there is none.
 * @returns Why one failed, without a final period; those after it were not run. `undefined` when all did their work.
 */
export async function runCommands(
  io: Pick<CliIo, "runProgram">,
  commands: CommandLines,
  harmless?: RegExp,
): Promise<string | undefined> {
  for (const command of commands) {
    const result = await io.runProgram(command);
    if (result === undefined) {
      if (harmless !== undefined) return undefined;
      return `${command[0]} is not on this machine`;
    }
    const { code, text } = result;
    if (code === 0 || harmless?.test(text)) continue;
    const said = text.trim().split("\n").slice(0, MAX_LINES).join(" ")
      .replace(/\.$/, "");
    return `${commandText(command)}: ${said || `it ended with code ${code}`}`;
  }
  return undefined;
}
