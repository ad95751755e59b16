/** Do the proxies run that the system keeps running? @module */
import { allInstalled } from "../install/installed.ts";
import { listenerAt } from "../install/running.ts";
import type { Found } from "./found.ts";
import { passed, skipped, type Verdict, warned } from "./verdict.ts";

/** Proxies that are started by the system. */
export async function checkDeployments(
  { io, machine: { userId } }: Found,
): Promise<Verdict> {
  const { HOME, USERPROFILE } = io.env;
  if (!HOME && !USERPROFILE) return skipped("there is no home directory");
  const machine = { userId, sources: undefined };
  const services = (await allInstalled(io, machine))
    .map(({ service }) => service);
  const idle: string[] = [];
  for (const service of services) {
    const isRunning = await listenerAt(io, service) === "service";
    if (!isRunning) idle.push(service.profile);
  }
  const details = { services: services.map(({ profile }) => profile), idle };
  if (services.length === 0) {
    return skipped("no service is installed: you start the proxy yourself");
  }
  return idle.length === 0
    ? passed(`running: ${details.services.join(", ")}`, { details })
    : warned(`not running: ${idle.join(", ")}`, {
      hint: "svc install status says more",
      details,
    });
}
