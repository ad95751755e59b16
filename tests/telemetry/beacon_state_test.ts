import assert from "node:assert/strict";
import fc from "fast-check";
import { beaconState } from "../../src/telemetry/beacon_state.ts";

const ON = {
  offline: false,
  doNotTrack: false,
  beacon: true,
  beaconEndpoint: "https://reports.example:8443/base",
};

Deno.test("beaconState is on, and shows the host, when an endpoint is named and nothing is off", () => {
  const { enabled, decidedBy, endpoint } = beaconState(ON);
  assert.deepEqual(
    [enabled, decidedBy, endpoint],
    [true, "SVC_TELEMETRY_ENDPOINT", "reports.example:8443"],
  );
});

Deno.test("beaconState names the first switch that is off: offline, do not track, beacon, endpoint", () => {
  fc.assert(fc.property(
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
    fc.option(fc.constant(ON.beaconEndpoint), { nil: undefined }),
    (offline, doNotTrack, beacon, beaconEndpoint) => {
      const { enabled, decidedBy, endpoint } = beaconState({
        offline,
        doNotTrack,
        beacon,
        beaconEndpoint,
      });
      const off = [
        [offline, "SVC_OFFLINE"],
        [doNotTrack, "DO_NOT_TRACK"],
        [!beacon, "SVC_BEACON"],
        [beaconEndpoint === undefined, "SVC_TELEMETRY_ENDPOINT"],
      ].find(([isOff]) => isOff === true);
      assert.equal(enabled, off === undefined);
      assert.equal(decidedBy, off?.[1] ?? "SVC_TELEMETRY_ENDPOINT");
      assert.equal(endpoint === null, off !== undefined);
    },
  ));
});
