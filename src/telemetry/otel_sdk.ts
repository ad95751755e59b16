/** The metrics SDK, put together. Loaded only when metrics are exported. @module */
import { OTLPMetricExporterBase } from "@opentelemetry/exporter-metrics-otlp-http";
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from "@opentelemetry/otlp-exporter-base/node-http";
import {
  type IExportMetricsServiceResponse,
  type ISerializer,
  JsonMetricsSerializer,
  MetricsExporterMetricsHelper,
} from "@opentelemetry/otlp-transformer";
import {
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import { ExportWatch, resourceOf, watched } from "./export_watch.ts";
import { within } from "./later.ts";
import {
  CLOSE_MS,
  type OtelIo,
  type OtelOptions,
  SCOPE,
} from "./otel_contract.ts";
import { makeInstruments } from "./otel_instruments.ts";

/** Longest time of one export in milliseconds; shorter where exports come faster. */
const EXPORT_MS = 30_000;

/** Builds provider, reader and exporter. Nothing is registered globally. */
export function openOwnMetrics(options: OtelOptions, io: OtelIo) {
  const watch = new ExportWatch("metrics", io.log);
  const exporter = options.exporter === "console"
    ? new ConsoleExporter(io.write)
    : otlpExporter(options, watch);
  checkTemporality(io);
  const provider = new MeterProvider({
    resource: resourceOf(options, io),
    readers: [
      new PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis: options.intervalMs,
        exportTimeoutMillis: Math.min(options.intervalMs, EXPORT_MS),
      }),
    ],
  });
  return {
    /** Counts one finished request. Never throws. */
    record: makeInstruments(provider.getMeter(SCOPE, io.version), io),
    /** How it goes. */
    health: () => ({ error: watch.error, rejected_points: watch.rejected }),
    /** Exports what is left. Never rejects. */
    close: () => within(CLOSE_MS, provider.shutdown()),
  };
}

/** The official exporter; what it says only to its own diagnostics goes to the watch too. */
function otlpExporter(
  { endpoint, headers }: OtelOptions,
  watch: ExportWatch,
): PushMetricExporter {
  const serializer: ISerializer<
    ResourceMetrics,
    IExportMetricsServiceResponse
  > = {
    serializeRequest: (metrics) =>
      JsonMetricsSerializer.serializeRequest(metrics),
    deserializeResponse(bytes) {
      const answer = JsonMetricsSerializer.deserializeResponse(bytes);
      watch.answered(answer?.partialSuccess);
      return answer;
    },
  };
  const configuration = convertLegacyHttpOptions(
    {
      ...endpoint !== undefined && { url: endpoint },
      headers: Object.fromEntries(headers),
    },
    "METRICS",
    "v1/metrics",
    { "Content-Type": "application/json" },
  );
  const delegate = createOtlpHttpExportDelegate(
    configuration,
    serializer,
    "otlp_http_metric_exporter",
    MetricsExporterMetricsHelper,
    undefined,
  );
  return watched(new OTLPMetricExporterBase(delegate), watch);
}

/** One line of OTLP JSON per export. The SDK's own exporter writes to stdout, which belongs to data. */
class ConsoleExporter extends OTLPMetricExporterBase {
  constructor(write: (text: string) => void) {
    super({
      export(metrics, done) {
        const bytes = JsonMetricsSerializer.serializeRequest(metrics);
        write(`${new TextDecoder().decode(bytes)}\n`);
        done({ code: 0 });
      },
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
      setMetrics() {},
    });
  }
}

const TEMPORALITY = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";

/** The SDK takes another word for `cumulative` and tells nobody: a backend that wants deltas then drops everything. */
function checkTemporality({ env, log }: OtelIo): void {
  const value = env[TEMPORALITY];
  if (!value || /^(cumulative|delta|lowmemory)$/i.test(value)) return;
  log("warn", "otel_setting_ignored", {
    name: TEMPORALITY,
    allowed: "cumulative, delta or lowmemory",
  });
}
