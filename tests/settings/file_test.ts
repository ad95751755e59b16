import assert from "node:assert/strict";
import fc from "fast-check";
import { belowEnvironment, settingsIn } from "../../src/settings/file.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";

const read = (value: unknown) => settingsIn(JSON.stringify(value), "/s.json");

Deno.test("settingsIn takes texts, numbers and switches by variable name, and leaves null out", () => {
  const { values, refused, unknown } = read({
    SVC_PORT: 9000,
    SVC_LOSSLESS: true,
    SVC_MODE: "token",
    SVC_RPM: null,
    SVC_HOST: "",
    SVC_CHAT_TARGET_API_URL: "http://a",
  });
  assert.deepEqual(values, {
    SVC_PORT: "9000",
    SVC_LOSSLESS: "true",
    SVC_MODE: "token",
    SVC_CHAT_TARGET_API_URL: "http://a",
  });
  assert.deepEqual([refused, unknown], [[], []]);
});

Deno.test("settingsIn leaves a value out that cannot be used, and says which of which file", () => {
  const { values, refused } = read({
    SVC_PORT: 70000,
    SVC_RPM: 3,
    SVC_HOST: ["a"],
    SVC_CHAT_TARGET_API_URL: "nowhere",
  });
  assert.deepEqual(values, { SVC_RPM: "3" });
  assert.deepEqual(refused, [
    'Cannot use SVC_PORT="70000": must be an integer from 0 to 65535 (/s.json)',
    "Cannot use SVC_HOST of /s.json: must be a text, a number, true, false or null",
    'Cannot use SVC_CHAT_TARGET_API_URL="nowhere": must be an http or https URL without credentials, query or fragment (/s.json)',
  ]);
});

Deno.test("settingsIn never repeats the value of a secret setting", () => {
  const { values, refused } = read({
    SVC_PROXY_TOKEN: "hunter2",
    MSG_TARGET_API_HEADERS: "{hunter2",
    SVC_HTTP_PROXY: "ftp://a:hunter2@b",
  });
  assert.deepEqual(values, {});
  assert.equal(refused.length, 3);
  assert.doesNotMatch(refused.join(), /hunter2/);
});

Deno.test("settingsIn names what cannot be stored, paths and the store's place among it", () => {
  const { values, unknown } = read({
    SVC_WORKSPACE_DIR: "/x",
    SVC_CCR_BACKEND: "memory",
    __proto__x: 1,
    toString: "x",
  });
  assert.deepEqual(values, {});
  assert.deepEqual(unknown, [
    "SVC_WORKSPACE_DIR",
    "SVC_CCR_BACKEND",
    "__proto__x",
    "toString",
  ]);
});

Deno.test("settingsIn says of a text that is no JSON object that it is none, and gives nothing", () => {
  for (const text of ["", "{", "[]", "null", "1", '"x"', "\u0000"]) {
    assert.deepEqual(settingsIn(text, "/s.json"), {
      values: {},
      refused: ["Cannot read settings from /s.json: it is no JSON object"],
      unknown: [],
    });
  }
  assert.deepEqual(settingsIn("\ufeff{}", "/s.json").refused, []);
});

Deno.test("settingsIn never throws, and what it gives can be resolved alone", () => {
  const names = fc.constantFrom(
    ...["SVC_PORT", "SVC_HOST", "SVC_MODE", "SVC_BUDGET", "SVC_RPM"],
    ...["SVC_TOOL_POLICY", "SVC_HTTP_PROXY", "SVC_PROXY_TOKEN", "SVC_X"],
  );
  fc.assert(
    fc.property(fc.dictionary(names, fc.jsonValue()), (given) => {
      const { values } = read(given);
      resolveConfig({ env: { HOME: "/h", ...values } });
    }),
  );
});

Deno.test("belowEnvironment lets the environment win, under any name of a setting", () => {
  const env = { SVC_CHAT_TARGET_API_URL: "http://shell", SVC_RPM: "1", A: "b" };
  const stored = {
    CHAT_TARGET_API_URL: "http://file",
    SVC_RPM: "2",
    SVC_PORT: "3",
  };
  assert.deepEqual(belowEnvironment(env, stored), { ...env, SVC_PORT: "3" });
});

Deno.test("belowEnvironment takes an empty variable as not set", () => {
  const merged = belowEnvironment({ SVC_RPM: "" }, { SVC_RPM: "2" });
  assert.equal(merged.SVC_RPM, "2");
});
