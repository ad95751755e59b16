import assert from "node:assert/strict";
import fc from "fast-check";
import { resolveConfig } from "../../src/settings/resolve.ts";

const HOME = "/home/a";

Deno.test("resolveConfig gives the documented defaults when nothing is set", () => {
  assert.deepEqual(resolveConfig({ env: { HOME } }), {
    host: "127.0.0.1",
    port: 8787,
    mode: "cache",
    upstreams: {
      messages: "https://api.anthropic.com",
      chat: "https://api.openai.com",
    },
    ccr: { enabled: true, backend: "sqlite", ttlSeconds: 1800 },
    lossless: false,
    codeAware: true,
    losslessCompaction: true,
    toolRules: [],
    stripInternalHeaders: true,
    requestBodyMaxBytes: 104_857_600,
    compressionTimeoutSeconds: 30,
    paths: {
      workspace: "/home/a/.svc",
      config: "/home/a/.svc/config",
      ccrStore: "/home/a/.svc/ccr_store.db",
    },
    warnings: [],
  });
});

Deno.test("resolveConfig reads every variable", () => {
  const config = resolveConfig({
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
      SVC_TOOL_POLICY: "Fetch=never",
      SVC_PROTECT_TOOL_RESULTS: "Bash",
      SVC_REQUEST_BODY_MAX_BYTES: "10",
      SVC_COMPRESSION_TIMEOUT_SECONDS: "7",
    },
  });
  assert.deepEqual(config, {
    host: "::1",
    port: 0,
    mode: "token",
    upstreams: { messages: "http://127.0.0.1:1", chat: "http://127.0.0.1:2/x" },
    ccr: { enabled: false, backend: "memory", ttlSeconds: 5 },
    lossless: true,
    codeAware: false,
    losslessCompaction: false,
    toolRules: [
      { pattern: "fetch", rule: "never" },
      { pattern: "bash", rule: "lossless" },
    ],
    stripInternalHeaders: false,
    requestBodyMaxBytes: 10,
    compressionTimeoutSeconds: 7,
    paths: { workspace: "/w", config: "/c", ccrStore: "/w/ccr_store.db" },
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
    "SVC_PRT is not a setting of this version: ignored",
  ]);
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

Deno.test("resolveConfig returns a value that cannot be changed", () => {
  const config = resolveConfig({ env: { HOME } });
  for (
    const part of [
      config,
      config.ccr,
      config.upstreams,
      config.paths,
      config.warnings,
    ]
  ) {
    assert.ok(Object.isFrozen(part));
  }
});
