/** Composition of what `svc telemetry` shows. @module */
import { readInstallId } from "./small_file.ts";
import { BeaconSession, isTurn, type PublicNames } from "./beacon_session.ts";
import { beaconPayload, type BeaconSource } from "./beacon_payload.ts";
import { beaconState, type EgressState, IDLE_MS } from "./beacon.ts";
import type { EgressChannel, TelemetryPreview } from "../cli/io.ts";
import type { LedgerReader, LoggedRequest } from "../core/ledger_reader.ts";
import { PUBLIC_NAMES, updateSwitches } from "./open_observers.ts";
import type { Config } from "../settings/resolve.ts";
import {
  isSdkDisabled,
  metricsUrl,
  type OtelIo,
  type OtelOptions,
  shownUrl,
} from "./otel_contract.ts";
import { systemFacts } from "./system.ts";
import { tracingState } from "./tracing.ts";
import { updateState } from "./update_check.ts";
import { VERSION } from "../version.ts";

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
  { enabled, reason, endpoint }: EgressState,
): EgressChannel {
  return { name, enabled, reason, endpoint };
}

/** Says whether metrics are exported. */
export function metricsState(
  options: Pick<OtelOptions, "enabled" | "exporter" | "endpoint">,
  { env, offline }: Pick<OtelIo, "env" | "offline">,
): EgressState {
  const off = (reason: string) => ({ enabled: false, reason, endpoint: null });
  if (offline) return off("SVC_OFFLINE is on");
  if (isSdkDisabled(env)) return off("OTEL_SDK_DISABLED is true");
  if (!options.enabled) return off("SVC_OTEL_METRICS_ENABLED is off");
  if (options.exporter === "console") {
    return off("SVC_OTEL_METRICS_EXPORTER is console: they go to stderr");
  }
  return {
    enabled: true,
    reason: "SVC_OTEL_METRICS_ENABLED is on",
    endpoint: shownUrl(metricsUrl(options, env)),
  };
}

/** Says whether traces are exported. */
export function tracesState(
  parts: Pick<OtelIo, "env" | "offline">,
): EgressState {
  const { enabled, decidedBy, url, unusable } = tracingState(parts);
  return {
    enabled,
    reason: unusable !== undefined
      ? `${decidedBy} has a value that cannot be used`
      : enabled
      ? `${decidedBy} is set`
      : REASONS[decidedBy] ?? `${decidedBy} says so`,
    endpoint: url === undefined ? null : shownUrl(url),
  };
}

const REASONS: Readonly<Record<string, string>> = {
  SVC_OFFLINE: "SVC_OFFLINE is on",
  OTEL_SDK_DISABLED: "OTEL_SDK_DISABLED is true",
  OTEL_TRACES_EXPORTER: "OTEL_TRACES_EXPORTER is none",
  OTEL_EXPORTER_OTLP_ENDPOINT: "OTEL_EXPORTER_OTLP_ENDPOINT is not set",
};

/** Requests of a session that are looked at. */
const MAX_TURNS = 2000;
/** Stands for an id that is made for each session. */
const SESSION_ID = "(random, another one in each session)";

/**
 * Makes the report of the last session, as far as the ledger knows it; without a ledger that of an empty one.
 *
 * @param reader The ledger; `undefined` for none.
 */
export function previewBeacon(
  reader: Pick<LedgerReader, "requests"> | undefined,
  { names, source, now }: {
    /** Names that are public. */
    readonly names: PublicNames;
    /** What is said of the installation. */
    readonly source: Omit<BeaconSource, "stack">;
    /** Milliseconds since the Unix epoch. */
    readonly now: number;
  },
) {
  const session = new BeaconSession(SESSION_ID, names);
  const turns = lastTurns(reader);
  for (const turn of turns) session.add(turn);
  const last = turns.at(-1);
  const isOver = last !== undefined && now - endOf(last) >= IDLE_MS;
  const snapshot = session.snapshot(isOver);
  const { stack } = session;
  return {
    /** Requests of the session; 0 when there is none. */
    turns: turns.length,
    /** Body of the request that would be sent. */
    payload: beaconPayload(snapshot, { ...source, stack }, now),
  };
}

/** Requests with less than the idle time between them, the oldest first. */
function lastTurns(
  reader: Pick<LedgerReader, "requests"> | undefined,
): readonly LoggedRequest[] {
  const turns: LoggedRequest[] = [];
  let newer = Infinity;
  for (const request of reader?.requests({ limit: MAX_TURNS }) ?? []) {
    if (!isTurn(request)) continue;
    const end = endOf(request);
    if (newer !== Infinity && newer - end >= IDLE_MS) break;
    newer = end;
    turns.push(request);
  }
  return turns.reverse();
}

/** Milliseconds since the Unix epoch. */
function endOf({ at, latencyMs }: LoggedRequest): number {
  return at + latencyMs;
}
