import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isSettingsText,
  settingsIn,
  storableRow,
  storableText,
  withSettings,
} from "../../src/settings/file.ts";
import { keyOf } from "../../src/settings/fields.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";

const read = (value: unknown) => settingsIn(JSON.stringify(value), "/s.json");

Deno.test("settingsIn takes texts, numbers and switches by key or variable, and leaves null out", () => {
  const { values, refused, unknown } = read({
    SVC_PORT: 9000,
    SVC_LOSSLESS: true,
    SVC_MODE: "token",
    SVC_RPM: null,
    SVC_HOST: "",
    SVC_CHAT_TARGET_API_URL: "http://a",
    limit_concurrency: 7,
  });
  assert.deepEqual(values, {
    SVC_PORT: "9000",
    SVC_LOSSLESS: "true",
    SVC_MODE: "token",
    CHAT_TARGET_API_URL: "http://a",
    SVC_LIMIT_CONCURRENCY: "7",
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
    "Cannot use SVC_HOST: must be a text or null (/s.json)",
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

Deno.test("settingsIn takes the first of two names of a setting, and names the second where it differs", () => {
  const same = read({ rpm: 5, SVC_RPM: "5" });
  assert.deepEqual(same, {
    values: { SVC_RPM: "5" },
    refused: [],
    unknown: [],
  });
  const { values, refused } = read({ SVC_RPM: 6, rpm: 5 });
  assert.deepEqual(values, { SVC_RPM: "6" });
  assert.deepEqual(refused, [
    "Cannot use rpm: it is given as SVC_RPM too, with another value; leave one of them out (/s.json)",
  ]);
});

Deno.test("settingsIn refuses features that are not in this version, whatever is wrong with them too", () => {
  const { values, refused } = read({
    tpm: 5,
    memory_top_k: "many",
    backend: "anthropic",
    region: null,
  });
  assert.deepEqual(values, { SVC_BACKEND: "anthropic" });
  assert.deepEqual(refused, [
    "Cannot use tpm: it is not in this version; leave it out (/s.json)",
    "Cannot use memory_top_k: it is not in this version; leave it out (/s.json)",
  ]);
});

Deno.test("storableRow knows keys, variables and further names of what a file may hold", () => {
  for (const name of ["openai_base_url", "SVC_CHAT_TARGET_API_URL"]) {
    assert.equal(storableRow(name)?.env, "CHAT_TARGET_API_URL");
  }
  assert.equal(storableRow("SVC_BEACON"), undefined);
  assert.equal(storableRow("offline"), undefined);
  assert.equal(storableRow("constructor"), undefined);
});

Deno.test("storableText names the setting as the user did", () => {
  const row = storableRow("rpm")!;
  assert.equal(storableText(row, 5, "rpm"), "5");
  assert.throws(() => storableText(row, 0, "SVC_RPM"), {
    message: 'Cannot use SVC_RPM="0": must be an integer of at least 1',
  });
});

Deno.test("withSettings writes keys in their order, renames variables and keeps what it does not know", () => {
  const before = JSON.stringify({
    SVC_PORT: 1,
    zzz_later: { a: 1 },
    SVC_RPM: 5,
    budget: null,
    host: ["wrong"],
  });
  const text = withSettings(before, { SVC_RPM: undefined, SVC_MODE: "token" });
  assert.equal(
    text,
    JSON.stringify(
      { host: ["wrong"], mode: "token", port: 1, zzz_later: { a: 1 } },
      null,
      2,
    ) + "\n",
  );
  assert.equal(withSettings(undefined, {}), "{}\n");
  assert.equal(
    withSettings("no object", { SVC_RPM: "1" }),
    '{\n  "rpm": 1\n}\n',
  );
});

Deno.test("withSettings and settingsIn give every stored text back, and merging touches nothing else", () => {
  const texts: Record<string, fc.Arbitrary<string>> = {
    SVC_RPM: fc.integer({ min: 1 }).map(String),
    SVC_BUDGET: fc.integer({ min: 0, max: 9e8 }).map((n) => `${n / 100}`),
    SVC_LOSSLESS: fc.constantFrom("on", "0", "TRUE"),
    SVC_MODE: fc.constantFrom("cache", " token "),
    SVC_TOOL_POLICY: fc.constantFrom("Fetch=never", "a=lossless, b=normal"),
    MSG_TARGET_API_HEADERS: fc.constantFrom('{"b":"1","a":"2"}', "{}"),
  };
  const stored = fc.record(texts, { requiredKeys: [] });
  fc.assert(fc.property(stored, stored, (first, second) => {
    const text = withSettings(withSettings(undefined, first), second);
    const { values, refused } = settingsIn(text, "/s.json");
    const expected = { ...first, ...second };
    assert.deepEqual(refused, []);
    assert.deepEqual(Object.keys(values).sort(), Object.keys(expected).sort());
    for (const [env, raw] of Object.entries(expected)) {
      const row = storableRow(env)!;
      const pairs = (value: unknown) =>
        env === "MSG_TARGET_API_HEADERS" ? [...value as []].sort() : value;
      assert.deepEqual(
        pairs(row.parse(values[env]!)),
        pairs(row.parse(raw!)),
        keyOf(row),
      );
    }
  }));
});

Deno.test("isSettingsText tells a JSON object from anything else", () => {
  assert.ok(isSettingsText("\ufeff{}"));
  for (const text of ["", "[]", "{", "1"]) assert.ok(!isSettingsText(text));
});
