/** Whether a proxy needs a thread of its own to be confined, whether it can have one, and giving up permissions. @module */
import { fileURLToPath } from "node:url";
import type { Config } from "../../settings/resolve.ts";
import { type CliFailure, isAllowed, usageFailure } from "../failure.ts";
import {
  type Confinable,
  isConfined,
  type MayAsk,
  neededPermissions,
  refuseQuestions,
  type ThreadPermissions,
  upstreamHosts,
} from "./needed.ts";
import type { GivenUp } from "../io.ts";
import { startedFile } from "../../build_info.ts";
import { wordsOfThisProcess } from "../workers.ts";

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
  return usageFailure(
    `Cannot enforce --offline with the upstream ${
      JSON.stringify(host)
    }: it is no host that the runtime can permit; correct its name`,
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
  throw usageFailure(
    `Cannot enforce ${
      switchesOf(config)
    }: svc was started with more permissions than that, and without --allow-read=${path} it cannot load the thread that has less; start it with --allow-read, or with no more than ${
      leastFlags(permissions)
    }`,
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

/** The part of the runtime that takes permissions away. */
type Revoke = (permission: Deno.PermissionDescriptor) => unknown;

/**
 * Gives up what a command does not need, also what was permitted by name, for this thread and those that it starts.
 *
 * @param what Nothing is given up where nothing is asked for.
 * @param runtime The runtime, and whether it would ask the user for what was given up.
 * @throws {CliFailure} If it would: nothing was given up.
 */
export function giveUp(
  { files, network }: GivenUp,
  { revoke, ...runtime }: MayAsk & { readonly revoke: Revoke },
): void {
  const names = [
    ...files ? ["write"] as const : [],
    ...network ? ["net"] as const : [],
  ];
  if (names.length === 0) return;
  const switches = [
    ...files ? ["SVC_STATELESS"] : [],
    ...network ? ["SVC_OFFLINE"] : [],
  ];
  refuseQuestions(switches.join(" and "), runtime);
  for (const name of [...names, "run", "ffi"] as const) revoke({ name });
}

/** The real runtime. */
export function denoRuntime(): Runtime {
  const module = new URL("../../confined_worker.ts", import.meta.url);
  return { isAllowed, mayAsk, module };
}

const NO_PROMPT = "DENO_NO_PROMPT";

/**
 * Whether the runtime asks the user for a permission instead of refusing. It only does on a terminal, and says nowhere
 * whether it would: without a sign that it will not, it will.
 */
function mayAsk(): boolean {
  const isTerminal = Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
  // Both forms of the one file are built so that it does not.
  const isBuilt = Deno.build.standalone || startedFile() !== undefined;
  if (!isTerminal || isBuilt) return false;
  const hasVariable = isAllowed({ name: "env", variable: NO_PROMPT }) &&
    Deno.env.get(NO_PROMPT) === "1";
  return !hasVariable && !startWords().includes("--no-prompt");
}

function startWords(): readonly string[] {
  try {
    return wordsOfThisProcess() ?? [];
  } catch (error) {
    // The system shows them to a program that may do everything.
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    return [];
  }
}
