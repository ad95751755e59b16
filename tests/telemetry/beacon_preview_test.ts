import assert from "node:assert/strict";
import { IDLE_MS } from "../../src/telemetry/beacon.ts";
import { previewBeacon } from "../../src/telemetry/beacon_preview.ts";
import { ENTRY, NAMES } from "./export_samples.ts";
import { readerOf } from "../ledger/traffic.ts";
import { readReport } from "./otlp_logs.ts";

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
    readerOf([old, first, passed, ENTRY]),
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
