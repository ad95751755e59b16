/** Shell variables, MCP registrations, edits of agents' files, and services. @module */
import {
  ownPlace,
  routeFacts,
  routeVerdict,
  targetOf,
  unreadableReason,
} from "./routing.ts";
import {
  type Found,
  passed,
  skipped,
  type Verdict,
  verdictOf,
  warned,
} from "./found.ts";
import { isAbsolute } from "node:path";
import type { Agent } from "../agents/agent.ts";
import { entryOf } from "../agents/plan.ts";
import { locate, presentAgents } from "../agents/locate.ts";
import { interruptedIn } from "../edits/finish.ts";
import { allInstalled } from "../install/installed.ts";
import { listenerAt } from "../install/acts.ts";

/** Variables that the SDKs read, and what the proxy's URL ends in there. */
const VARIABLES: readonly (readonly [name: string, ending: string])[] = [
  ["ANTHROPIC_BASE_URL", ""],
  ["OPENAI_BASE_URL", "/v1"],
  ["OPENAI_API_BASE", "/v1"],
];

/** Whether the shell's base URLs lead to the proxy. */
export function checkShell(found: Found): Verdict {
  const { io, proxy } = found;
  const own = ownPlace(found);
  const set = VARIABLES.flatMap(([name, ending]) => {
    const text = io.env[name];
    if (!text) return [];
    const target = targetOf(text, own);
    const isDoubled = ending === "" && target.path.endsWith("/v1");
    const fault = isDoubled
      ? "ends in /v1, so that requests go to /v1/v1"
      : undefined;
    const route = { from: name, target, fault };
    const fix = `${name}=${proxy.url}${ending}`;
    return [{ route, verdict: routeVerdict(route, found, fix) }];
  });
  const details = { variables: set.map(({ route }) => routeFacts(route)) };
  // Worse ones first.
  const [worst] = ["fail", "warn"].flatMap((status) =>
    set.filter(({ verdict }) => verdict.status === status)
  );
  if (worst !== undefined) return { ...worst.verdict, details };
  const names = set.map(({ route }) => route.from).join(", ");
  return verdictOf(details, [
    set.length === 0 && skipped(
      "no base URL is set: SDKs started from this shell go straight to their providers",
      `export ANTHROPIC_BASE_URL=${proxy.url} OPENAI_BASE_URL=${proxy.url}/v1`,
    ),
    passed(`${names} point${set.length === 1 ? "s" : ""} to the proxy`),
  ]);
}

/** Whether the server is registered, and its program is still there. */
export async function checkMcp(found: Found): Promise<Verdict> {
  const agents = await presentAgents(found.io);
  const all = await Promise.all(
    agents.map((agent) => registrationOf(agent, found)),
  );
  const bad = all.find(({ problem }) => problem !== null);
  const names = all.filter(({ registered }) => registered)
    .map(({ agent }) => agent);
  return verdictOf({ agents: all }, [
    bad && warned(
      `${bad.agent}: ${bad.problem} (${bad.file})`,
      "svc mcp install registers the server again; svc mcp status tries it",
    ),
    names.length > 0 && passed(
      `registered with ${names.join(", ")}`,
      "svc mcp status tries it",
    ),
    skipped(
      "not registered with any agent; the proxy works without it",
      "svc mcp install",
    ),
  ]);
}

/** Whether an agent has it; `problem` is what is wrong, `null` for nothing. */
async function registrationOf(agent: Agent, { io, machine }: Found) {
  const { fallback } = agent.places(io.env);
  const none = { agent: agent.title, file: fallback, registered: false };
  try {
    const { file, text } = await locate(agent, io);
    const entry = entryOf(agent, text ?? "");
    if (entry === undefined) return { ...none, file, problem: null };
    const [program = ""] = entry.launch?.command ?? [];
    const isGone = isAbsolute(program) &&
      await machine.file(program) === undefined;
    const problem = isGone ? `its program ${program} is gone` : null;
    return { ...none, file, registered: true, problem };
  } catch (error) {
    const reason = unreadableReason(error);
    return { ...none, problem: `its file cannot be read: ${reason}` };
  }
}

/** Whether one of them was interrupted; it is not finished here. */
export async function checkEdits({ io, settings }: Found): Promise<Verdict> {
  const { paths } = settings.config;
  if (paths === undefined) return skipped("nothing is written (SVC_STATELESS)");
  const interrupted = await interruptedIn(io, paths.workspace);
  return verdictOf({ interrupted }, [
    interrupted.length > 0 && warned(
      `an edit was interrupted: ${interrupted.join(", ")}`,
      "svc proxy finishes it when it starts; svc unwrap --all undoes it",
    ),
    passed("no edit of an agent's file was interrupted"),
  ]);
}

/** Proxies that are started by the system. */
export async function checkDeployments(
  { io, machine: { userId } }: Found,
): Promise<Verdict> {
  const { HOME, USERPROFILE } = io.env;
  if (!HOME && !USERPROFILE) return skipped("there is no home directory");
  const machine = { userId, sources: undefined };
  const services: string[] = [];
  const idle: string[] = [];
  for (const { service } of await allInstalled(io, machine)) {
    services.push(service.profile);
    const isRunning = await listenerAt(io, service) === "service";
    if (!isRunning) idle.push(service.profile);
  }
  if (services.length === 0) {
    return skipped("no service is installed: you start the proxy yourself");
  }
  return verdictOf({ services, idle }, [
    idle.length > 0 && warned(
      `not running: ${idle.join(", ")}`,
      "svc install status says more",
    ),
    passed(`running: ${services.join(", ")}`),
  ]);
}
