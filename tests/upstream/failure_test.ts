import assert from "node:assert/strict";
import {
  ConnectFailure,
  unreachable,
  unusable,
  UnusableStatus,
  UpstreamBrokeOff,
  UpstreamTimeout,
} from "../../src/upstream/failure.ts";

const url = "https://up.example:81/tls/tunnel?key=s3cret";
const fetchError = (text: string) =>
  new TypeError("fetch failed", {
    cause: new Error(`error sending request for url (${url}): ${text}`),
  });
const coded = (message: string, code: string) =>
  Object.assign(new Error(message), { code });

/** What was thrown, the reason given for it, and whether it is worth another try. */
const CASES: readonly (readonly [unknown, string, boolean])[] = [
  [
    fetchError(
      "client error (Connect): tcp connect error: Connection refused (os error 111)",
    ),
    "connection refused",
    true,
  ],
  [
    fetchError(
      "client error (Connect): dns error: failed to lookup address information",
    ),
    "unknown host name",
    true,
  ],
  [
    fetchError(
      "client error (Connect): tcp connect error: Connection timed out (os error 110)",
    ),
    "timed out",
    true,
  ],
  [
    fetchError(
      "client error (Connect): received corrupt message of type InvalidContentType",
    ),
    "TLS failure",
    true,
  ],
  [
    fetchError(
      "client error (Connect): invalid peer certificate: UnknownIssuer",
    ),
    "certificate not accepted",
    false,
  ],
  [
    fetchError("client error (Connect): proxy authentication required"),
    "refused by the HTTP proxy",
    false,
  ],
  [
    fetchError(
      "client error (SendRequest): connection closed before message completed",
    ),
    "connection closed",
    false,
  ],
  [
    new TypeError("Fetch failed: Requests to port 1 are blocked"),
    "blocked port",
    false,
  ],
  [coded("socket hang up", "ECONNRESET"), "connection closed", false],
  [
    new ConnectFailure(
      coded("connect ECONNREFUSED 192.0.2.1:81", "ECONNREFUSED"),
    ),
    "connection refused",
    true,
  ],
  [
    new ConnectFailure(
      new ConnectFailure(coded("getaddrinfo ENOTFOUND proxy", "ENOTFOUND")),
    ),
    "unknown host name",
    true,
  ],
  [
    new ConnectFailure(
      coded(
        "Host: tls.tunnel. is not in the cert's altnames: DNS:up.test",
        "ERR_TLS_CERT_ALTNAME_INVALID",
      ),
    ),
    "certificate not accepted",
    false,
  ],
  [
    new Deno.errors.NotCapable('Requires net access to "up.example:81"'),
    "not permitted",
    false,
  ],
  [
    new ConnectFailure(
      new Deno.errors.NotCapable('Requires net access to "192.0.2.1:81"'),
    ),
    "not permitted",
    false,
  ],
  [
    new ConnectFailure(coded("getaddrinfo EPERM up.example", "EPERM")),
    "not permitted",
    false,
  ],
  [new Error("odd"), "connection failed", false],
  ["text", "connection failed", false],
];

for (const [error, reason, isUnsent] of CASES) {
  Deno.test(`unreachable says "${reason}" for ${error}`, () => {
    const made = unreachable(error, { url });
    assert.equal(made.type, "connection_error");
    assert.equal(made.isUnsent, isUnsent);
    assert.deepEqual(made.details, { host: "up.example:81", reason });
    assert.ok(
      made.message.startsWith(
        `Failed to connect to upstream API at up.example:81 (${reason}): `,
      ),
    );
    assert.doesNotMatch(JSON.stringify(made) + made.message, /s3cret|tls\//);
  });
}

Deno.test("unreachable names the HTTP proxy that it went through, and the setting that helps", () => {
  const refused = fetchError("client error (Connect): Connection refused");
  assert.match(
    unreachable(refused, { url, via: "proxy:3128" }).message,
    / through the proxy proxy:3128 \(connection refused\)/,
  );
  const message = (text: string) =>
    unreachable(new Error(text), { url }).message;
  assert.match(message("invalid peer certificate"), /SVC_CA_FILE/);
  assert.match(message("tunnel error: unsuccessful"), /SVC_HTTP_PROXY/);
});

Deno.test("unreachable says of a status that cannot be passed on what was answered, not that nothing was", () => {
  const saying: readonly (readonly [number, string])[] = [
    [600, "answered with status 600, which is no HTTP status"],
    [999, "answered with status 999, which is no HTTP status"],
    [99, "answered with status 99, which is no HTTP status"],
    [100, "answered with status 100, which is no final HTTP status"],
    [150, "answered with status 150, which is no final HTTP status"],
    [199, "answered with status 199, which is no final HTTP status"],
    [200, "answered with status 200, which is no HTTP status"],
    [101, "switched protocols (101) without being asked to"],
  ];
  for (const [status, what] of saying) {
    const made = unreachable(new UnusableStatus(status), { url });
    assert.equal(
      made.message,
      `Upstream API at up.example:81 ${what}: check that its address is right`,
    );
    assert.equal(made.isUnsent, false);
    assert.equal(made.details["reason"], "unusable status");
  }
  const via = "proxy:3128";
  assert.match(
    unreachable(new UnusableStatus(999), { url, via }).message,
    /^Upstream API at up\.example:81 through the proxy proxy:3128 answered/,
  );
});

Deno.test("UpstreamBrokeOff names the host, and keeps what it broke with", () => {
  const cause = new TypeError("reset");
  const error = new UpstreamBrokeOff("up.example", cause);
  assert.equal(
    error.message,
    "Upstream API at up.example broke its response off: try again",
  );
  assert.equal(error.type, "connection_error");
  assert.equal(error.cause, cause);
});

Deno.test("UpstreamTimeout says what did not come, how long it took and what to do", () => {
  const error = new UpstreamTimeout("up.example", "response", 1500);
  assert.equal(
    error.message,
    "Upstream API at up.example did not answer within 1.5 seconds: try again, or raise SVC_REQUEST_TIMEOUT",
  );
  assert.deepEqual(error.details, {
    host: "up.example",
    reason: "timed out",
    timeout_ms: 1500,
  });
  const chunk = new UpstreamTimeout("up.example", "chunk", 1000);
  assert.match(chunk.message, /sent nothing more within 1 seconds/);
});

Deno.test("unusable refuses statuses that cannot be passed on", () => {
  for (const status of [200, 204, 304, 407, 429, 599]) {
    assert.equal(unusable(status, false), undefined);
  }
  for (const status of [0, 101, 199, 600, 999]) {
    assert.match(String(unusable(status, false)), /Unusable status/);
  }
  assert.match(String(unusable(407, true)), /Proxy authentication/);
  assert.equal(unusable(429, true), undefined);
});

Deno.test("unreachable says what keeps the program from a host that it may not reach", () => {
  const error = new Deno.errors.NotCapable("Requires net access");
  assert.equal(
    unreachable(error, { url }).message,
    "Failed to connect to upstream API at up.example:81 (not permitted): --offline, or a narrow --allow-net, keeps svc to the hosts of its configuration; add this one to it and start svc again, or start it without --offline",
  );
});
