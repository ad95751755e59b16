import assert from "node:assert/strict";
import { namesOf } from "../../src/settings/fields.ts";
import { ROWS as rows, SETTINGS } from "../../src/settings/registry.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import type { SettingRow } from "../../src/settings/row.ts";

Deno.test("SETTINGS has no name and no flag twice", () => {
  const variables = rows.flatMap(namesOf);
  const flags = rows.flatMap((row) =>
    row.flag ? [row.flag, ...row.flagAliases ?? []] : []
  );
  assert.equal(new Set(variables).size, variables.length);
  assert.equal(new Set(flags).size, flags.length);
});

Deno.test("SETTINGS says of each row what it is in one sentence", () => {
  for (const row of rows) assert.match(row.doc, /^[^\n]{10,200}\.$/, row.env);
});

Deno.test("SETTINGS has defaults that their own text form gives again", () => {
  for (const row of rows) {
    if (row.fallback === undefined || row.secret) continue;
    const text = row.fallbackText ?? String(row.fallback);
    assert.deepEqual(row.parse(text), row.fallback, row.env);
  }
});

/** Settings for which no text is wrong when they are read, or that repeat none. */
const TAKES_ANYTHING = [
  "SVC_BETA_HEADER_STICKY",
  "SVC_CA_FILE",
  "SVC_MODEL_LIMITS",
  "SVC_LOG_FILE",
  "SVC_OTEL_SERVICE_NAME",
  "SVC_OTEL_RESOURCE_ATTRIBUTES",
  "SVC_TELEMETRY",
  "SVC_BEACON",
  "DO_NOT_TRACK",
  "SVC_BACKEND",
  "SVC_ANYLLM_PROVIDER",
  "SVC_REGION",
  "SVC_MEMORY_DB_PATH",
  "SVC_MEMORY_PROJECT_ROOT",
  "SVC_PROXY_EXTENSIONS",
];

Deno.test("SETTINGS names variable and value in every refusal, but for secret ones", () => {
  for (const row of rows) {
    if (row.secret || TAKES_ANYTHING.includes(row.env)) continue;
    assert.throws(
      () => row.parse("not / usable"),
      (error: Error) =>
        error instanceof RangeError &&
        error.message.startsWith(`Cannot use ${row.env}="not / usable": must `),
      row.env,
    );
  }
});

/** Slips in values that hold a secret. */
const SLIPS = [
  "hunter2",
  "hunter2 ",
  " hun\nter2",
  '"hunter2"',
  '["hunter2"]',
  '{"a":"hunter2"',
  '{"a":"hunter2\\n"}',
  '{"a":["hunter2"]}',
  '{"host":"hunter2"}',
  '{"A":"hunter2","a":"hunter2"}',
  '{"authorization: Bearer hunter2":""}',
  "user:hunter2proxy.example:3128",
  "user:hunter2@proxy.example:3128",
  "http//user:hunter2@proxy.example:3128",
  "http://user:hunter2/x@proxy.example:3128",
  "ftp://user:hunter2@proxy.example",
  "http://proxy.example/hunter2",
  "http://proxy.example?hunter2",
];

Deno.test("SETTINGS never repeats a secret value that it refuses", () => {
  const secret = rows.filter((row) => row.secret);
  assert.equal(secret.length, 7);
  for (const row of secret) {
    const messages = SLIPS.flatMap((raw) => {
      const env = { SVC_STATELESS: "1", [row.env]: raw };
      const flags = row.flag === undefined ? [] : [{ [row.flag]: raw }];
      return [
        messageOf(() => row.parse(raw)),
        messageOf(() => resolveConfig({ env })),
        ...flags.map((flags) =>
          messageOf(() => resolveConfig({ flags, env: { HOME: "/h" } }))
        ),
      ];
    }).filter((message) => message !== undefined);
    assert.ok(messages.length >= 3, row.env);
    for (const message of messages) {
      assert.match(message, /^Cannot use (--|[A-Z])/);
      assert.doesNotMatch(message, /hun|ter2/i);
    }
  }
});

/** What is said about a value that is refused; `undefined` when it is taken. */
function messageOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    assert(error instanceof RangeError);
    return error.message;
  }
}

/** Keys, variables, types, bounds and tiers that other versions of such a proxy know too. */
const COMMON = `
Compression mode SVC_MODE enum basic
Compression savings_profile SVC_SAVINGS_PROFILE enum basic
Compression target_ratio SVC_TARGET_RATIO float basic - 0..1
Compression disable_kompress SVC_DISABLE_KOMPRESS bool basic -
Compression lossless SVC_LOSSLESS bool basic
Compression code_aware_enabled SVC_CODE_AWARE_ENABLED bool basic
Compression protect_tool_results SVC_PROTECT_TOOL_RESULTS csv-list advanced
Compression no_ccr SVC_NO_CCR bool basic
Compression no_ccr_proactive_expansion SVC_NO_CCR_PROACTIVE_EXPANSION bool advanced -
Compression compression_max_workers SVC_COMPRESSION_MAX_WORKERS int advanced - 1..
Compression disable_kompress_fallback SVC_DISABLE_KOMPRESS_FALLBACK bool advanced -
Compression disable_kompress_anthropic SVC_DISABLE_KOMPRESS_ANTHROPIC optional-bool advanced -
Compression disable_kompress_openai SVC_DISABLE_KOMPRESS_OPENAI optional-bool advanced -
Limits rpm SVC_RPM int basic 1..
Limits tpm SVC_TPM int basic - 1..
Limits limit_concurrency SVC_LIMIT_CONCURRENCY int advanced 1..
Limits workers SVC_WORKERS int advanced 1..64
Budget budget SVC_BUDGET float basic 0..9000000
Budget budget_period SVC_BUDGET_PERIOD enum basic
Budget budget_estimated_basis SVC_BUDGET_ESTIMATED_BASIS enum advanced
Networking host SVC_HOST str advanced
Networking port SVC_PORT int advanced 0..65535
Networking max_connections SVC_MAX_CONNECTIONS int advanced 1..
Networking max_keepalive_connections SVC_MAX_KEEPALIVE int advanced 0..
Networking http2 SVC_HTTP2 bool advanced
Networking http_proxy SVC_HTTP_PROXY str advanced
Networking keepalive_expiry SVC_KEEPALIVE_EXPIRY float advanced 0..86400
Logging log_messages SVC_LOG_MESSAGES bool basic
Logging log_file SVC_LOG_FILE str basic
CCR read_maturation SVC_READ_MATURATION bool advanced -
CCR read_maturation_quiesce_turns SVC_READ_MATURATION_QUIESCE_TURNS int advanced - 1..
CCR read_maturation_max_hold_turns SVC_READ_MATURATION_MAX_HOLD_TURNS int advanced - 1..
CCR read_maturation_min_size_bytes SVC_READ_MATURATION_MIN_SIZE_BYTES int advanced - 0..
Extensions proxy_extensions SVC_PROXY_EXTENSIONS csv-list advanced
Backend no_subscription_tracking SVC_NO_SUBSCRIPTION_TRACKING bool advanced -
Backend subscription_poll_interval SVC_SUBSCRIPTION_POLL_INTERVAL int advanced - 1..3600
Backend backend SVC_BACKEND str basic -
Backend anyllm_provider SVC_ANYLLM_PROVIDER str advanced -
Backend region SVC_REGION str advanced -
Timeouts retry_max_attempts SVC_RETRY_MAX_ATTEMPTS int advanced 1..10
Timeouts retry_base_delay_ms SVC_RETRY_BASE_DELAY_MS int advanced 0..60000
Timeouts retry_max_delay_ms SVC_RETRY_MAX_DELAY_MS int advanced 0..600000
Timeouts request_timeout SVC_REQUEST_TIMEOUT float advanced 0.1..86400
Timeouts connect_timeout_seconds SVC_CONNECT_TIMEOUT_SECONDS int advanced - 1..300
Timeouts anthropic_buffered_request_timeout_seconds SVC_ANTHROPIC_BUFFERED_REQUEST_TIMEOUT_SECONDS int advanced - 1..
Timeouts anthropic_pre_upstream_concurrency SVC_ANTHROPIC_PRE_UPSTREAM_CONCURRENCY int advanced - 0..
Timeouts anthropic_pre_upstream_acquire_timeout_seconds SVC_ANTHROPIC_PRE_UPSTREAM_ACQUIRE_TIMEOUT_SECONDS float advanced - 0..
Timeouts anthropic_pre_upstream_memory_context_timeout_seconds SVC_ANTHROPIC_PRE_UPSTREAM_MEMORY_CONTEXT_TIMEOUT_SECONDS float advanced - 0..
Memory memory_backend SVC_MEMORY_BACKEND enum advanced -
Memory memory_db_path SVC_MEMORY_DB_PATH str advanced -
Memory memory_project_root SVC_MEMORY_PROJECT_ROOT str advanced -
Memory no_memory_tools SVC_NO_MEMORY_TOOLS bool basic -
Memory no_memory_context SVC_NO_MEMORY_CONTEXT bool basic -
Memory memory_top_k SVC_MEMORY_TOP_K int advanced - 1..100
Memory min_evidence SVC_MIN_EVIDENCE int advanced - 1..
Endpoints anthropic_base_url MSG_TARGET_API_URL str advanced
Endpoints openai_base_url CHAT_TARGET_API_URL str advanced
Endpoints anthropic_extra_headers MSG_TARGET_API_HEADERS header-map advanced
Endpoints openai_extra_headers CHAT_TARGET_API_HEADERS header-map advanced
`.trim().split("\n");

Deno.test("SETTINGS has the 59 settings that other versions know, by key, variable, type, tier and bounds", () => {
  assert.equal(COMMON.length, 59);
  const lines = rows.map((row) =>
    [
      row.group,
      row.key,
      row.env,
      row.type,
      row.tier ?? "advanced",
      ...row.available === false ? ["-"] : [],
      ...row.min === undefined ? [] : [`${row.min}..${row.max ?? ""}`],
    ].join(" ")
  );
  for (const line of COMMON) assert.ok(lines.includes(line), line);
});

Deno.test("SETTINGS bounds what only this version knows", () => {
  const { inflightBodyBytes, betaTrackerMaxSessions, upstreamResolveTimeout } =
    SETTINGS;
  const { otelIntervalMs } = SETTINGS;
  const bounds = ({ min, max }: SettingRow<unknown>) => [min, max];
  assert.deepEqual(bounds(inflightBodyBytes), [1, undefined]);
  assert.deepEqual(bounds(betaTrackerMaxSessions), [1, undefined]);
  assert.deepEqual(bounds(upstreamResolveTimeout), [0.1, 60]);
  assert.deepEqual(bounds(otelIntervalMs), [100, 86_400_000]);
});

Deno.test("SETTINGS keeps four settings of trust, and what a file must not decide, out of the file", () => {
  const apart = rows.filter(({ persisted }) => persisted === false);
  assert.deepEqual(apart.map(({ env }) => env).sort(), [
    "DO_NOT_TRACK",
    "SVC_1M_MODEL",
    "SVC_BEACON",
    "SVC_CCR_BACKEND",
    "SVC_OFFLINE",
    "SVC_PROXY_URL",
    "SVC_TLS_STRICT",
    "SVC_UNSAFE_ALLOW_UNSTABLE_FEATURES",
  ]);
});

Deno.test("SETTINGS has a heading and a name for people in each row", () => {
  for (const row of rows) {
    assert.ok(row.group, row.env);
    assert.match(row.label, /^[A-Z][^_]{2,}$/, row.env);
  }
});

Deno.test("SETTINGS says the bounds that its rows keep", () => {
  for (const row of rows) {
    if (row.available === false || row.env === "SVC_CCR_TTL_SECONDS") continue;
    for (const [bound, outside] of [[row.min, -1], [row.max, 1]] as const) {
      if (bound === undefined) continue;
      row.parse(String(bound));
      assert.throws(() => row.parse(String(bound + outside)), row.env);
    }
    for (const choice of row.choices ?? []) row.parse(choice);
  }
});
