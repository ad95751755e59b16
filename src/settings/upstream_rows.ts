/** Settings of what is sent where. @module */
import type { HeaderField } from "../core/upstream.ts";
import { parseHeaderMap } from "./header_fields.ts";
import { parseAllowedBases, parseHosts } from "./network_list.ts";
import { parseBaseUrl, parseProxyUrl } from "./row.ts";
import {
  integerRow,
  listRow,
  secondsRow,
  settingRow,
  switchRow,
  textRow,
} from "./row_kinds.ts";

/** Seconds in a day: a longer wait is a mistake. */
const DAY_SECONDS = 86_400;

/** Rows of the registry. */
export const UPSTREAM_ROWS = {
  maxConnections: integerRow("Networking", {
    name: "SVC_MAX_CONNECTIONS, --max-connections <number>",
    min: 1,
    fallback: 500,
    doc: "Upstream requests in flight; more wait.",
  }),
  maxKeepalive: integerRow("Networking", {
    name: "SVC_MAX_KEEPALIVE, --max-keepalive <number>",
    key: "max_keepalive_connections",
    min: 0,
    fallback: 100,
    doc: "Idle connections kept per upstream.",
  }),
  http2: switchRow("Networking", {
    name: "SVC_HTTP2, --no-http2, --http2",
    label: "HTTP/2",
    fallback: true,
    doc: "Use HTTP/2 with upstreams that support it.",
    flagDoc: "Use only HTTP/1.1 to upstreams.",
  }),
  httpProxy: textRow("Networking", {
    name: "SVC_HTTP_PROXY, --http-proxy <url>",
    label: "HTTP proxy",
    secret: true,
    fallback: undefined,
    parse: parseProxyUrl,
    doc:
      "HTTP proxy for requests to providers, except those on this machine. HTTP_PROXY is not read.",
  }),
  keepaliveExpiry: secondsRow("Networking", {
    name: "SVC_KEEPALIVE_EXPIRY, --keepalive-expiry <seconds>",
    min: 0,
    max: DAY_SECONDS,
    fallback: 90,
    doc: "Seconds until an idle upstream connection is closed.",
  }),
  tlsStrict: switchRow("Networking", {
    name: "SVC_TLS_STRICT",
    label: "Strict TLS",
    persisted: false,
    fallback: true,
    doc:
      "No effect, for compatibility: certificates are always checked. Use SVC_CA_FILE for your own CA.",
  }),
  caFile: textRow("Networking", {
    name: "SVC_CA_FILE, --ca-file <path>",
    label: "CA file",
    fallback: undefined,
    doc: "PEM file with additional certificate authorities.",
  }),
  retryMaxAttempts: integerRow("Timeouts", {
    name: "SVC_RETRY_MAX_ATTEMPTS, --retry-max-attempts <number>",
    min: 1,
    max: 10,
    fallback: 3,
    doc: "Attempts in all after connection errors, 429 and 529.",
  }),
  retryBaseDelayMs: integerRow("Timeouts", {
    name: "SVC_RETRY_BASE_DELAY_MS",
    min: 0,
    max: 60_000,
    fallback: 1000,
    doc:
      "Milliseconds before the first retry, doubled each time, unless the upstream gives a time.",
  }),
  retryMaxDelayMs: integerRow("Timeouts", {
    name: "SVC_RETRY_MAX_DELAY_MS",
    min: 0,
    max: 600_000,
    fallback: 30_000,
    doc:
      "Longest wait in milliseconds; if the upstream asks for more, there is no retry.",
  }),
  requestTimeout: secondsRow("Timeouts", {
    name: "SVC_REQUEST_TIMEOUT, --request-timeout-seconds <seconds>",
    min: 0.1,
    max: DAY_SECONDS,
    fallback: 300,
    doc:
      "Seconds until the response begins, and between two chunks; not for the whole response.",
  }),
  upstreamResolveTimeout: secondsRow("Timeouts", {
    name: "SVC_UPSTREAM_RESOLVE_TIMEOUT_S",
    label: "Name look-up timeout",
    min: 0.1,
    max: 60,
    fallback: 3,
    doc: "Seconds to resolve an upstream chosen by a client.",
  }),
  messagesApiUrl: textRow("Endpoints", {
    name: "MSG_TARGET_API_URL, --anthropic-api-url, --msg-api-url <url>",
    key: "anthropic_base_url",
    label: "Messages upstream",
    fallback: "https://api.anthropic.com",
    parse: parseBaseUrl,
    doc: "Upstream of messages traffic.",
  }),
  chatApiUrl: textRow("Endpoints", {
    name:
      "CHAT_TARGET_API_URL, SVC_CHAT_TARGET_API_URL, --chat-api-url, --openai-api-url <url>",
    key: "openai_base_url",
    label: "Chat upstream",
    fallback: "https://api.openai.com",
    parse: parseBaseUrl,
    doc: "Upstream of chat completions and responses traffic.",
  }),
  messagesApiHeaders: settingRow<readonly HeaderField[]>("Endpoints", {
    type: "header-map",
    fallback: [],
    parse: parseHeaderMap,
    name: "MSG_TARGET_API_HEADERS",
    key: "anthropic_extra_headers",
    label: "Messages header fields",
    secret: true,
    doc:
      "JSON object of headers added to messages traffic, for known hosts only.",
  }),
  chatApiHeaders: settingRow<readonly HeaderField[]>("Endpoints", {
    type: "header-map",
    fallback: [],
    parse: parseHeaderMap,
    name: "CHAT_TARGET_API_HEADERS",
    key: "openai_extra_headers",
    label: "Chat header fields",
    secret: true,
    doc:
      "JSON object of headers added to chat completions and responses traffic, for known hosts only.",
  }),
  vertexApiUrl: textRow("Endpoints", {
    name: "VERTEX_TARGET_API_URL, --vertex-api-url <url>",
    key: "vertex_base_url",
    label: "Vertex upstream",
    fallback: undefined,
    parse: parseBaseUrl,
    doc: "Upstream of Vertex routes; by default the region's host.",
  }),
  foundryApiUrl: textRow("Endpoints", {
    name: "FOUNDRY_TARGET_API_URL, --foundry-api-url <url>",
    key: "foundry_base_url",
    label: "Foundry upstream",
    fallback: undefined,
    parse: parseBaseUrl,
    doc:
      "Upstream of `<prefix>/v1/messages`, e.g. https://my-resource.services.ai.azure.com; by default the messages upstream.",
  }),
  upstreamAllowedHosts: listRow("Endpoints", {
    name: "SVC_UPSTREAM_ALLOWED_HOSTS",
    label: "Hosts that get header fields",
    parse: parseHosts,
    doc: "Additional hosts that get these headers; exact names.",
  }),
  allowedBaseUrls: listRow("Endpoints", {
    name: "SVC_ALLOWED_BASE_URLS",
    label: "Private upstreams",
    parse: parseAllowedBases,
    doc:
      "Private hosts or URLs that x-svc-base-url may name; a host allows every port, a URL only its origin.",
  }),
} as const;
