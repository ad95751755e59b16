/** Settings of who may call, how much, and what it may cost. @module */
import { parseNetworks, parseOrigins } from "./network_list.ts";
import { MAX_USD, parseMoney, refusal } from "./row.ts";
import {
  choiceRow,
  integerRow,
  listRow,
  settingRow,
  switchRow,
  textRow,
} from "./row_kinds.ts";

/** Bytes in a mebibyte. */
const MIB = 1024 * 1024;

/** Words of the setting of beta headers. */
const STICKY = ["enabled", "disabled"] as const;
type Sticky = typeof STICKY[number] | "invalid";

/** Rows of the registry. */
export const LIMIT_ROWS = {
  requestsPerMinute: integerRow("Limits", {
    name: "SVC_RPM, --rpm <number>",
    label: "Requests per minute",
    tier: "basic",
    min: 1,
    fallback: undefined,
    doc: "Model requests per minute and caller; more get 429.",
  }),
  limitConcurrency: integerRow("Limits", {
    name: "SVC_LIMIT_CONCURRENCY, --limit-concurrency <number>",
    label: "Requests under way",
    min: 1,
    fallback: 1000,
    doc: "Requests in flight; more get 503.",
  }),
  workers: integerRow("Limits", {
    name: "SVC_WORKERS, --workers <number>",
    min: 1,
    max: 64,
    fallback: 1,
    doc:
      "Processes that serve the port; they share originals, limits and budget.",
  }),
  requestBodyMaxBytes: integerRow("Limits", {
    name: "SVC_REQUEST_BODY_MAX_BYTES",
    label: "Largest request body",
    min: 1,
    fallback: 100 * MIB,
    doc: "Largest decoded request body in bytes; larger ones get 413.",
  }),
  inflightBodyBytes: integerRow("Limits", {
    name: "SVC_INFLIGHT_BODY_BYTES",
    label: "Bytes of request bodies in work",
    min: 1,
    fallback: 256 * MIB,
    doc:
      "Bytes of request bodies in memory, each counted three times; more requests wait, and get 503 after a minute. Small ones have an eighth of it besides.",
  }),
  compressionTimeoutSeconds: integerRow("Timeouts", {
    name: "SVC_COMPRESSION_TIMEOUT_SECONDS",
    min: 1,
    max: 3600,
    fallback: 30,
    doc: "Seconds until POST /v1/compress responds with 503.",
  }),
  cacheEnabled: switchRow("Limits", {
    name: "SVC_CACHE_ENABLED, --no-cache",
    label: "Response cache",
    fallback: true,
    doc:
      "Answer repeated non-streaming requests with temperature 0 or a seed from memory.",
    flagDoc: "Do not cache responses.",
  }),
  budget: settingRow<number | undefined>("Budget", {
    name: "SVC_BUDGET, --budget <usd>",
    label: "Budget in USD",
    tier: "basic",
    type: "float",
    min: 0,
    max: MAX_USD,
    fallback: undefined,
    parse: parseMoney,
    doc: "USD per period; then requests get 429.",
  }),
  budgetPeriod: choiceRow("Budget", {
    name: "SVC_BUDGET_PERIOD, --budget-period <hourly|daily|monthly>",
    tier: "basic",
    choices: ["hourly", "daily", "monthly"],
    fallback: "daily",
    doc: "Budget period: hourly, daily or monthly, in UTC.",
  }),
  budgetEstimatedBasis: choiceRow("Budget", {
    name:
      "SVC_BUDGET_ESTIMATED_BASIS, --budget-estimated-basis <count|ignore|block>",
    label: "Estimated spend",
    choices: ["count", "ignore", "block"],
    fallback: "count",
    doc:
      "How estimated cost affects the budget: count, ignore, or block further requests.",
  }),
  streamUsage: switchRow("Budget", {
    name: "SVC_STREAM_USAGE",
    label: "Usage of streams",
    fallback: true,
    doc:
      "Ask the provider for the usage of streamed chat completions, so that their cost is measured; the client does not see it.",
  }),
  modelLimits: textRow("Budget", {
    name: "SVC_MODEL_LIMITS",
    label: "Limits and prices of models",
    fallback: undefined,
    doc:
      "Additional context limits and prices: JSON, or the path of a JSON file.",
  }),
  trustedClients: listRow("Access", {
    name: "SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS",
    label: "Trusted client networks",
    parse: parseNetworks,
    doc:
      "Networks with access to all statistics and settings, e.g. 10.1.0.0/16,fd00::/8.",
  }),
  trustedGateways: listRow("Access", {
    name: "SVC_PROXY_TRUSTED_GATEWAY_CIDRS",
    label: "Trusted gateway networks",
    parse: parseNetworks,
    doc: "Networks of gateways whose X-Forwarded-* headers are trusted.",
  }),
  allowedOrigins: listRow("Access", {
    name: "SVC_ALLOWED_ORIGINS",
    label: "Web pages that may send requests",
    parse: parseOrigins,
    doc:
      "Origins or hosts of web pages and desktop apps that may send requests to providers, e.g. http://localhost:3000; others get 403.",
  }),
  proxyToken: textRow("Access", {
    name: "SVC_PROXY_TOKEN",
    secret: true,
    fallback: undefined,
    parse: parseToken,
    doc:
      "Token of at least 16 characters that other machines must send as x-svc-proxy-token; without it, anyone who reaches the port can use the proxy.",
  }),
  compressAllowRemote: switchRow("Access", {
    name: "SVC_COMPRESS_ALLOW_REMOTE",
    label: "Compress for other machines",
    fallback: false,
    doc: "Allow POST /v1/compress from other machines; needs SVC_PROXY_TOKEN.",
  }),
  betaHeaderSticky: settingRow<Sticky>("Backend", {
    name: "SVC_BETA_HEADER_STICKY",
    label: "Sticky beta headers",
    type: "enum",
    choices: STICKY,
    fallback: "enabled",
    // A wrong value is an error of each request, not of the start.
    parse: (_, raw) => STICKY.find((word) => word === raw.trim()) ?? "invalid",
    doc:
      "enabled repeats a conversation's beta headers on its later requests; disabled forwards them unchanged.",
  }),
  betaTrackerMaxSessions: integerRow("Backend", {
    name: "SVC_BETA_TRACKER_MAX_SESSIONS",
    label: "Conversations with beta headers",
    min: 1,
    fallback: 1000,
    doc: "Conversations with remembered beta headers.",
  }),
} as const;

/** Characters that a token must have: shorter ones are guessed. */
const MIN_TOKEN_CHARS = 16;

function parseToken(env: string, raw: string): string {
  const text = raw.trim();
  if (text.length >= MIN_TOKEN_CHARS && /^[\x21-\x7e]+$/.test(text)) {
    return text;
  }
  throw refusal(
    env,
    "***",
    `at least ${MIN_TOKEN_CHARS} printable characters without spaces`,
  );
}
