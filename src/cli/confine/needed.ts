/** Which permissions a confined proxy needs, and what its thread is told of the environment. @module */
import { dirname, resolve } from "node:path";
import type { Config } from "../../settings/resolve.ts";
import { ROWS, SETTINGS } from "../../settings/registry.ts";
import { usageFailure } from "../failure.ts";
import { DEPLOYMENT_VARIABLES } from "../../settings/deployment.ts";
import { PATH_VARIABLES } from "../../settings/paths.ts";
import type { TextValues } from "../../settings/row.ts";

/** Facts about the system and files to read are not kept from a thread; programs, native libraries and the web are. */
const SAME = {
  ...{ read: "inherit", sys: "inherit" },
  ...{ run: false, ffi: false, import: false },
} as const;

/**
 * What a thread may do. Lists allow what they name; `inherit` means whatever this program may do, `false` nothing.
 */
export type ThreadPermissions = typeof SAME & {
  /** Hosts as `name:port`, or `name` for all its ports, IPv6 addresses in brackets. */
  readonly net: readonly string[] | "inherit";
  /** Directories, absolute. */
  readonly write: readonly string[] | "inherit" | false;
  /** The environment. */
  readonly env: "inherit" | false;
};

/** What of a configuration says where the network ends. */
type Endpoints = Pick<Config, "host" | "upstreams" | "transport">;

/** What of a configuration decides about permissions. */
export type Confinable = Endpoints & Pick<Config, "egress" | "logs" | "paths">;

/** Whether the configuration asks for less than the whole machine and the whole network. */
export function isConfined(
  { egress, paths }: Pick<Config, "egress" | "paths">,
): boolean {
  return egress.offline || paths === undefined;
}

/**
 * The permissions of a proxy that listens on `port`.
 *
 * Without files only the directory of the proxy log is written. Offline, the network is the listener, the upstreams, the
 * ones that clients may choose, and the HTTP proxy; and the environment is closed too, because the runtime's client
 * obeys the proxies that a program writes into it.
 */
export function neededPermissions(
  config: Confinable,
  port: number,
): ThreadPermissions {
  const { egress: { offline }, logs: { proxyLog }, paths } = config;
  const written = proxyLog === undefined ? false : [resolve(dirname(proxyLog))];
  return {
    net: offline
      ? [listenerHost(config.host, port), ...upstreamHosts(config)]
      : "inherit",
    write: paths === undefined ? written : "inherit",
    env: offline ? false : "inherit",
    ...SAME,
  };
}

/** The listener as permissions name it. */
export function listenerHost(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Server of subscriptions: used for chat traffic as long as no other upstream is configured. */
const SUBSCRIPTION_HOST = "chatgpt.com:443";

/** Every host that requests may go to, each once, in the order of the settings. */
export function upstreamHosts(
  { upstreams, transport }: Pick<Config, "upstreams" | "transport">,
): readonly string[] {
  const { messages, chat, vertex, foundry, allowedBases } = upstreams;
  const urls = [messages, chat, vertex, foundry, transport.httpProxy];
  const hosts = urls.filter((url) => url !== undefined).map(hostOf);
  const isDefault = chat === SETTINGS.chatApiUrl.fallback;
  const chosen = allowedBases.map(({ host, origin }) =>
    origin === undefined ? host : hostOf(origin)
  );
  return [
    ...new Set([...hosts, ...isDefault ? [SUBSCRIPTION_HOST] : [], ...chosen]),
  ];
}

function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** What a thread is kept to, as a person reads it. */
export function permissionsText({ net, write }: ThreadPermissions): string {
  const writes = write === "inherit" ? [] : [
    write === false ? "writes no file" : `writes only to ${write.join(", ")}`,
  ];
  const reaches = net === "inherit" ? [] : [
    net.length > 1
      ? `reaches only ${net.slice(1).join(", ")}`
      : "reaches no host",
  ];
  return [...writes, ...reaches, "starts no program"].join("; ");
}

/** Whoever knows whether it would. */
export interface MayAsk {
  /** Whether the runtime may ask the user to permit what is not permitted. */
  mayAsk(): boolean;
}

/**
 * Refuses to go on where the user could be asked to permit what is forbidden.
 *
 * @param switches What forbids it, as it is given on a command line.
 * @param runtime What is known of the running program.
 * @throws {CliFailure} That says how to start it instead.
 */
export function refuseQuestions(
  switches: string,
  { mayAsk }: MayAsk,
): void {
  if (!mayAsk()) return;
  throw usageFailure(
    `Cannot enforce ${switches}: on a terminal the runtime would ask you to permit what is forbidden; start svc with deno run --no-prompt (or with DENO_NO_PROMPT=1 in the environment)`,
  );
}

/** What is read beside the variables of settings. */
const OTHER_NAMES = ["HOME", "USERPROFILE", "NO_COLOR", "TERM", "CI"] as const;

/**
 * A copy that can be sent to a thread.
 *
 * @param env An object that may answer for variables which it does not list.
 */
export function threadEnvironment(env: TextValues): TextValues {
  const names = [
    ...ROWS.flatMap(({ env, aliases = [] }) => [env, ...aliases]),
    ...PATH_VARIABLES.map(({ env }) => env),
    ...Object.values(DEPLOYMENT_VARIABLES),
    ...OTHER_NAMES,
  ];
  const asked = names.map((name) => [name, env[name]] as const)
    .filter(([, value]) => value !== undefined);
  return { ...env, ...Object.fromEntries(asked) };
}
