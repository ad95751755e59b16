/** Whether metrics are exported, and what decides it. @module */
import {
  isSdkDisabled,
  metricsUrl,
  type OtelIo,
  type OtelOptions,
  shownUrl,
} from "./otel_contract.ts";
import { tracingState } from "./tracing.ts";

/** State of an export, for people; without secrets. */
export interface ExportState {
  /** Whether anything is exported. */
  readonly enabled: boolean;
  /** In plain words, without a final period. */
  readonly reason: string;
  /** Where it goes; `null` for nowhere. */
  readonly endpoint: string | null;
}

/** Says whether metrics are exported. */
export function metricsState(
  options: Pick<OtelOptions, "enabled" | "exporter" | "endpoint">,
  { env, offline }: Pick<OtelIo, "env" | "offline">,
): ExportState {
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
): ExportState {
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
