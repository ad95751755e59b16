import assert from "node:assert/strict";
import { UPSTREAM_ROWS } from "../../src/settings/upstream_rows.ts";

Deno.test("UPSTREAM_ROWS reads the base URL of each family without its slash at the end", () => {
  const { messagesApiUrl, chatApiUrl, vertexApiUrl, foundryApiUrl } =
    UPSTREAM_ROWS;
  for (const row of [messagesApiUrl, chatApiUrl, vertexApiUrl, foundryApiUrl]) {
    assert.equal(row.parse("https://a.example/x/"), "https://a.example/x");
    assert.throws(() => row.parse("https://u:hunter2@a.example"), {
      message:
        `Cannot use ${row.env}="https://***@a.example": must be an http or https URL without credentials, query or fragment`,
    });
  }
});

Deno.test("UPSTREAM_ROWS reads operators' fields and the hosts that get them", () => {
  const { messagesApiHeaders, chatApiHeaders, upstreamAllowedHosts } =
    UPSTREAM_ROWS;
  for (const row of [messagesApiHeaders, chatApiHeaders]) {
    assert.deepEqual(row.parse('{"X-A":"b"}'), [["x-a", "b"]]);
    assert.throws(
      () => row.parse("hunter2"),
      (error: Error) => error.message.startsWith(`Cannot use ${row.env}: `),
    );
  }
  assert.deepEqual(upstreamAllowedHosts.parse("A.example"), ["a.example"]);
  const { allowedBaseUrls } = UPSTREAM_ROWS;
  assert.deepEqual(allowedBaseUrls.parse("http://a:1"), [
    { host: "a", origin: "http://a:1" },
  ]);
});

Deno.test("UPSTREAM_ROWS.httpProxy takes the URL of a proxy, user and password included, and repeats nothing of another", () => {
  const { httpProxy } = UPSTREAM_ROWS;
  assert.equal(httpProxy.parse("http://proxy:3128/"), "http://proxy:3128");
  assert.equal(httpProxy.parse(" https://u:p@proxy "), "https://u:p@proxy");
  for (
    const raw of ["proxy:3128", "socks5://proxy", "http://p/x", "http://p?x"]
  ) {
    assert.throws(() => httpProxy.parse(raw), {
      message:
        'Cannot use SVC_HTTP_PROXY="***": must be the URL of an HTTP proxy, e.g. http://proxy.example:3128',
    });
  }
});
