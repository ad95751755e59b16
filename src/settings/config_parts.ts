/** Parts of a configuration. @module */
import { SETTINGS } from "./registry.ts";
import type { SettingRow } from "./row.ts";
import { givenFor, placingVariables, type TextSources } from "./given.ts";
import { type Paths, pluginDirectories } from "./paths.ts";

/** Where values come from. */
export interface ConfigSources extends TextSources {
  /** Places of files that win over the environment. */
  readonly paths?: Partial<Paths>;
}

/** Gives the value of a setting. */
export type Read = <T>(row: SettingRow<T>) => T;

/** Where requests go. */
export function upstreamsOf(read: Read) {
  return Object.freeze({
    messages: read(SETTINGS.messagesApiUrl),
    chat: read(SETTINGS.chatApiUrl),
    /** `undefined`: the host of each request's region. */
    vertex: read(SETTINGS.vertexApiUrl),
    /** `undefined`: the messages upstream. */
    foundry: read(SETTINGS.foundryApiUrl),
    messagesHeaders: read(SETTINGS.messagesApiHeaders),
    chatHeaders: read(SETTINGS.chatApiHeaders),
    headerHosts: read(SETTINGS.upstreamAllowedHosts),
    /** Upstreams that clients may choose although they are private. */
    allowedBases: read(SETTINGS.allowedBaseUrls),
    resolveTimeoutMs: read(SETTINGS.upstreamResolveTimeout) * 1000,
  });
}

/** How they are sent. */
export function transportOf(read: Read) {
  return Object.freeze({
    httpProxy: read(SETTINGS.httpProxy),
    caFile: read(SETTINGS.caFile),
    timeoutMs: read(SETTINGS.requestTimeout) * 1000,
    maxConnections: read(SETTINGS.maxConnections),
    maxKeepalive: read(SETTINGS.maxKeepalive),
    keepaliveMs: read(SETTINGS.keepaliveExpiry) * 1000,
    http2: read(SETTINGS.http2),
    maxAttempts: read(SETTINGS.retryMaxAttempts),
    retryBaseMs: read(SETTINGS.retryBaseDelayMs),
    retryMaxMs: read(SETTINGS.retryMaxDelayMs),
  });
}

/** Whom the proxy trusts. @throws {RangeError} If others may compress and no token is set. */
export function trustOf(read: Read) {
  const token = read(SETTINGS.proxyToken);
  const remoteCompress = read(SETTINGS.compressAllowRemote);
  if (remoteCompress && token === undefined) {
    throw new RangeError(
      "Cannot use SVC_COMPRESS_ALLOW_REMOTE without SVC_PROXY_TOKEN: anybody who reaches the port could use it; set both or neither",
    );
  }
  return Object.freeze({
    clients: read(SETTINGS.trustedClients),
    gateways: read(SETTINGS.trustedGateways),
    origins: read(SETTINGS.allowedOrigins),
    token,
    remoteCompress,
  });
}

/** What may be spent; `undefined` for no budget. */
export function budgetOf(read: Read) {
  const limitNanoUsd = read(SETTINGS.budget);
  const period = read(SETTINGS.budgetPeriod);
  const estimatedBasis = read(SETTINGS.budgetEstimatedBasis);
  return limitNanoUsd === undefined
    ? undefined
    : Object.freeze({ limitNanoUsd, period, estimatedBasis });
}

/** The export of metrics. */
export function otelOf(read: Read) {
  return Object.freeze({
    enabled: read(SETTINGS.otelEnabled) && !read(SETTINGS.offline),
    exporter: read(SETTINGS.otelExporter),
    endpoint: read(SETTINGS.otelEndpoint),
    headers: read(SETTINGS.otelHeaders),
    intervalMs: read(SETTINGS.otelIntervalMs),
    serviceName: read(SETTINGS.otelServiceName),
    resourceAttributes: read(SETTINGS.otelResourceAttributes),
  });
}

/** Users' code. */
export function extensionsOf(read: Read, sources: ConfigSources) {
  const { proxyExtensions, stateless, offline } = SETTINGS;
  const names = read(proxyExtensions);
  return Object.freeze({
    names,
    source: givenFor(proxyExtensions, sources)?.source,
    /** Set where only a command line may name them. */
    onlyByFlag: [stateless, offline].find(read)?.env,
    /** Where plugins are looked for. */
    directories: names.length === 0
      ? []
      : pluginDirectories(placingVariables(sources), sources.paths),
  });
}

/** What may leave the machine beside the requests. */
export function egressOf(read: Read) {
  return Object.freeze({
    offline: read(SETTINGS.offline),
    doNotTrack: read(SETTINGS.doNotTrack),
    beacon: read(SETTINGS.beacon),
    beaconEndpoint: read(SETTINGS.telemetryEndpoint),
    updateCheck: read(SETTINGS.updateCheck),
    updateIndex: read(SETTINGS.updateIndexUrl),
  });
}

/** What depends on nothing else. */
export function restOf(read: Read) {
  return {
    profile: read(SETTINGS.savingsProfile),
    host: read(SETTINGS.host),
    port: read(SETTINGS.port),
    mode: read(SETTINGS.mode),
    limits: Object.freeze({
      workers: read(SETTINGS.workers),
      concurrency: read(SETTINGS.limitConcurrency),
      inflightBodyBytes: read(SETTINGS.inflightBodyBytes),
      requestsPerMinute: read(SETTINGS.requestsPerMinute),
    }),
    betas: Object.freeze({
      sticky: read(SETTINGS.betaHeaderSticky),
      maxSessions: read(SETTINGS.betaTrackerMaxSessions),
    }),
    streamUsage: read(SETTINGS.streamUsage),
    modelLimits: read(SETTINGS.modelLimits),
    toolDeferral: read(SETTINGS.toolDeferral),
    autoCache: read(SETTINGS.autoCache),
    toolCompaction: read(SETTINGS.toolCompaction),
    lossless: read(SETTINGS.lossless),
    userMessages: read(SETTINGS.compressUserMessages),
    toolRules: Object.freeze([
      ...read(SETTINGS.toolPolicy),
      ...read(SETTINGS.protectToolResults),
    ]),
    stripInternalHeaders: read(SETTINGS.stripInternalHeaders),
    requestBodyMaxBytes: read(SETTINGS.requestBodyMaxBytes),
    compressionTimeoutSeconds: read(SETTINGS.compressionTimeoutSeconds),
    telemetry: read(SETTINGS.telemetry),
  };
}

/** Where originals are kept, and how long. */
export function storeOf(read: Read) {
  const backend = read(SETTINGS.ccrBackend);
  return {
    backend: read(SETTINGS.stateless) ? "memory" : backend,
    ttlSeconds: read(SETTINGS.ccrTtlSeconds),
  };
}

/** What is logged beside the proxy's own log. */
export function logsOf(read: Read) {
  const stateless = read(SETTINGS.stateless);
  return {
    requestLog: stateless ? undefined : read(SETTINGS.logFile),
    messages: read(SETTINGS.logMessages),
    debug400: !stateless && read(SETTINGS.debug400),
  };
}
