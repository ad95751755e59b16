/** Export of traces as the standard variables say; the SDK is loaded only when they do. @module */
import type { RequestRecord } from "../core/ledger.ts";
import {
  isSdkDisabled,
  type OtelIo,
  type OtelOptions,
  otlpUrl,
  shownUrl,
} from "./otel_contract.ts";

/** State of the export, for reports; without secrets. */
export interface TracingStatus {
  /** Whether spans are recorded. */
  readonly enabled: boolean;
  /** Where they go, without credentials and query; `null` for nowhere. */
  readonly endpoint: string | null;
  /** What is wrong at present; `null` for nothing. */
  readonly error: string | null;
}

/** Whether traces are exported, and what decides it. */
interface TracingState {
  /** Whether they are. */
  readonly enabled: boolean;
  /** Variable that decides. */
  readonly decidedBy: string;
  /** Full URL; `undefined` for nowhere. */
  readonly url: string | undefined;
  /** Value of the variable that cannot be used; `undefined` for none. */
  readonly unusable?: string;
}

const OFF: TracingStatus = { enabled: false, endpoint: null, error: null };

/** Says whether traces are exported, and which variable decides it. Without an endpoint they never are. */
export function tracingState(
  { env, offline }: Pick<OtelIo, "env" | "offline">,
): TracingState {
  const off = (decidedBy: string) => ({
    enabled: false,
    decidedBy,
    url: undefined,
  });
  if (offline) return off("SVC_OFFLINE");
  if (isSdkDisabled(env)) return off("OTEL_SDK_DISABLED");
  const url = otlpUrl("TRACES", env);
  if (url === undefined) return off("OTEL_EXPORTER_OTLP_ENDPOINT");
  const exporters = wordsOf(env.OTEL_TRACES_EXPORTER ?? "") ?? ["otlp"];
  if (!exporters.includes("otlp")) {
    const unusable = exporters.find((name) => name !== "none");
    return {
      ...off("OTEL_TRACES_EXPORTER"),
      ...unusable !== undefined && { unusable },
    };
  }
  const [variable, protocol] = protocolOf(env);
  if (!/^http\//.test(protocol)) {
    return { ...off(variable), unusable: protocol };
  }
  return {
    enabled: true,
    decidedBy: env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim()
      ? "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
      : "OTEL_EXPORTER_OTLP_ENDPOINT",
    url,
  };
}

/** Opens the export. A value that cannot be used is logged, and nothing is exported. */
export async function openTracing(
  options: Pick<OtelOptions, "serviceName" | "resourceAttributes">,
  io: OtelIo,
) {
  const { enabled, decidedBy, url = "", unusable } = tracingState(io);
  if (!enabled) {
    if (unusable !== undefined) {
      const allowed = decidedBy === "OTEL_TRACES_EXPORTER"
        ? "otlp or none"
        : "http/json or http/protobuf";
      io.log("warn", "otel_setting_ignored", { name: decidedBy, allowed });
    }
    return {
      /** Makes the span of one finished request. Never throws. */
      record(_: RequestRecord) {},
      /** For reports. */
      status: (): TracingStatus => OFF,
      /** Exports what is left, for at most 2 seconds. Never rejects. */
      close: () => Promise.resolve(),
    };
  }
  const { openSpans } = await import("./tracing_sdk.ts");
  const spans = openSpans(options, io);
  return {
    record: spans.record,
    status: () => ({
      enabled: true,
      endpoint: shownUrl(url),
      error: spans.error(),
    }),
    close: spans.close,
  };
}

function wordsOf(text: string): string[] | undefined {
  const words = text.split(",").map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "");
  return words.length === 0 ? undefined : words;
}

function protocolOf(
  env: OtelIo["env"],
): readonly [variable: string, value: string] {
  const names = [
    "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
  ];
  const name = names.find((name) => env[name]?.trim());
  return name === undefined
    ? ["OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"]
    : [name, env[name]!.trim().toLowerCase()];
}
