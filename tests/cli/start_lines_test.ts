import assert from "node:assert/strict";
import type { EgressChannel } from "../../src/cli/io.ts";
import { type StartFacts, startLines } from "../../src/cli/start_lines.ts";
import { makeStyle } from "../../src/cli/terminal.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";

const plain = makeStyle(false, {});

const BEACON_OFF: EgressChannel = {
  name: "beacon",
  enabled: false,
  reason: "SVC_TELEMETRY_ENDPOINT names nobody to report to",
  endpoint: null,
};

function linesFor(
  flags: Record<string, string>,
  proxy: Partial<StartFacts["proxy"]> = {},
  env: Record<string, string> = { HOME: "/home/a" },
): string {
  const config = resolveConfig({ flags, env });
  const backends = {
    storeBackend: config.ccr.backend,
    ledgerBackend: config.paths === undefined ? "memory" : "sqlite",
  } as const;
  return startLines(
    config,
    {
      proxy: { port: 4321, ...backends, processes: 1, ...proxy },
      egress: [BEACON_OFF],
    },
    plain,
  );
}

/** What the lines say about files. */
function files(...args: Parameters<typeof linesFor>): string {
  return /^ +files +(.*)$/m.exec(linesFor(...args))![1]!;
}

Deno.test("startLines says where it listens, where it sends, what it keeps and how to use it", () => {
  const lines = linesFor({});
  for (
    const part of [
      "listens on http://127.0.0.1:4321",
      "cache mode",
      "https://api.anthropic.com",
      "https://api.openai.com",
      "/home/a/.svc/ccr_store.db",
      "ANTHROPIC_BASE_URL=http://127.0.0.1:4321 claude",
      "OPENAI_BASE_URL=http://127.0.0.1:4321/v1",
      `codex -c 'openai_base_url="http://127.0.0.1:4321/v1"'`,
      "http://127.0.0.1:4321/dashboard",
      "nothing leaves this machine but requests; the beacon is off: SVC_TELEMETRY_ENDPOINT names nobody",
    ]
  ) assert.ok(lines.includes(part), part);
  assert.ok(!lines.includes("Warning"));
  assert.ok(lines.endsWith("\n"));
});

Deno.test("startLines names svc wrap before variables, with the port unless it is the usual one", () => {
  const first = (port: number) =>
    /client at it:\n +Agents +(.*);/.exec(linesFor({}, { port }))?.[1];
  assert.equal(first(4321), "svc wrap claude --port 4321");
  assert.equal(first(8787), "svc wrap claude");
});

Deno.test("startLines warns when other machines can reach the port, and names an address that can be called", () => {
  for (const host of ["0.0.0.0", "::", "192.168.1.2"]) {
    assert.match(linesFor({ host }), new RegExp(`^Warning: ${host} is not`));
  }
  assert.ok(
    linesFor({ host: "0.0.0.0" }).includes(
      "on all addresses, port 4321; here http://127.0.0.1:4321",
    ),
  );
  for (const host of ["localhost", "127.1.2.3", "::1"]) {
    assert.ok(!linesFor({ host }).includes("Warning"), host);
  }
});

Deno.test("startLines writes an IPv6 host in brackets", () => {
  assert.ok(linesFor({ host: "::1" }).includes("on http://[::1]:4321"));
});

Deno.test("startLines names the limits that were asked for", () => {
  assert.match(linesFor({ "no-optimize": "true" }), /passthrough: nothing is/);
  assert.match(linesFor({ lossless: "true" }), /cache mode, lossless/);
  assert.match(linesFor({ "no-ccr": "true" }), /cache mode, no retrieval/);
});

Deno.test("startLines repeats the warnings of the configuration", () => {
  const lines = linesFor({ "chat-api-url": "http://a/v1" });
  assert.match(lines, /^Warning: Upstream http:\/\/a\/v1 /m);
});

Deno.test("startLines says where originals are, also when their file could not be used", () => {
  assert.equal(
    files({}),
    "/home/a/.svc/ccr_store.db (originals, for 1800 s after their last use, and what was sent for them)",
  );
  const memory = "originals in memory only, until the proxy stops";
  assert.equal(files({ stateless: "true" }), `none but the log; ${memory}`);
  const env = { HOME: "/home/a", SVC_CCR_BACKEND: "memory" };
  assert.equal(
    files({}, {}, env),
    `/home/a/.svc/ledger.db (what requests cost and saved); ${memory}`,
  );
  const unusable = { storeBackend: "memory" } as const;
  assert.equal(files({}, unusable), `${memory}; reason above`);
});

Deno.test("startLines says where requests are counted when the ledger could not be used", () => {
  const uncounted =
    "requests are counted in memory only, until the proxy stops, reason above";
  const unusable = { ledgerBackend: "memory" } as const;
  const text = files({}, unusable);
  assert.match(text, /^\/home\/a\/\.svc\/ccr_store\.db \(originals, /);
  assert.ok(text.endsWith(`; ${uncounted}`), text);
  const env = { HOME: "/home/a", SVC_CCR_BACKEND: "memory" };
  assert.ok(files({}, unusable, env).startsWith(`${uncounted}; originals`));
  const workers = linesFor({ workers: "3" }, unusable);
  assert.match(workers, /3 processes were asked for, 1 runs: .*reason above/);
});

Deno.test("startLines shows an absolute path where the workspace is a relative one", () => {
  const text = files({}, {}, { SVC_WORKSPACE_DIR: "w" });
  assert.ok(text.startsWith(`${Deno.cwd()}/w/ccr_store.db `), text);
});

Deno.test("startLines promises no originals where none are kept", () => {
  for (const flag of ["lossless", "no-ccr"]) {
    assert.match(files({ [flag]: "true" }), /ccr_store\.db .*no new originals/);
    assert.equal(
      files({ [flag]: "true", stateless: "true" }),
      "none but the log; no originals are kept",
    );
  }
  assert.match(files({ "no-optimize": "true" }), /nothing new is kept/);
});

Deno.test("startLines names every log, and says where texts are kept", () => {
  const log = "/home/a/.svc/logs/proxy.log";
  const rows = (flags: Record<string, string>) =>
    linesFor(flags).split("\n")
      .flatMap((line) =>
        /^ +(?:.*log|refused.*?) {2,}(.*)$/.exec(line)?.[1] ?? []
      );
  assert.deepEqual(rows({}), [log]);
  assert.deepEqual(rows({ stateless: "true", "log-file": "/l" }), [log]);
  assert.deepEqual(rows({ "log-file": "/l" }), [log, "/l"]);
  const texts = ", with the texts of requests and responses";
  const messages = { "log-messages": "true" };
  assert.deepEqual(rows(messages), [log, `in memory only${texts}`]);
  assert.deepEqual(
    rows({ ...messages, "log-file": "/l", "debug-400": "true" }),
    [log, `/l${texts}`, "/home/a/.svc/logs/debug_400, masked"],
  );
});

Deno.test("startLines does not warn of other machines where they need a token, and says that they do", () => {
  const env = { HOME: "/home/a", SVC_PROXY_TOKEN: "0123456789abcdef" };
  const lines = linesFor({ host: "0.0.0.0" }, {}, env);
  assert.doesNotMatch(lines, /Warning|0123456789abcdef/);
  assert.match(lines, /^ +token +callers from other machines need it$/m);
  assert.doesNotMatch(linesFor({}), /^ +token/m);
});

Deno.test("startLines names the HTTP proxy without its user and password", () => {
  const lines = linesFor({ "http-proxy": "http://me:hunter2@proxy.test:3128" });
  assert.match(lines, /^ +through +http:\/\/proxy\.test:3128$/m);
  assert.doesNotMatch(lines, /hunter2|me:/);
});

Deno.test("startLines names vertex and foundry upstreams where they are set", () => {
  const lines = linesFor({
    "vertex-api-url": "http://v.test",
    "foundry-api-url": "http://f.test/x",
  });
  assert.match(lines, /^ +vertex +http:\/\/v\.test$/m);
  assert.match(lines, /^ +foundry +http:\/\/f\.test\/x$/m);
  assert.doesNotMatch(linesFor({}), /vertex|foundry|through|budget|processes/);
});

Deno.test("startLines says what the budget is", () => {
  const basis = (word: string) =>
    linesFor({ budget: "2.50", "budget-estimated-basis": word });
  assert.match(basis("count"), /^ +budget +2\.5 USD daily in UTC; .* count$/m);
  assert.match(basis("ignore"), /estimated costs do not count$/m);
  assert.match(basis("block"), /an estimated cost ends it$/m);
});

Deno.test("startLines says how many processes run, and why there are fewer than wanted", () => {
  const workers = { workers: "3" };
  const all = linesFor(workers, { processes: 3 });
  assert.match(all, /^ +processes +3$/m);
  assert.doesNotMatch(all, /Warning/);
  const warning = (...args: Parameters<typeof linesFor>) =>
    /^Warning: 3 processes were asked for, (.*)$/m.exec(linesFor(...args))?.[1];
  assert.match(
    warning({ ...workers, stateless: "true" })!,
    /^1 runs: .*database.*nothing is written/,
  );
  assert.match(
    warning(workers, { storeBackend: "memory" })!,
    /^1 runs: .*database.*reason above$/,
  );
  assert.match(warning(workers)!, /^1 runs: this system does not spread/);
  assert.equal(warning(workers, { processes: 2 }), "2 run; reason above");
});

Deno.test("startLines names whom anything is reported to", () => {
  const going = { ...BEACON_OFF, enabled: true, endpoint: "a.example" };
  const config = resolveConfig({ env: { HOME: "/home/a" } });
  const proxy = {
    port: 1,
    storeBackend: "memory",
    ledgerBackend: "sqlite",
    processes: 1,
  } as const;
  const lines = startLines(config, { proxy, egress: [going] }, plain);
  assert.match(lines, /^ +reports +beacon to a\.example$/m);
});

Deno.test("startLines says that there is no log file where there is none", () => {
  const lines = linesFor({ stateless: "true" }, {}, {});
  assert.match(lines, /^ +files +none; originals in memory only/m);
  assert.match(lines, /^ +log +stderr only, warnings and errors: /m);
  assert.match(
    linesFor({ stateless: "true" }),
    /^ +log +\/home\/a\/.svc\/logs/m,
  );
});

Deno.test("startLines says what the runtime keeps the proxy to, where it does", () => {
  const confined = "writes no file; starts no program";
  const lines = linesFor({}, { confined });
  assert.match(lines, /^ +confined +writes no file; starts no program$/m);
  assert.doesNotMatch(linesFor({}), /confined/);
  const extensions = ["redact", "./x.ts"];
  const loaded = linesFor({}, { extensions });
  assert.match(loaded, /^ +extensions +redact, \.\/x\.ts$/m);
  assert.doesNotMatch(linesFor({}), /extensions/);
});
