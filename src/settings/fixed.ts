/** What a running proxy cannot change. @module */
import { isDeepStrictEqual } from "node:util";
import type { Config } from "./resolve.ts";
import type { Features } from "./rollout.ts";

const STATELESS = "SVC_STATELESS";
/** What the setting of whether files are written decides as well: no sign of a change of their own. */
const DECIDED_BY_STATELESS: ReadonlySet<string> = new Set([
  "SVC_CCR_BACKEND",
  "SVC_WORKSPACE_DIR",
  "SVC_LOG_FILE",
  "SVC_DEBUG_400",
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
  ["SVC_CACHE_TTL_LEARN", ({ cacheTtlLearn }) => cacheTtlLearn],
  ["SVC_BETA_HEADER_STICKY", ({ betas }) => betas.sticky],
  ["SVC_BETA_TRACKER_MAX_SESSIONS", ({ betas }) => betas.maxSessions],
  ["SVC_LOG_FILE", ({ logs }) => logs.requestLog],
  ["SVC_LOG_MESSAGES", ({ logs }) => logs.messages],
  ["SVC_DEBUG_400", ({ logs }) => logs.debug400],
  ["SVC_PROXY_EXTENSIONS", ({ extensions }) => extensions.names],
  ["SVC_OTEL_METRICS_ENABLED", ({ otel }) => otel.enabled],
  ["SVC_OTEL_METRICS_EXPORTER", ({ otel }) => otel.exporter],
  ["SVC_OTEL_METRICS_ENDPOINT", ({ otel }) => otel.endpoint],
  ["SVC_OTEL_METRICS_HEADERS", ({ otel }) => otel.headers],
  ["SVC_OTEL_METRICS_EXPORT_INTERVAL_MS", ({ otel }) => otel.intervalMs],
  ["SVC_OTEL_SERVICE_NAME", ({ otel }) => otel.serviceName],
  ["SVC_OTEL_RESOURCE_ATTRIBUTES", ({ otel }) => otel.resourceAttributes],
  ["SVC_TELEMETRY_ENDPOINT", ({ egress }) => egress.beaconEndpoint],
  ["SVC_UPDATE_CHECK", ({ egress }) => egress.updateCheck],
  ["SVC_UPDATE_INDEX_URL", ({ egress }) => egress.updateIndex],
  ["SVC_TELEMETRY", ({ telemetry }) => telemetry],
];

/** Variables of the settings that a running proxy takes over with its next start only. */
export const NEEDS_RESTART: ReadonlySet<string> = new Set(
  FIXED.map(([env]) => env),
);

/** What of `next` a proxy that runs under `before` takes over. */
export function adopt(before: Config, next: Config) {
  const changed = FIXED.flatMap(([env, of]) =>
    isDeepStrictEqual(of(before), of(next)) ? [] : [env]
  );
  const waiting = changed.includes(STATELESS)
    ? changed.filter((env) => !DECIDED_BY_STATELESS.has(env))
    : changed;
  const { host, port, betas, logs, otel, egress, telemetry, paths } = before;
  const { cacheTtlLearn, extensions } = before;
  const config: Config = Object.freeze({
    ...next,
    host,
    port,
    betas,
    logs,
    otel,
    egress,
    telemetry,
    cacheTtlLearn,
    features: withLearning(next, cacheTtlLearn),
    extensions,
    given: givenInForce(before, next, changed),
    paths: next.paths === undefined || before.paths === undefined ? paths : {
      ...next.paths,
      workspace: before.paths.workspace,
      ccrStore: before.paths.ccrStore,
      ledger: before.paths.ledger,
      cacheObservations: before.paths.cacheObservations,
      cacheLives: before.paths.cacheLives,
    },
    limits: { ...next.limits, workers: before.limits.workers },
    ccr: { ...before.ccr, enabled: next.ccr.enabled },
  });
  return { config, waiting };
}

/** Its features, with whether cache lifetimes are learned as it is in force. */
function withLearning({ features }: Config, isOn: boolean): Features {
  const name = "cache_ttl_learn";
  const has = (is: boolean, names: readonly string[]) =>
    [...names.filter((other) => other !== name), ...is ? [name] : []].sort();
  return {
    ...features,
    enabled: has(isOn, features.enabled),
    disabled: has(!isOn, features.disabled),
  };
}

/** What was given of the settings as they are in force. */
function givenInForce(
  before: Config,
  next: Config,
  waiting: readonly string[],
): Config["given"] {
  const given = { ...next.given };
  for (const env of waiting) {
    delete given[env];
    const old = before.given[env];
    if (old !== undefined) given[env] = old;
  }
  return Object.freeze(given);
}
