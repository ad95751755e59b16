import assert from "node:assert/strict";
import {
  ownHeader,
  ownHeaderNames,
  type RequestHeaderOptions,
  requestHeaders as requestFields,
  responseHeaders as responseFields,
} from "../../src/upstream/header_policy.ts";

/** The fields by their names, of which each may be there once. */
function byName(fields: readonly (readonly [string, string])[]) {
  const map = new Map(fields);
  assert.equal(map.size, fields.length);
  return map;
}

const requestHeaders = (from: Headers, options: RequestHeaderOptions) =>
  byName(requestFields(from, options));

const responseHeaders = (from: Headers) => byName(responseFields(from));

const KEEP = { stripInternal: true, contentEncoding: "keep" } as const;

/** Fields that only look like ours. */
const RESEMBLING = {
  "x-svc": "1",
  "x-service": "1",
  "y-x-svc-a": "1",
  "headroom-a": "1",
};

Deno.test("requestHeaders keeps end-to-end fields as they are", () => {
  const to = requestHeaders(
    new Headers({
      "authorization": "Bearer k",
      "content-type": "application/json",
      "user-agent": "cli/1",
      "content-encoding": "zstd",
      "x-custom": "a, b",
      ...RESEMBLING,
    }),
    KEEP,
  );
  assert.deepEqual(Object.fromEntries(to), {
    "accept-encoding": "identity",
    "authorization": "Bearer k",
    "content-encoding": "zstd",
    "content-type": "application/json",
    "user-agent": "cli/1",
    "x-custom": "a, b",
    ...RESEMBLING,
  });
});

for (
  const name of [
    "http2-settings",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "proxy-authorization",
    "proxy-connection",
    "host",
    "content-length",
    "expect",
    "x-svc-bypass",
    "x-svc-base-url",
    "x-headroom-mode",
    "x-headroom-stack",
  ]
) {
  Deno.test(`requestHeaders drops ${name}`, () => {
    const to = requestHeaders(new Headers({ [name]: "1", "x-ok": "1" }), KEEP);
    assert.equal(to.has(name), false);
    assert.equal(to.get("x-ok"), "1");
  });
}

Deno.test("requestHeaders drops connection and every field that it names, in any case", () => {
  const to = requestHeaders(
    new Headers({ "connection": "X-Hop , close", "x-hop": "1", "x-ok": "1" }),
    KEEP,
  );
  assert.deepEqual([...to.keys()].sort(), ["accept-encoding", "x-ok"]);
});

Deno.test("requestHeaders replaces accept-encoding by identity", () => {
  const to = requestHeaders(new Headers({ "accept-encoding": "br" }), KEEP);
  assert.equal(to.get("accept-encoding"), "identity");
});

Deno.test("requestHeaders keeps x-svc fields when told to", () => {
  const from = new Headers({ "x-svc-stack": "s", "x-headroom-stack": "h" });
  const to = requestHeaders(from, { ...KEEP, stripInternal: false });
  assert.equal(to.get("x-svc-stack"), "s");
  assert.equal(to.get("x-headroom-stack"), "h");
});

Deno.test("requestHeaders drops content-encoding when the body is decoded", () => {
  const to = requestHeaders(new Headers({ "content-encoding": "gzip" }), {
    ...KEEP,
    contentEncoding: "drop",
  });
  assert.equal(to.has("content-encoding"), false);
});

Deno.test("responseHeaders keeps encoding and length as given, and no field that tells a browser about the upstream's origin", () => {
  const from = new Headers([
    ["set-cookie", "a=1; Path=/"],
    ["set-cookie", "b=2, c"],
    ["access-control-allow-origin", "*"],
    ["access-control-expose-headers", "x-request-id"],
    ["clear-site-data", '"*"'],
    ["service-worker-allowed", "/"],
    ["content-encoding", "gzip"],
    ["content-length", "28"],
    ["x-request-id", "r"],
  ]);
  const to = responseHeaders(from);
  assert.equal(to.get("content-encoding"), "gzip");
  assert.equal(to.get("content-length"), "28");
  assert.equal(to.get("x-request-id"), "r");
  assert.equal([...to.keys()].length, 3);
});

Deno.test("responseHeaders drops hop-by-hop fields and those that connection names", () => {
  const to = responseHeaders(
    new Headers({
      "connection": "keep-alive, X-Hop",
      "keep-alive": "timeout=5",
      "transfer-encoding": "chunked",
      "proxy-authenticate": "Basic",
      "trailer": "x",
      "upgrade": "h2c",
      "x-hop": "1",
      "retry-after": "1",
    }),
  );
  assert.deepEqual(Object.fromEntries(to), { "retry-after": "1" });
});

Deno.test("requestHeaders lets the operator's fields win over all others, in any case", () => {
  const to = requestHeaders(
    new Headers({ "x-team": "client", "x-beta": "a", "connection": "x-team" }),
    {
      ...KEEP,
      set: [["X-Beta", "a,b"], ["X-Both", "set"]],
      extraHeaders: [["X-Team", "operator"], ["x-both", "operator"]],
    },
  );
  assert.deepEqual(Object.fromEntries(to), {
    "accept-encoding": "identity",
    "x-beta": "a,b",
    "x-both": "operator",
    "x-team": "operator",
  });
});

Deno.test("requestHeaders takes no field from the operator that frames the message", () => {
  const names = [
    "Host",
    "Content-Length",
    "Transfer-Encoding",
    "Connection",
    "TE",
    "Upgrade",
    "Accept-Encoding",
    "Content-Encoding",
    "Proxy-Authorization",
  ];
  const extraHeaders = names.map((name) => [name, "x"] as const);
  const to = requestHeaders(new Headers(), { ...KEEP, extraHeaders });
  assert.deepEqual(Object.fromEntries(to), { "accept-encoding": "identity" });
});

Deno.test("requestHeaders never lets the proxy token out, whatever its name and whatever is stripped", () => {
  const token = "0123456789abcdef";
  const from = new Headers({
    "authorization": `Bearer ${token}`,
    "cookie": `a=1; t=${token}`,
    "x-api-key": token,
    "x-svc-proxy-token": "something else",
    "x-headroom-proxy-token": "something else",
    "x-svc-project": "p",
    "x-ok": "1",
  });
  const to = requestHeaders(from, { ...KEEP, stripInternal: false, token });
  assert.deepEqual([...to.keys()].sort(), [
    "accept-encoding",
    "x-ok",
    "x-svc-project",
  ]);
  assert.equal(requestHeaders(from, KEEP).has("authorization"), true);
});

Deno.test("requestHeaders leaves what gateways in front wrote as it is", () => {
  const gateway = {
    "forwarded": "for=192.0.2.1",
    "via": "1.1 gateway",
    "x-forwarded-for": "192.0.2.1",
    "x-forwarded-proto": "https",
  };
  const to = requestHeaders(new Headers(gateway), KEEP);
  to.delete("accept-encoding");
  assert.deepEqual(Object.fromEntries(to), gateway);
});

Deno.test("responseHeaders drops x-svc fields, which the client would take for ours", () => {
  const to = responseHeaders(
    new Headers({
      "x-svc-cached": "true",
      "x-svc-tokens-saved": "9",
      "x-headroom-mode": "audit",
    }),
  );
  assert.deepEqual([...to], []);
});

Deno.test("requestHeaders drops what a format does not want upstream", () => {
  const to = requestHeaders(new Headers({ "x-lite": "1", "x-ok": "1" }), {
    ...KEEP,
    drop: ["x-lite"],
  });
  assert.deepEqual([...to.keys()].sort(), ["accept-encoding", "x-ok"]);
});

const read = (headers: Record<string, string>) =>
  ownHeader(new Headers(headers), "mode");

Deno.test("ownHeader reads our field before its alias, an empty one too, and neither by chance", () => {
  assert.equal(read({ "X-Svc-Mode": "a" }), "a");
  assert.equal(read({ "X-Headroom-Mode": "b" }), "b");
  assert.equal(read({ "x-headroom-mode": "b", "x-svc-mode": "a" }), "a");
  assert.equal(read({ "x-headroom-mode": "b", "x-svc-mode": "" }), "");
  assert.equal(read({ "x-mode": "c", "x-svc-mode-x": "d" }), undefined);
});

Deno.test("ownHeaderNames gives both names, the one that counts first", () => {
  assert.deepEqual(ownHeaderNames("a"), ["x-svc-a", "x-headroom-a"]);
});
