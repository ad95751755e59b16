/** Settings of who may call, how much, and what it may cost. @module */
import type { BudgetPeriod, EstimatedBasis } from "../core/cost.ts";
import { type Network, parseNetworks } from "./network_list.ts";
import {
  parseChoice,
  parseInteger,
  parseMoney,
  parseSwitch,
  refusal,
  type SettingRow,
} from "./row.ts";

const workers: SettingRow<number> = {
  env: "SVC_WORKERS",
  flag: "workers",
  placeholder: "<number>",
  fallback: 1,
  parse: (raw) => parseInteger("SVC_WORKERS", raw, { min: 1, max: 64 }),
  doc: "Processes that take requests on the port; they share originals, " +
    "limits and budget.",
};

const limitConcurrency: SettingRow<number> = {
  env: "SVC_LIMIT_CONCURRENCY",
  flag: "limit-concurrency",
  placeholder: "<number>",
  fallback: 1000,
  parse: (raw) => parseInteger("SVC_LIMIT_CONCURRENCY", raw, { min: 1 }),
  doc: "Requests under way; further ones are answered with 503.",
};

const requestsPerMinute: SettingRow<number | undefined> = {
  env: "SVC_RPM",
  flag: "rpm",
  placeholder: "<number>",
  fallback: undefined,
  parse: (raw) => parseInteger("SVC_RPM", raw, { min: 1 }),
  doc: "Requests to models per minute and caller; further ones are answered " +
    "with 429.",
};

const trustedClients: SettingRow<readonly Network[]> = {
  env: "SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS",
  fallback: [],
  parse: (raw) =>
    parseNetworks("SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS", raw),
  doc: "Networks whose machines see all statistics and the settings, as a " +
    "browser on this machine does; e.g. 10.1.0.0/16,fd00::/8.",
};

const trustedGateways: SettingRow<readonly Network[]> = {
  env: "SVC_PROXY_TRUSTED_GATEWAY_CIDRS",
  fallback: [],
  parse: (raw) => parseNetworks("SVC_PROXY_TRUSTED_GATEWAY_CIDRS", raw),
  doc: "Networks of gateways in front of svc: their X-Forwarded-* fields are " +
    "believed.",
};

/** Characters that a token must have: shorter ones are guessed. */
const MIN_TOKEN_CHARS = 16;

const proxyToken: SettingRow<string | undefined> = {
  env: "SVC_PROXY_TOKEN",
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
  doc: "Callers from other machines must send it as x-svc-proxy-token; " +
    "without it anybody who reaches the port may use the proxy.",
};

const compressAllowRemote: SettingRow<boolean> = {
  env: "SVC_COMPRESS_ALLOW_REMOTE",
  fallback: false,
  parse: (raw) => parseSwitch("SVC_COMPRESS_ALLOW_REMOTE", raw),
  doc: "Whether POST /v1/compress answers other machines too; needs " +
    "SVC_PROXY_TOKEN.",
};

const betaHeaderSticky: SettingRow<"enabled" | "disabled" | "invalid"> = {
  env: "SVC_BETA_HEADER_STICKY",
  fallback: "enabled",
  // A wrong value is an error of each request, not of the start.
  parse: (raw) =>
    raw.trim() === "enabled" || raw.trim() === "disabled"
      ? raw.trim() as "enabled" | "disabled"
      : "invalid",
  doc: "enabled sends a beta header that a conversation once used on all its " +
    "later requests; disabled forwards beta headers as they come.",
};

const betaTrackerMaxSessions: SettingRow<number> = {
  env: "SVC_BETA_TRACKER_MAX_SESSIONS",
  fallback: 1000,
  parse: (raw) =>
    parseInteger("SVC_BETA_TRACKER_MAX_SESSIONS", raw, { min: 1 }),
  doc: "Conversations whose beta headers are remembered.",
};

const cacheEnabled: SettingRow<boolean> = {
  env: "SVC_CACHE_ENABLED",
  flag: "no-cache",
  flagDoc: "Ask the provider again for a request that was answered before.",
  fallback: true,
  parse: (raw) => parseSwitch("SVC_CACHE_ENABLED", raw),
  doc:
    "Whether a repeated request that is not streamed and has temperature 0 " +
    "or a seed is answered from memory.",
};

const budget: SettingRow<number | undefined> = {
  env: "SVC_BUDGET",
  flag: "budget",
  placeholder: "<usd>",
  fallback: undefined,
  parse: (raw) => parseMoney("SVC_BUDGET", raw),
  doc: "USD that requests may cost per period; then they are answered with " +
    "429.",
};

const budgetPeriod: SettingRow<BudgetPeriod> = {
  env: "SVC_BUDGET_PERIOD",
  flag: "budget-period",
  placeholder: "<hourly|daily|monthly>",
  fallback: "daily",
  parse: (raw) =>
    parseChoice("SVC_BUDGET_PERIOD", raw, ["hourly", "daily", "monthly"]),
  doc: "Period of the budget: hourly, daily or monthly, in UTC.",
};

const budgetEstimatedBasis: SettingRow<EstimatedBasis> = {
  env: "SVC_BUDGET_ESTIMATED_BASIS",
  flag: "budget-estimated-basis",
  placeholder: "<count|ignore|block>",
  fallback: "count",
  parse: (raw) =>
    parseChoice("SVC_BUDGET_ESTIMATED_BASIS", raw, [
      "count",
      "ignore",
      "block",
    ]),
  doc: "What spend that the provider did not report does to the budget: " +
    "count, ignore, or block all further requests.",
};

const modelLimits: SettingRow<string | undefined> = {
  env: "SVC_MODEL_LIMITS",
  fallback: undefined,
  parse: (raw) => raw,
  doc: "Context limits and prices of models beside the built-in ones: JSON, " +
    "or the path of a JSON file.",
};

/** Rows of the registry. */
export const LIMIT_ROWS = {
  workers,
  limitConcurrency,
  requestsPerMinute,
  trustedClients,
  trustedGateways,
  proxyToken,
  compressAllowRemote,
  betaHeaderSticky,
  betaTrackerMaxSessions,
  cacheEnabled,
  budget,
  budgetPeriod,
  budgetEstimatedBasis,
  modelLimits,
} as const;
