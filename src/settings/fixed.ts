/** What a running proxy cannot change. @module */
import type { Config } from "./resolve.ts";

/** A configuration that a running proxy can take over. */
export interface Adopted {
  /** The new one, with what cannot change as it was. */
  readonly config: Config;
  /** Settings whose new value waits for the next start. */
  readonly waiting: readonly string[];
}

const STATELESS = "SVC_STATELESS";
/** What the setting of whether files are written decides as well: no sign of a change of their own. */
const DECIDED_BY_STATELESS: ReadonlySet<string> = new Set([
  "SVC_CCR_BACKEND",
  "SVC_WORKSPACE_DIR",
]);

/** Parts of the configuration that are in use from the start to the end, by the settings that give them. */
const FIXED: readonly (readonly [
  env: string,
  of: (config: Config) => unknown,
])[] = [
  [STATELESS, ({ paths }) => paths === undefined],
  ["SVC_HOST", ({ host }) => host],
  ["SVC_PORT", ({ port }) => port],
  ["SVC_WORKERS", ({ limits }) => limits.workers],
  ["SVC_CCR_BACKEND", ({ ccr }) => ccr.backend],
  ["SVC_CCR_TTL_SECONDS", ({ ccr }) => ccr.ttlSeconds],
  ["SVC_WORKSPACE_DIR", ({ paths }) => paths?.workspace],
  ["SVC_BETA_HEADER_STICKY", ({ betas }) => betas.sticky],
  ["SVC_BETA_TRACKER_MAX_SESSIONS", ({ betas }) => betas.maxSessions],
];

/** What of `next` a proxy that runs under `before` takes over. */
export function adopt(before: Config, next: Config): Adopted {
  const changed = FIXED.flatMap(([env, of]) =>
    of(before) === of(next) ? [] : [env]
  );
  const waiting = changed.includes(STATELESS)
    ? changed.filter((env) => !DECIDED_BY_STATELESS.has(env))
    : changed;
  const { host, port, betas, paths } = before;
  const config: Config = Object.freeze({
    ...next,
    host,
    port,
    betas,
    paths: next.paths === undefined || before.paths === undefined ? paths : {
      ...next.paths,
      workspace: before.paths.workspace,
      ccrStore: before.paths.ccrStore,
      ledger: before.paths.ledger,
    },
    limits: { ...next.limits, workers: before.limits.workers },
    ccr: { ...before.ccr, enabled: next.ccr.enabled },
  });
  return { config, waiting };
}
