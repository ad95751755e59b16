import assert from "node:assert/strict";
import { join } from "node:path";
import { previewTelemetry } from "../src/open_telemetry.ts";
import { resolveConfig } from "../src/settings/resolve.ts";
import { withRun } from "./observed_run.ts";
import { ENTRY, namesIn } from "./telemetry/export_samples.ts";
import { loggedOf } from "./telemetry/logged_samples.ts";
import { readReport } from "./telemetry/otlp_logs.ts";

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
