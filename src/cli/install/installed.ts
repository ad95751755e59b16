/** Services that are installed from this workspace, and what keeps them running. @module */
import { isJsonObject, parseJson } from "../../bytes/json_parts.ts";
import { CliFailure } from "../failure.ts";
import { join } from "node:path";
import { isProfile } from "../../settings/deployment.ts";
import type { TextValues } from "../../settings/row.ts";
import { journalDirectory } from "../edits/transaction.ts";
import type { CliIo } from "../io.ts";
import { CONTAINER } from "./container.ts";
import { LAUNCHD } from "./launchd.ts";
import {
  deployDirectory,
  type InstallMachine,
  type Service,
  serviceFor,
  type ServicePlatform,
  type ServiceRequest,
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

/** Where the part of the outside world ends that a service depends on. */
type ServiceWorld = Pick<
  CliIo,
  "env" | "cwd" | "files" | "selfCommand"
>;

/** Beginning of the names of journals of services. */
const OWNER = "install-";

/** Name of a service's journal. */
export function ownerOf({ profile }: Pick<Service, "profile">): string {
  return OWNER + profile;
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

/**
 * Describes a service of this program.
 *
 * @param stored Settings for a container.
 */
export function describe(
  world: ServiceWorld,
  request: ServiceRequest & { readonly platform: PlatformId },
  { machine, stored = {} }: {
    readonly machine: InstallMachine;
    readonly stored?: TextValues;
  },
): Installed {
  const { platform } = request;
  const parts = { io: world, platform: PLATFORMS[platform], machine, stored };
  return { service: serviceFor(request, parts), platform };
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

function isManifest(
  value: unknown,
): value is ServiceRequest & { readonly platform: PlatformId } {
  return isJsonObject(value) && typeof value.profile === "string" &&
    isProfile(value.profile) && typeof value.platform === "string" &&
    Object.hasOwn(PLATFORMS, value.platform) &&
    Number.isSafeInteger(value.port) &&
    (value.scope === "user" || value.scope === "system");
}
