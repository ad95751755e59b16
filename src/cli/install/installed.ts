/** Services that are installed from this workspace, and what keeps them running. @module */
import { isJsonObject, parseJson } from "../../bytes/json_parts.ts";
import { join, resolve } from "node:path";
import { deploymentVariables, isProfile } from "../../settings/deployment.ts";
import { resolvePaths } from "../../settings/paths.ts";
import { ROWS, SETTINGS } from "../../settings/registry.ts";
import type { TextValues } from "../../settings/row.ts";
import { homeOf } from "../agents/agent.ts";
import { given, pathsIn } from "../environment.ts";
import { CliFailure, usageFailure } from "../failure.ts";
import { journalDirectory } from "../edits/transaction.ts";
import type { CliIo } from "../io.ts";
import { CONTAINER } from "./container.ts";
import { LAUNCHD } from "./launchd.ts";
import type {
  InstallMachine,
  Service,
  ServicePlatform,
  ServiceRequest,
} from "./service.ts";
import { SYSTEMD } from "./systemd.ts";
import { TASK_SCHEDULER } from "./task_scheduler.ts";

/** One row per kind of system, by its name on the command line. */
export const PLATFORMS = {
  linux: SYSTEMD,
  darwin: LAUNCHD,
  windows: TASK_SCHEDULER,
  container: CONTAINER,
} as const satisfies Readonly<Record<string, ServicePlatform>>;

/** Name of a kind of system. */
export type PlatformId = keyof typeof PLATFORMS;

/** A service as it is installed, or would be. */
export interface Installed {
  /** What it is. */
  readonly service: Service;
  /** What keeps it running. */
  readonly platform: PlatformId;
}

/** What is to be installed. */
interface InstallRequest extends ServiceRequest {
  readonly platform: PlatformId;
}

/** Where the part of the outside world ends that a service depends on. */
type ServiceWorld = Pick<
  CliIo,
  "env" | "cwd" | "files" | "selfCommand"
>;

/** Name of a service's journal. */
export function ownerOf({ profile }: Pick<Service, "profile">): string {
  return `install-${profile}`;
}

/** Where it is written what a service is. */
export function manifestPath(directory: string): string {
  return join(directory, "manifest.json");
}

/** Says what a service is. */
export function printManifest(
  { service: { profile, scope, port }, platform }: Installed,
): string {
  return JSON.stringify({ profile, platform, scope, port }, null, 2) + "\n";
}

/** What the tasks of `deno.json` set for a program that is started from its sources; the one file sets it itself. */
const FROM_SOURCE = {
  DENO_NO_UPDATE_CHECK: "1",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
  MALLOC_ARENA_MAX: "2",
} as const;

/** Home directories of root. */
const ROOT_HOMES: readonly string[] = ["/root", "/var/root"];

/**
 * Describes the service that this program would be.
 *
 * @param stored Settings for a container, which does not read those of this machine.
 * @throws {CliFailure} If root would leave files in the home directory of another user.
 */
export function describe(
  { env, cwd, selfCommand }: ServiceWorld,
  { platform, ...request }: InstallRequest,
  { machine, stored = {} }: {
    readonly machine: InstallMachine;
    readonly stored?: TextValues;
  },
): Installed {
  const { profile, scope, port } = request;
  const { preset, runtime, supervisor } = PLATFORMS[platform];
  const home = homeOf(env);
  const invoker = machine.userId === 0 ? env.SUDO_USER || "root" : "root";
  const isForOther = invoker !== "root";
  if (isForOther && !ROOT_HOMES.includes(home)) {
    throw usageFailure(
      `Cannot install for ${invoker} with HOME=${home}: root's files would be in the way there; use sudo -H svc install`,
    );
  }
  const program = selfCommand();
  const settings = runtime === "docker"
    ? { ...given(stored, Object.keys(stored)), SVC_HOST: "127.0.0.1" }
    : {
      ...program.length > 1
        ? { ...FROM_SOURCE, ...given(env, ["DENO_DIR"]) }
        : {},
      ...given(env, ["DENO_CERT", "DENO_TLS_CA_STORE", "XDG_CACHE_HOME"]),
      // Another account has a workspace of its own.
      ...!isForOther && { SVC_WORKSPACE_DIR: workspaceOf({ env, cwd }) },
      ...pathsIn(env, cwd),
    };
  const service = {
    ...{ profile, scope, port, ...machine, home },
    command: [...program, "proxy"],
    account: isForOther ? invoker : accountIn(env),
    directory: deployDirectory({ env, cwd }, profile),
    configHome: env.XDG_CONFIG_HOME || join(home, ".config"),
    env: {
      ...settings,
      ...given(env, UNSTORABLE),
      SVC_PORT: String(port),
      ...deploymentVariables({ profile, preset, runtime, supervisor, scope }),
    },
  };
  return { service, platform };
}

function workspaceOf({ env, cwd }: Pick<CliIo, "env" | "cwd">): string {
  return resolve(cwd, resolvePaths(env).workspace);
}

/** Where files of a deployment are in the workspace. */
function deployDirectory(
  world: Pick<CliIo, "env" | "cwd">,
  profile: string,
): string {
  return join(workspaceOf(world), "deploy", profile);
}

/** Settings that no file can hold, e.g. whether anything leaves the machine. */
const UNSTORABLE = ROWS.filter((row) =>
  row.persisted === false && row.available !== false && !row.secret &&
  row !== SETTINGS.proxyUrl
).flatMap((row) => [row.env, ...row.aliases ?? []]);

/** Windows has accounts per domain. */
function accountIn({ USER, USERNAME, USERDOMAIN }: TextValues): string {
  if (USER || !USERNAME) return USER || "root";
  return USERDOMAIN ? `${USERDOMAIN}\\${USERNAME}` : USERNAME;
}

/**
 * Finds a service.
 *
 * @returns `undefined` where none of that name is installed.
 * @throws {CliFailure} If what was written of it is damaged.
 */
export async function findInstalled(
  world: ServiceWorld,
  profile: string,
  machine: InstallMachine,
): Promise<Installed | undefined> {
  const path = manifestPath(deployDirectory(world, profile));
  const text = await world.files.read(path);
  if (text === undefined) return undefined;
  const value = parseJson(text);
  if (isManifest(value)) return describe(world, value, { machine });
  throw new CliFailure(
    `Cannot read ${path}: it is not what svc install apply wrote; remove it, and apply again`,
  );
}

/**
 * Finds all services.
 *
 * @throws {CliFailure} If what was written of one is damaged.
 */
export async function allInstalled(
  world: ServiceWorld,
  machine: InstallMachine,
): Promise<readonly Installed[]> {
  const found: Installed[] = [];
  for (const name of await world.files.namesIn(journalDirectory(world))) {
    const [, profile] = /^install-(.+)\.json$/.exec(name) ?? [];
    const one = profile && await findInstalled(world, profile, machine);
    if (one) found.push(one);
  }
  return found;
}

function isManifest(value: unknown): value is InstallRequest {
  return isJsonObject(value) && typeof value.profile === "string" &&
    isProfile(value.profile) && typeof value.platform === "string" &&
    Object.hasOwn(PLATFORMS, value.platform) &&
    Number.isSafeInteger(value.port) &&
    (value.scope === "user" || value.scope === "system");
}
