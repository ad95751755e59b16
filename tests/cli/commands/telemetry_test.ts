import assert from "node:assert/strict";
import type { TelemetryPreview } from "../../../src/cli/io.ts";
import { runCli } from "../../../src/cli/run.ts";
import { fakeFiles, type FakeIo, fakeIo } from "../fake_io.ts";

const PAYLOAD = { resourceLogs: [{ a: 1 }] };

const CHANNELS: TelemetryPreview["channels"] = [
  {
    name: "beacon",
    enabled: false,
    reason: "DO_NOT_TRACK is set",
    endpoint: null,
  },
  {
    name: "metrics",
    enabled: true,
    reason: "SVC_OTEL_METRICS_ENABLED is on",
    endpoint: "http://c:4318/v1/metrics",
  },
];

function ioWith(parts: Partial<FakeIo> = {}): FakeIo {
  return fakeIo({
    previewTelemetry: () =>
      Promise.resolve({ channels: CHANNELS, turns: 2, payload: PAYLOAD }),
    ...parts,
  });
}

async function printed(...args: readonly string[]): Promise<string> {
  const io = ioWith();
  assert.equal(await runCli(["telemetry", ...args], io), 0);
  assert.equal(io.err(), "");
  return io.out();
}

Deno.test("svc telemetry says what may leave, what decides, and what would be reported", async () => {
  const text = await printed();
  assert.match(text, /^ {2}beacon {3}off {2}DO_NOT_TRACK is set$/m);
  assert.match(
    text,
    /^ {2}metrics {2}on {3}to http:\/\/c:4318\/v1\/metrics: /m,
  );
  assert.match(text, /would report the last session, of 2 requests/);
  const json = text.slice(text.indexOf("{"));
  assert.deepEqual(JSON.parse(json), PAYLOAD);
});

Deno.test("svc telemetry show prints the report alone, exactly as JSON", async () => {
  assert.deepEqual(JSON.parse(await printed("show")), PAYLOAD);
  assert.equal(await printed("show", "--json"), `${JSON.stringify(PAYLOAD)}\n`);
});

Deno.test("svc telemetry list prints the ways alone", async () => {
  const text = await printed("list");
  assert(!text.includes("{"));
  assert.deepEqual(JSON.parse(await printed("list", "--json")), {
    channels: CHANNELS,
    proxy: null,
  });
  assert.deepEqual(
    JSON.parse(await printed("--json", "list")),
    { channels: CHANNELS, proxy: null },
  );
});

Deno.test("svc telemetry --json holds both", async () => {
  assert.deepEqual(JSON.parse(await printed("--json")), {
    channels: CHANNELS,
    proxy: null,
    beacon: { session_turns: 2, payload: PAYLOAD },
  });
});

Deno.test("svc telemetry reads stored settings and the ledger, and closes it", async () => {
  const seen: unknown[] = [];
  const reader = {} as NonNullable<
    Awaited<ReturnType<FakeIo["openLedger"]>>
  >["reader"];
  const stored = JSON.stringify({ SVC_MODE: "token" });
  const io = ioWith({
    files: fakeFiles(new Map([["/home/a/.svc/settings.json", stored]])),
    openLedger(path) {
      seen.push(path);
      return Promise.resolve({
        reader,
        [Symbol.dispose]: () => void seen.push("closed"),
      });
    },
    previewTelemetry(config, given) {
      seen.push(config.mode, given === reader);
      return Promise.resolve({ channels: [], turns: 0, payload: {} });
    },
  });
  assert.equal(await runCli(["telemetry"], io), 0);
  assert.deepEqual(seen, ["/home/a/.svc/ledger.db", "token", true, "closed"]);
  assert.match(io.out(), /an empty session/);
});

Deno.test("svc telemetry opens no ledger when stateless", async () => {
  const io = ioWith({
    env: { SVC_STATELESS: "1" },
    openLedger: () => assert.fail("opened"),
  });
  assert.equal(await runCli(["telemetry", "show"], io), 0);
});

Deno.test("svc telemetry names the value that cannot be used", async () => {
  const io = ioWith({ env: { SVC_TELEMETRY_ENDPOINT: "ftp://x" } });
  assert.equal(await runCli(["telemetry"], io), 2);
  assert.match(io.err(), /SVC_TELEMETRY_ENDPOINT/);
});

/** What a proxy answers that exports metrics, and nothing else. */
const STATS = {
  otel: {
    enabled: true,
    exporter: "otlp_http",
    endpoint: "http://c:4318/v1/metrics",
    traces: { enabled: false, endpoint: null },
  },
  beacon: {
    enabled: false,
    reason: "DO_NOT_TRACK is set",
    endpoint: null,
    update_check: { enabled: false, reason: "off", endpoint: null },
  },
};

function answering(stats: object): FakeIo {
  const bodies: Readonly<Record<string, object>> = {
    "/health": { service: "svc-proxy" },
    "/stats": stats,
  };
  return ioWith({
    ask(url) {
      assert.equal(url.host, "127.0.0.1:8787");
      const text = JSON.stringify(bodies[url.pathname]);
      return Promise.resolve({ status: 200, text });
    },
  });
}

Deno.test("svc telemetry list says whose settings these are, and that the proxy does the same", async () => {
  const alone = await printed("list");
  assert.match(alone, /^With the settings of this shell, .* providers:\n/s);
  assert.match(
    alone,
    /No proxy answers at http:\/\/127\.0\.0\.1:8787: /,
  );
  const io = answering(STATS);
  assert.equal(await runCli(["telemetry", "list"], io), 0);
  assert.match(io.out(), /The proxy at \S+:8787 does the same\.\n$/);
});

Deno.test("svc telemetry suggests the subcommand that was meant", async () => {
  const io = ioWith({});
  assert.equal(await runCli(["telemetry", "lst"], io), 2);
  assert.match(io.err(), /unknown command 'lst'\n\(Did you mean list\?\)/);
  assert.equal(io.out(), "");
  const far = ioWith({});
  assert.equal(await runCli(["telemetry", "everything"], far), 2);
  assert.doesNotMatch(far.err(), /mean/);
});

Deno.test("svc telemetry shows what a proxy sends that this shell would not", async () => {
  const beacon = {
    ...STATS.beacon,
    enabled: true,
    reason: "SVC_TELEMETRY_ENDPOINT is set",
    endpoint: "collector.example",
  };
  const io = answering({ ...STATS, beacon });
  assert.equal(await runCli(["telemetry"], io), 0);
  assert.match(io.out(), /started with other settings \(beacon\)\.\nFrom it/);
  assert.match(io.out(), /^ {2}beacon {8}on {3}to collector\.example: /m);
  assert.match(io.out(), /\nThe beacon reports the last session/);
  const json = answering({ ...STATS, beacon });
  assert.equal(await runCli(["telemetry", "list", "--json"], json), 0);
  const { proxy } = JSON.parse(json.out());
  assert.equal(proxy.url, "http://127.0.0.1:8787");
  assert.equal(proxy.channels[0].endpoint, "collector.example");
});
