import assert from "node:assert/strict";
import {
  carriesCredential,
  namedFamily,
  needsNoCredential,
  versionedPath,
} from "../../src/providers/named_family.ts";

const request = (
  path: string,
  headers: Record<string, string> = {},
  method = "POST",
) => ({ method, path, headers: new Headers(headers) });
const family = (path: string, headers: Record<string, string> = {}) =>
  namedFamily(request(path, headers));
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

Deno.test("carriesCredential knows the fields of providers and a key in the query", () => {
  const carries = (path: string, headers: Record<string, string> = {}) =>
    carriesCredential(request(path, headers));
  for (
    const name of ["authorization", "x-api-key", "api-key", "x-goog-api-key"]
  ) {
    assert.equal(carries("/x", { [name]: "k" }), true, name);
    assert.equal(carries("/x", { [name]: " " }), false, name);
  }
  assert.equal(carries("/x?a=1&key=AIza"), true);
  for (const path of ["/x", "/x?key=", "/x?monkey=1", "/key=1", "/x#?key=1"]) {
    assert.equal(carries(path), false, path);
  }
  assert.equal(carries("/x", { cookie: "key=1", "x-key": "1" }), false);
});

Deno.test("carriesCredential takes the proxy's own token for none", () => {
  const own = request("/x", bearer("proxy-token-0123456"));
  assert.equal(carriesCredential(own, "proxy-token-0123456"), false);
  assert.equal(carriesCredential(own, "another-token-01234"), true);
});

Deno.test("namedFamily follows fields that one API has", () => {
  for (const path of ["/x", "/v1/embeddings", "/v1/files", "/v1/models"]) {
    const version = { "anthropic-version": "2023-06-01", ...bearer("sk-1") };
    assert.equal(family(path, version), "messages", path);
    assert.equal(family(path, { "anthropic-beta": "x" }), "messages", path);
    assert.equal(family(path, { "x-api-key": "sk-ant-1" }), "messages", path);
    assert.equal(family(path, bearer("sk-ant-oat01-1")), "messages", path);
    assert.equal(family(path, { "x-goog-api-key": "AIza" }), "google", path);
    assert.equal(
      family(path, { "x-goog-api-client": "x", ...bearer("ya29.x") }),
      "google",
      path,
    );
    assert.equal(family(path, { "openai-organization": "o" }), "chat", path);
  }
});

Deno.test("namedFamily follows bearer tokens that begin with sk- where nothing else says more", () => {
  assert.equal(family("/x", bearer("sk-proj-1")), "chat");
  assert.equal(family("/x", { authorization: "bearer  SK-1" }), "chat");
  assert.equal(family("/v1/messages/batches", bearer("sk-1")), "messages");
  for (const token of ["sk-or-v1-1", "gsk_1", "eyJh.eyJi.c", "abc"]) {
    assert.equal(family("/x", bearer(token)), undefined, token);
  }
  assert.equal(family("/x", { authorization: "Basic sk-1" }), undefined);
  assert.equal(family("/x", { "api-key": "k" }), undefined);
  assert.equal(family("/x", { "x-api-key": "k" }), undefined);
});

Deno.test("namedFamily follows paths that one API has, whatever the credential", () => {
  for (const headers of [bearer("sk-or-1"), { "api-key": "k" }, {}]) {
    for (
      const path of [
        "/v1/embeddings",
        "//v1/embeddings/?x",
        "/v1/audio/transcriptions",
        "/v1/images/generations",
        "/v1/moderations",
        "/v1/fine_tuning/jobs",
        "/v1/batches/b_1/cancel",
        "/v1/vector_stores/v/files",
        "/v1/realtime/sessions",
        "/v1/responses/resp_1",
        "/v1/files",
        "/v1/models/m",
        "/openai/deployments/d/embeddings?api-version=1",
        "/openai/v1/files",
      ]
    ) assert.equal(family(path, headers), "chat", path);
    for (const path of ["/v1/messages/batches", "/v1/complete"]) {
      assert.equal(family(path, headers), "messages", path);
    }
    for (
      const path of [
        "/x",
        "/v1",
        "/v1/embed",
        "/v2/embeddings",
        "/api/v1/files",
      ]
    ) assert.equal(family(path, headers), undefined, path);
  }
  assert.equal(family("/v1/models", { "x-api-key": "k" }), "messages");
  assert.equal(family("/v1/embeddings", { "x-api-key": "k" }), "chat");
});

Deno.test("namedFamily takes a key in the query for Google's on Google's paths only", () => {
  for (
    const path of [
      "/v1beta/models/gemini-2.5-flash:generateContent?key=AIza",
      "/v1beta/models?key=AIza",
      "/v1alpha/cachedContents?alt=sse&key=AIza",
      "/upload/v1beta/files?key=AIza",
      "/v1/models/gemini-2.5-flash:streamGenerateContent?key=AIza",
    ]
  ) {
    assert.equal(family(path), "google", path);
    assert.notEqual(family(path.replace(/key=.*/, "")), "google", path);
  }
  assert.equal(family("/x?key=AIza"), undefined);
  assert.equal(family("/v1beta/openai/models?key=AIza"), undefined);
  assert.equal(family("/v1/embeddings?key=AIza"), "chat");
});

Deno.test("needsNoCredential is true for reading the list of models alone", () => {
  const open = (method: string, path: string) =>
    needsNoCredential(request(path, {}, method));
  assert.equal(open("GET", "/v1/models"), true);
  assert.equal(open("HEAD", "/v1/models/m?x=1"), true);
  for (
    const [method, path] of [
      ["POST", "/v1/models"],
      ["DELETE", "/v1/models/m"],
      ["GET", "/v1/models/m/x"],
      ["GET", "/v1/models/m:generateContent"],
      ["GET", "/v1beta/models"],
      ["GET", "/"],
    ] as const
  ) assert.equal(open(method, path), false, path);
});

Deno.test("versionedPath puts the missing version in front, of known paths alone", () => {
  for (
    const [path, full, family] of [
      ["/messages", "/v1/messages", "messages"],
      [
        "/messages/count_tokens?beta=true",
        "/v1/messages/count_tokens",
        "messages",
      ],
      ["/chat/completions/", "/v1/chat/completions", "chat"],
      ["//responses", "/v1/responses", "chat"],
      ["/responses/compact", "/v1/responses/compact", "chat"],
      ["/completions", "/v1/completions", "chat"],
      ["/embeddings", "/v1/embeddings", "chat"],
      ["/models", "/v1/models", "chat"],
    ] as const
  ) assert.deepEqual(versionedPath(path), { path: full, family }, path);
  for (
    const path of [
      "/v1/messages",
      "/anthropic/v1/messages",
      "/api/v1/chat/completions",
      "/openai/responses",
      "/backend-api/codex/responses",
      "/chat",
      "/messagesx",
      "/",
    ]
  ) assert.equal(versionedPath(path), undefined, path);
});
