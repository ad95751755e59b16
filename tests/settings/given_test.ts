import assert from "node:assert/strict";
import {
  givenFor,
  isDefault,
  notInThisVersion,
  notInThisVersionText,
  placingVariables,
  readSetting,
} from "../../src/settings/given.ts";
import { PLANNED_ROWS } from "../../src/settings/planned.ts";
import { SETTINGS } from "../../src/settings/registry.ts";

const planned = (env: string) => PLANNED_ROWS.find((row) => row.env === env)!;

Deno.test("givenFor prefers a flag to a variable and a variable to its aliases, and tells which", () => {
  const env = { SVC_CHAT_TARGET_API_URL: "http://alias" };
  const row = SETTINGS.chatApiUrl;
  assert.equal(givenFor(row, { env: {} }), undefined);
  assert.deepEqual(givenFor(row, { env }), {
    name: "SVC_CHAT_TARGET_API_URL",
    raw: "http://alias",
    source: "shell",
  });
  const both = { ...env, CHAT_TARGET_API_URL: "http://a" };
  assert.equal(givenFor(row, { env: both })?.name, "CHAT_TARGET_API_URL");
  const flags = { "chat-api-url": "http://f" };
  assert.deepEqual(givenFor(row, { flags, env: both }), {
    name: "--chat-api-url",
    raw: "http://f",
    source: "flag",
  });
});

Deno.test("readSetting gives the default when nothing, or only an empty variable, is given", () => {
  assert.equal(readSetting(SETTINGS.port, { env: {} }), 8787);
  assert.equal(readSetting(SETTINGS.port, { env: { SVC_PORT: "" } }), 8787);
});

Deno.test("readSetting refuses two flags of one row that differ, and names both", () => {
  const read = (a: string, b: string) =>
    readSetting(SETTINGS.messagesApiUrl, {
      flags: { "anthropic-api-url": a, "msg-api-url": b },
      env: {},
    });
  assert.throws(() => read("http://a", "http://b"), {
    name: "RangeError",
    message:
      'Cannot use --anthropic-api-url="http://a" together with --msg-api-url="http://b": both set the same, leave one of them out',
  });
  assert.equal(read("http://a", "http://a/"), "http://a");
  assert.throws(
    () => read("http://a", "x"),
    /^RangeError: .*--msg-api-url="x"/,
  );
});

Deno.test("readSetting warns of a value it does not use only where the row is lenient", () => {
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const env = { SVC_CCR_TTL_SECONDS: "soon", SVC_PORT: "x" };
  assert.equal(readSetting(SETTINGS.ccrTtlSeconds, { env }, warn), 1800);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /SVC_CCR_TTL_SECONDS="soon".*; using 1800$/);
  assert.throws(() => readSetting(SETTINGS.port, { env }, warn), RangeError);
});

Deno.test("givenFor asks what is stored last", () => {
  const stored = { SVC_RPM: "2" };
  const row = SETTINGS.requestsPerMinute;
  assert.deepEqual(givenFor(row, { env: { SVC_RPM: "" }, stored }), {
    name: "SVC_RPM",
    raw: "2",
    source: "file",
  });
  assert.equal(givenFor(row, { env: { SVC_RPM: "1" }, stored })?.raw, "1");
});

Deno.test("readSetting lets a flag without no- turn a switch on against the variable", () => {
  const env = { SVC_HTTP2: "0" };
  const read = (flags: Record<string, string>) =>
    readSetting(SETTINGS.http2, { flags, env });
  assert.equal(read({}), false);
  assert.equal(read({ http2: "true" }), true);
  assert.equal(read({ "no-http2": "true" }), false);
  assert.throws(() => read({ http2: "true", "no-http2": "true" }), RangeError);
});

Deno.test("notInThisVersion passes defaults by, names other values and refuses flags", () => {
  const rows = [planned("SVC_TPM"), planned("SVC_REGION"), SETTINGS.port];
  const stored = { SVC_REGION: "eu" };
  assert.deepEqual(
    notInThisVersion(rows, { env: { SVC_TPM: "1", SVC_PORT: "1" }, stored }),
    [
      "SVC_TPM is not in this version: it has no effect",
      "SVC_REGION is not in this version: it has no effect",
    ],
  );
  assert.deepEqual(
    notInThisVersion(rows, { env: { SVC_REGION: "us-west-2" } }),
    [],
  );
  assert.throws(
    () => notInThisVersion(rows, { flags: { tpm: "1" }, env: {} }),
    {
      name: "RangeError",
      message: notInThisVersionText("--tpm"),
    },
  );
});

Deno.test("isDefault compares what texts mean, and takes a wrong one for another value", () => {
  assert.equal(isDefault(planned("SVC_NO_MEMORY_TOOLS"), "off"), true);
  assert.equal(isDefault(planned("SVC_MEMORY_TOP_K"), " 10 "), true);
  assert.equal(isDefault(planned("SVC_MEMORY_TOP_K"), "11"), false);
  assert.equal(isDefault(planned("SVC_MEMORY_TOP_K"), "x"), false);
  assert.equal(isDefault(SETTINGS.proxyExtensions, "a"), false);
});

Deno.test("givenFor takes a variable of the command line before the environment and after the setting's own flags", () => {
  const row = SETTINGS.requestsPerMinute;
  const env = { SVC_RPM: "1" };
  assert.deepEqual(givenFor(row, { flags: { SVC_RPM: "2" }, env }), {
    name: "--set SVC_RPM",
    raw: "2",
    source: "flag",
  });
  const flags = { rpm: "3", SVC_RPM: "2" };
  assert.equal(readSetting(row, { flags, env }), 3);
  assert.throws(() => readSetting(row, { flags: { SVC_RPM: "x" }, env }), {
    message: 'Cannot use --set SVC_RPM="x": must be an integer of at least 1',
  });
});

Deno.test("placingVariables gives what places files, the command line first", () => {
  const places = placingVariables({
    flags: { SVC_WORKSPACE_DIR: "/w", host: "x" },
    env: { SVC_WORKSPACE_DIR: "/v", HOME: "/home/a", SVC_RPM: "1" },
  });
  assert.equal(places.SVC_WORKSPACE_DIR, "/w");
  assert.equal(places.HOME, "/home/a");
  assert.equal(places.SVC_RPM, undefined);
  assert.equal(places.SVC_CONFIG_DIR, undefined);
});
