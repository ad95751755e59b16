import assert from "node:assert/strict";
import { openObservers } from "../../src/telemetry/open_observers.ts";
import type { AppIo } from "../../src/core/app_io.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import { withRun } from "../observed_run.ts";
import { ENTRY, fakeTime, namesIn, startCollector } from "./export_samples.ts";
import { readMetrics } from "./otlp_metrics.ts";

function ioWith(env: Record<string, string>): AppIo {
  return { clock: fakeTime().clock, send: fetch, log() {}, env };
}

/** Runs the exports with one request. @returns Paths that were asked for, then files that were made. */
function exported(more: Record<string, string>): Promise<string[]> {
  return withRun(async ({ env: given, workspace }) => {
    const env = { ...given, ...more };
    const observers = await openObservers(resolveConfig({ env }), ioWith(env));
    observers.record(ENTRY);
    await observers[Symbol.asyncDispose]();
    return await namesIn(workspace);
  });
}

Deno.test("openObservers reports to whom the user has named, and makes an id for it", async () => {
  assert.deepEqual(await exported({}), ["/metrics", "/v1/logs", "config"]);
});

Deno.test("openObservers sends and writes nothing when offline, whatever else is on", async () => {
  assert.deepEqual(
    await exported({ SVC_OFFLINE: "1", SVC_BEACON: "on", DO_NOT_TRACK: "0" }),
    [],
  );
});

for (
  const off of [{ DO_NOT_TRACK: "1" }, { SVC_BEACON: "disabled" }] as const
) {
  Deno.test(`openObservers has no beacon and makes no id with ${Object.keys(off)}`, async () => {
    assert.deepEqual(await exported({ ...off }), ["/metrics"]);
  });
}

Deno.test("openObservers goes on with the beacon for a word that it does not know", async () => {
  const paths = await exported({ SVC_BEACON: "banana" });
  assert(paths.includes("/v1/logs"));
});

Deno.test("openObservers writes no file when stateless, and still reports", async () => {
  assert.deepEqual(
    await exported({ SVC_STATELESS: "1" }),
    ["/metrics", "/v1/logs"],
  );
});

Deno.test("openObservers sends nothing by default", async () => {
  const none = {
    SVC_TELEMETRY_ENDPOINT: "",
    SVC_OTEL_METRICS_ENABLED: "",
    SVC_OTEL_METRICS_ENDPOINT: "",
    SVC_UPDATE_INDEX_URL: "",
  };
  assert.deepEqual(await exported(none), []);
});

Deno.test("openObservers counts as the ledger does", async () => {
  await using collector = startCollector();
  const env = {
    SVC_STATELESS: "1",
    SVC_OTEL_METRICS_ENABLED: "1",
    SVC_OTEL_METRICS_ENDPOINT: `${collector.url}/m`,
  };
  const observers = await openObservers(resolveConfig({ env }), ioWith(env));
  observers.record(ENTRY);
  const { otel, beacon } = observers.status();
  assert.deepEqual(
    [otel.enabled, otel.traces.enabled, beacon.enabled],
    [true, false, false],
  );
  await observers[Symbol.asyncDispose]();
  const { metrics } = readMetrics((await collector.next()).text);
  const sum = (name: string) => metrics.get(name)?.points[0]?.value;
  assert.equal(sum("svc.proxy.tokens.input"), 600);
  assert.equal(sum("svc.proxy.tokens.saved"), 450);
  assert.equal(sum("svc.proxy.tokens.added"), 50);
});

Deno.test("openObservers logs each request, and keeps its texts only where the user wants that", async () => {
  await withRun(async ({ workspace }) => {
    const lines: string[] = [];
    const open = async (more: Record<string, string>) => {
      const env = { SVC_WORKSPACE_DIR: workspace, ...more };
      return await openObservers(resolveConfig({ env }), {
        ...ioWith(env),
        log: (level, event) => void lines.push(`${level} ${event}`),
      });
    };
    const plain = await open({});
    plain.record(ENTRY);
    assert.deepEqual(lines, ["info request"]);
    assert.deepEqual(plain.keepers, {});
    assert.equal(plain.texts, undefined);
    await plain[Symbol.asyncDispose]();

    const path = `${workspace}/requests.jsonl`;
    const keeping = await open({
      SVC_LOG_FILE: path,
      SVC_LOG_MESSAGES: "1",
      SVC_DEBUG_400: "1",
    });
    assert.deepEqual(Object.keys(keeping.keepers), ["messages", "refused"]);
    const received = new TextEncoder().encode('{"messages":["hello"]}');
    keeping.keepers.messages?.note(ENTRY.id, { received, sent: received });
    keeping.record(ENTRY);
    assert.equal(keeping.texts?.(ENTRY.id)?.request_messages, '["hello"]');
    await keeping[Symbol.asyncDispose]();
    const [line] = (await Deno.readTextFile(path)).split("\n");
    assert.deepEqual(JSON.parse(line!).request_messages, ["hello"]);
    return [];
  });
});
