/** What one run of an agent takes: its variables and arguments, and the proxy behind it. @module */
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
import { UPSTREAMS } from "./ensure_proxy.ts";

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
  const { agent, args, flags, large } = request;
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
  const kept = await wrappedFiles(io);
  const pointing = await agent.point({
    env: io.env,
    cwd: io.cwd,
    files: io.files,
    base,
    args,
    largeModel: large
      ? readSetting(SETTINGS.largeModel, { env: io.env })
      : undefined,
    kept: kept.map(({ path }) => path),
  });
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
