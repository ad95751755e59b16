/** Names of features that this version does not have: known, listed and refused. @module */
import { PLANNED_MEMORY_ROWS } from "./planned_memory_rows.ts";
import {
  choiceRow,
  integerRow,
  listRow,
  numberRow,
  optionalSwitchRow,
  switchRow,
  textRow,
} from "./row_kinds.ts";

const savingsProfile = choiceRow({
  env: "SVC_SAVINGS_PROFILE",
  group: "Compression",
  tier: "basic",
  available: false,
  fallback: "coding",
  choices: ["agent-90", "balanced", "coding", "general"],
  doc: "How much is left out, by the kind of work.",
});

const targetRatio = numberRow({
  env: "SVC_TARGET_RATIO",
  group: "Compression",
  tier: "basic",
  available: false,
  flag: "target-ratio",
  placeholder: "<share>",
  fallback: undefined,
  min: 0,
  max: 1,
  doc: "Share of a text that should stay.",
});

const disableKompress = switchRow({
  env: "SVC_DISABLE_KOMPRESS",
  group: "Compression",
  tier: "basic",
  available: false,
  flag: "disable-kompress",
  fallback: false,
  doc: "Whether no model shortens prose.",
});

const disableKompressFallback = switchRow({
  env: "SVC_DISABLE_KOMPRESS_FALLBACK",
  group: "Compression",
  available: false,
  flag: "disable-kompress-fallback",
  fallback: false,
  doc: "Whether no model shortens what no other way fits.",
});

const disableKompressAnthropic = optionalSwitchRow({
  env: "SVC_DISABLE_KOMPRESS_ANTHROPIC",
  group: "Compression",
  available: false,
  flag: "disable-kompress-anthropic",
  doc: "Whether no model shortens prose of messages traffic.",
});

const disableKompressOpenai = optionalSwitchRow({
  env: "SVC_DISABLE_KOMPRESS_OPENAI",
  group: "Compression",
  available: false,
  flag: "disable-kompress-openai",
  doc: "Whether no model shortens prose of chat and responses traffic.",
});

const noCcrProactiveExpansion = switchRow({
  env: "SVC_NO_CCR_PROACTIVE_EXPANSION",
  group: "Compression",
  available: false,
  flag: "no-ccr-proactive-expansion",
  fallback: false,
  doc: "Whether originals are given back only when the model asks.",
});

const compressionMaxWorkers = integerRow({
  env: "SVC_COMPRESSION_MAX_WORKERS",
  group: "Compression",
  available: false,
  flag: "compression-max-workers",
  placeholder: "<number>",
  fallback: undefined,
  min: 1,
  doc: "Threads that compress; there is one per process.",
});

const tokensPerMinute = integerRow({
  env: "SVC_TPM",
  label: "Tokens per minute",
  group: "Limits",
  tier: "basic",
  available: false,
  flag: "tpm",
  placeholder: "<number>",
  fallback: undefined,
  min: 1,
  doc: "Tokens to models per minute and caller.",
});

const readMaturation = switchRow({
  env: "SVC_READ_MATURATION",
  group: "CCR",
  available: false,
  flag: "read-maturation",
  fallback: false,
  doc: "Whether file reads are shortened once they are old.",
});

const readMaturationQuiesceTurns = integerRow({
  env: "SVC_READ_MATURATION_QUIESCE_TURNS",
  group: "CCR",
  available: false,
  flag: "read-maturation-quiesce-turns",
  placeholder: "<number>",
  fallback: 5,
  min: 1,
  doc: "Turns without an edit after which a file read is old.",
});

const readMaturationMaxHoldTurns = integerRow({
  env: "SVC_READ_MATURATION_MAX_HOLD_TURNS",
  group: "CCR",
  available: false,
  flag: "read-maturation-max-hold-turns",
  placeholder: "<number>",
  fallback: 25,
  min: 1,
  doc: "Turns after which a file read is old in any case.",
});

const readMaturationMinSizeBytes = integerRow({
  env: "SVC_READ_MATURATION_MIN_SIZE_BYTES",
  group: "CCR",
  available: false,
  flag: "read-maturation-min-size-bytes",
  placeholder: "<bytes>",
  fallback: 2048,
  min: 0,
  doc: "Bytes below which a file read stays whole.",
});

const proxyExtensions = listRow({
  env: "SVC_PROXY_EXTENSIONS",
  group: "Extensions",
  available: false,
  flag: "proxy-extension",
  placeholder: "<names>",
  parse: (raw) => raw.split(",").map((name) => name.trim()).filter(Boolean),
  doc: "Extensions of the proxy that are loaded.",
});

const noSubscriptionTracking = switchRow({
  env: "SVC_NO_SUBSCRIPTION_TRACKING",
  group: "Backend",
  available: false,
  flag: "no-subscription-tracking",
  fallback: false,
  doc: "Whether the use of a subscription is left unwatched.",
});

const subscriptionPollInterval = integerRow({
  env: "SVC_SUBSCRIPTION_POLL_INTERVAL",
  group: "Backend",
  available: false,
  flag: "subscription-poll-interval",
  placeholder: "<seconds>",
  fallback: undefined,
  min: 1,
  max: 3600,
  doc: "Seconds between two looks at the use of a subscription.",
});

const backend = textRow({
  env: "SVC_BACKEND",
  group: "Backend",
  tier: "basic",
  available: false,
  flag: "backend",
  placeholder: "<name>",
  fallback: "anthropic",
  doc: "Provider that messages traffic is translated for.",
});

const anyllmProvider = textRow({
  env: "SVC_ANYLLM_PROVIDER",
  group: "Backend",
  available: false,
  flag: "anyllm-provider",
  placeholder: "<name>",
  fallback: "openai",
  doc: "Provider behind a general backend.",
});

const region = textRow({
  env: "SVC_REGION",
  group: "Backend",
  available: false,
  flag: "region",
  placeholder: "<name>",
  fallback: "us-west-2",
  doc: "Region of a cloud backend.",
});

const connectTimeoutSeconds = integerRow({
  env: "SVC_CONNECT_TIMEOUT_SECONDS",
  group: "Timeouts",
  available: false,
  flag: "connect-timeout-seconds",
  placeholder: "<seconds>",
  fallback: undefined,
  min: 1,
  max: 300,
  doc: "Seconds for a connection to an upstream.",
});

const bufferedRequestTimeout = integerRow({
  env: "SVC_ANTHROPIC_BUFFERED_REQUEST_TIMEOUT_SECONDS",
  group: "Timeouts",
  available: false,
  flag: "anthropic-buffered-request-timeout-seconds",
  placeholder: "<seconds>",
  fallback: undefined,
  min: 1,
  doc: "Seconds for a messages request that is not streamed.",
});

const preUpstreamConcurrency = integerRow({
  env: "SVC_ANTHROPIC_PRE_UPSTREAM_CONCURRENCY",
  group: "Timeouts",
  available: false,
  flag: "anthropic-pre-upstream-concurrency",
  placeholder: "<number>",
  fallback: undefined,
  min: 0,
  doc: "Messages requests that are compressed at a time.",
});

const preUpstreamAcquireTimeout = numberRow({
  env: "SVC_ANTHROPIC_PRE_UPSTREAM_ACQUIRE_TIMEOUT_SECONDS",
  group: "Timeouts",
  available: false,
  flag: "anthropic-pre-upstream-acquire-timeout-seconds",
  placeholder: "<seconds>",
  fallback: undefined,
  min: 0,
  doc: "Seconds that a messages request waits for its turn.",
});

const preUpstreamMemoryTimeout = numberRow({
  env: "SVC_ANTHROPIC_PRE_UPSTREAM_MEMORY_CONTEXT_TIMEOUT_SECONDS",
  group: "Timeouts",
  available: false,
  flag: "anthropic-pre-upstream-memory-context-timeout-seconds",
  placeholder: "<seconds>",
  fallback: undefined,
  min: 0,
  doc: "Seconds in which memories for a request are looked up.",
});

/** Rows of the registry; each has `available: false`. */
export const PLANNED_ROWS = {
  savingsProfile,
  targetRatio,
  disableKompress,
  disableKompressFallback,
  disableKompressAnthropic,
  disableKompressOpenai,
  noCcrProactiveExpansion,
  compressionMaxWorkers,
  tokensPerMinute,
  readMaturation,
  readMaturationQuiesceTurns,
  readMaturationMaxHoldTurns,
  readMaturationMinSizeBytes,
  proxyExtensions,
  noSubscriptionTracking,
  subscriptionPollInterval,
  backend,
  anyllmProvider,
  region,
  connectTimeoutSeconds,
  bufferedRequestTimeout,
  preUpstreamConcurrency,
  preUpstreamAcquireTimeout,
  preUpstreamMemoryTimeout,
  ...PLANNED_MEMORY_ROWS,
} as const;
