/** What one run of an agent takes: its variables and arguments, and the proxy behind it. @module */
import type { WrapSystem } from "./system.ts";
import { Leases } from "./leases.ts";
import { keepAgent } from "../edits/keep.ts";
import { say } from "../terminal.ts";
import { basename } from "node:path";
import { readSetting } from "../../settings/given.ts";
import { PATH_VARIABLES } from "../../settings/paths.ts";
import { SETTINGS } from "../../settings/registry.ts";
import type { TextValues } from "../../settings/row.ts";
import { wrappedFiles } from "../commands/unwrap.ts";
import { pathsIn } from "../environment.ts";
import { CliFailure, usageFailure } from "../failure.ts";
import type { CliIo, ProxySettings } from "../io.ts";
import { startSettings } from "../proxy_settings.ts";
import { calledHost, proxyUrl } from "../running_proxy.ts";
import type { UserAddress, WrapAgent } from "./agent.ts";
import { findProxy, UPSTREAMS } from "./ensure_proxy.ts";

/** What the user wants to run. */
interface WrapRequest {
  /** The agent. */
  readonly agent: WrapAgent;
  /** Arguments for it. */
  readonly args: readonly string[];
  /** Settings given on the command line, by flag name. */
  readonly flags: TextValues;
  /** Whether it is to use a model with a large context window. */
  readonly large: boolean;
}

/** What it takes. */
export type WrapPlan = Awaited<ReturnType<typeof planWrap>>;

/** Variables with which programs send even requests to this machine elsewhere. */
const ROUTES: readonly string[] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
/** Variables with places of files; the proxy starts in another directory. */
const PLACES: readonly string[] = [
  ...PATH_VARIABLES.map(({ env }) => env),
  SETTINGS.logFile.env,
  SETTINGS.caFile.env,
];

/**
 * Plans a run. Nothing is written or started.
 *
 * @throws {CliFailure} If the agent cannot be pointed to a proxy, or not to one that sends its requests where the user
 * wants them.
 */
export async function planWrap(
  io: CliIo,
  request: WrapRequest,
) {
  const { agent, args, flags } = request;
  const settings = await startSettings(flags, io);
  const { port } = settings.config;
  if (port === 0) {
    throw usageFailure(
      `Cannot use ${SETTINGS.port.env}=0: an agent needs to know the port; give one with --port`,
    );
  }
  const project = basename(io.cwd);
  const path = project === "" ? "" : `/p/${encodeURIComponent(project)}`;
  const base = proxyUrl(settings.config) + path;
  const pointing = await pointingOf(io, request, base);
  const adopted = pointing.addresses.filter(({ upstream, isDefault }) =>
    !isDefault || settings.config.given[UPSTREAMS[upstream].env] === undefined
  );
  const chosen = chosenUpstreams(adopted, settings);
  const { config } = await startSettings({ ...flags, ...chosen }, io);
  const given = flags["chat-api-url"];
  const chat = given === undefined ? {} : { [UPSTREAMS.chat.env]: given };
  return {
    /** The agent. */
    agent,
    /** URL of the proxy with the project. */
    base,
    /** What points it to the proxy. */
    pointing,
    /** Addresses of the agent that are upstreams of the proxy now. */
    adopted,
    /** All arguments for it. */
    args: [...pointing.args, ...args],
    /** Its whole environment. */
    env: { ...io.env, ...pointing.variables, ...unrouted(io.env, config.host) },
    /** The proxy it needs. */
    wish: {
      config,
      upstreams: pointing.upstreams ?? agent.upstreams,
      variables: { ...pathsIn(io.env, io.cwd, PLACES), ...chat, ...chosen },
      command: `svc wrap ${agent.id}`,
    },
  };
}

/** What sends the agent to the proxy at `base`. */
async function pointingOf(
  { env, cwd, files }: CliIo,
  { agent, args, large }: WrapRequest,
  base: string,
) {
  const kept = await wrappedFiles({ env, cwd, files });
  const pointing = await agent.point({
    ...{ env, cwd, files, base, args },
    largeModel: large ? readSetting(SETTINGS.largeModel, { env }) : undefined,
    kept: kept.map(({ path }) => path),
  });
  return { variables: {}, args: [], addresses: [], ...pointing };
}

/** The user's addresses as settings of the proxy. */
function chosenUpstreams(
  addresses: readonly UserAddress[],
  { config }: ProxySettings,
): TextValues {
  const chosen: Record<string, string> = {};
  const places: Record<string, string> = {};
  for (const { upstream, url, from } of addresses) {
    const { env } = UPSTREAMS[upstream];
    const given = config.given[env];
    const present = given === undefined
      ? chosen[env]
      : config.upstreams[upstream];
    if (present !== undefined && present !== url) {
      throw new CliFailure(
        `Cannot choose between two upstreams: ${
          given?.name ?? places[env]
        } is ${originOf(present)}, ${from} is ${originOf(url)}${
          originOf(present) === originOf(url) ? " with another path" : ""
        }. Take one of them out`,
      );
    }
    chosen[env] = url;
    places[env] = from;
  }
  return chosen;
}

/** Scheme, host and port: a path may be a secret. */
export function originOf(url: string | undefined): string {
  return URL.parse(url ?? "")?.origin ?? "not set";
}

/** Requests to the proxy must not go to a proxy of the network. */
function unrouted(env: TextValues, host: string): TextValues {
  const isRouted = ROUTES.some((name) => env[name] || env[name.toLowerCase()]);
  if (!isRouted) return {};
  const names = env["NO_PROXY"] || env["no_proxy"] || "";
  const own = calledHost(host);
  if (names.split(",").some((name) => name.trim() === own)) return {};
  const value = [names, own].filter(Boolean).join(",");
  return { NO_PROXY: value, no_proxy: value };
}

/** A word that a shell takes as it is. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Says what a run would do. Nothing is started or made. */
export async function showPlan(
  io: CliIo,
  plan: WrapPlan,
  system: WrapSystem | undefined,
): Promise<void> {
  const { agent, pointing, adopted, args, wish } = plan;
  const url = proxyUrl(wish.config);
  if (system !== undefined) {
    const leases = new Leases(io, system);
    const { state } = await findProxy(io, wish, { system, leases });
    say(
      io,
      `${state === "usable" ? "would use" : "would start"} a proxy: ${url}`,
    );
    for (const name of wish.upstreams) {
      const upstream = wish.config.upstreams[name];
      if (upstream) say(io, `  ${name} requests go to ${upstream}`);
    }
  }
  for (const { from, upstream, url } of adopted) {
    say(io, `  ${upstream}: ${originOf(url)} is the address of ${from}`);
  }
  for (const [name, value] of setBy(plan)) {
    const isSecret = pointing.secrets?.includes(name);
    say(io, `would set ${name}=${isSecret ? "…" : quoted(value)}`);
  }
  await showFiles(io, plan);
  say(io, `would run ${[agent.program, ...args].map(quoted).join(" ")}`);
}

/** Shows the files that a run edits or makes. */
async function showFiles(
  io: CliIo,
  { agent, base, pointing: { edit, scratch } }: WrapPlan,
): Promise<void> {
  if (edit !== undefined) {
    const request = { agent: edit, base, dryRun: true, forRun: true } as const;
    await keepAgent(io, request);
  }
  if (scratch === undefined) return;
  const { from, changes, option } = scratch;
  say(io, `would give ${agent.title} a copy of ${from} (${option}) with`);
  for (const change of changes) say(io, `  ${change}`);
}

/**
 * Lines for `eval` that point a shell's agent to the proxy.
 *
 * @throws {CliFailure} If variables and arguments alone do not point it there.
 */
export function environmentLines(plan: WrapPlan): readonly string[] {
  const { agent, pointing } = plan;
  if (pointing.edit !== undefined || pointing.scratch !== undefined) {
    const way = pointing.edit === undefined ? "" : " or with --keep";
    throw new CliFailure(
      `Cannot point ${agent.title} by variables: it needs a file. Use svc wrap ${agent.id} without --print-env${way}`,
    );
  }
  const words = [agent.program, ...pointing.args].map(quoted).join(" ");
  return [
    ...setBy(plan).map(([name, value]) => `export ${name}=${quoted(value)}`),
    ...pointing.args.length === 0
      ? []
      : [`${agent.program}() { command ${words} "$@"; }`],
  ];
}

/** The variables that a run sets, with those for proxies of the network. */
function setBy({ pointing, env }: WrapPlan): readonly [string, string][] {
  const names = [...Object.keys(pointing.variables), "NO_PROXY", "no_proxy"];
  return [...new Set(names)].flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
}

/** A word for a POSIX shell. */
export function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
