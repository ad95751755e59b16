import assert from "node:assert/strict";
import fc from "fast-check";
import { parseNetworks } from "../../src/settings/network_list.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import { resolvePaths } from "../../src/settings/paths.ts";

const HOME = "/home/a";
const TOKEN = "0123456789abcdef";

Deno.test("resolveConfig gives the documented defaults when nothing is set", () => {
  assert.deepEqual(resolveConfig({ env: { HOME } }), {
    profile: "safe",
    host: "127.0.0.1",
    port: 8787,
    mode: "cache",
    upstreams: {
      messages: "https://api.anthropic.com",
      chat: "https://api.openai.com",
      vertex: undefined,
      foundry: undefined,
      messagesHeaders: [],
      chatHeaders: [],
      headerHosts: [],
      allowedBases: [],
      resolveTimeoutMs: 3000,
    },
    transport: {
      httpProxy: undefined,
      caFile: undefined,
      timeoutMs: 300_000,
      maxConnections: 500,
      maxKeepalive: 100,
      keepaliveMs: 90_000,
      http2: true,
      maxAttempts: 3,
      retryBaseMs: 1000,
      retryMaxMs: 30_000,
    },
    limits: {
      workers: 1,
      concurrency: 1000,
      inflightBodyBytes: 268_435_456,
      requestsPerMinute: undefined,
    },
    trust: {
      clients: [],
      gateways: [],
      origins: [],
      token: undefined,
      remoteCompress: false,
    },
    betas: { sticky: "enabled", maxSessions: 1000 },
    responseCache: true,
    budget: undefined,
    streamUsage: true,
    modelLimits: undefined,
    ccr: { enabled: true, backend: "sqlite", ttlSeconds: 1800 },
    lossless: false,
    codeAware: true,
    userMessages: true,
    intercept: { isOn: false, readMinChars: 500 },
    losslessCompaction: true,
    toolRules: [],
    stripInternalHeaders: true,
    requestBodyMaxBytes: 104_857_600,
    compressionTimeoutSeconds: 30,
    logs: {
      proxyLog: "/home/a/.svc/logs/proxy.log",
      requestLog: undefined,
      messages: false,
      debug400: false,
    },
    otel: {
      enabled: false,
      exporter: "otlp_http",
      endpoint: undefined,
      headers: [],
      intervalMs: 10_000,
      serviceName: "svc-proxy",
      resourceAttributes: [],
    },
    egress: {
      offline: false,
      doNotTrack: false,
      beacon: true,
      beaconEndpoint: undefined,
      updateCheck: true,
      updateIndex: undefined,
    },
    telemetry: false,
    extensions: {
      names: [],
      source: undefined,
      onlyByFlag: undefined,
      directories: [],
    },
    toolDeferral: "auto",
    autoCache: true,
    cacheTtlLearn: false,
    coldRecompact: false,
    keepsReasoning: undefined,
    dedupe: false,
    toolCompaction: false,
    output: { isShaped: false, level: 2, isTuned: false, holdout: 0.1 },
    modelRoutes: { rules: [], isLogOnly: false },
    features: {
      channel: "stable",
      enabled: [
        "ccr",
        "code_aware",
        "compression",
        "lossless_compaction",
        "response_cache",
      ],
      disabled: [
        "cache_ttl_learn",
        "cold_recompact",
        "dedupe",
        "intercept_tool_results",
        "model_router",
        "output_shaper",
        "thinking_compact",
      ],
      refused: [],
    },
    given: {},
    paths: resolvePaths({ HOME: "/home/a" }),
    warnings: [],
  });
});

Deno.test("resolveConfig reads every variable", () => {
  const { given, ...config } = resolveConfig({
    env: {
      SVC_HOST: "::1",
      SVC_PORT: "0",
      SVC_MODE: "token",
      SVC_WORKSPACE_DIR: "/w",
      SVC_CONFIG_DIR: "/c",
      SVC_CCR_BACKEND: "memory",
      SVC_CCR_TTL_SECONDS: "5",
      SVC_STRIP_INTERNAL_HEADERS: "disabled",
      MSG_TARGET_API_URL: "http://127.0.0.1:1/",
      CHAT_TARGET_API_URL: "http://127.0.0.1:2/x/",
      SVC_LOSSLESS: "1",
      SVC_CODE_AWARE_ENABLED: "0",
      SVC_LOSSLESS_COMPACTION: "0",
      SVC_SAVINGS_PROFILE: "balanced",
      SVC_TOOL_POLICY: "Fetch=never",
      SVC_TOOL_DEFERRAL: "on",
      SVC_COMPRESS_USER_MESSAGES: "off",
      SVC_AUTO_CACHE: "off",
      SVC_CACHE_TTL_LEARN: "1",
      SVC_COLD_RECOMPACT: "1",
      SVC_THINKING_COMPACT: "1",
      SVC_THINKING_COMPACT_KEEP_LAST: "3",
      SVC_TOOL_COMPACTION: "1",
      SVC_OUTPUT_SHAPER: "1",
      SVC_VERBOSITY_LEVEL: "3",
      SVC_VERBOSITY_AUTOTUNE: "1",
      SVC_OUTPUT_HOLDOUT: "0.25",
      SVC_MODEL_ROUTER: "1",
      SVC_MODEL_ROUTES: '[{"to_model":"small"}]',
      SVC_MODEL_ROUTER_LOG_ONLY: "1",
      SVC_PROTECT_TOOL_RESULTS: "Bash",
      SVC_REQUEST_BODY_MAX_BYTES: "10",
      SVC_COMPRESSION_TIMEOUT_SECONDS: "7",
      SVC_SETTINGS_PATH: "/s.json",
      VERTEX_TARGET_API_URL: "http://127.0.0.1:3",
      FOUNDRY_TARGET_API_URL: "http://127.0.0.1:4",
      MSG_TARGET_API_HEADERS: '{"X-A":"1"}',
      CHAT_TARGET_API_HEADERS: '{"X-B":"2"}',
      SVC_UPSTREAM_ALLOWED_HOSTS: "h.example",
      SVC_ALLOWED_BASE_URLS: "b.example",
      SVC_UPSTREAM_RESOLVE_TIMEOUT_S: "0.5",
      SVC_HTTP_PROXY: "http://u:p@proxy.example:3128/",
      SVC_CA_FILE: "/ca.pem",
      SVC_REQUEST_TIMEOUT: "1.5",
      SVC_MAX_CONNECTIONS: "11",
      SVC_MAX_KEEPALIVE: "12",
      SVC_KEEPALIVE_EXPIRY: "13",
      SVC_HTTP2: "0",
      SVC_RETRY_MAX_ATTEMPTS: "4",
      SVC_RETRY_BASE_DELAY_MS: "15",
      SVC_RETRY_MAX_DELAY_MS: "16",
      SVC_WORKERS: "2",
      SVC_LIMIT_CONCURRENCY: "17",
      SVC_INFLIGHT_BODY_BYTES: "1000000",
      SVC_RPM: "18",
      SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS: "10.0.0.0/8",
      SVC_PROXY_TRUSTED_GATEWAY_CIDRS: "fd00::/8",
      SVC_ALLOWED_ORIGINS: "http://localhost:3000",
      SVC_PROXY_TOKEN: TOKEN,
      SVC_COMPRESS_ALLOW_REMOTE: "1",
      SVC_BETA_HEADER_STICKY: "disabled",
      SVC_BETA_TRACKER_MAX_SESSIONS: "19",
      SVC_CACHE_ENABLED: "0",
      SVC_BUDGET: "2.50",
      SVC_BUDGET_PERIOD: "hourly",
      SVC_BUDGET_ESTIMATED_BASIS: "block",
      SVC_STREAM_USAGE: "off",
      SVC_MODEL_LIMITS: "/limits.json",
      SVC_LOG_FILE: "/log.jsonl",
      SVC_LOG_MESSAGES: "1",
      SVC_DEBUG_400: "1",
      SVC_OTEL_METRICS_ENABLED: "1",
      SVC_OTEL_METRICS_EXPORTER: "console",
      SVC_OTEL_METRICS_ENDPOINT: "http://127.0.0.1:5",
      SVC_OTEL_METRICS_HEADERS: "a=b",
      SVC_OTEL_METRICS_EXPORT_INTERVAL_MS: "500",
      SVC_OTEL_SERVICE_NAME: "mine",
      SVC_OTEL_RESOURCE_ATTRIBUTES: "team=a",
      DO_NOT_TRACK: "1",
      SVC_BEACON: "off",
      SVC_TELEMETRY_ENDPOINT: "http://127.0.0.1:6",
      SVC_TELEMETRY: "on",
      SVC_UPDATE_CHECK: "off",
      SVC_UPDATE_INDEX_URL: "http://127.0.0.1:7",
      SVC_INTERCEPT_READ_MIN_CHARS: "900",
      SVC_PROXY_EXTENSIONS: "a, ./b.ts,",
      SVC_ROLLOUT_CHANNEL: "beta",
      SVC_DISABLE_FEATURES: "compression",
      SVC_SAVINGS_PATH: "/savings.json",
    },
  });
  assert.deepEqual(given.SVC_PORT, {
    name: "SVC_PORT",
    raw: "0",
    source: "shell",
  });
  assert.deepEqual(config, {
    profile: "balanced",
    host: "::1",
    port: 0,
    mode: "passthrough",
    upstreams: {
      messages: "http://127.0.0.1:1",
      chat: "http://127.0.0.1:2/x",
      vertex: "http://127.0.0.1:3",
      foundry: "http://127.0.0.1:4",
      messagesHeaders: [["x-a", "1"]],
      chatHeaders: [["x-b", "2"]],
      headerHosts: ["h.example"],
      allowedBases: [{ host: "b.example", origin: undefined }],
      resolveTimeoutMs: 500,
    },
    transport: {
      httpProxy: "http://u:p@proxy.example:3128",
      caFile: "/ca.pem",
      timeoutMs: 1500,
      maxConnections: 11,
      maxKeepalive: 12,
      keepaliveMs: 13_000,
      http2: false,
      maxAttempts: 4,
      retryBaseMs: 15,
      retryMaxMs: 16,
    },
    limits: {
      workers: 2,
      concurrency: 17,
      inflightBodyBytes: 1_000_000,
      requestsPerMinute: 18,
    },
    trust: {
      clients: parseNetworks("X", "10.0.0.0/8"),
      gateways: parseNetworks("X", "fd00::/8"),
      origins: ["http://localhost:3000"],
      token: TOKEN,
      remoteCompress: true,
    },
    betas: { sticky: "disabled", maxSessions: 19 },
    responseCache: false,
    budget: {
      limitNanoUsd: 2_500_000_000,
      period: "hourly",
      estimatedBasis: "block",
    },
    streamUsage: false,
    modelLimits: "/limits.json",
    ccr: { enabled: false, backend: "memory", ttlSeconds: 5 },
    lossless: true,
    codeAware: false,
    userMessages: false,
    intercept: { isOn: false, readMinChars: 900 },
    losslessCompaction: false,
    toolRules: [
      { pattern: "fetch", rule: "never" },
      { pattern: "bash", rule: "lossless" },
    ],
    stripInternalHeaders: false,
    requestBodyMaxBytes: 10,
    compressionTimeoutSeconds: 7,
    logs: {
      proxyLog: "/w/logs/proxy.log",
      requestLog: "/log.jsonl",
      messages: true,
      debug400: true,
    },
    otel: {
      enabled: true,
      exporter: "console",
      endpoint: "http://127.0.0.1:5",
      headers: [["a", "b"]],
      intervalMs: 500,
      serviceName: "mine",
      resourceAttributes: [["team", "a"]],
    },
    egress: {
      offline: false,
      doNotTrack: true,
      beacon: false,
      beaconEndpoint: "http://127.0.0.1:6",
      updateCheck: false,
      updateIndex: "http://127.0.0.1:7",
    },
    telemetry: true,
    extensions: {
      names: ["a", "./b.ts"],
      source: "shell",
      onlyByFlag: undefined,
      directories: ["/c/plugins", "/w/plugins"],
    },
    toolDeferral: "on",
    autoCache: false,
    cacheTtlLearn: true,
    coldRecompact: true,
    keepsReasoning: 3,
    dedupe: true,
    toolCompaction: true,
    output: { isShaped: true, level: 3, isTuned: true, holdout: 0.25 },
    modelRoutes: {
      rules: [{
        name: "rule 1",
        fromModels: undefined,
        toModel: "small",
        minTokens: undefined,
        maxTokens: undefined,
        needsTools: false,
        needsNoTools: false,
        isMidway: false,
      }],
      isLogOnly: true,
    },
    features: {
      channel: "beta",
      enabled: [
        "cache_ttl_learn",
        "cold_recompact",
        "dedupe",
        "model_router",
        "output_shaper",
        "thinking_compact",
      ],
      disabled: [
        "ccr",
        "code_aware",
        "compression",
        "intercept_tool_results",
        "lossless_compaction",
        "response_cache",
      ],
      refused: [],
    },
    paths: {
      workspace: "/w",
      config: "/c",
      ccrStore: "/w/ccr_store.db",
      ledger: "/w/ledger.db",
      models: "/c/models.json",
      legacyModels: "/w/models.json",
      settings: "/s.json",
      savings: "/savings.json",
      installId: "/c/install_id",
      updateCheck: "/w/update_check.json",
      cacheObservations: "/w/cache_ttl_observations.jsonl",
      cacheLives: "/w/cache_ttl_learned.json",
      debugDumps: "/w/logs/debug_400",
    },
    warnings: [],
  });
});

Deno.test("resolveConfig prefers a flag to the variable, and the variable to the default", () => {
  fc.assert(fc.property(
    fc.option(fc.nat(65535), { nil: undefined }),
    fc.option(fc.nat(65535), { nil: undefined }),
    (flag, variable) => {
      const text = (value: number | undefined) =>
        value === undefined ? undefined : String(value);
      const { port } = resolveConfig({
        flags: { port: text(flag) },
        env: { HOME, SVC_PORT: text(variable) },
      });
      assert.equal(port, flag ?? variable ?? 8787);
    },
  ));
});

Deno.test("resolveConfig refuses a profile that there is not, wherever it is given", () => {
  const name = "SVC_SAVINGS_PROFILE";
  const must = "must be safe or balanced or max";
  for (
    const [written, value, sources] of [
      [name, "huge", { env: { [name]: "huge" } }],
      [name, "MAX", { env: { [name]: "MAX" } }],
      ["--profile", "huge", { env: {}, flags: { profile: "huge" } }],
      [`--set ${name}`, "nope", { env: {}, flags: { [name]: "nope" } }],
      [name, "huge", { env: {}, stored: { [name]: "huge" } }],
    ] as const
  ) {
    assert.throws(
      () => resolveConfig({ ...sources, env: { HOME, ...sources.env } }),
      new RangeError(`Cannot use ${written}="${value}": ${must}`),
    );
  }
});

Deno.test("resolveConfig asks CHAT_TARGET_API_URL before its alias", () => {
  const chat = (env: Record<string, string>) =>
    resolveConfig({ env: { HOME, ...env } }).upstreams.chat;
  const alias = { SVC_CHAT_TARGET_API_URL: "http://alias" };
  assert.equal(chat(alias), "http://alias");
  assert.equal(chat({ ...alias, CHAT_TARGET_API_URL: "http://a" }), "http://a");
});

Deno.test("resolveConfig takes both flag names of the messages upstream", () => {
  for (const flag of ["anthropic-api-url", "msg-api-url"]) {
    const { upstreams } = resolveConfig({
      flags: { [flag]: "http://a" },
      env: { HOME, MSG_TARGET_API_URL: "http://b" },
    });
    assert.equal(upstreams.messages, "http://a");
  }
});

Deno.test("resolveConfig says which log is not written when stateless", () => {
  const files = { "log-file": "/l", "debug-400": "true" };
  const { logs, warnings } = resolveConfig({
    flags: { stateless: "true", ...files },
    env: { HOME: "/h", SVC_CACHE_TTL_LEARN: "1" },
  });
  assert.deepEqual([logs.requestLog, logs.debug400], [undefined, false]);
  const rest = "has no effect: SVC_STATELESS is on, and no file but the log " +
    "is written";
  assert.deepEqual(
    warnings,
    [
      ...[`SVC_LOG_FILE ${rest}`, `SVC_DEBUG_400 ${rest}`],
      `SVC_CACHE_TTL_LEARN ${rest}`,
    ],
  );
  const written = resolveConfig({ flags: files, env: { HOME: "/h" } });
  assert.deepEqual(written.warnings, []);
});

Deno.test("resolveConfig keeps originals in memory and has no paths when stateless", () => {
  const config = resolveConfig({ flags: { stateless: "true" }, env: {} });
  assert.equal(config.ccr.backend, "memory");
  assert.equal(config.paths, undefined);
});

Deno.test("resolveConfig turns compression off by flag and by variable", () => {
  const mode = (flags: Record<string, string>, env: Record<string, string>) =>
    resolveConfig({ flags, env: { HOME, ...env } }).mode;
  assert.equal(mode({ "no-optimize": "true" }, {}), "passthrough");
  assert.equal(
    mode({ "no-optimize": "true" }, { SVC_OPTIMIZE: "1" }),
    "passthrough",
  );
  assert.equal(mode({}, { SVC_OPTIMIZE: "off" }), "passthrough");
  assert.equal(mode({ mode: "token" }, { SVC_OPTIMIZE: "on" }), "token");
});

Deno.test("resolveConfig disables elision under --no-ccr and under --lossless", () => {
  for (const flag of ["no-ccr", "lossless"]) {
    const config = resolveConfig({ flags: { [flag]: "true" }, env: { HOME } });
    assert.equal(config.ccr.enabled, false);
    assert.equal(config.lossless, flag === "lossless");
  }
});

Deno.test("resolveConfig warns of a TTL that is not a positive integer and uses 1800", () => {
  for (const raw of ["0", "-1", "1.5", "soon"]) {
    const config = resolveConfig({ env: { HOME, SVC_CCR_TTL_SECONDS: raw } });
    assert.equal(config.ccr.ttlSeconds, 1800);
    assert.deepEqual(config.warnings, [
      `Cannot use SVC_CCR_TTL_SECONDS="${raw}": must be an integer of at least 1; using 1800`,
    ]);
  }
});

Deno.test("resolveConfig warns of an upstream that repeats the version of the path", () => {
  const { warnings } = resolveConfig({
    env: { HOME, CHAT_TARGET_API_URL: "https://a.example/v1/" },
  });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /https:\/\/a\.example\/v1\/v1\//);
});

Deno.test("resolveConfig warns of variables that nothing reads", () => {
  const { warnings } = resolveConfig({ env: { HOME, SVC_PRT: "9" } });
  assert.deepEqual(warnings, [
    "SVC_PRT (did you mean SVC_PORT?) is not a setting of this version: ignored",
  ]);
});

Deno.test("resolveConfig opens the compress route to others only together with a token", () => {
  const env = { HOME, SVC_COMPRESS_ALLOW_REMOTE: "1" };
  assert.throws(() => resolveConfig({ env }), {
    name: "RangeError",
    message:
      "Cannot use SVC_COMPRESS_ALLOW_REMOTE without SVC_PROXY_TOKEN: anybody who reaches the port could use it; set both or neither",
  });
  const both = resolveConfig({ env: { ...env, SVC_PROXY_TOKEN: TOKEN } });
  assert.equal(both.trust.remoteCompress, true);
});

Deno.test("resolveConfig warns that certificates are checked whatever SVC_TLS_STRICT says", () => {
  const warnings = (strict: string) =>
    resolveConfig({ env: { HOME, SVC_TLS_STRICT: strict } }).warnings;
  assert.match(
    warnings("0").join(),
    /^SVC_TLS_STRICT=0 has no effect: .*SVC_CA_FILE$/,
  );
  assert.deepEqual(warnings("1"), []);
});

Deno.test("resolveConfig has no budget without SVC_BUDGET, and one of nothing with 0", () => {
  const budget = (env: Record<string, string>) =>
    resolveConfig({ env: { HOME, ...env } }).budget;
  assert.equal(budget({ SVC_BUDGET_PERIOD: "monthly" }), undefined);
  assert.deepEqual(budget({ SVC_BUDGET: "0" }), {
    limitNanoUsd: 0,
    period: "daily",
    estimatedBasis: "count",
  });
});

Deno.test("resolveConfig names in an error what the user wrote: flag, variable or alias", () => {
  const message = (sources: Parameters<typeof resolveConfig>[0]) => {
    try {
      resolveConfig(sources);
    } catch (error) {
      assert(error instanceof RangeError);
      return error.message;
    }
    assert.fail("no error");
  };
  assert.equal(
    message({ flags: { port: "x" }, env: { HOME } }),
    'Cannot use --port="x": must be an integer from 0 to 65535',
  );
  assert.equal(
    message({ env: { HOME, SVC_STRIP_INTERNAL_HEADERS: "on" } }),
    'Cannot use SVC_STRIP_INTERNAL_HEADERS="on": must be enabled or disabled',
  );
  assert.match(
    message({ env: { HOME, SVC_CHAT_TARGET_API_URL: "x" } }),
    /^Cannot use SVC_CHAT_TARGET_API_URL="x": /,
  );
  assert.match(
    message({ flags: { "msg-api-url": "x" }, env: { HOME } }),
    /^Cannot use --msg-api-url="x": /,
  );
});

Deno.test("resolveConfig reads stored values below the environment, and says where each comes from", () => {
  const { limits, given } = resolveConfig({
    flags: { workers: "3" },
    env: { HOME, SVC_RPM: "1", SVC_WORKERS: "9" },
    stored: { SVC_RPM: "2", SVC_LIMIT_CONCURRENCY: "4" },
  });
  assert.deepEqual(limits, {
    workers: 3,
    concurrency: 4,
    inflightBodyBytes: 268_435_456,
    requestsPerMinute: 1,
  });
  assert.deepEqual(given, {
    SVC_RPM: { name: "SVC_RPM", raw: "1", source: "shell" },
    SVC_LIMIT_CONCURRENCY: {
      name: "SVC_LIMIT_CONCURRENCY",
      raw: "4",
      source: "file",
    },
    SVC_WORKERS: { name: "--workers", raw: "3", source: "flag" },
  });
});

Deno.test("resolveConfig takes the default of a feature that is not here, warns of another value and refuses its flag", () => {
  const warnings = (env: Record<string, string>) =>
    resolveConfig({ env: { HOME, ...env } }).warnings;
  assert.deepEqual(
    warnings({ SVC_BACKEND: "anthropic", SVC_MEMORY_TOP_K: "10" }),
    [],
  );
  assert.deepEqual(warnings({ SVC_TPM: "5", SVC_MEMORY_TOP_K: "many" }), [
    "SVC_TPM is not in this version: it has no effect",
    "SVC_MEMORY_TOP_K is not in this version: it has no effect",
  ]);
  assert.throws(
    () => resolveConfig({ flags: { backend: "other" }, env: { HOME } }),
    {
      message: "Cannot use --backend: it is not in this version; leave it out",
    },
  );
  resolveConfig({ flags: { backend: "anthropic" }, env: { HOME } });
});

Deno.test("resolveConfig turns a disabled feature off whatever turns it on, and warns of features that are not here", () => {
  const config = resolveConfig({
    flags: { "code-aware": "true" },
    env: {
      HOME,
      SVC_FEATURES: "code_aware,intercept-tool-results,wat",
      SVC_DISABLE_FEATURES: "Code-Aware, ccr",
    },
  });
  assert.equal(config.codeAware, false);
  assert.equal(config.ccr.enabled, false);
  assert.equal(config.mode, "cache");
  assert.deepEqual(config.features.disabled, [
    "cache_ttl_learn",
    "ccr",
    "code_aware",
    "cold_recompact",
    "dedupe",
    "intercept_tool_results",
    "model_router",
    "output_shaper",
    "thinking_compact",
  ]);
  assert.deepEqual(config.warnings, [
    "Feature intercept_tool_results of SVC_FEATURES needs SVC_ROLLOUT_CHANNEL=canary, this is stable: it stays off",
    "SVC_FEATURES names wat, which is no feature of this version: it has cache_ttl_learn, ccr, code_aware, cold_recompact, compression, dedupe, intercept_tool_results, lossless_compaction, model_router, output_shaper, response_cache, thinking_compact",
    "Feature code_aware stays off: SVC_DISABLE_FEATURES names it, and that wins over SVC_FEATURES",
  ]);
});

Deno.test("resolveConfig turns outlines of files on by a setting of their own, where the channel allows it", () => {
  const intercept = (env: Record<string, string>, flags = {}) =>
    resolveConfig({ flags, env: { HOME, ...env } });
  const canary = { SVC_ROLLOUT_CHANNEL: "canary" };
  const flag = { "intercept-tool-results": "true" };
  assert.equal(intercept(canary, flag).intercept.isOn, true);
  assert.equal(intercept(canary).intercept.isOn, false);
  const refused = intercept({}, flag);
  assert.equal(refused.intercept.isOn, false);
  assert.deepEqual(refused.warnings, [
    "Feature intercept_tool_results of SVC_INTERCEPT_TOOL_RESULTS needs SVC_ROLLOUT_CHANNEL=canary, this is stable: it stays off",
  ]);
  const off = { ...canary, SVC_DISABLE_FEATURES: "intercept_tool_results" };
  assert.equal(intercept(off, flag).intercept.isOn, false);
});

Deno.test("resolveConfig returns a value that cannot be changed", () => {
  const config = resolveConfig({ env: { HOME, SVC_BUDGET: "1" } });
  for (
    const part of [
      config,
      config.ccr,
      config.upstreams,
      config.transport,
      config.limits,
      config.trust,
      config.betas,
      config.budget,
      config.logs,
      config.otel,
      config.egress,
      config.features,
      config.given,
      config.paths,
      config.warnings,
    ]
  ) {
    assert.ok(Object.isFrozen(part));
  }
});
