/** Export of metrics with the official SDK, which is loaded only when it is used. @module */
import type { RequestRecord } from "../core/ledger.ts";
import {
  isSdkDisabled,
  metricsUrl,
  type OtelIo,
  type OtelOptions,
  type OtelStatus,
  SCOPE,
  shownUrl,
} from "./otel_contract.ts";

/** Metrics that are being recorded. */
interface OtelMetrics {
  /** Counts one finished request. Never throws. */
  record(entry: RequestRecord): void;
  /** For reports. */
  status(): OtelStatus;
  /** Exports what is left, for at most 2 seconds. Never rejects. */
  close(): Promise<void>;
}

/**
 * Opens the export. Without one, a meter provider that the program around us has set is used; else nothing is recorded
 * and nothing is loaded.
 */
export async function openOtelMetrics(
  options: OtelOptions,
  io: OtelIo,
): Promise<OtelMetrics> {
  if (io.offline || isSdkDisabled(io.env)) return unused(options);
  if (!options.enabled) {
    return hasHostProvider() ? await intoHost(options, io) : unused(options);
  }
  const { openOwnMetrics } = await import("./otel_sdk.ts");
  const own = openOwnMetrics(options, io);
  return {
    record: own.record,
    status: () => ({
      ...statusOf(options),
      enabled: true,
      exporter: options.exporter,
      endpoint: options.exporter === "console"
        ? null
        : shownUrl(metricsUrl(options, io.env)),
      ...own.health(),
    }),
    close: own.close,
  };
}

/** Key under which the API keeps what a program has registered. */
const API = Symbol.for("opentelemetry.js.api.1");

function hasHostProvider(): boolean {
  const api: unknown = Reflect.get(globalThis, API);
  return typeof api === "object" && api !== null &&
    Reflect.get(api, "metrics") !== undefined;
}

async function intoHost(
  options: OtelOptions,
  io: OtelIo,
): Promise<OtelMetrics> {
  const [{ metrics }, { makeInstruments }] = await Promise.all([
    import("@opentelemetry/api"),
    import("./otel_instruments.ts"),
  ]);
  return {
    record: makeInstruments(metrics.getMeter(SCOPE, io.version), io),
    status: () => ({ ...statusOf(options), enabled: true, exporter: "host" }),
    close: () => Promise.resolve(),
  };
}

function unused(options: OtelOptions): OtelMetrics {
  return {
    record() {},
    status: () => statusOf(options),
    close: () => Promise.resolve(),
  };
}

function statusOf({ serviceName, intervalMs }: OtelOptions): OtelStatus {
  return {
    enabled: false,
    exporter: null,
    endpoint: null,
    service_name: serviceName,
    export_interval_ms: intervalMs,
    error: null,
    rejected_points: 0,
  };
}
