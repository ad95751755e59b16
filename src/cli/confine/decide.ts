/** Whether a proxy needs a thread of its own to be confined, and whether it can have one. @module */
import { fileURLToPath } from "node:url";
import type { Config } from "../../settings/resolve.ts";
import { CliFailure, EXIT_USAGE } from "../failure.ts";
import { type MayAsk, refuseQuestions } from "./questions.ts";
import {
  type Confinable,
  isConfined,
  neededPermissions,
  type ThreadPermissions,
  upstreamHosts,
} from "./needed.ts";

/** What is known of the running program. */
export interface Runtime extends MayAsk {
  /** Whether it may do something without anybody being asked. */
  isAllowed(permission: Deno.PermissionDescriptor): boolean;
  /** The module of the thread. */
  readonly module: URL;
}

/**
 * Whether the proxy must run in a thread: the configuration forbids something that this program may do, or asks for
 * several listeners, which need other programs otherwise.
 *
 * What was permitted by name (`--allow-net=api.example.com`) is the user's own limit, and stays as it is.
 */
export function needsThread(
  config: Confinable & Pick<Config, "limits" | "ccr">,
  { isAllowed }: Pick<Runtime, "isAllowed">,
): boolean {
  if (!isConfined(config)) return false;
  if (config.limits.workers > 1 && config.ccr.backend === "sqlite") return true;
  const forbidden: readonly Deno.PermissionDescriptor[] = [
    { name: "run" },
    { name: "ffi" },
    ...config.paths === undefined ? [{ name: "write" } as const] : [],
    ...config.egress.offline ? [{ name: "net" } as const] : [],
  ];
  return forbidden.some(isAllowed);
}

/**
 * The permissions of the thread: what the configuration needs, as far as this program has it.
 *
 * @param port The port it listens on.
 * @throws {CliFailure} If nothing would be enforced: the message says how to start the program instead.
 */
export function confinedTo(
  config: Confinable,
  port: number,
  runtime: Runtime,
): ThreadPermissions {
  const permissions = neededPermissions(config, port);
  refuseQuestions(switchesOf(config), runtime);
  refuseUnreadable(config, permissions, runtime);
  const { net } = permissions;
  if (net === "inherit") return permissions;
  const unreachable = unreachableHosts(config, runtime);
  const reachable = net.filter((host) => !unreachable.includes(host));
  return { ...permissions, net: reachable };
}

/**
 * Upstreams of an offline configuration that this program may not reach itself.
 *
 * @throws {CliFailure} If one is no host.
 */
export function unreachableHosts(
  config: Confinable,
  runtime: Pick<Runtime, "isAllowed">,
): readonly string[] {
  if (!config.egress.offline) return [];
  return upstreamHosts(config).filter((host) => !mayReach(host, runtime));
}

function mayReach(
  host: string,
  { isAllowed }: Pick<Runtime, "isAllowed">,
): boolean {
  // The runtime takes a pattern for all hosts that it stands for.
  if (host.includes("*")) throw noHost(host);
  try {
    return isAllowed({ name: "net", host });
  } catch (error) {
    throw error instanceof URIError ? noHost(host) : error;
  }
}

function noHost(host: string): CliFailure {
  return new CliFailure(
    `Cannot enforce --offline with the upstream ${
      JSON.stringify(host)
    }: it is no host that the runtime can permit; correct its name`,
    EXIT_USAGE,
  );
}

/** The module of a thread is read with the permissions of the program. */
function refuseUnreadable(
  config: Confinable,
  permissions: ThreadPermissions,
  { isAllowed, module }: Runtime,
): void {
  if (module.protocol !== "file:") return;
  const path = fileURLToPath(module);
  if (isAllowed({ name: "read", path })) return;
  throw new CliFailure(
    `Cannot enforce ${
      switchesOf(config)
    }: svc was started with more permissions than that, and without --allow-read=${path} it cannot load the thread that has less; start it with --allow-read, or with no more than ${
      leastFlags(permissions)
    }`,
    EXIT_USAGE,
  );
}

/** What was switched on, as it is given on a command line. */
function switchesOf({ paths, egress }: Confinable): string {
  return [
    ...paths === undefined ? ["--stateless"] : [],
    ...egress.offline ? ["--offline"] : [],
  ].join(" and ");
}

/** The flags of the runtime with which no thread is needed. */
function leastFlags({ net, write }: ThreadPermissions): string {
  return [
    "--no-prompt",
    net === "inherit" ? "--allow-net" : `--allow-net=${net.join(",")}`,
    ...write === false
      ? []
      : [write === "inherit" ? "--allow-write" : `--allow-write=${write}`],
  ].join(" ");
}

/**
 * What a configuration needs beside the network of the start.
 *
 * @param net Hosts as in {@linkcode ThreadPermissions.net}.
 */
export function hostsBeyond(
  config: Pick<Confinable, "upstreams" | "transport">,
  net: ThreadPermissions["net"],
): readonly string[] {
  if (net === "inherit") return [];
  return upstreamHosts(config).filter((host) =>
    !net.includes(host) && !net.includes(host.replace(/:\d+$/, ""))
  );
}
