import assert from "node:assert/strict";
import { resolveConfig } from "../../src/settings/resolve.ts";
import {
  appliedOf,
  checkFor,
  checkTogether,
  runningReport,
  upstreamReport,
} from "../../src/settings/running.ts";

const HOME = "/h";

Deno.test("checkFor looks at stored values beside the environment and the flags of the running proxy", () => {
  const token = "0123456789abcdef";
  const remote = { SVC_COMPRESS_ALLOW_REMOTE: "true" };
  const bare = checkFor(resolveConfig({ env: { HOME } }));
  assert.throws(() => bare(remote), /without SVC_PROXY_TOKEN/);
  const guarded = checkFor(
    resolveConfig({ env: { HOME, SVC_PROXY_TOKEN: token } }),
  );
  guarded(remote);
  // What was stored before counts no more.
  const stored = checkFor(
    resolveConfig({ env: { HOME }, stored: { SVC_PROXY_TOKEN: token } }),
  );
  assert.throws(() => stored(remote), /without SVC_PROXY_TOKEN/);
});

Deno.test("checkFor refuses an upstream that is the proxy itself, on the port of its flag", () => {
  const check = checkFor(
    resolveConfig({ flags: { port: "9000" }, env: { HOME } }),
  );
  const own = { MSG_TARGET_API_URL: "http://localhost:9000" };
  assert.throws(() => check(own), /svc itself listens there/);
  check({ MSG_TARGET_API_URL: "http://localhost:9001" });
});

Deno.test("checkFor needs no home directory where nothing is written", () => {
  checkFor(resolveConfig({ flags: { stateless: "true" }, env: {} }))({});
});

Deno.test("checkTogether refuses a stored wish for a feature that stays off, not one of the environment", () => {
  const wish = { SVC_FEATURES: "intercept_tool_results" };
  assert.throws(
    () => checkTogether({ env: { HOME }, stored: wish }, []),
    /intercept_tool_results of SVC_FEATURES needs SVC_ROLLOUT_CHANNEL=canary/,
  );
  assert.throws(
    () =>
      checkTogether({
        env: { HOME },
        stored: { SVC_INTERCEPT_TOOL_RESULTS: "1" },
      }, []),
    /of SVC_INTERCEPT_TOOL_RESULTS needs SVC_ROLLOUT_CHANNEL=canary/,
  );
  checkTogether({ env: { HOME, ...wish }, stored: {} }, []);
});

Deno.test("upstreamReport names each upstream without anything that may be a secret", () => {
  const { upstreams } = resolveConfig({
    env: { HOME, CHAT_TARGET_API_URL: "http://127.0.0.1:2/x/" },
  });
  const config = resolveConfig({ env: { HOME } });
  const report = upstreamReport({
    ...config,
    upstreams: { ...upstreams, foundry: "https://u:p@f.example/a?key=1" },
  });
  assert.deepEqual(report, {
    anthropic: "https://api.anthropic.com",
    openai: "http://127.0.0.1:2/x",
    vertex: null,
    foundry: "https://f.example/a",
    cc_switch_reconcile: false,
    captured_upstream: null,
  });
});

Deno.test("runningReport tells a launcher what runs, without anything that may be a secret", () => {
  const report = runningReport(resolveConfig({
    env: {
      HOME,
      SVC_WORKSPACE_DIR: "/w",
      SVC_BUDGET: "2.5",
      SVC_RPM: "60",
      SVC_DISABLE_FEATURES: "ccr",
      SVC_PROXY_TOKEN: "0123456789abcdef",
      SVC_HTTP_PROXY: "http://u:hidden@127.0.0.1:1",
      CHAT_TARGET_API_HEADERS: '{"x-key":"hidden"}',
      CHAT_TARGET_API_URL: "http://127.0.0.1:2/x/",
    },
  }));
  assert.deepEqual(report, {
    backend: "anthropic",
    mode: "cache",
    optimize: true,
    cache: true,
    rate_limit: true,
    ccr: false,
    ccr_backend: "sqlite",
    lossless: false,
    lossless_compaction: true,
    code_aware: true,
    memory: false,
    learn: false,
    code_graph: false,
    anthropic_api_url: "https://api.anthropic.com",
    openai_api_url: "http://127.0.0.1:2/x",
    vertex_api_url: null,
    foundry_api_url: null,
    budget_limit_usd: 2.5,
    log_messages: false,
    stateless: false,
    workspace: "/w",
    rollout_channel: "stable",
    features: [
      "code_aware",
      "compression",
      "lossless_compaction",
      "response_cache",
    ],
  });
});

Deno.test("runningReport of a proxy that changes nothing and writes nothing says so", () => {
  const config = resolveConfig({
    env: { SVC_OPTIMIZE: "0", SVC_STATELESS: "1" },
  });
  const { optimize, mode, stateless, workspace, budget_limit_usd: limit } =
    runningReport(config) as Record<string, unknown>;
  assert.deepEqual(
    [optimize, mode, stateless, workspace, limit],
    [false, "passthrough", true, null, null],
  );
});

Deno.test("appliedOf names settings by key, and passes a refusal on", () => {
  assert.deepEqual(
    appliedOf({ type: "reloaded", changed: ["SVC_RPM"], later: ["SVC_PORT"] }),
    { type: "applied", applied: ["rpm"], needsRestart: ["port"] },
  );
  const refused = { type: "refused", reason: "no" } as const;
  assert.deepEqual(appliedOf(refused), refused);
});
