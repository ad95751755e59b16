import assert from "node:assert/strict";
import { resolveConfig } from "../../src/settings/resolve.ts";
import type { TextValues } from "../../src/settings/row.ts";
import {
  refusedChoice,
  refusedResponse,
  unknownPlace,
  withoutVersion,
} from "../../src/proxy/destinations.ts";

const configOf = (env: TextValues = {}) =>
  resolveConfig({ env: { SVC_STATELESS: "true", ...env } });
const request = (
  path: string,
  headers: Record<string, string> = {},
  method = "POST",
) => ({ method, path, headers: new Headers(headers) });
const KEY = { authorization: "Bearer key" };

/** Where a request goes, or why it does not. */
function place(
  path: string,
  headers: Record<string, string> = {},
  env: TextValues = {},
): string | undefined {
  const found = unknownPlace(configOf(env), request(path, headers));
  return "message" in found ? found.message : found.family;
}

Deno.test("unknownPlace refuses what carries no credential, with the path and without its query", () => {
  for (const path of ["/foo?secret=1", "/v1/embeddings", "/v1beta/models"]) {
    const message = place(path) ?? "";
    assert.match(message, /^Cannot forward POST \/.*must carry a credential/);
    assert.doesNotMatch(message, /secret/);
  }
});

Deno.test("unknownPlace sends a list of models without a credential only where one upstream is configured", () => {
  const list = (
    headers: Record<string, string> = {},
    env: TextValues = {},
    method = "GET",
  ) => {
    const asked = request("/v1/models", headers, method);
    const found = unknownPlace(configOf(env), asked);
    return "message" in found ? found.message : found.family;
  };
  const chat = { CHAT_TARGET_API_URL: "http://127.0.0.1:11434" };
  const messages = { MSG_TARGET_API_URL: "http://gateway.test" };
  const same = { ...messages, CHAT_TARGET_API_URL: "http://gateway.test" };
  const version = { "anthropic-version": "2023-06-01" };
  const openai = { "openai-organization": "o" };
  for (const method of ["GET", "HEAD"]) {
    assert.equal(list({}, chat, method), "chat");
    assert.equal(list({}, messages, method), "messages");
    assert.equal(list({}, same, method), "chat");
    const both = { ...chat, ...messages };
    for (const env of [{}, both]) {
      const message = list({}, env, method) ?? "";
      assert.match(message, /^Cannot forward \w+ \/v1\/models: .*CHAT_TARGET/);
    }
    assert.equal(list(version, both, method), "messages");
    assert.equal(list(openai, both, method), "chat");
    assert.match(list(version, chat, method) ?? "", /no credential/);
    assert.match(list(openai, messages, method) ?? "", /no credential/);
    assert.match(list({ "x-goog-user": "p" }, both) ?? "", /no credential/);
  }
  assert.equal(list(KEY), "chat");
  const own = { CHAT_TARGET_API_HEADERS: '{"authorization":"Bearer own"}' };
  assert.equal(list({}, own), "chat");
  const chosen = { "x-svc-base-url": "https://api.example" };
  assert.equal(list(chosen), undefined);
});

Deno.test("unknownPlace takes the operator's fields for a credential of their own family", () => {
  const env = { CHAT_TARGET_API_HEADERS: '{"authorization":"Bearer own"}' };
  assert.equal(place("/v1/embeddings", {}, env), "chat");
  assert.match(place("/v1/complete", {}, env) ?? "", /credential/);
  assert.match(place("/foo", {}, env) ?? "", /credential/);
});

Deno.test("unknownPlace takes the proxy's own token for no credential", () => {
  const env = { SVC_PROXY_TOKEN: "0123456789abcdef" };
  const own = { authorization: "Bearer 0123456789abcdef" };
  assert.match(place("/v1/embeddings", own, env) ?? "", /credential/);
});

Deno.test("unknownPlace guesses nothing where both upstreams are the default ones", () => {
  assert.match(place("/foo", KEY) ?? "", /nothing in the request names/);
  assert.match(place("/foo", { "x-api-key": "k" }) ?? "", /names a provider/);
  assert.equal(place("/v1/embeddings", KEY), "chat");
  assert.equal(place("/foo", { authorization: "Bearer sk-1" }), "chat");
  assert.equal(place("/foo", { "chatgpt-account-id": "a", ...KEY }), "chat");
});

Deno.test("unknownPlace sends what names nobody to the only upstream that is configured", () => {
  const chat = { CHAT_TARGET_API_URL: "http://127.0.0.1:11434" };
  const messages = { MSG_TARGET_API_URL: "http://gateway.test" };
  assert.equal(place("/v1/rerank", KEY, chat), "chat");
  assert.equal(place("/v1/rerank", { "x-api-key": "k" }, chat), "chat");
  assert.equal(place("/v1/rerank", KEY, messages), "messages");
  const both = place("/v1/rerank", KEY, { ...chat, ...messages });
  assert.match(both ?? "", /names a provider/);
  const same = {
    CHAT_TARGET_API_URL: "http://gateway.test",
    MSG_TARGET_API_URL: "http://gateway.test/",
  };
  assert.equal(place("/v1/rerank", KEY, same), "chat");
  assert.equal(place("/v1/rerank", { "x-api-key": "k" }, same), "messages");
  // A credential that names another provider never goes there.
  const ant = { "x-api-key": "sk-ant-1" };
  assert.equal(place("/v1/rerank", ant, chat), "messages");
});

Deno.test("unknownPlace lets an upstream that the client chooses stand for a name", () => {
  const chosen = { ...KEY, "x-svc-base-url": "https://api.example" };
  assert.equal(place("/foo", chosen), undefined);
  assert.match(
    place("/foo", { "x-svc-base-url": "https://api.example" }) ?? "",
    /credential/,
  );
  const { message, family } = refusedChoice(request("/foo", chosen));
  assert.match(message, /POST \/foo: .*x-svc-base-url/);
  assert.equal(family, undefined);
});

Deno.test("unknownPlace sends Google's calls to Google, but not offline", () => {
  const path = "/v1beta/models/gemini-2.5-flash:generateContent";
  const key = { "x-goog-api-key": "AIza" };
  assert.equal(place(path, key), "google");
  assert.equal(place(`${path}?key=AIza`), "google");
  assert.match(place(path, key, { SVC_OFFLINE: "1" }) ?? "", /SVC_OFFLINE/);
});

Deno.test("withoutVersion names the whole path and the base URL, where the upstream has no such path", () => {
  const said = (path: string, env: TextValues = {}, headers = {}) =>
    withoutVersion(
      configOf(env),
      request(path, headers),
      () => "http://127.0.0.1:8787/p/shop",
    )?.message;
  for (const path of ["/messages", "/chat/completions", "/responses"]) {
    assert.equal(
      said(path),
      `Cannot forward POST ${path}: the path is /v1${path}; set the client's base URL to http://127.0.0.1:8787/p/shop/v1`,
    );
    const local = { CHAT_TARGET_API_URL: "http://127.0.0.1:1" };
    assert.notEqual(said(path, local), undefined);
    const elsewhere = { "x-svc-base-url": "https://api.example" };
    assert.equal(said(path, {}, elsewhere), undefined);
    assert.equal(said(`/v1${path}`), undefined);
  }
  for (
    const url of [
      "https://api.githubcopilot.com",
      "https://api.deepseek.com",
      "http://127.0.0.1:1/api/v1",
    ]
  ) {
    const env = { CHAT_TARGET_API_URL: url };
    assert.equal(said("/chat/completions", env), undefined, url);
    assert.notEqual(said("/messages", env), undefined, url);
  }
});

Deno.test("refusedResponse answers in the shape of the family", async () => {
  const bodyOf = async (
    family: Parameters<typeof refusedResponse>[0]["family"],
  ) => {
    const response = refusedResponse({ family, message: "why" }, 404);
    assert.equal(response.status, 404);
    return await response.json();
  };
  assert.deepEqual(await bodyOf("messages"), {
    type: "error",
    error: { type: "not_found_error", message: "why" },
  });
  assert.equal((await bodyOf("chat")).error.message, "why");
  assert.deepEqual(await bodyOf("google"), {
    error: { code: 404, message: "why", status: "NOT_FOUND" },
  });
  assert.deepEqual(await bodyOf(undefined), {
    type: "error",
    error: { type: "not_found_error", message: "why", code: 404 },
  });
});
