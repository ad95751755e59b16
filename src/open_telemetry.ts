/** Composition of what `svc telemetry` shows. @module */
import type { EgressChannel, TelemetryPreview } from "./cli/io.ts";
import type { LedgerReader } from "./core/ledger_reader.ts";
import { PUBLIC_NAMES, updateSwitches } from "./open_observers.ts";
import type { Config } from "./settings/resolve.ts";
import { previewBeacon } from "./telemetry/beacon_preview.ts";
import { beaconState } from "./telemetry/beacon_state.ts";
import { readInstallId } from "./telemetry/install_id.ts";
import { metricsState, tracesState } from "./telemetry/otel_state.ts";
import { systemFacts } from "./telemetry/system.ts";
import { updateState } from "./telemetry/update_check.ts";
import { VERSION } from "./version.ts";

/** Stands for an id that is made when the first report is sent. */
const NO_ID = "(random, made when the first report is sent)";

/**
 * Says what may leave the machine, and what the beacon would report now. Nothing is sent, nothing is written.
 *
 * @param options The ledger, `undefined` for none; the time in milliseconds since the Unix epoch; the environment.
 */
export async function previewTelemetry(
  config: Config,
  { reader, now, env }: {
    readonly reader: Pick<LedgerReader, "requests"> | undefined;
    readonly now: number;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): Promise<TelemetryPreview> {
  const { paths } = config;
  const installId = paths && await readInstallId(paths.installId);
  const source = {
    ...systemFacts(),
    version: VERSION,
    installId: installId ?? NO_ID,
  };
  return {
    ...previewBeacon(reader, { names: PUBLIC_NAMES, source, now }),
    channels: egressChannels(config, env),
  };
}

/** What may leave the machine beside the clients' requests, and what decides it. */
export function egressChannels(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): readonly EgressChannel[] {
  const { egress, otel } = config;
  const { offline } = egress;
  return [
    channel("beacon", beaconState(egress)),
    channel("metrics", metricsState(otel, { env, offline })),
    channel("traces", tracesState({ env, offline })),
    channel("update check", updateState(updateSwitches(config, env))),
  ];
}

function channel(
  name: string,
  { enabled, reason, endpoint }: {
    readonly enabled: boolean;
    readonly reason: string;
    readonly endpoint: string | null;
  },
): EgressChannel {
  return { name, enabled, reason, endpoint };
}
