/** Where files are kept. @module */
import { join } from "node:path";
import type { TextValues } from "./row.ts";

/** Directories and files of this user. Nothing here is created or checked. */
export interface Paths {
  /** Root of everything that is written. */
  readonly workspace: string;
  /** Root of configuration files. */
  readonly config: string;
  /** Database of originals, forms and conversations. */
  readonly ccrStore: string;
  /** Database of finished requests, spend and limits. */
  readonly ledger: string;
  /** Limits and prices of models, as the user gives them. */
  readonly models: string;
  /** Older place of `models`, read when that is not there. */
  readonly legacyModels: string;
  /** Settings that were stored. */
  readonly settings: string;
  /** Sums of the ledger in the form that other programs read. */
  readonly savings: string;
  /** Random name of this installation. */
  readonly installId: string;
  /** Turns with what they found in the provider's cache. */
  readonly cacheObservations: string;
  /** What was learned from them. */
  readonly cacheLives: string;
  /** When a newer version was asked for last. */
  readonly updateCheck: string;
  /** Directory of masked requests that the upstream refused. */
  readonly debugDumps: string;
}

/** Documentation of the variables that place files. */
export const PATH_VARIABLES: readonly {
  readonly env: string;
  readonly fallback: string;
  readonly doc: string;
}[] = [
  {
    env: "SVC_WORKSPACE_DIR",
    fallback: "~/.svc",
    doc: "Directory for files. `~` is not expanded.",
  },
  {
    env: "SVC_CONFIG_DIR",
    fallback: "<workspace>/config",
    doc: "Directory of models.json.",
  },
  {
    env: "SVC_SETTINGS_PATH",
    fallback: "<workspace>/settings.json",
    doc: "Stored settings.",
  },
  {
    env: "SVC_SAVINGS_PATH",
    fallback: "<workspace>/proxy_savings.json",
    doc: "Lifetime savings, for other programs.",
  },
];

/**
 * Places every file: explicit argument, then the variable, then derived from
 * the workspace root, then the default below the home directory.
 *
 * Variables are used as they are: `~` is not expanded, a relative path stays relative.
 *
 * @param env The environment; `HOME` or `USERPROFILE` is the home directory.
 * @param explicit Places that win over the environment.
 * @throws {RangeError} If the workspace is not given and there is no home directory.
 */
export function resolvePaths(
  env: TextValues,
  explicit: Partial<Paths> = {},
): Paths {
  const workspace = explicit.workspace || env.SVC_WORKSPACE_DIR ||
    join(homeOf(env), ".svc");
  const config = explicit.config || env.SVC_CONFIG_DIR ||
    join(workspace, "config");
  const given = Object.entries(explicit).filter(([, path]) => path);
  return Object.freeze({
    workspace,
    config,
    ccrStore: join(workspace, "ccr_store.db"),
    ledger: join(workspace, "ledger.db"),
    models: join(config, "models.json"),
    legacyModels: join(workspace, "models.json"),
    settings: env.SVC_SETTINGS_PATH || join(workspace, "settings.json"),
    savings: env.SVC_SAVINGS_PATH || join(workspace, "proxy_savings.json"),
    installId: join(config, "install_id"),
    cacheObservations: join(workspace, "cache_ttl_observations.jsonl"),
    cacheLives: join(workspace, "cache_ttl_learned.json"),
    updateCheck: join(workspace, "update_check.json"),
    debugDumps: join(workspace, "logs", "debug_400"),
    ...Object.fromEntries(given),
  });
}

/**
 * Place of the proxy log, which is written in any mode; `undefined` where there is no directory for it.
 *
 * @param env The environment, as for {@linkcode resolvePaths}.
 */
export function proxyLogPath(env: TextValues): string | undefined {
  const home = env.HOME || env.USERPROFILE;
  const workspace = env.SVC_WORKSPACE_DIR || (home && join(home, ".svc"));
  return workspace ? join(workspace, "logs", "proxy.log") : undefined;
}

function homeOf(env: TextValues): string {
  const home = env.HOME || env.USERPROFILE;
  if (home) return home;
  throw new RangeError(
    "Cannot place files: neither SVC_WORKSPACE_DIR nor HOME is set, or svc may not read them (--allow-env); set SVC_WORKSPACE_DIR",
  );
}

/**
 * Directories in which plugins are looked for, in this order.
 *
 * @param env As of {@linkcode resolvePaths}.
 * @throws {RangeError} If there is no place for them.
 */
export function pluginDirectories(
  env: TextValues,
  given?: Partial<Paths>,
): readonly string[] {
  const { config, workspace } = resolvePaths(env, given);
  return [config, workspace].map((root) => join(root, "plugins"));
}
