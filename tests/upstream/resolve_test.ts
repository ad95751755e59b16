import assert from "node:assert/strict";
import type {
  HeaderField,
  RouteTarget,
  Upstream,
} from "../../src/core/upstream.ts";
import {
  makeOperatorHeaders,
  type OperatorHeaderParts,
  Resolver,
  type ResolverParts,
  type UpstreamBases,
} from "../../src/upstream/resolve.ts";

const BASES: UpstreamBases = {
  messages: new URL("https://messages.example/prefix"),
  chat: new URL("http://chat.example:8080"),
};
const MESSAGES_HEADERS = [["x-team", "canary-messages"]] as const;
const CHAT_HEADERS = [["x-team", "canary-chat"]] as const;
const PUBLIC = "93.184.216.34";

interface Made {
  readonly ask: (
    wanted: RouteTarget,
    headers?: Record<string, string>,
  ) => Promise<Upstream>;
  readonly logged: unknown[];
  readonly lookedUp: string[];
}

function make(
  bases: Partial<UpstreamBases> = {},
  parts: Partial<ResolverParts> = {},
): Made {
  const logged: unknown[] = [];
  const lookedUp: string[] = [];
  const resolver = new Resolver({ ...BASES, ...bases }, {
    messagesHeaders: MESSAGES_HEADERS,
    chatHeaders: CHAT_HEADERS,
    headerHosts: [],
    allowedBases: [],
    resolveTimeoutMs: 3000,
    lookup: (host) => {
      lookedUp.push(host);
      const isLocal = host.endsWith(".lan") || host === "localhost";
      return Promise.resolve([isLocal ? "127.0.0.1" : PUBLIC]);
    },
    after: () => () => {},
    log: (...record) => void logged.push(record),
    ...parts,
  });
  const ask: Made["ask"] = (wanted, headers = {}) =>
    resolver.resolve(new Request("http://proxy/v1/x", { headers }), wanted);
  return { ask, logged, lookedUp };
}

const override = (value: string) => ({ "x-svc-base-url": value });

Deno.test("resolve gives each family its base, label and operator fields", async () => {
  const { ask, logged } = make({
    vertex: new URL("https://vertex.example"),
    foundry: new URL("https://r.services.ai.azure.com"),
  });
  assert.deepEqual(await ask({ family: "messages" }), {
    base: BASES.messages,
    label: "messages.example",
    extraHeaders: MESSAGES_HEADERS,
  });
  assert.deepEqual(await ask({ family: "chat" }), {
    base: BASES.chat,
    label: "chat.example",
    extraHeaders: CHAT_HEADERS,
  });
  assert.deepEqual(await ask({ family: "vertex", region: "us-east5" }), {
    base: new URL("https://vertex.example"),
    label: "vertex.example",
    extraHeaders: MESSAGES_HEADERS,
  });
  assert.deepEqual(await ask({ family: "foundry" }), {
    base: new URL("https://r.services.ai.azure.com"),
    label: "Azure Foundry",
    extraHeaders: MESSAGES_HEADERS,
  });
  assert.deepEqual(logged, []);
});

Deno.test("resolve sends foundry requests to the messages base unless configured", async () => {
  const { base } = await make().ask({ family: "foundry" });
  assert.equal(base, BASES.messages);
});

Deno.test("resolve sends Google's own calls to Google, without the operator's fields, unless another is chosen", async () => {
  const { ask } = make();
  const { base, label, extraHeaders } = await ask({ family: "google" });
  assert.equal(base.href, "https://generativelanguage.googleapis.com/");
  assert.equal(label, "Google Gemini");
  assert.deepEqual(extraHeaders, []);
  const chosen = await ask(
    { family: "google" },
    override("http://chat.example:8080"),
  );
  assert.equal(chosen.base.host, "chat.example:8080");
  assert.deepEqual(chosen.extraHeaders, []);
});

Deno.test("resolve makes the vertex host of the region", async () => {
  const { ask } = make();
  const hosts: Readonly<Record<string, string>> = {
    "us-east5": "us-east5-aiplatform.googleapis.com",
    "europe-west1": "europe-west1-aiplatform.googleapis.com",
    "global": "aiplatform.googleapis.com",
    "us": "aiplatform.us.rep.googleapis.com",
    "eu": "aiplatform.eu.rep.googleapis.com",
  };
  for (const [region, host] of Object.entries(hosts)) {
    const upstream = await ask({ family: "vertex", region });
    assert.equal(upstream.base.href, `https://${host}/`);
    assert.equal(upstream.label, "Google Vertex");
    assert.deepEqual(upstream.extraHeaders, []);
    assert.equal(upstream.addresses, undefined);
  }
  const { base } = await ask({ family: "vertex" });
  assert.equal(base.host, "aiplatform.googleapis.com");
});

Deno.test("resolve never leaves the vertex domain for a region that is none", async () => {
  const { ask } = make();
  const regions = [
    "",
    "evil.example/",
    "evil.example#",
    "u:p@evil.example",
    "US",
    "xn--",
    "us\n",
    "evil.example:443?",
    "..",
  ];
  for (const region of regions) {
    const { base } = await ask({ family: "vertex", region });
    assert.equal(base.href, "https://aiplatform.googleapis.com/", region);
  }
});

Deno.test("resolve lets credentials decide where the family is unknown", async () => {
  const { ask } = make();
  const hostFor = async (headers: Record<string, string>) =>
    (await ask({ family: undefined }, headers)).base.hostname;
  assert.equal(
    await hostFor({ "anthropic-version": "2023-06-01" }),
    "messages.example",
  );
  assert.equal(await hostFor({ "x-api-key": "k" }), "messages.example");
  assert.equal(
    await hostFor({ authorization: "bearer sk-ant-oat-1" }),
    "messages.example",
  );
  assert.equal(await hostFor({}), "chat.example");
  assert.equal(
    await hostFor({ authorization: "Bearer sk-proj-1" }),
    "chat.example",
  );
  assert.equal(
    await hostFor({ authorization: "Basic sk-ant-1" }),
    "chat.example",
  );
});

Deno.test("resolve gives operator fields by credentials where the family is unknown", async () => {
  const { ask } = make();
  const headers = { "x-api-key": "k" };
  const messages = await ask({ family: undefined }, headers);
  assert.deepEqual(messages.extraHeaders, MESSAGES_HEADERS);
  const chat = await ask({ family: undefined });
  assert.deepEqual(chat.extraHeaders, CHAT_HEADERS);
});

Deno.test("resolve follows a public choice on the routes that offer it, pinned and without secrets", async () => {
  for (const family of ["messages", "chat", undefined] as const) {
    const { ask } = make();
    assert.deepEqual(
      await ask({ family }, override(" https://api.groq.com/openai ")),
      {
        base: new URL("https://api.groq.com/openai"),
        label: "Groq",
        isChosen: true,
        isUnverified: true,
        extraHeaders: [],
        addresses: [PUBLIC],
      },
    );
  }
});

Deno.test("resolve gives a chosen upstream the fields when it is a configured one", async () => {
  const { ask } = make({}, { headerHosts: ["listed.example"] });
  const headersFor = async (url: string) =>
    (await ask({ family: "messages" }, override(url))).extraHeaders;
  for (
    const url of [
      "https://messages.example",
      "http://chat.example:8080",
      "https://api.openai.com",
      "https://listed.example",
    ]
  ) assert.deepEqual(await headersFor(url), MESSAGES_HEADERS, url);
  for (
    const url of [
      "http://messages.example",
      "https://messages.example:8443",
      "https://messages.example.evil.example",
    ]
  ) assert.deepEqual(await headersFor(url), [], url);
});

Deno.test("resolve takes a chosen upstream for verified where the operator or a default names its origin", async () => {
  const { ask } = make({}, {
    allowedBases: [{ host: "gpu.lan", origin: undefined }],
  });
  const verified = async (url: string) =>
    (await ask({ family: "chat" }, override(url))).isUnverified === undefined;
  assert.equal(await verified("https://messages.example/other"), true);
  assert.equal(await verified("https://api.openai.com"), true);
  assert.equal(await verified("http://messages.example"), false);
  // Clients may choose it; that says nothing about its figures.
  assert.equal(await verified("http://gpu.lan"), false);
});

Deno.test("resolve ignores an empty choice", async () => {
  const { ask, lookedUp } = make();
  for (const value of ["", "  \t "]) {
    const upstream = await ask({ family: "chat" }, override(value));
    assert.equal(upstream.base, BASES.chat);
    assert.ok(!("ignoredOverride" in upstream));
  }
  assert.deepEqual(lookedUp, []);
});

Deno.test("resolve uses the configured upstream and says why when a choice is refused", async () => {
  const { ask, logged } = make();
  const wanted = { family: "messages" } as const;
  const refused = await ask(wanted, override("http://localhost:8787"));
  assert.deepEqual(refused, {
    base: BASES.messages,
    label: "messages.example",
    extraHeaders: MESSAGES_HEADERS,
    ignoredOverride: "loopback",
  });
  assert.deepEqual(logged, [
    ["warn", "base_url_override_refused", {
      host: "localhost",
      reason: "loopback",
    }],
  ]);
});

Deno.test("resolve logs a refusal once per host and nothing else of the value", async () => {
  const { ask, logged } = make();
  const values = [
    "https://user:secret@evil.example",
    "https://evil.example/secret?secret",
    "http://gpu.lan:1/secret",
    "http://gpu.lan:2/secret",
    "not a secret URL",
    "secret",
  ];
  for (const value of values) await ask({ family: "chat" }, override(value));
  assert.deepEqual(logged.map((record) => (record as unknown[])[2]), [
    { host: "evil.example", reason: "has_credentials" },
    { host: "gpu.lan", reason: "loopback" },
    { host: "unparsable", reason: "invalid_url" },
  ]);
  assert.doesNotMatch(JSON.stringify(logged), /secret/);
});

Deno.test("resolve says once per host why it cannot be looked up", async () => {
  const { ask, logged } = make({}, {
    lookup: () => Promise.reject(Object.assign(new Error(), { code: "EPERM" })),
  });
  for (let i = 0; i < 2; i++) {
    const { ignoredOverride } = await ask(
      { family: "chat" },
      override("https://a.example"),
    );
    assert.equal(ignoredOverride, "unresolvable");
  }
  assert.deepEqual(logged, [
    ["warn", "lookup_failed", { host: "a.example", reason: "EPERM" }],
    ["warn", "base_url_override_refused", {
      host: "a.example",
      reason: "unresolvable",
    }],
  ]);
});

Deno.test("resolve honours no choice on vertex and foundry routes, and says so", async () => {
  const { ask, logged, lookedUp } = make();
  for (const family of ["vertex", "foundry"] as const) {
    const upstream = await ask({ family }, override("https://api.example"));
    assert.equal(upstream.ignoredOverride, "unsupported_route");
    assert.equal(upstream.addresses, undefined);
    assert.doesNotMatch(upstream.base.host, /api\.example/);
  }
  assert.deepEqual(lookedUp, []);
  assert.equal(JSON.stringify(logged).match(/api\.example/g)?.length, 1);
});

Deno.test("resolve permits a private choice of the list", async () => {
  const { ask } = make({}, {
    allowedBases: [{ host: "gpu.lan", origin: "http://gpu.lan:11434" }],
  });
  const upstream = await ask(
    { family: "chat" },
    override("http://gpu.lan:11434"),
  );
  assert.deepEqual(upstream.addresses, ["127.0.0.1"]);
  const other = await ask({ family: "chat" }, override("http://gpu.lan:11435"));
  assert.equal(other.ignoredOverride, "loopback");
});

Deno.test("resolve lets clients choose configured and permitted upstreams only when it is offline, by name", async () => {
  const { ask, lookedUp } = make({}, {
    isOffline: true,
    allowedBases: [{ host: "gpu.lan", origin: undefined }],
  });
  const chosen = async (value: string) => {
    const upstream = await ask({ family: "messages" }, override(value));
    assert.equal(upstream.addresses, undefined);
    assert.equal(upstream.isChosen === true, !upstream.ignoredOverride);
    return upstream.ignoredOverride ?? upstream.base.href;
  };
  assert.equal(await chosen("http://gpu.lan:81"), "http://gpu.lan:81/");
  assert.equal(
    await chosen("http://chat.example:8080/x"),
    "http://chat.example:8080/x",
  );
  assert.equal(await chosen("https://8.8.8.8"), "offline");
  assert.deepEqual(lookedUp, []);
});

Deno.test("resolve falls back when names resolve too slowly", async () => {
  const waits: number[] = [];
  const { ask } = make({}, {
    lookup: () => new Promise(() => {}),
    after: (ms, callback) => {
      waits.push(ms);
      queueMicrotask(callback);
      return () => {};
    },
    resolveTimeoutMs: 1234,
  });
  const upstream = await ask(
    { family: "chat" },
    override("https://slow.example"),
  );
  assert.equal(upstream.ignoredOverride, "lookup_timeout");
  assert.equal(upstream.base, BASES.chat);
  assert.deepEqual(waits, [1234]);
});

Deno.test("resolve goes to the addresses it checked although names change afterwards", async () => {
  const answers = [[PUBLIC], ["169.254.169.254"]];
  const { ask } = make({}, {
    lookup: () => Promise.resolve(answers.shift() ?? []),
  });
  const wanted = { family: "chat" } as const;
  const first = await ask(wanted, override("https://rebind.example"));
  assert.deepEqual(first.addresses, [PUBLIC]);
  const second = await ask(wanted, override("https://rebind.example"));
  assert.equal(second.ignoredOverride, "metadata");
  const third = await ask(wanted, override("https://rebind.example"));
  assert.equal(third.ignoredOverride, "unresolvable");
});

Deno.test("Resolver refuses a base that is not http", () => {
  for (const name of ["messages", "chat", "vertex", "foundry"]) {
    assert.throws(
      () => make({ [name]: new URL("ftp://x/") }),
      { name: "TypeError", message: /ftp:\/\/x.*use an http or https URL/ },
    );
  }
});

const MESSAGES: readonly HeaderField[] = [["x-team", "canary-messages"]];
const CHAT: readonly HeaderField[] = [["x-team", "canary-chat"]];

function makeHeaders(parts: Partial<OperatorHeaderParts> = {}) {
  const logged: unknown[] = [];
  const headers = makeOperatorHeaders({
    bases: [
      new URL("https://gateway.example/prefix"),
      new URL("http://127.0.0.1:4000"),
    ],
    headerHosts: ["listed.example", "gateway.example", "[::1]"],
    messagesHeaders: MESSAGES,
    chatHeaders: CHAT,
    log: (...record) => void logged.push(record),
    ...parts,
  });
  const to = (url: string) => headers(new URL(url), "messages");
  return { headers, to, logged };
}

Deno.test("the operator's fields go to configured, default and listed hosts", () => {
  const { to, logged } = makeHeaders();
  const known = [
    "https://gateway.example",
    "https://gateway.example:443/other",
    "https://gateway.example./",
    "http://127.0.0.1:4000",
    "https://api.anthropic.com",
    "https://api.openai.com/v1",
    "https://listed.example",
    "https://listed.example:8443",
    "http://listed.example:8080",
    "http://[::1]:9000",
    "https://gateway.example:8443",
  ];
  for (const url of known) assert.deepEqual(to(url), MESSAGES, url);
  assert.deepEqual(logged, []);
});

Deno.test("the operator's fields follow the group of the request", () => {
  const { headers } = makeHeaders();
  const base = new URL("https://gateway.example");
  assert.deepEqual(headers(base, "chat"), CHAT);
  assert.deepEqual(headers(base, "messages"), MESSAGES);
});

Deno.test("the operator's fields go to no host that only resembles a known one", () => {
  const { to } = makeHeaders();
  const others = [
    "https://api.anthropic.com@evil.example",
    "https://api.anthropic.com:443@evil.example/",
    "https://api.anthropic.com.evil.example",
    "https://evil-api.anthropic.com",
    "https://x.gateway.example",
    "https://gateway.example.evil.example",
    "https://evil.example/gateway.example",
    "https://evil.example/?x=https://gateway.example",
    "https://evil.example#@gateway.example",
    "https://anthropic.com",
    "https://us-east5-aiplatform.googleapis.com",
  ];
  for (const url of others) assert.deepEqual(to(url), [], url);
});

Deno.test("the operator's fields leave unencrypted only where the operator said so", () => {
  const { to } = makeHeaders();
  assert.deepEqual(to("http://api.anthropic.com"), []);
  assert.deepEqual(to("http://api.anthropic.com:443"), []);
  // Listed by name, but configured with https.
  assert.deepEqual(to("http://gateway.example"), []);
  assert.deepEqual(to("http://127.0.0.1:4001"), []);
  assert.deepEqual(to("https://127.0.0.1:4000"), []);
});

Deno.test("a host without the fields is logged once, by name and nothing else", () => {
  const { headers, logged } = makeHeaders();
  const urls = [
    "https://u:secret@evil.example/secret?secret",
    "http://evil.example:81",
    "https://other.example",
  ];
  for (const url of [...urls, ...urls]) {
    headers(new URL(url), "messages");
    headers(new URL(url), "chat");
  }
  assert.deepEqual(logged, [
    ["warn", "upstream_extra_headers_withheld", { host: "evil.example" }],
    ["warn", "upstream_extra_headers_withheld", { host: "other.example" }],
  ]);
});

Deno.test("nothing is logged when there is nothing to withhold", () => {
  const { headers, logged } = makeHeaders({ messagesHeaders: [] });
  assert.deepEqual(headers(new URL("https://evil.example"), "messages"), []);
  assert.deepEqual(logged, []);
});
