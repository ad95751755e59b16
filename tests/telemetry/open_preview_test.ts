import { IDLE_MS } from "../../src/telemetry/beacon.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  metricsState,
  previewBeacon,
  previewTelemetry,
  tracesState,
} from "../../src/telemetry/open_preview.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import { withRun } from "../observed_run.ts";
import { ENTRY, NAMES, namesIn, otelOptions } from "./export_samples.ts";
import { loggedOf, readerOf } from "../ledger/traffic.ts";
import { readReport } from "./otlp_logs.ts";

Deno.test("previewTelemetry shows the report, says what decides, and touches nothing", async () => {
  const seen = await withRun(async ({ env, workspace, url }) => {
    const config = resolveConfig({ env });
    const reader = { requests: () => [loggedOf(ENTRY)] };
    const { channels, turns, payload } = await previewTelemetry(config, {
      reader,
      now: ENTRY.at,
      env,
    });
    assert.equal(turns, 1);
    assert.match(
      String(readReport(JSON.stringify(payload)).resource["svc.install.id"]),
      /made when the first report is sent/,
    );
    assert.deepEqual(
      channels.slice(0, 2).map((
        { name, enabled, endpoint },
      ) => [name, enabled, endpoint]),
      [
        ["beacon", true, new URL(url).host],
        ["metrics", true, `${url}/metrics`],
      ],
    );
    return await namesIn(workspace);
  });
  assert.deepEqual(seen, []);
});

Deno.test("previewTelemetry shows the id of an installation that has one", async () => {
  await withRun(async ({ env, workspace }) => {
    const id = crypto.randomUUID();
    await Deno.mkdir(join(workspace, "config"));
    await Deno.writeTextFile(join(workspace, "config", "install_id"), id);
    const { payload } = await previewTelemetry(resolveConfig({ env }), {
      reader: undefined,
      now: 0,
      env,
    });
    assert(JSON.stringify(payload).includes(id));
    return [];
  });
});

Deno.test("metricsState names what decides", () => {
  const reason = (
    parts: Parameters<typeof otelOptions>[0],
    env: Record<string, string> = {},
    offline = false,
  ) => metricsState(otelOptions(parts), { env, offline }).reason;
  assert.equal(reason({}, {}, true), "SVC_OFFLINE is on");
  assert.equal(
    reason({}, { OTEL_SDK_DISABLED: "true" }),
    "OTEL_SDK_DISABLED is true",
  );
  assert.equal(reason({ enabled: false }), "SVC_OTEL_METRICS_ENABLED is off");
  assert.match(reason({ exporter: "console" }), /stderr/);
  assert.equal(reason({}), "SVC_OTEL_METRICS_ENABLED is on");
});

Deno.test("metricsState shows where they go, without a secret", () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://u:pw@c:1/a" };
  const { enabled, endpoint } = metricsState(otelOptions(), {
    env,
    offline: false,
  });
  assert.deepEqual([enabled, endpoint], [true, "https://c:1/a/v1/metrics"]);
});

Deno.test("tracesState says what is set and what cannot be used", () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://u:pw@c" };
  const of = (more: Record<string, string>, offline = false) => {
    const { reason } = tracesState({ env: { ...env, ...more }, offline });
    return reason;
  };
  assert.equal(of({}), "OTEL_EXPORTER_OTLP_ENDPOINT is set");
  assert.equal(of({}, true), "SVC_OFFLINE is on");
  assert.equal(
    of({ OTEL_TRACES_EXPORTER: "none" }),
    "OTEL_TRACES_EXPORTER is none",
  );
  assert.equal(
    of({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }),
    "OTEL_EXPORTER_OTLP_PROTOCOL has a value that cannot be used",
  );
  const nowhere = tracesState({ env: {}, offline: false });
  assert.deepEqual(
    [nowhere.enabled, nowhere.reason],
    [false, "OTEL_EXPORTER_OTLP_ENDPOINT is not set"],
  );
});

const SOURCE = {
  installId: "id-1",
  version: "1.2.3",
  os: "linux",
  arch: "x86_64",
  installMode: "package",
};

function preview(reader: Parameters<typeof previewBeacon>[0], now = ENTRY.at) {
  const options = { names: NAMES, source: SOURCE, now };
  const { turns, payload } = previewBeacon(reader, options);
  return { turns, ...readReport(JSON.stringify(payload)) };
}

Deno.test("previewBeacon reports the last session of the ledger, without those before it", () => {
  const old = { ...ENTRY, at: ENTRY.at - 2 * IDLE_MS, status: 500 };
  const first = { ...ENTRY, at: ENTRY.at - IDLE_MS / 2 };
  const passed = { ...ENTRY, provider: "passthrough" };
  const { turns, body, resource } = preview(
    readerOf(
      [old, first, passed, ENTRY].map((entry, i) => ({ ...entry, id: `${i}` })),
    ),
    ENTRY.at + 1000,
  );
  assert.equal(turns, 2);
  assert.equal(body.turns, 2);
  assert.equal(body.final, false);
  assert.equal(body.duration_ms, IDLE_MS / 2 + ENTRY.latencyMs);
  assert.equal(resource["svc.stack"], "claude_code");
});

Deno.test("previewBeacon calls a session that is over the last report", () => {
  const { body } = preview(readerOf([ENTRY]), ENTRY.at + 2 * IDLE_MS);
  assert.equal(body.final, true);
});

Deno.test("previewBeacon reports an empty session without a ledger, and with an empty one", () => {
  for (const reader of [undefined, readerOf([])]) {
    const { turns, body } = preview(reader);
    assert.deepEqual([turns, body.turns, body.final], [0, 0, false]);
  }
});
