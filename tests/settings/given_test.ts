import assert from "node:assert/strict";
import { givenFor, readSetting } from "../../src/settings/given.ts";
import { SETTINGS } from "../../src/settings/registry.ts";

Deno.test("givenFor prefers a flag to a variable and a variable to its aliases, and tells which", () => {
  const env = { SVC_CHAT_TARGET_API_URL: "http://alias" };
  const row = SETTINGS.chatApiUrl;
  assert.equal(givenFor(row, { env: {} }), undefined);
  assert.deepEqual(givenFor(row, { env }), {
    name: "SVC_CHAT_TARGET_API_URL",
    raw: "http://alias",
  });
  const both = { ...env, CHAT_TARGET_API_URL: "http://a" };
  assert.equal(givenFor(row, { env: both })?.name, "CHAT_TARGET_API_URL");
  const flags = { "chat-api-url": "http://f" };
  assert.deepEqual(givenFor(row, { flags, env: both }), {
    name: "--chat-api-url",
    raw: "http://f",
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
