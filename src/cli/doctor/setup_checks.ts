/** Shell variables, MCP registrations, edits of agents' files, and services. @module */
import { systemCode } from "../../core/errors.ts";
import { ownPlace, routeFacts, routeVerdict, targetOf } from "./routing.ts";
import { type Found, skipped, type Verdict, verdicts } from "./found.ts";
import { isAbsolute } from "node:path";
import { ConfigFault } from "../agents/agent.ts";
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

/** Worse ones first. */
const ORDER = ["fail", "warn"] as const;

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
  if (set.length === 0) {
    return verdicts({ variables: [] }).skipped(
      "no base URL is set: SDKs started from this shell go straight to their providers",
      `export ANTHROPIC_BASE_URL=${proxy.url} OPENAI_BASE_URL=${proxy.url}/v1`,
    );
  }
  const details = { variables: set.map(({ route }) => routeFacts(route)) };
  const say = verdicts(details);
  for (const status of ORDER) {
    const worst = set.find(({ verdict }) => verdict.status === status);
    if (worst !== undefined) return { ...worst.verdict, details };
  }
  const names = set.map(({ route }) => route.from).join(", ");
  return say.passed(
    `${names} point${set.length === 1 ? "s" : ""} to the proxy`,
  );
}

/** An agent of this machine. */
interface Registration {
  readonly agent: string;
  readonly file: string;
  readonly registered: boolean;
  /** What is wrong; `null` for nothing. */
  readonly problem: string | null;
}

/** Whether the server is registered, and its program is still there. */
export async function checkMcp(found: Found): Promise<Verdict> {
  const agents = await presentAgents(found.io);
  const all: Registration[] = [];
  for (const agent of agents) all.push(await registrationOf(agent, found));
  const say = verdicts({ agents: all });
  const [bad] = all.filter(({ problem }) => problem !== null);
  if (bad !== undefined) {
    return say.warned(
      `${bad.agent}: ${bad.problem} (${bad.file})`,
      "svc mcp install registers the server again; svc mcp status tries it",
    );
  }
  const names = all.filter(({ registered }) => registered)
    .map(({ agent }) => agent);
  if (names.length > 0) {
    return say.passed(
      `registered with ${names.join(", ")}`,
      "svc mcp status tries it",
    );
  }
  return say.skipped(
    "not registered with any agent; the proxy works without it",
    "svc mcp install",
  );
}

async function registrationOf(
  agent: Awaited<ReturnType<typeof presentAgents>>[number],
  { io, machine }: Found,
): Promise<Registration> {
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
    const reason = error instanceof ConfigFault
      ? error.message
      : systemCode(error);
    if (reason === undefined) throw error;
    return { ...none, problem: `its file cannot be read: ${reason}` };
  }
}

/** Whether one of them was interrupted; it is not finished here. */
export async function checkEdits({ io, settings }: Found): Promise<Verdict> {
  const { paths } = settings.config;
  if (paths === undefined) return skipped("nothing is written (SVC_STATELESS)");
  const interrupted = await interruptedIn(io, paths.workspace);
  const say = verdicts({ interrupted });
  return interrupted.length === 0
    ? say.passed("no edit of an agent's file was interrupted")
    : say.warned(
      `an edit was interrupted: ${interrupted.join(", ")}`,
      "svc proxy finishes it when it starts; svc unwrap --all undoes it",
    );
}

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
  const say = verdicts(details);
  if (services.length === 0) {
    return skipped("no service is installed: you start the proxy yourself");
  }
  return idle.length === 0
    ? say.passed(`running: ${details.services.join(", ")}`)
    : say.warned(
      `not running: ${idle.join(", ")}`,
      "svc install status says more",
    );
}
