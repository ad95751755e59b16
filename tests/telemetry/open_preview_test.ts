import assert from "node:assert/strict";
import { join } from "node:path";
import {
  metricsState,
  previewTelemetry,
  tracesState,
} from "../../src/telemetry/open_preview.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import { withRun } from "../observed_run.ts";
import { ENTRY, namesIn, otelOptions } from "./export_samples.ts";
import { loggedOf } from "../ledger/traffic.ts";
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
