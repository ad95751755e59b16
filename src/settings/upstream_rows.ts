/** Settings of what is sent where. @module */
import {
  type AllowedBase,
  parseAllowedBases,
  parseHosts,
} from "./network_list.ts";
import { parseBaseUrl, parseProxyUrl, type SettingRow } from "./row.ts";
import {
  headerMapRow,
  integerRow,
  listRow,
  secondsRow,
  switchRow,
  textRow,
} from "./row_kinds.ts";

/** Seconds in a day: a longer wait is a mistake. */
const DAY_SECONDS = 86_400;

const messagesApiUrl = textRow({
  env: "MSG_TARGET_API_URL",
  key: "anthropic_base_url",
  label: "Messages upstream",
  group: "Endpoints",
  flag: "anthropic-api-url",
  flagAliases: ["msg-api-url"],
  placeholder: "<url>",
  fallback: "https://api.anthropic.com",
  parse: (raw) => parseBaseUrl("MSG_TARGET_API_URL", raw),
  doc: "Upstream of messages traffic.",
});

const chatApiUrl = textRow({
  env: "CHAT_TARGET_API_URL",
  aliases: ["SVC_CHAT_TARGET_API_URL"],
  key: "openai_base_url",
  label: "Chat upstream",
  group: "Endpoints",
  flag: "chat-api-url",
  flagAliases: ["openai-api-url"],
  placeholder: "<url>",
  fallback: "https://api.openai.com",
  parse: (raw) => parseBaseUrl("CHAT_TARGET_API_URL", raw),
  doc: "Upstream of chat completions and responses traffic.",
});

const vertexApiUrl = textRow({
  env: "VERTEX_TARGET_API_URL",
  key: "vertex_base_url",
  label: "Vertex upstream",
  group: "Endpoints",
  flag: "vertex-api-url",
  placeholder: "<url>",
  fallback: undefined,
  parse: (raw) => parseBaseUrl("VERTEX_TARGET_API_URL", raw),
  doc: "Upstream of Vertex routes; by default the region's host.",
});

const foundryApiUrl = textRow({
  env: "FOUNDRY_TARGET_API_URL",
  key: "foundry_base_url",
  label: "Foundry upstream",
  group: "Endpoints",
  flag: "foundry-api-url",
  placeholder: "<url>",
  fallback: undefined,
  parse: (raw) => parseBaseUrl("FOUNDRY_TARGET_API_URL", raw),
  doc:
    "Upstream of `<prefix>/v1/messages`, e.g. https://my-resource.services.ai.azure.com; by default the messages upstream.",
});

const messagesApiHeaders = headerMapRow({
  env: "MSG_TARGET_API_HEADERS",
  key: "anthropic_extra_headers",
  label: "Messages header fields",
  group: "Endpoints",
  doc:
    "JSON object of headers added to messages traffic, for known hosts only.",
});

const chatApiHeaders = headerMapRow({
  env: "CHAT_TARGET_API_HEADERS",
  key: "openai_extra_headers",
  label: "Chat header fields",
  group: "Endpoints",
  doc:
    "JSON object of headers added to chat completions and responses traffic, for known hosts only.",
});

const upstreamAllowedHosts = listRow({
  env: "SVC_UPSTREAM_ALLOWED_HOSTS",
  label: "Hosts that get header fields",
  group: "Endpoints",
  parse: (raw) => parseHosts("SVC_UPSTREAM_ALLOWED_HOSTS", raw),
  doc: "Additional hosts that get these headers; exact names.",
});

const allowedBaseUrls: SettingRow<readonly AllowedBase[]> = listRow({
  env: "SVC_ALLOWED_BASE_URLS",
  label: "Private upstreams",
  group: "Endpoints",
  parse: (raw) => parseAllowedBases("SVC_ALLOWED_BASE_URLS", raw),
  doc:
    "Private hosts or URLs that x-svc-base-url may name; a host allows every port, a URL only its origin.",
});

const upstreamResolveTimeout = secondsRow({
  env: "SVC_UPSTREAM_RESOLVE_TIMEOUT_S",
  label: "Name look-up timeout",
  group: "Timeouts",
  fallback: 3,
  min: 0.1,
  max: 60,
  doc: "Seconds to resolve an upstream chosen by a client.",
});

const httpProxy = textRow({
  env: "SVC_HTTP_PROXY",
  label: "HTTP proxy",
  group: "Networking",
  flag: "http-proxy",
  placeholder: "<url>",
  secret: true,
  fallback: undefined,
  parse: (raw) => parseProxyUrl("SVC_HTTP_PROXY", raw),
  doc:
    "HTTP proxy for requests to providers, except those on this machine. HTTP_PROXY is not read.",
});

const tlsStrict = switchRow({
  env: "SVC_TLS_STRICT",
  label: "Strict TLS",
  group: "Networking",
  persisted: false,
  fallback: true,
  doc:
    "No effect, for compatibility: certificates are always checked. Use SVC_CA_FILE for your own CA.",
});

const caFile = textRow({
  env: "SVC_CA_FILE",
  label: "CA file",
  group: "Networking",
  flag: "ca-file",
  placeholder: "<path>",
  fallback: undefined,
  doc: "PEM file with additional certificate authorities.",
});

const requestTimeout = secondsRow({
  env: "SVC_REQUEST_TIMEOUT",
  group: "Timeouts",
  flag: "request-timeout-seconds",
  placeholder: "<seconds>",
  fallback: 300,
  min: 0.1,
  max: DAY_SECONDS,
  doc:
    "Seconds until the response begins, and between two chunks; not for the whole response.",
});

const maxConnections = integerRow({
  env: "SVC_MAX_CONNECTIONS",
  group: "Networking",
  flag: "max-connections",
  placeholder: "<number>",
  fallback: 500,
  min: 1,
  doc: "Upstream requests in flight; more wait.",
});

const maxKeepalive = integerRow({
  env: "SVC_MAX_KEEPALIVE",
  key: "max_keepalive_connections",
  group: "Networking",
  flag: "max-keepalive",
  placeholder: "<number>",
  fallback: 100,
  min: 0,
  doc: "Idle connections kept per upstream.",
});

const keepaliveExpiry = secondsRow({
  env: "SVC_KEEPALIVE_EXPIRY",
  group: "Networking",
  flag: "keepalive-expiry",
  placeholder: "<seconds>",
  fallback: 90,
  min: 0,
  max: DAY_SECONDS,
  doc: "Seconds until an idle upstream connection is closed.",
});

const http2 = switchRow({
  env: "SVC_HTTP2",
  label: "HTTP/2",
  group: "Networking",
  flag: "no-http2",
  flagAliases: ["http2"],
  flagDoc: "Speak HTTP/1.1 only to upstreams.",
  fallback: true,
  doc: "Use HTTP/2 with upstreams that support it.",
});

const retryMaxAttempts = integerRow({
  env: "SVC_RETRY_MAX_ATTEMPTS",
  group: "Timeouts",
  flag: "retry-max-attempts",
  placeholder: "<number>",
  fallback: 3,
  min: 1,
  max: 10,
  doc: "Attempts in all after connection errors, 429 and 529.",
});

const retryBaseDelayMs = integerRow({
  env: "SVC_RETRY_BASE_DELAY_MS",
  group: "Timeouts",
  fallback: 1000,
  min: 0,
  max: 60_000,
  doc:
    "Milliseconds before the first retry, doubled each time, unless the upstream gives a time.",
});

const retryMaxDelayMs = integerRow({
  env: "SVC_RETRY_MAX_DELAY_MS",
  group: "Timeouts",
  fallback: 30_000,
  min: 0,
  max: 600_000,
  doc:
    "Longest wait in milliseconds; if the upstream asks for more, there is no retry.",
});

/** Rows of the registry. */
export const UPSTREAM_ROWS = {
  maxConnections,
  maxKeepalive,
  http2,
  httpProxy,
  keepaliveExpiry,
  tlsStrict,
  caFile,
  retryMaxAttempts,
  retryBaseDelayMs,
  retryMaxDelayMs,
  requestTimeout,
  upstreamResolveTimeout,
  messagesApiUrl,
  chatApiUrl,
  messagesApiHeaders,
  chatApiHeaders,
  vertexApiUrl,
  foundryApiUrl,
  upstreamAllowedHosts,
  allowedBaseUrls,
} as const;
