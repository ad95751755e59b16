import {
  clientSettings,
  environmentVariable,
  type SvcClientOptions,
  wireConfig,
} from "../../../src/sdk/client/options.ts";
import { ConfigurationError } from "../../../src/sdk/errors.ts";
import assert from "node:assert/strict";

const nothing = () => undefined;

Deno.test("clientSettings fills in the defaults of the specification", () => {
  const { fetch, ...settings } = clientSettings({}, nothing);
  assert.equal(typeof fetch, "function");
  assert.deepEqual(settings, {
    baseUrl: "http://localhost:8787",
    apiKey: undefined,
    proxyToken: undefined,
    timeout: 30_000,
    providerTimeout: 600_000,
    fallback: true,
    retries: 1,
    stack: undefined,
    providerApiKey: undefined,
    modelContextLimits: {},
    defaultMode: undefined,
    config: undefined,
  });
});

Deno.test("clientSettings takes an option before the environment, and that before the default", () => {
  const env = (name: string) => `http://${name.toLowerCase()}//`;
  const fromEnv = clientSettings({}, env);
  assert.equal(fromEnv.baseUrl, "http://svc_base_url");
  assert.equal(fromEnv.apiKey, "http://svc_api_key//");
  assert.equal(fromEnv.proxyToken, "http://svc_proxy_token//");
  const own = { baseUrl: "https://h/p/a///", apiKey: "k", proxyToken: "t" };
  const given = clientSettings(own, env);
  assert.equal(given.baseUrl, "https://h/p/a");
  assert.deepEqual([given.apiKey, given.proxyToken], ["k", "t"]);
});

Deno.test("clientSettings waits for providers as long as for the proxy where that is said", () => {
  assert.equal(clientSettings({ timeout: 5 }, nothing).providerTimeout, 5);
  const both = { timeout: 5, providerTimeout: 9 };
  assert.equal(clientSettings(both, nothing).providerTimeout, 9);
});

Deno.test("clientSettings names the option that cannot be used, and no secret", () => {
  const wrong: readonly (readonly [SvcClientOptions, RegExp])[] = [
    [{ baseUrl: "localhost:8787" }, /baseUrl="localhost:8787"/],
    [{ baseUrl: "ftp://h" }, /http or https/],
    [{ baseUrl: "http://h?x=1" }, /baseUrl/],
    [{ baseUrl: "http://u:geheim@h" }, /proxyToken/],
    [{ baseUrl: "u:geheim@h" }, /baseUrl="…"/],
    [{ timeout: 0 }, /timeout=0/],
    [{ timeout: NaN }, /timeout/],
    [{ providerTimeout: -1 }, /providerTimeout=-1/],
    [{ retries: -1 }, /retries=-1/],
    [{ retries: 1.5 }, /retries=1.5/],
    [{ apiKey: "geheim\n" + "x" }, /apiKey/],
    [{ stack: "ü€" }, /stack/],
    [{ modelContextLimits: { m: 0 } }, /modelContextLimits=\{"m":0\}/],
    [{ modelContextLimits: 5 as never }, /modelContextLimits=5/],
  ];
  for (const [options, message] of wrong) {
    assert.throws(() => clientSettings(options, nothing), (error) => {
      assert(error instanceof ConfigurationError);
      assert.match(error.message, message);
      assert(!error.message.includes("geheim"));
      return true;
    });
  }
});

Deno.test("clientSettings takes a wait without end", () => {
  assert.equal(
    clientSettings({ timeout: Infinity }, nothing).timeout,
    Infinity,
  );
});

Deno.test("wireConfig renames known members only, and leaves out what is not given", () => {
  const profiles = { myTool: { keepRows: 1 } };
  assert.deepEqual(
    wireConfig({
      protectRecent: 2,
      protectAnalysisContext: true,
      defaultMode: "simulate",
      generateDiffArtifact: false,
      lossless: true,
      protect_recent_code: 1,
      toolProfiles: profiles,
      nothing: undefined,
    }),
    {
      protect_recent: 2,
      protect_analysis_context: true,
      default_mode: "simulate",
      generate_diff_artifact: false,
      lossless: true,
      protect_recent_code: 1,
      toolProfiles: profiles,
    },
  );
});

Deno.test({
  name:
    "environmentVariable reads what is set, and takes an empty one for none",
  permissions: { env: true },
  fn() {
    const name = "SVC_TEST_ENVIRONMENT_VARIABLE";
    Deno.env.set(name, "value");
    try {
      assert.equal(environmentVariable(name), "value");
      Deno.env.set(name, "");
      assert.equal(environmentVariable(name), undefined);
    } finally {
      Deno.env.delete(name);
    }
    assert.equal(environmentVariable(name), undefined);
  },
});

Deno.test({
  name:
    "environmentVariable gives nothing where the environment may not be read",
  permissions: "none",
  fn() {
    assert.equal(environmentVariable("PATH"), undefined);
  },
});
