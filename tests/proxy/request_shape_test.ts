import assert from "node:assert/strict";
import { refuseShape } from "../../src/proxy/request_shape.ts";

/** A request with fields and a URL that `Request` would not take. */
function shaped(
  fields: Record<string, string>,
  { url = "http://127.0.0.1:8787/v1/x", method = "POST" } = {},
): Request {
  const headers = new Headers({ host: "127.0.0.1:8787", ...fields });
  return { url, method, headers } as Request;
}

for (
  const request of [
    shaped({}),
    shaped({ "content-length": "0" }),
    shaped({ "content-length": "12345" }),
    shaped({ "transfer-encoding": "Chunked" }),
    shaped({}, { url: "http://127.0.0.1:8787" }),
    shaped({}, { url: "http://127.0.0.1:8787?x" }),
    shaped({}, { url: "http://127.0.0.1:8787/a/../b//%zz?q=http://x/" }),
    shaped({}, { url: "http://127.0.0.1:8787/*", method: "OPTIONS" }),
    shaped({ host: "LocalHost" }, { url: "http://localhost/" }),
    // No host at all is the gates' business.
    shaped({ host: "" }, { url: "http://localhost:8787/" }),
    shaped({}, { method: "FOO" }),
  ]
) {
  const { url, method } = request;
  const fields = JSON.stringify([...request.headers]);
  Deno.test(`refuseShape lets ${method} ${url} pass with ${fields}`, () => {
    assert.equal(refuseShape(request), undefined);
  });
}

for (
  const request of [
    shaped({ "content-length": "3, 3" }),
    shaped({ "content-length": "+3" }),
    shaped({ "content-length": "0x3" }),
    shaped({ "content-length": "" }),
    shaped({ "content-length": "9".repeat(16) }),
    shaped({ "transfer-encoding": "gzip, chunked" }),
    shaped({ "transfer-encoding": "chunked, chunked" }),
    shaped({ "transfer-encoding": "identity" }),
    shaped({ "transfer-encoding": "chunked", "content-length": "3" }),
    shaped({ host: "a b" }, { url: "http://a b/" }),
    shaped({ host: "a, b" }, { url: "http://a, b/" }),
    shaped({}, { url: "http://evil.example/v1/x" }),
    shaped({}, { url: "http://127.0.0.1/v1/x" }),
    shaped({}, { url: "https://x@127.0.0.1:8787/v1/x" }),
  ]
) {
  const { url } = request;
  const fields = JSON.stringify([...request.headers]);
  Deno.test(`refuseShape answers 400 to ${url} with ${fields}`, async () => {
    const response = refuseShape(request);
    assert.equal(response?.status, 400);
    assert.equal(response?.headers.get("connection"), "close");
    const { error } = await response?.json();
    assert.equal(error.type, "invalid_request_error");
  });
}

Deno.test("refuseShape answers 405 to tunnels and echoes, whatever the path", () => {
  for (const method of ["TRACE", "CONNECT", "trace", "Connect"]) {
    for (const url of ["http://127.0.0.1:8787/health", "http://x:443"]) {
      assert.equal(refuseShape(shaped({}, { url, method }))?.status, 405);
    }
  }
});

Deno.test("refuseShape answers 426 to WebSockets, and lets other upgrades pass", async () => {
  const asked = (upgrade: string) =>
    refuseShape(shaped({ upgrade, connection: "upgrade" }, { method: "GET" }));
  const response = asked("WebSocket");
  assert.equal(response?.status, 426);
  assert.match((await response?.json()).error.message, /over HTTP$/);
  assert.equal(asked("h2c"), undefined);
});
