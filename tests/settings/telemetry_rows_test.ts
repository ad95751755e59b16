import assert from "node:assert/strict";
import { TELEMETRY_ROWS } from "../../src/settings/telemetry_rows.ts";

Deno.test("TELEMETRY_ROWS switches the beacon off by each of its words, and by no other", () => {
  const { beacon } = TELEMETRY_ROWS;
  for (const word of ["off", "false", "0", "no", "disable", " Disabled "]) {
    assert.equal(beacon.parse(word), false, word);
  }
  for (const word of ["on", "1", "offf"]) {
    assert.equal(beacon.parse(word), true);
  }
});

Deno.test("TELEMETRY_ROWS takes any word but a plain no for DO_NOT_TRACK", () => {
  const { doNotTrack } = TELEMETRY_ROWS;
  for (const word of ["1", "yes", "please"]) {
    assert.equal(doNotTrack.parse(word), true, word);
  }
  for (const word of ["0", "False", " no ", "off"]) {
    assert.equal(doNotTrack.parse(word), false, word);
  }
});

Deno.test("TELEMETRY_ROWS leaves local statistics off for an unknown word", () => {
  const { telemetry } = TELEMETRY_ROWS;
  assert.deepEqual(
    ["on", "1", "enabled", "x"].map((word) => telemetry.parse(word)),
    [true, true, false, false],
  );
});

Deno.test("TELEMETRY_ROWS refuses an exporter, an interval and addresses that cannot be", () => {
  const { otelExporter, otelIntervalMs, otelEndpoint } = TELEMETRY_ROWS;
  assert.throws(() => otelExporter.parse("grpc"), /otlp_http or console/);
  assert.throws(() => otelIntervalMs.parse("99"), /from 100 to 86400000/);
  assert.throws(() => otelEndpoint.parse("http://u:p@a"), RangeError);
});
