/** Whether the beacon reports, and what decides it. @module */

/** Switches of what may leave the machine, as the user has set them. */
export interface BeaconSwitches {
  /** Nothing may leave. */
  readonly offline: boolean;
  /** No beacon. */
  readonly doNotTrack: boolean;
  /** Whether the beacon is switched on. */
  readonly beacon: boolean;
  /** Where it reports; `undefined`: nowhere. */
  readonly beaconEndpoint: string | undefined;
}

/** State of the beacon, for reports. */
export interface BeaconState {
  /** Whether anything is sent. */
  readonly enabled: boolean;
  /** The variable that decides: of those that switch it off the first, else the one that names the endpoint. */
  readonly decidedBy:
    | "SVC_OFFLINE"
    | "DO_NOT_TRACK"
    | "SVC_BEACON"
    | "SVC_TELEMETRY_ENDPOINT";
  /** In plain words, without a final period. */
  readonly reason: string;
  /** Host that it reports to; `null` where nothing is sent. */
  readonly endpoint: string | null;
}

/** Says whether the beacon reports. The switches are asked in this order: offline, do not track, the beacon's own. */
export function beaconState(
  { offline, doNotTrack, beacon, beaconEndpoint }: BeaconSwitches,
): BeaconState {
  const off = (decidedBy: BeaconState["decidedBy"], reason: string) => ({
    enabled: false,
    decidedBy,
    reason,
    endpoint: null,
  });
  if (offline) return off("SVC_OFFLINE", "SVC_OFFLINE is on");
  if (doNotTrack) return off("DO_NOT_TRACK", "DO_NOT_TRACK is set");
  if (!beacon) return off("SVC_BEACON", "SVC_BEACON is off");
  if (beaconEndpoint === undefined) {
    return off(
      "SVC_TELEMETRY_ENDPOINT",
      "SVC_TELEMETRY_ENDPOINT is not set",
    );
  }
  return {
    enabled: true,
    decidedBy: "SVC_TELEMETRY_ENDPOINT",
    reason: "SVC_TELEMETRY_ENDPOINT is set, and nothing switches it off",
    endpoint: new URL(beaconEndpoint).host,
  };
}
