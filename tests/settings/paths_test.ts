import assert from "node:assert/strict";
import { proxyLogPath, resolvePaths } from "../../src/settings/paths.ts";

Deno.test("resolvePaths puts everything below ~/.svc when nothing is set", () => {
  assert.deepEqual(resolvePaths({ HOME: "/home/a" }), {
    workspace: "/home/a/.svc",
    config: "/home/a/.svc/config",
    ccrStore: "/home/a/.svc/ccr_store.db",
    ledger: "/home/a/.svc/ledger.db",
    models: "/home/a/.svc/config/models.json",
    legacyModels: "/home/a/.svc/models.json",
    settings: "/home/a/.svc/settings.json",
    savings: "/home/a/.svc/proxy_savings.json",
    installId: "/home/a/.svc/config/install_id",
    updateCheck: "/home/a/.svc/update_check.json",
    cacheObservations: "/home/a/.svc/cache_ttl_observations.jsonl",
    cacheLives: "/home/a/.svc/cache_ttl_learned.json",
    debugDumps: "/home/a/.svc/logs/debug_400",
  });
  assert.equal(resolvePaths({ USERPROFILE: "/u" }).workspace, "/u/.svc");
});

Deno.test("resolvePaths derives from SVC_WORKSPACE_DIR", () => {
  assert.deepEqual(resolvePaths({ HOME: "/h", SVC_WORKSPACE_DIR: "/w" }), {
    workspace: "/w",
    config: "/w/config",
    ccrStore: "/w/ccr_store.db",
    ledger: "/w/ledger.db",
    models: "/w/config/models.json",
    legacyModels: "/w/models.json",
    settings: "/w/settings.json",
    savings: "/w/proxy_savings.json",
    installId: "/w/config/install_id",
    updateCheck: "/w/update_check.json",
    cacheObservations: "/w/cache_ttl_observations.jsonl",
    cacheLives: "/w/cache_ttl_learned.json",
    debugDumps: "/w/logs/debug_400",
  });
});

Deno.test("resolvePaths lets SVC_CONFIG_DIR move the configuration only", () => {
  const paths = resolvePaths({
    SVC_WORKSPACE_DIR: "/w",
    SVC_CONFIG_DIR: "/c",
  });
  assert.equal(paths.config, "/c");
  assert.equal(paths.models, "/c/models.json");
  assert.equal(paths.workspace, "/w");
  assert.equal(paths.legacyModels, "/w/models.json");
  assert.equal(paths.settings, "/w/settings.json");
});

Deno.test("resolvePaths lets SVC_SETTINGS_PATH move the stored settings only", () => {
  const paths = resolvePaths({
    SVC_WORKSPACE_DIR: "/w",
    SVC_SETTINGS_PATH: "~/s.json",
  });
  assert.equal(paths.settings, "~/s.json");
  assert.deepEqual(
    { ...paths, settings: "" },
    { ...resolvePaths({ SVC_WORKSPACE_DIR: "/w" }), settings: "" },
  );
});

Deno.test("resolvePaths takes variables as they are, tilde included", () => {
  const paths = resolvePaths({
    HOME: "/h",
    SVC_WORKSPACE_DIR: "~/x/../y/",
    SVC_CONFIG_DIR: "./c/",
  });
  assert.equal(paths.workspace, "~/x/../y/");
  assert.equal(paths.config, "./c/");
});

Deno.test("resolvePaths prefers an explicit place to every variable", () => {
  const explicit = {
    workspace: "/e",
    config: "/f",
    ccrStore: "/g.db",
    ledger: "/h.db",
    models: "/i.json",
    legacyModels: "/j.json",
    settings: "/k.json",
    savings: "/l.json",
    installId: "/m",
    updateCheck: "/u.json",
    cacheObservations: "/o.jsonl",
    cacheLives: "/l.json",
    debugDumps: "/n",
  };
  const env = {
    SVC_WORKSPACE_DIR: "/w",
    SVC_CONFIG_DIR: "/c",
    SVC_SETTINGS_PATH: "/s",
    SVC_SAVINGS_PATH: "/t",
  };
  assert.deepEqual(resolvePaths(env, explicit), explicit);
});

Deno.test("resolvePaths counts an empty variable as not set", () => {
  const paths = resolvePaths({ HOME: "/h", SVC_WORKSPACE_DIR: "" });
  assert.equal(paths.workspace, "/h/.svc");
});

Deno.test("resolvePaths throws when there is neither workspace nor home", () => {
  assert.throws(() => resolvePaths({}), /set SVC_WORKSPACE_DIR/);
});

Deno.test("proxyLogPath follows the workspace, and is nowhere without one", () => {
  assert.equal(proxyLogPath({ HOME: "/h" }), "/h/.svc/logs/proxy.log");
  const env = { HOME: "/h", SVC_WORKSPACE_DIR: "/w" };
  assert.equal(proxyLogPath(env), "/w/logs/proxy.log");
  assert.equal(proxyLogPath({}), undefined);
});
