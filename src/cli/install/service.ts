/** A proxy that the system starts and keeps running. @module */
import { join, resolve } from "node:path";
import type { Deployment } from "../../core/deployment.ts";
import { deploymentVariables } from "../../settings/deployment.ts";
import { resolvePaths } from "../../settings/paths.ts";
import { ROWS, SETTINGS } from "../../settings/registry.ts";
import type { TextValues } from "../../settings/row.ts";
import { homeOf } from "../agents/agent.ts";
import { given, pathsIn } from "../environment.ts";
import { CliFailure, usageFailure } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { GRACE_SECONDS } from "../program.ts";

/** Seconds for the end of a service: more than its running requests have. */
export const STOP_SECONDS = GRACE_SECONDS + 5;

/** What was asked for. */
export interface ServiceRequest {
  /** Name of the deployment. */
  readonly profile: string;
  /** From login of this user on, or from boot on. */
  readonly scope: "user" | "system";
  /** Port on the loopback address. */
  readonly port: number;
}

/** What is known of the machine. */
export interface InstallMachine {
  /** Number of the present user; `null` where the system has none. */
  readonly userId: number | null;
  /** Directory of the sources; `undefined` for a program without sources. */
  readonly sources: string | undefined;
}

/** One proxy, with all that its file says. */
export interface Service extends ServiceRequest, InstallMachine {
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Variables that it gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Name of the account that it runs under. */
  readonly account: string;
  /** Home directory of who installs. */
  readonly home: string;
  /** Directory of files of this deployment, in the workspace. */
  readonly directory: string;
  /** Where the system looks for configuration of this user. */
  readonly configHome: string;
}

/** Commands that are run one after the other. */
export type CommandLines = readonly (readonly string[])[];

/**
 * What is done with a service. `enable` makes the system know its file, `disable` stops it for good before that goes,
 * `forget` follows when it is gone; `start` and `restart` may be told to one that runs, or does not.
 */
type ServiceAct =
  | "enable"
  | "start"
  | "stop"
  | "restart"
  | "disable"
  | "forget";

/** What `/health` says of a platform. */
type PlatformFacts = Pick<
  Deployment,
  "preset" | "runtime" | "supervisor"
>;

/** How one kind of system keeps a proxy running. */
export interface ServicePlatform extends PlatformFacts {
  /** Where its file is. */
  path(service: Service): string;
  /**
   * Its file.
   * @throws {CliFailure} If it cannot hold what it must.
   */
  text(service: Service): string;
  /** What to run. */
  commands(service: Service): Readonly<Record<ServiceAct, CommandLines>>;
  /** What a program says that fails because nothing is there that could be stopped. */
  readonly absent: RegExp;
  /** A command that shows why it does not run. */
  why(service: Service): string;
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
export function serviceFor(
  request: ServiceRequest,
  { io: { env, cwd, selfCommand }, platform, machine, stored }: {
    readonly io: Pick<CliIo, "env" | "cwd" | "selfCommand">;
    readonly platform: PlatformFacts;
    readonly machine: InstallMachine;
    readonly stored: TextValues;
  },
): Service {
  const { profile, scope, port } = request;
  const { preset, runtime, supervisor } = platform;
  const home = homeOf(env);
  const invoker = machine.userId === 0 ? env.SUDO_USER || "root" : "root";
  const isForOther = invoker !== "root";
  if (isForOther && !ROOT_HOMES.includes(home)) {
    throw usageFailure(
      `Cannot install for ${invoker} with HOME=${home}: root's files would be in the way there; use sudo -H svc install`,
    );
  }
  const workspace = resolve(cwd, resolvePaths(env).workspace);
  const program = selfCommand();
  const native = {
    ...program.length > 1
      ? { ...FROM_SOURCE, ...given(env, ["DENO_DIR"]) }
      : {},
    ...given(env, ["DENO_CERT", "DENO_TLS_CA_STORE", "XDG_CACHE_HOME"]),
    // Another account has a workspace of its own.
    ...isForOther ? {} : { SVC_WORKSPACE_DIR: workspace },
    ...pathsIn(env, cwd),
  };
  return {
    ...{ profile, scope, port, ...machine, home },
    command: [...program, "proxy"],
    account: isForOther ? invoker : accountIn(env),
    directory: deployDirectory({ env, cwd }, profile),
    configHome: env.XDG_CONFIG_HOME || join(home, ".config"),
    env: {
      ...runtime === "docker"
        ? { ...given(stored, Object.keys(stored)), SVC_HOST: "127.0.0.1" }
        : native,
      ...given(env, UNSTORABLE),
      SVC_PORT: String(port),
      ...deploymentVariables({ profile, preset, runtime, supervisor, scope }),
    },
  };
}

/** Where files of a deployment are in the workspace. */
export function deployDirectory(
  { env, cwd }: Pick<CliIo, "env" | "cwd">,
  profile: string,
): string {
  return join(resolve(cwd, resolvePaths(env).workspace), "deploy", profile);
}

/** Settings that no file can hold, e.g. whether anything leaves the machine. */
const UNSTORABLE = ROWS.filter((row) =>
  row.persisted === false && row.available !== false && !row.secret &&
  row !== SETTINGS.proxyUrl
).flatMap((row) => [row.env, ...row.aliases ?? []]);

/** Settings of a shell that a service does not see, because it reads stored ones: their variables. */
export function unseenVariables(
  env: TextValues,
  stored: TextValues,
): readonly string[] {
  return ROWS.filter((row) =>
    row.persisted !== false && row.available !== false &&
    row !== SETTINGS.port && env[row.env] && env[row.env] !== stored[row.env]
  ).map((row) => row.env);
}

/** Windows has accounts per domain. */
function accountIn({ USER, USERNAME, USERDOMAIN }: TextValues): string {
  if (USER || !USERNAME) return USER || "root";
  return USERDOMAIN ? `${USERDOMAIN}\\${USERNAME}` : USERNAME;
}

/**
 * Refuses what no file of a service can hold.
 *
 * @param refused Characters beside control characters.
 * @throws {CliFailure} If there are any.
 */
export function plain(text: string, refused: RegExp = /(?!)/): string {
  // deno-lint-ignore no-control-regex
  if (!/[\0-\x1f\x7f]/.test(text) && !refused.test(text)) return text;
  const beside = refused.source === "(?!)" ? "" : ` or ${refused.source}`;
  throw new CliFailure(
    `Cannot write ${
      JSON.stringify(text)
    } into the file of a service: must not contain control characters${beside}`,
  );
}

/** A text inside XML; readers of XML 1.1 would make a line feed of U+0085 and U+2028. */
export function xmlText(text: string): string {
  return plain(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;").replaceAll('"', "&quot;")
    .replaceAll("\x85", "&#x85;").replaceAll("\u2028", "&#x2028;");
}
