/** Finds the proxy that an agent is to use, or starts one. @module */
import { bare } from "../../settings/running.ts";
import { CliFailure, EXIT_INTERRUPTED } from "../failure.ts";
import type { CliIo } from "../io.ts";
import {
  type AnsweringProxy,
  askProxy,
  calledHost,
  memberOf,
  proxyUrl,
} from "../running_proxy.ts";
import { SETTINGS } from "../../settings/registry.ts";
import type { Config } from "../../settings/resolve.ts";
import type { TextValues } from "../../settings/row.ts";
import { VERSION } from "../../version.ts";
import type { UpstreamName } from "./agent.ts";
import type { Leases } from "./leases.ts";
import type { WrapSystem } from "./system.ts";

/** Milliseconds for an answer of a proxy on this machine. */
export const ASK_MS = 2000;
/** Milliseconds between two looks at a proxy that starts or stops. */
const LOOK_MS = 50;
/** Looks at a starting proxy: a minute. */
const START_LOOKS = 1200;
/** Looks at a stopping one: it gives running requests ten seconds. */
const STOP_LOOKS = 300;

/** Each upstream: its setting, where a running proxy says what it is, and where the configuration has it. */
export const UPSTREAMS: Readonly<
  Record<UpstreamName, { readonly env: string; readonly fact: string }>
> = {
  messages: { env: SETTINGS.messagesApiUrl.env, fact: "anthropic_api_url" },
  chat: { env: SETTINGS.chatApiUrl.env, fact: "openai_api_url" },
  vertex: { env: SETTINGS.vertexApiUrl.env, fact: "vertex_api_url" },
  foundry: { env: SETTINGS.foundryApiUrl.env, fact: "foundry_api_url" },
};

/** What an agent needs of a proxy. */
export interface ProxyWish {
  /** Settings that a new proxy would have. */
  readonly config: Config;
  /** Upstreams that the agent uses. */
  readonly upstreams: readonly UpstreamName[];
  /** Variables of the new proxy beside those of this program. */
  readonly variables: TextValues;
  /** The command as the user typed it, up to the agent. */
  readonly command: string;
}

/** What is on the port. */
type FoundProxy =
  | { readonly state: "none" }
  | {
    readonly state: "usable";
    /** Version of another one, to be said. */
    readonly otherVersion?: string;
  }
  /** One of another version that wraps started and nobody uses. */
  | { readonly state: "outdated"; readonly pid: number };

/**
 * Looks whether a proxy runs that the agent can use. Nothing is changed.
 *
 * @param leases `undefined` where there is no workspace for them.
 * @throws {CliFailure} If another program has the port, or the proxy sends requests elsewhere.
 */
export async function findProxy(
  io: CliIo,
  wish: ProxyWish,
  { system, leases }: {
    readonly system: WrapSystem;
    readonly leases: Leases | undefined;
  },
): Promise<FoundProxy> {
  const { port } = wish.config;
  const place = { host: calledHost(wish.config.host), port };
  const asked = await askProxy(wish.config, io, ASK_MS);
  if (asked.state === "none" && system.isFree(place.host, port)) {
    return { state: "none" };
  }
  if (asked.state !== "up") {
    const status = asked.state === "other" ? asked.status : undefined;
    throw await takenFailure({ ...place, status, ...wish }, system);
  }
  refuseOtherUpstream(asked, wish, system);
  const { version } = asked.health;
  if (version === VERSION) return { state: "usable" };
  const pid = pidOf(asked);
  const started = await leases?.started(port);
  if (pid !== undefined && started?.pid === pid) {
    if (await leases?.count(port) === 0) return { state: "outdated", pid };
  }
  return { state: "usable", otherVersion: String(version) };
}

/** A proxy with another upstream is not changed: others use it. */
function refuseOtherUpstream(
  { url, health }: AnsweringProxy,
  { config, upstreams, variables, command }: ProxyWish,
  system: WrapSystem,
): void {
  const facts = memberOf(health, "config");
  for (const name of upstreams) {
    const { env, fact } = UPSTREAMS[name];
    const wanted = bare(config.upstreams[name]);
    const present = facts[fact];
    if (present === undefined || present === wanted) continue;
    const { host, port } = config;
    const free = nextFree({ host: calledHost(host), port }, system) ?? port;
    // An address of the user would contradict the setting.
    const way = variables[env] === undefined
      ? ` (${env}=${present ?? ""})`
      : "";
    throw new CliFailure(
      `Cannot use the proxy at ${url}: it sends ${name} requests to ${
        present ?? "the default address"
      }, and ${
        wanted ?? "the default address"
      } is wanted here. Use another port (${command} --port ${free}), or the same upstream${way}`,
    );
  }
}

/** Number of the process that a proxy says it is. */
export function pidOf({ health }: AnsweringProxy): number | undefined {
  const { pid } = memberOf(health, "config");
  return typeof pid === "number" ? pid : undefined;
}

/**
 * Starts a proxy in the background and waits until it answers.
 *
 * @returns Number of its process.
 * @throws {CliFailure} If it ends or does not answer; it has what the proxy said.
 */
export async function startProxy(
  io: CliIo,
  { config, variables }: ProxyWish,
  system: WrapSystem,
): Promise<number | undefined> {
  const { port } = config;
  const child = system.startBackground({
    command: [...io.selfCommand(), "proxy", "--port", String(port)],
    env: { ...io.env, ...variables },
    // The project's directory may go while another agent uses the proxy.
    cwd: io.env.HOME || io.env.USERPROFILE || io.cwd,
  });
  let isStopped = false;
  const forget = io.onStopSignal(() => isStopped = true);
  try {
    for (let looks = 0; looks < START_LOOKS && !isStopped; looks++) {
      if (child.hasEnded()) break;
      const asked = await askProxy(config, io, ASK_MS);
      if (asked.state === "up") return pidOf(asked);
      await io.wait(LOOK_MS);
    }
  } finally {
    forget();
    child.letGo();
  }
  const { proxyLog } = config.logs;
  // It has a session of its own, so that the key that stops this program does not reach it.
  if (!child.hasEnded()) system.askToEnd(child.pid);
  if (isStopped) {
    throw new CliFailure("Stopped before the agent started", EXIT_INTERRUPTED);
  }
  throw new CliFailure(
    `Cannot start a proxy at ${proxyUrl(config)}: ${
      child.said().trim() || "it does not answer"
    }${proxyLog === undefined ? "" : `. Its log is ${proxyLog}`}`,
  );
}

/** Ends a proxy and waits until its port is free, for a bounded time. */
export async function stopProxy(
  io: Pick<CliIo, "wait">,
  pid: number,
  system: WrapSystem,
): Promise<void> {
  system.askToEnd(pid);
  for (let looks = 0; looks < STOP_LOOKS; looks++) {
    if (!await system.isRunning(pid)) return;
    await io.wait(LOOK_MS);
  }
}

/** Ports after the taken one that are looked at. */
const MAX_TRIES = 100;
const MAX_PORT = 65_535;

/** The taken port, and who asks. */
interface TakenPort {
  readonly host: string;
  readonly port: number;
  /** HTTP status that it answered; `undefined` where it does not speak HTTP. */
  readonly status: number | undefined;
  /** Start of the command to give again with another port. */
  readonly command: string;
}

/** A failure that says what is on the port, and offers the next free one. */
export async function takenFailure(
  { host, port, status, command }: TakenPort,
  system: Pick<WrapSystem, "isFree" | "ownerOf">,
): Promise<CliFailure> {
  const owner = await system.ownerOf(port);
  const who = owner === undefined
    ? "another program"
    : `${owner.name} (process ${owner.pid})`;
  const what = status === undefined
    ? "does not answer like svc"
    : `answers /health with HTTP status ${status}, not like svc`;
  const free = nextFree({ host, port }, system);
  const way = free === undefined
    ? "give another one with --port"
    : `port ${free} is free: ${command} --port ${free}`;
  return new CliFailure(
    `Cannot use port ${port} of ${host}: ${who} has it and ${what}; ${way}`,
  );
}

/** The first port after a taken one on which nothing listens. */
export function nextFree(
  { host, port }: { readonly host: string; readonly port: number },
  { isFree }: Pick<WrapSystem, "isFree">,
): number | undefined {
  const last = Math.min(port + MAX_TRIES, MAX_PORT);
  for (let next = port + 1; next <= last; next++) {
    if (isFree(host, next)) return next;
  }
  return undefined;
}
