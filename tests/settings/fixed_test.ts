import assert from "node:assert/strict";
import { adopt, NEEDS_RESTART } from "../../src/settings/fixed.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import type { TextValues } from "../../src/settings/row.ts";

const config = (env: TextValues) =>
  resolveConfig({ env: { HOME: "/h", ...env } });

/** What a proxy that runs with `before` makes of `next`. */
const adopted = (before: TextValues, next: TextValues) =>
  adopt(config(before), config(next));

Deno.test("adopt takes over all that may change, and says that nothing waits", () => {
  const next = {
    SVC_MODE: "token",
    SVC_RPM: "5",
    SVC_BUDGET: "1",
    SVC_NO_CCR: "1",
    SVC_LIMIT_CONCURRENCY: "9",
    SVC_CACHE_ENABLED: "0",
    SVC_CONFIG_DIR: "/other",
    SVC_SETTINGS_PATH: "/s.json",
    CHAT_TARGET_API_URL: "http://a.example",
  };
  const { config: taken, waiting } = adopted({}, next);
  assert.deepEqual(waiting, []);
  assert.deepEqual(taken, config(next));
  assert.ok(Object.isFrozen(taken));
});

Deno.test("adopt keeps what is in use from the start, and names its settings", () => {
  const { config: taken, waiting } = adopted({}, {
    SVC_HOST: "::1",
    SVC_PORT: "1",
    SVC_WORKERS: "3",
    SVC_CCR_BACKEND: "memory",
    SVC_CCR_TTL_SECONDS: "7",
    SVC_WORKSPACE_DIR: "/w",
    SVC_CACHE_TTL_LEARN: "1",
    SVC_BETA_HEADER_STICKY: "disabled",
    SVC_BETA_TRACKER_MAX_SESSIONS: "2",
    SVC_LOG_FILE: "/log",
    SVC_OTEL_METRICS_HEADERS: "a=b",
    SVC_CONFIG_DIR: "/c",
    SVC_RPM: "5",
  });
  assert.deepEqual(waiting, [
    "SVC_HOST",
    "SVC_PORT",
    "SVC_WORKERS",
    "SVC_CCR_BACKEND",
    "SVC_CCR_TTL_SECONDS",
    "SVC_WORKSPACE_DIR",
    "SVC_CACHE_TTL_LEARN",
    "SVC_BETA_HEADER_STICKY",
    "SVC_BETA_TRACKER_MAX_SESSIONS",
    "SVC_LOG_FILE",
    "SVC_OTEL_METRICS_HEADERS",
  ]);
  const before = config({});
  assert.deepEqual(
    { ...taken, paths: undefined },
    {
      ...before,
      limits: { ...before.limits, requestsPerMinute: 5 },
      given: {
        SVC_RPM: { name: "SVC_RPM", raw: "5", source: "shell" },
      },
      paths: undefined,
    },
  );
  // Files in use stay where they are; those that are read again may move.
  assert.equal(taken.paths?.workspace, "/h/.svc");
  assert.equal(taken.paths?.ccrStore, "/h/.svc/ccr_store.db");
  assert.equal(taken.paths?.ledger, "/h/.svc/ledger.db");
  assert.equal(taken.paths?.models, "/c/models.json");
});

Deno.test("adopt changes nothing about whether files are written", () => {
  const stateless = adopted({}, { SVC_STATELESS: "1" });
  assert.deepEqual(stateless.waiting, ["SVC_STATELESS"]);
  assert.deepEqual(stateless.config.paths, config({}).paths);
  assert.equal(stateless.config.ccr.backend, "sqlite");
  const stateful = adopted({ SVC_STATELESS: "1" }, {});
  assert.deepEqual(stateful.waiting, ["SVC_STATELESS"]);
  const more = { SVC_STATELESS: "1", SVC_PORT: "1", SVC_WORKSPACE_DIR: "/w" };
  assert.deepEqual(adopted({}, more).waiting, ["SVC_STATELESS", "SVC_PORT"]);
  assert.equal(stateful.config.paths, undefined);
  assert.equal(stateful.config.ccr.backend, "memory");
});

Deno.test("adopt says of a value that waits what is in force", () => {
  const { config: taken } = adopted({ SVC_PORT: "1" }, { SVC_PORT: "2" });
  assert.equal(taken.given.SVC_PORT?.raw, "1");
  const { config: gone } = adopted({ SVC_PORT: "1" }, {});
  assert.equal(gone.given.SVC_PORT?.raw, "1");
});

Deno.test("NEEDS_RESTART names what adopt keeps", () => {
  assert.ok(NEEDS_RESTART.has("SVC_PORT"));
  assert.ok(NEEDS_RESTART.has("SVC_LOG_FILE"));
  assert.ok(!NEEDS_RESTART.has("SVC_RPM"));
});
