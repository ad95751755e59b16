/** Settings of what is sent where. @module */
import type { HeaderField } from "../core/upstream.ts";
import { parseHeaderMap } from "./header_map.ts";
import {
  type AllowedBase,
  parseAllowedBases,
  parseHosts,
} from "./network_list.ts";
import {
  parseBaseUrl,
  parseInteger,
  parseProxyUrl,
  parseSeconds,
  parseSwitch,
  type SettingRow,
} from "./row.ts";

const messagesApiUrl: SettingRow<string> = {
  env: "MSG_TARGET_API_URL",
  flag: "anthropic-api-url",
  flagAliases: ["msg-api-url"],
  placeholder: "<url>",
  fallback: "https://api.anthropic.com",
  parse: (raw) => parseBaseUrl("MSG_TARGET_API_URL", raw),
  doc: "Upstream of messages traffic.",
};

const chatApiUrl: SettingRow<string> = {
  env: "CHAT_TARGET_API_URL",
  aliases: ["SVC_CHAT_TARGET_API_URL"],
  flag: "chat-api-url",
  placeholder: "<url>",
  fallback: "https://api.openai.com",
  parse: (raw) => parseBaseUrl("CHAT_TARGET_API_URL", raw),
  doc: "Upstream of chat completions and responses traffic.",
};

const vertexApiUrl: SettingRow<string | undefined> = {
  env: "VERTEX_TARGET_API_URL",
  flag: "vertex-api-url",
  placeholder: "<url>",
  fallback: undefined,
  parse: (raw) => parseBaseUrl("VERTEX_TARGET_API_URL", raw),
  doc: "Upstream of vertex-style routes; without it the host of the region " +
    "in the path.",
};

const foundryApiUrl: SettingRow<string | undefined> = {
  env: "FOUNDRY_TARGET_API_URL",
  flag: "foundry-api-url",
  placeholder: "<url>",
  fallback: undefined,
  parse: (raw) => parseBaseUrl("FOUNDRY_TARGET_API_URL", raw),
  doc: "Upstream of `<prefix>/v1/messages`, e.g. " +
    "https://my-resource.services.ai.azure.com; without it the messages " +
    "upstream.",
};

const messagesApiHeaders: SettingRow<readonly HeaderField[]> = {
  env: "MSG_TARGET_API_HEADERS",
  secret: true,
  fallback: [],
  parse: (raw) => parseHeaderMap("MSG_TARGET_API_HEADERS", raw),
  doc: "JSON object of header fields that are added to messages traffic, for " +
    "known hosts only.",
};

const chatApiHeaders: SettingRow<readonly HeaderField[]> = {
  env: "CHAT_TARGET_API_HEADERS",
  secret: true,
  fallback: [],
  parse: (raw) => parseHeaderMap("CHAT_TARGET_API_HEADERS", raw),
  doc: "JSON object of header fields that are added to chat completions and " +
    "responses traffic, for known hosts only.",
};

const upstreamAllowedHosts: SettingRow<readonly string[]> = {
  env: "SVC_UPSTREAM_ALLOWED_HOSTS",
  fallback: [],
  parse: (raw) => parseHosts("SVC_UPSTREAM_ALLOWED_HOSTS", raw),
  doc: "Further hosts that get the header fields of MSG_TARGET_API_HEADERS " +
    "and CHAT_TARGET_API_HEADERS; exact names, separated by commas.",
};

const allowedBaseUrls: SettingRow<readonly AllowedBase[]> = {
  env: "SVC_ALLOWED_BASE_URLS",
  fallback: [],
  parse: (raw) => parseAllowedBases("SVC_ALLOWED_BASE_URLS", raw),
  doc: "Private hosts or URLs that clients may choose with x-svc-base-url; a " +
    "host allows every port, a URL its own origin only.",
};

const upstreamResolveTimeout: SettingRow<number> = {
  env: "SVC_UPSTREAM_RESOLVE_TIMEOUT_S",
  fallback: 3,
  parse: (raw) =>
    parseSeconds("SVC_UPSTREAM_RESOLVE_TIMEOUT_S", raw, { min: 0.1, max: 60 }),
  doc: "Seconds in which the name of an upstream that a client chose must " +
    "resolve.",
};

const httpProxy: SettingRow<string | undefined> = {
  env: "SVC_HTTP_PROXY",
  flag: "http-proxy",
  placeholder: "<url>",
  secret: true,
  fallback: undefined,
  parse: (raw) => parseProxyUrl("SVC_HTTP_PROXY", raw),
  doc: "HTTP proxy for requests to providers; upstreams on this machine are " +
    "called directly. HTTP_PROXY and its relatives are not read.",
};

const tlsStrict: SettingRow<boolean> = {
  env: "SVC_TLS_STRICT",
  fallback: true,
  parse: (raw) => parseSwitch("SVC_TLS_STRICT", raw),
  doc: "Accepted for compatibility and without effect: certificates are " +
    "always checked; use SVC_CA_FILE for a CA of your own.",
};

const caFile: SettingRow<string | undefined> = {
  env: "SVC_CA_FILE",
  flag: "ca-file",
  placeholder: "<path>",
  fallback: undefined,
  parse: (raw) => raw,
  doc: "PEM file of certificate authorities that upstreams may have beside " +
    "the usual ones.",
};

const requestTimeout: SettingRow<number> = {
  env: "SVC_REQUEST_TIMEOUT",
  flag: "request-timeout-seconds",
  placeholder: "<seconds>",
  fallback: 300,
  parse: (raw) =>
    parseSeconds("SVC_REQUEST_TIMEOUT", raw, { min: 0.1, max: 86_400 }),
  doc: "Seconds an upstream may take until its response begins, and then " +
    "between two parts of it; never the time of the whole response.",
};

const maxConnections: SettingRow<number> = {
  env: "SVC_MAX_CONNECTIONS",
  flag: "max-connections",
  placeholder: "<number>",
  fallback: 500,
  parse: (raw) => parseInteger("SVC_MAX_CONNECTIONS", raw, { min: 1 }),
  doc: "Requests under way to upstreams; further ones wait.",
};

const maxKeepalive: SettingRow<number> = {
  env: "SVC_MAX_KEEPALIVE",
  flag: "max-keepalive",
  placeholder: "<number>",
  fallback: 100,
  parse: (raw) => parseInteger("SVC_MAX_KEEPALIVE", raw, { min: 0 }),
  doc: "Idle connections that are kept open per upstream.",
};

const keepaliveExpiry: SettingRow<number> = {
  env: "SVC_KEEPALIVE_EXPIRY",
  flag: "keepalive-expiry",
  placeholder: "<seconds>",
  fallback: 90,
  parse: (raw) =>
    parseSeconds("SVC_KEEPALIVE_EXPIRY", raw, { min: 0, max: 86_400 }),
  doc: "Seconds after which an idle connection to an upstream is closed.",
};

const http2: SettingRow<boolean> = {
  env: "SVC_HTTP2",
  flag: "no-http2",
  flagDoc: "Speak HTTP/1.1 only to upstreams.",
  fallback: true,
  parse: (raw) => parseSwitch("SVC_HTTP2", raw),
  doc: "Whether upstreams that offer HTTP/2 are spoken to in it.",
};

const retryMaxAttempts: SettingRow<number> = {
  env: "SVC_RETRY_MAX_ATTEMPTS",
  flag: "retry-max-attempts",
  placeholder: "<number>",
  fallback: 3,
  parse: (raw) =>
    parseInteger("SVC_RETRY_MAX_ATTEMPTS", raw, { min: 1, max: 10 }),
  doc: "Times that a request is sent in all when the upstream cannot be " +
    "reached or answers 429 or 529.",
};

const retryBaseDelayMs: SettingRow<number> = {
  env: "SVC_RETRY_BASE_DELAY_MS",
  fallback: 1000,
  parse: (raw) =>
    parseInteger("SVC_RETRY_BASE_DELAY_MS", raw, { min: 0, max: 60_000 }),
  doc: "Milliseconds before the first retry where the upstream does not say, " +
    "doubled for each further one.",
};

const retryMaxDelayMs: SettingRow<number> = {
  env: "SVC_RETRY_MAX_DELAY_MS",
  fallback: 30_000,
  parse: (raw) =>
    parseInteger("SVC_RETRY_MAX_DELAY_MS", raw, { min: 0, max: 600_000 }),
  doc: "Longest wait before a retry in milliseconds; an upstream that asks " +
    "for more is not asked again.",
};

/** Rows of the registry. */
export const UPSTREAM_ROWS = {
  messagesApiUrl,
  chatApiUrl,
  vertexApiUrl,
  foundryApiUrl,
  messagesApiHeaders,
  chatApiHeaders,
  upstreamAllowedHosts,
  allowedBaseUrls,
  upstreamResolveTimeout,
  httpProxy,
  tlsStrict,
  caFile,
  requestTimeout,
  maxConnections,
  maxKeepalive,
  keepaliveExpiry,
  http2,
  retryMaxAttempts,
  retryBaseDelayMs,
  retryMaxDelayMs,
} as const;
