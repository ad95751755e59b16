import assert from "node:assert/strict";
import { beaconPayload } from "../../src/telemetry/beacon_payload.ts";
import { BeaconSession, entryOf } from "../../src/telemetry/beacon_session.ts";
import { block, ENTRY, NAMES } from "./export_samples.ts";
import { readReport } from "./otlp_logs.ts";

const SOURCE = {
  installId: "id-1",
  version: "1.2.3",
  os: "linux",
  arch: "x86_64",
  installMode: "package",
  stack: "codex",
};

Deno.test("beaconPayload is one log record with the snapshot as its body", () => {
  const session = new BeaconSession("session-1", NAMES);
  session.add(
    entryOf({ ...ENTRY, blocks: [block("log")] }),
  );
  const snapshot = session.snapshot(true);
  const payload = beaconPayload(snapshot, SOURCE, 1_700_000_000_000.4);
  const { resource, body } = readReport(JSON.stringify(payload));
  assert.deepEqual(resource, {
    "service.name": "svc",
    "service.version": "1.2.3",
    "svc.install.id": "id-1",
    "os.type": "linux",
    "host.arch": "x86_64",
    "svc.install.mode": "package",
    "svc.stack": "codex",
  });
  assert.deepEqual(body, snapshot);
});

Deno.test("beaconPayload writes percentages as doubles, also whole ones, and counts as integers", () => {
  const snapshot = new BeaconSession("s", NAMES).snapshot(false);
  const text = JSON.stringify(beaconPayload(snapshot, SOURCE, 0));
  assert.match(text, /\{"key":"saved","value":\{"doubleValue":0\}\}/);
  assert.match(text, /\{"key":"turns","value":\{"intValue":"0"\}\}/);
});
