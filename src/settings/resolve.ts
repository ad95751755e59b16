/** Flags, environment, settings file and defaults → one frozen configuration. @module */
import {
  budgetOf,
  type ConfigSources,
  egressOf,
  extensionsOf,
  logsOf,
  otelOf,
  type Read,
  restOf,
  storeOf,
  transportOf,
  trustOf,
  upstreamsOf,
} from "./config_parts.ts";
import { unknownVariables } from "./nearest.ts";
import { deploymentIn } from "./deployment.ts";
import {
  type Given,
  givenFor,
  notInThisVersion,
  placingVariables,
  readSetting,
  type TextSources,
} from "./given.ts";
import { parseModelRoutes } from "./output_rows.ts";
import { proxyLogPath, resolvePaths } from "./paths.ts";
import { ROWS, SETTINGS } from "./registry.ts";
import { type Features, resolveFeatures } from "./rollout.ts";

/** Everything a user can set, resolved. Frozen, parts included. Times are milliseconds and sizes bytes unless a name says otherwise. */
export type Config = Readonly<ReturnType<typeof configOf>>;

/**
 * Resolves every setting: command line, then environment, then settings file, then default.
 *
 * @param sources Text values; nothing else is read.
 * @throws {RangeError} If a value cannot be used, two flags contradict each other, or a flag is of a feature that this
 * version does not have. The message names the flag or variable, the value and what is allowed.
 */
export function resolveConfig(sources: ConfigSources): Config {
  return Object.freeze(configOf(sources));
}

function configOf(sources: ConfigSources) {
  const warnings: string[] = unknownVariables(sources.env);
  const read: Read = (row) =>
    readSetting(row, sources, (text) => void warnings.push(text));
  const stateless = read(SETTINGS.stateless);
  const places = placingVariables(sources);
  const upstreams = upstreamsOf(read);
  const deployment = deploymentIn(sources.env);
  warnings.push(
    ...[upstreams.messages, upstreams.chat].flatMap(doubledVersion),
  );
  if (!read(SETTINGS.tlsStrict)) warnings.push(NO_TLS_SWITCH);
  const features = featuresOf(read, warnings);
  const isOn = (name: string) => features.enabled.includes(name);
  warnings.push(...notInThisVersion(ROWS, sources));
  if (stateless) warnings.push(...notWhenStateless(read));
  const modelRoutes = modelRoutesOf(read, {
    isOn: isOn("model_router"),
    isByProfile: givenFor(SETTINGS.modelRouter, sources)?.source === "profile",
    warnings,
  });
  const rest = restOf(read);
  return {
    ...rest,
    mode: isOn("compression") ? rest.mode : "passthrough" as const,
    upstreams,
    transport: transportOf(read),
    trust: trustOf(read),
    budget: budgetOf(read),
    ...switchedBy(isOn, read),
    ccr: Object.freeze({ enabled: isOn("ccr"), ...storeOf(read) }),
    modelRoutes,
    /** Without a path where there is no directory for it: then there is only stderr. */
    logs: Object.freeze({ proxyLog: proxyLogPath(places), ...logsOf(read) }),
    otel: otelOf(read),
    egress: egressOf(read),
    extensions: extensionsOf(read, sources),
    /** Absent for a proxy that somebody started by hand. */
    ...deployment && { deployment },
    features,
    /** By the variable of its setting; secrets included. */
    given: givenSettings(sources),
    /** `undefined`: nothing may be written. */
    paths: stateless ? undefined : resolvePaths(places, sources.paths),
    /** What the user should be told about values that were not used, one sentence each. */
    warnings: Object.freeze(warnings),
  };
}

/** What depends on features. */
function switchedBy(isOn: (feature: string) => boolean, read: Read) {
  return {
    responseCache: isOn("response_cache"),
    cacheTtlLearn: isOn("cache_ttl_learn"),
    coldRecompact: isOn("cold_recompact"),
    keepsReasoning: isOn("thinking_compact")
      ? read(SETTINGS.thinkingCompactKeepLast)
      : undefined,
    dedupe: isOn("dedupe"),
    output: Object.freeze({
      isShaped: isOn("output_shaper"),
      level: read(SETTINGS.verbosityLevel),
      isTuned: read(SETTINGS.verbosityAutotune),
      holdout: read(SETTINGS.outputHoldout),
    }),
    codeAware: isOn("code_aware"),
    intercept: Object.freeze({
      isOn: isOn("intercept_tool_results"),
      readMinChars: read(SETTINGS.interceptReadMinChars),
    }),
    losslessCompaction: isOn("lossless_compaction"),
  };
}

/** Which models answer for others. */
function modelRoutesOf(
  read: Read,
  { isOn, isByProfile, warnings }: {
    readonly isOn: boolean;
    readonly isByProfile: boolean;
    readonly warnings: string[];
  },
) {
  const { rules, problems } = parseModelRoutes(read(SETTINGS.modelRoutes));
  warnings.push(...problems);
  if (isOn && rules.length === 0 && !isByProfile) {
    warnings.push(
      "SVC_MODEL_ROUTER=1 has no effect: SVC_MODEL_ROUTES has no rule that can be used",
    );
  }
  return Object.freeze({
    rules: isOn ? rules : [],
    isLogOnly: read(SETTINGS.modelRouterLogOnly),
  });
}

/** What is given of each setting, by its variable; whether it can be used does not count. */
export function givenSettings(
  sources: TextSources,
): Readonly<Record<string, Given>> {
  const entries = ROWS.flatMap((row) => {
    const given = givenFor(row, sources);
    return given === undefined ? [] : [[row.env, given] as const];
  });
  return Object.freeze(Object.fromEntries(entries));
}

/** What asks for files where none may be written. */
function notWhenStateless(read: Read): string[] {
  const { logFile, debug400, cacheTtlLearn, stateless } = SETTINGS;
  const names = [
    ...read(logFile) === undefined ? [] : [logFile.env],
    ...read(debug400) ? [debug400.env] : [],
    ...read(cacheTtlLearn) ? [cacheTtlLearn.env] : [],
  ];
  return names.map((name) =>
    `${name} has no effect: ${stateless.env} is on, and no file but the log is written`
  );
}

function featuresOf(read: Read, warnings: string[]): Features {
  const { features, warnings: more } = resolveFeatures({
    channel: read(SETTINGS.rolloutChannel),
    wanted: read(SETTINGS.features),
    disabled: read(SETTINGS.disableFeatures),
    unsafe: read(SETTINGS.unsafeFeatures),
    wantedBySetting: read(SETTINGS.interceptToolResults)
      ? ["intercept_tool_results"]
      : [],
    own: {
      compression: read(SETTINGS.optimize),
      code_aware: read(SETTINGS.codeAware),
      lossless_compaction: read(SETTINGS.losslessCompaction),
      // Forms that can be turned back leave nothing out.
      ccr: !read(SETTINGS.noCcr) && !read(SETTINGS.lossless),
      response_cache: read(SETTINGS.cacheEnabled),
      // What is off unless it is asked for may be asked for by its feature, too.
      ...read(SETTINGS.modelRouter) && { model_router: true },
      ...read(SETTINGS.dedupe) && { dedupe: true },
      ...read(SETTINGS.coldRecompact) && { cold_recompact: true },
      ...read(SETTINGS.thinkingCompact) && { thinking_compact: true },
      ...read(SETTINGS.outputShaper) && { output_shaper: true },
      ...read(SETTINGS.cacheTtlLearn) && { cache_ttl_learn: true },
    },
  });
  warnings.push(...more);
  return Object.freeze(features);
}

const NO_TLS_SWITCH =
  "SVC_TLS_STRICT=0 has no effect: certificates are always checked; name the CA of an inspecting proxy with SVC_CA_FILE";

/** Request paths begin with `/v1` already, so a base that ends in it is nearly always a slip. */
function doubledVersion(base: string): string[] {
  if (!base.endsWith("/v1")) return [];
  return [
    `Upstream ${base} ends in /v1, and so requests go to ${base}/v1/…; leave /v1 out unless that is meant`,
  ];
}
