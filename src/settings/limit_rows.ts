/** Settings of who may call, how much, and what it may cost. @module */
import { parseNetworks, parseOrigins } from "./network_list.ts";
import { MAX_USD, parseMoney, refusal, type SettingRow } from "./row.ts";
import {
  choiceRow,
  integerRow,
  listRow,
  switchRow,
  textRow,
} from "./row_kinds.ts";

const requestsPerMinute = integerRow({
  env: "SVC_RPM",
  label: "Requests per minute",
  group: "Limits",
  tier: "basic",
  flag: "rpm",
  placeholder: "<number>",
  fallback: undefined,
  min: 1,
  doc: "Model requests per minute and caller; more get 429.",
});

const limitConcurrency = integerRow({
  env: "SVC_LIMIT_CONCURRENCY",
  label: "Requests under way",
  group: "Limits",
  flag: "limit-concurrency",
  placeholder: "<number>",
  fallback: 1000,
  min: 1,
  doc: "Requests in flight; more get 503.",
});

const workers = integerRow({
  env: "SVC_WORKERS",
  group: "Limits",
  flag: "workers",
  placeholder: "<number>",
  fallback: 1,
  min: 1,
  max: 64,
  doc:
    "Processes that serve the port; they share originals, limits and budget.",
});

/** Default bound of a request body, decoded, in bytes. */
const REQUEST_BODY_MAX_BYTES = 100 * 1024 * 1024;

const requestBodyMaxBytes = integerRow({
  env: "SVC_REQUEST_BODY_MAX_BYTES",
  label: "Largest request body",
  group: "Limits",
  fallback: REQUEST_BODY_MAX_BYTES,
  min: 1,
  doc: "Largest decoded request body in bytes; larger ones get 413.",
});

/** Default bound of the bytes that request bodies hold, in bytes. */
const INFLIGHT_BODY_BYTES = 256 * 1024 * 1024;

const inflightBodyBytes = integerRow({
  env: "SVC_INFLIGHT_BODY_BYTES",
  label: "Bytes of request bodies in work",
  group: "Limits",
  fallback: INFLIGHT_BODY_BYTES,
  min: 1,
  doc:
    "Bytes of request bodies in work, each counted three times until it is " +
    "compressed; more requests wait, and get 503 after a minute.",
});

const compressionTimeoutSeconds = integerRow({
  env: "SVC_COMPRESSION_TIMEOUT_SECONDS",
  group: "Timeouts",
  fallback: 30,
  min: 1,
  max: 3600,
  doc: "Seconds until POST /v1/compress responds with 503.",
});

const cacheEnabled = switchRow({
  env: "SVC_CACHE_ENABLED",
  label: "Response cache",
  group: "Limits",
  flag: "no-cache",
  flagDoc: "Ask the provider again for a request that was answered before.",
  fallback: true,
  doc:
    "Answer repeated non-streaming requests with temperature 0 or a seed from memory.",
});

const trustedClients = listRow({
  env: "SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS",
  label: "Trusted client networks",
  group: "Access",
  parse: (raw) =>
    parseNetworks("SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS", raw),
  doc:
    "Networks with access to all statistics and settings, e.g. 10.1.0.0/16,fd00::/8.",
});

const trustedGateways = listRow({
  env: "SVC_PROXY_TRUSTED_GATEWAY_CIDRS",
  label: "Trusted gateway networks",
  group: "Access",
  parse: (raw) => parseNetworks("SVC_PROXY_TRUSTED_GATEWAY_CIDRS", raw),
  doc: "Networks of gateways whose X-Forwarded-* headers are trusted.",
});

const allowedOrigins = listRow({
  env: "SVC_ALLOWED_ORIGINS",
  label: "Web pages that may send requests",
  group: "Access",
  parse: (raw) => parseOrigins("SVC_ALLOWED_ORIGINS", raw),
  doc:
    "Origins or hosts of web pages and desktop apps that may send requests " +
    "to providers, exact ones, separated by commas; e.g. " +
    "http://localhost:3000. All others are answered with 403.",
});

/** Characters that a token must have: shorter ones are guessed. */
const MIN_TOKEN_CHARS = 16;

const proxyToken = textRow({
  env: "SVC_PROXY_TOKEN",
  group: "Access",
  secret: true,
  fallback: undefined,
  parse(raw) {
    const text = raw.trim();
    if (text.length >= MIN_TOKEN_CHARS && /^[\x21-\x7e]+$/.test(text)) {
      return text;
    }
    throw refusal(
      "SVC_PROXY_TOKEN",
      "***",
      `at least ${MIN_TOKEN_CHARS} printable characters without spaces`,
    );
  },
  doc:
    "Token that other machines must send as x-svc-proxy-token; if unset, anyone who reaches the port can use the proxy.",
});

const compressAllowRemote = switchRow({
  env: "SVC_COMPRESS_ALLOW_REMOTE",
  label: "Compress for other machines",
  group: "Access",
  fallback: false,
  doc: "Allow POST /v1/compress from other machines; needs SVC_PROXY_TOKEN.",
});

const betaHeaderSticky: SettingRow<"enabled" | "disabled" | "invalid"> = {
  env: "SVC_BETA_HEADER_STICKY",
  label: "Sticky beta headers",
  group: "Backend",
  type: "enum",
  choices: ["enabled", "disabled"],
  fallback: "enabled",
  // A wrong value is an error of each request, not of the start.
  parse: (raw) =>
    raw.trim() === "enabled" || raw.trim() === "disabled"
      ? raw.trim() as "enabled" | "disabled"
      : "invalid",
  doc:
    "enabled repeats a conversation's beta headers on its later requests; disabled forwards them unchanged.",
};

const betaTrackerMaxSessions = integerRow({
  env: "SVC_BETA_TRACKER_MAX_SESSIONS",
  label: "Conversations with beta headers",
  group: "Backend",
  fallback: 1000,
  min: 1,
  doc: "Conversations with remembered beta headers.",
});

const budget: SettingRow<number | undefined> = {
  env: "SVC_BUDGET",
  label: "Budget in USD",
  group: "Budget",
  tier: "basic",
  type: "float",
  min: 0,
  max: MAX_USD,
  flag: "budget",
  placeholder: "<usd>",
  fallback: undefined,
  parse: (raw) => parseMoney("SVC_BUDGET", raw),
  doc: "USD per period; then requests get 429.",
};

const budgetPeriod = choiceRow({
  env: "SVC_BUDGET_PERIOD",
  group: "Budget",
  tier: "basic",
  flag: "budget-period",
  placeholder: "<hourly|daily|monthly>",
  fallback: "daily",
  choices: ["hourly", "daily", "monthly"],
  doc: "Budget period: hourly, daily or monthly, in UTC.",
});

const budgetEstimatedBasis = choiceRow({
  env: "SVC_BUDGET_ESTIMATED_BASIS",
  label: "Estimated spend",
  group: "Budget",
  flag: "budget-estimated-basis",
  placeholder: "<count|ignore|block>",
  fallback: "count",
  choices: ["count", "ignore", "block"],
  doc:
    "How estimated cost affects the budget: count, ignore, or block further requests.",
});

const streamUsage = switchRow({
  env: "SVC_STREAM_USAGE",
  label: "Usage of streams",
  group: "Budget",
  fallback: true,
  doc: "Whether svc asks the provider for the usage of streamed chat " +
    "completions whose client does not, so that their cost is measured; the " +
    "client gets the stream without it.",
});

const modelLimits = textRow({
  env: "SVC_MODEL_LIMITS",
  label: "Limits and prices of models",
  group: "Budget",
  fallback: undefined,
  doc:
    "Additional context limits and prices: JSON, or the path of a JSON file.",
});

/** Rows of the registry. */
export const LIMIT_ROWS = {
  requestsPerMinute,
  limitConcurrency,
  workers,
  requestBodyMaxBytes,
  inflightBodyBytes,
  compressionTimeoutSeconds,
  cacheEnabled,
  budget,
  budgetPeriod,
  budgetEstimatedBasis,
  streamUsage,
  modelLimits,
  trustedClients,
  trustedGateways,
  allowedOrigins,
  proxyToken,
  compressAllowRemote,
  betaHeaderSticky,
  betaTrackerMaxSessions,
} as const;
