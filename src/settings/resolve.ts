/** Flags, environment and defaults → one frozen configuration. @module */
import type { Budget } from "../core/cost.ts";
import type { NamedToolRule } from "../core/decision.ts";
import type { CompressionMode } from "../core/mode.ts";
import type { HeaderField } from "../core/upstream.ts";
import type { AllowedBase, Network } from "./network_list.ts";
import { readSetting, type TextSources } from "./given.ts";
import { type Paths, resolvePaths } from "./paths.ts";
import { SETTINGS } from "./registry.ts";
import type { SettingRow } from "./row.ts";
import { unknownVariables } from "./unknown.ts";

/** Everything a user can set, resolved. Frozen, parts included. */
export interface Config {
  /** Address to listen on, an IPv6 literal without brackets. */
  readonly host: string;
  /** Port to listen on; 0 takes any free port. */
  readonly port: number;
  /** What is done to a request that does not say otherwise. */
  readonly mode: CompressionMode;
  /** Upstreams by family: URLs without trailing slash, a path prefix allowed. */
  readonly upstreams: {
    /** Messages traffic. */
    readonly messages: string;
    /** Chat completions and responses traffic. */
    readonly chat: string;
    /** Vertex-style traffic; `undefined`: the host of each request's region. */
    readonly vertex: string | undefined;
    /** Foundry-style traffic; `undefined`: the messages upstream. */
    readonly foundry: string | undefined;
    /** Fields that the operator adds to messages traffic. */
    readonly messagesHeaders: readonly HeaderField[];
    /** Fields that the operator adds to chat completions and responses traffic. */
    readonly chatHeaders: readonly HeaderField[];
    /** Further hosts that get them. */
    readonly headerHosts: readonly string[];
    /** Upstreams that clients may choose although they are private. */
    readonly allowedBases: readonly AllowedBase[];
    /** Milliseconds for the names of those that clients choose. */
    readonly resolveTimeoutMs: number;
  };
  /** How upstreams are spoken to. */
  readonly transport: {
    /** HTTP proxy of upstream requests, credentials included. */
    readonly httpProxy: string | undefined;
    /** PEM file of further certificate authorities. */
    readonly caFile: string | undefined;
    /** Milliseconds until a response begins, and between two parts of it. */
    readonly timeoutMs: number;
    /** Requests under way. */
    readonly maxConnections: number;
    /** Idle connections per upstream. */
    readonly maxKeepalive: number;
    /** Milliseconds that an idle connection stays open. */
    readonly keepaliveMs: number;
    /** Whether HTTP/2 may be spoken. */
    readonly http2: boolean;
    /** Times that a request is sent in all. */
    readonly maxAttempts: number;
    /** Milliseconds before the first retry. */
    readonly retryBaseMs: number;
    /** Longest wait before a retry, in milliseconds. */
    readonly retryMaxMs: number;
  };
  /** What callers may do. */
  readonly limits: {
    /** Processes on the port. */
    readonly workers: number;
    /** Requests under way. */
    readonly concurrency: number;
    /** Requests to models per minute and caller; `undefined` for no limit. */
    readonly requestsPerMinute: number | undefined;
  };
  /** Who is believed. */
  readonly trust: {
    /** Networks whose machines see everything. */
    readonly clients: readonly Network[];
    /** Networks of gateways. */
    readonly gateways: readonly Network[];
    /** What callers from other machines must send; `undefined` for nothing. */
    readonly token: string | undefined;
    /** Whether the compress route answers other machines. */
    readonly remoteCompress: boolean;
  };
  /** Beta headers of conversations. */
  readonly betas: {
    /** `invalid`: the setting holds another word, and each request says so. */
    readonly sticky: "enabled" | "disabled" | "invalid";
    /** Conversations remembered. */
    readonly maxSessions: number;
  };
  /** Whether repeated requests may be answered from memory. */
  readonly responseCache: boolean;
  /** What requests may cost; `undefined` for no limit. */
  readonly budget: Budget | undefined;
  /** Limits and prices of models: JSON or a path, as given. */
  readonly modelLimits: string | undefined;
  /** Storage of originals. */
  readonly ccr: {
    /** False: nothing is left out of any text, no markers, no retrieval tool. */
    readonly enabled: boolean;
    /** Where originals are kept; `memory` when stateless. */
    readonly backend: "sqlite" | "memory";
    /** Seconds an original lives after its conversation was last active; at least 1. */
    readonly ttlSeconds: number;
  };
  /** Whether only forms with a byte-exact inverse may be used. */
  readonly lossless: boolean;
  /** Whether source code that tools print may be shortened. */
  readonly codeAware: boolean;
  /** Whether forms that lose nothing may be used. */
  readonly losslessCompaction: boolean;
  /** What happens to results of tools by name; the first rule that fits wins. */
  readonly toolRules: readonly NamedToolRule[];
  /** Whether `x-svc-*` request headers are removed before a request leaves. */
  readonly stripInternalHeaders: boolean;
  /** Largest request body in bytes, decoded. */
  readonly requestBodyMaxBytes: number;
  /** Seconds that one call of the compress route may take. */
  readonly compressionTimeoutSeconds: number;
  /** Where files are kept; `undefined` when stateless: nothing may be written. */
  readonly paths: Paths | undefined;
  /** What the user should be told about values that were not used. One sentence each. */
  readonly warnings: readonly string[];
}

/** Where values come from. */
export interface ConfigSources extends TextSources {
  /** Places of files that win over the environment. */
  readonly paths?: Partial<Paths>;
}

/**
 * Resolves every setting: command line, then environment, then default.
 *
 * @param sources Text values; nothing else is read.
 * @throws {RangeError} If a value cannot be used, or two flags contradict each other. The message names the flag or
 * variable, the value and what is allowed.
 */
export function resolveConfig(sources: ConfigSources): Config {
  const warnings: string[] = unknownVariables(sources.env);
  const read = <T>(row: SettingRow<T>): T =>
    readSetting(row, sources, (text) => void warnings.push(text));
  const stateless = read(SETTINGS.stateless);
  const lossless = read(SETTINGS.lossless);
  const backend = read(SETTINGS.ccrBackend);
  const mode = read(SETTINGS.mode);
  const messages = read(SETTINGS.messagesApiUrl);
  const chat = read(SETTINGS.chatApiUrl);
  const budget = read(SETTINGS.budget);
  const period = read(SETTINGS.budgetPeriod);
  const estimatedBasis = read(SETTINGS.budgetEstimatedBasis);
  warnings.push(...[messages, chat].flatMap(doubledVersion));
  if (!read(SETTINGS.tlsStrict)) warnings.push(NO_TLS_SWITCH);
  const token = read(SETTINGS.proxyToken);
  const remoteCompress = read(SETTINGS.compressAllowRemote);
  if (remoteCompress && token === undefined) {
    throw new RangeError(
      "Cannot use SVC_COMPRESS_ALLOW_REMOTE without SVC_PROXY_TOKEN: anybody who reaches the port could use it; set both or neither",
    );
  }
  return Object.freeze({
    host: read(SETTINGS.host),
    port: read(SETTINGS.port),
    mode: read(SETTINGS.optimize) ? mode : "passthrough",
    upstreams: Object.freeze({
      messages,
      chat,
      vertex: read(SETTINGS.vertexApiUrl),
      foundry: read(SETTINGS.foundryApiUrl),
      messagesHeaders: read(SETTINGS.messagesApiHeaders),
      chatHeaders: read(SETTINGS.chatApiHeaders),
      headerHosts: read(SETTINGS.upstreamAllowedHosts),
      allowedBases: read(SETTINGS.allowedBaseUrls),
      resolveTimeoutMs: read(SETTINGS.upstreamResolveTimeout) * 1000,
    }),
    transport: Object.freeze({
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
    }),
    limits: Object.freeze({
      workers: read(SETTINGS.workers),
      concurrency: read(SETTINGS.limitConcurrency),
      requestsPerMinute: read(SETTINGS.requestsPerMinute),
    }),
    trust: Object.freeze({
      clients: read(SETTINGS.trustedClients),
      gateways: read(SETTINGS.trustedGateways),
      token,
      remoteCompress,
    }),
    betas: Object.freeze({
      sticky: read(SETTINGS.betaHeaderSticky),
      maxSessions: read(SETTINGS.betaTrackerMaxSessions),
    }),
    responseCache: read(SETTINGS.cacheEnabled),
    budget: budget === undefined ? undefined : Object.freeze({
      limitNanoUsd: budget,
      period,
      estimatedBasis,
    }),
    modelLimits: read(SETTINGS.modelLimits),
    ccr: Object.freeze({
      enabled: !read(SETTINGS.noCcr) && !lossless,
      backend: stateless ? "memory" : backend,
      ttlSeconds: read(SETTINGS.ccrTtlSeconds),
    }),
    lossless,
    codeAware: read(SETTINGS.codeAware),
    losslessCompaction: read(SETTINGS.losslessCompaction),
    toolRules: Object.freeze([
      ...read(SETTINGS.toolPolicy),
      ...read(SETTINGS.protectToolResults),
    ]),
    stripInternalHeaders: read(SETTINGS.stripInternalHeaders),
    requestBodyMaxBytes: read(SETTINGS.requestBodyMaxBytes),
    compressionTimeoutSeconds: read(SETTINGS.compressionTimeoutSeconds),
    paths: stateless ? undefined : resolvePaths(sources.env, sources.paths),
    warnings: Object.freeze(warnings),
  });
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
