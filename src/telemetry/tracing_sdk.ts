/** The tracing SDK, put together. Loaded only when traces are exported. @module */
import {
  type Attributes,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { RequestRecord } from "../core/ledger.ts";
import { billedInput, savedBy } from "../core/outcome.ts";
import { ExportWatch, resourceOf, watched } from "./export_watch.ts";
import { within } from "./later.ts";
import {
  CLOSE_MS,
  type OtelIo,
  type OtelOptions,
  SCOPE,
} from "./otel_contract.ts";
import { errorType } from "./otel_instruments.ts";
import { plainName } from "./slug.ts";

/** Builds provider, processor and exporter. Nothing is registered globally. */
export function openSpans(
  options: Pick<OtelOptions, "serviceName" | "resourceAttributes">,
  io: OtelIo,
) {
  const watch = new ExportWatch("traces", io.log);
  const provider = new TracerProvider({
    resource: resourceOf(options, io),
    sampler: samplerOf(io),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watched(new OTLPTraceExporter(), watch),
      }),
    ],
  });
  const tracer = provider.getTracer(SCOPE, io.version);
  return {
    /** Makes the span of one finished request. Never throws. */
    record(entry: RequestRecord) {
      const call = io.genAi(entry);
      if (call === undefined || entry.cached || entry.refusedBy !== undefined) {
        return;
      }
      const model = plainName(entry.model);
      const span = tracer.startSpan(
        model === undefined ? call.operation : `${call.operation} ${model}`,
        {
          kind: SpanKind.CLIENT,
          startTime: entry.at,
          attributes: {
            "gen_ai.operation.name": call.operation,
            "gen_ai.provider.name": call.provider,
            ...attributesOf(entry, model),
          },
        },
        ROOT_CONTEXT,
      );
      if (errorType(entry.status) !== undefined) {
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end(entry.at + entry.latencyMs);
    },
    /** What is wrong; `null` for nothing. */
    error: () => watch.error,
    /** Exports what is left. Never rejects. */
    close: () => within(CLOSE_MS, provider.shutdown()),
  };
}

/** Numbers and short names only: nothing of a prompt, no path, no project. */
function attributesOf(
  entry: RequestRecord,
  model: string | undefined,
): Attributes {
  const { usage } = entry;
  const error = errorType(entry.status);
  const stack = plainName(entry.stack);
  const client = plainName(entry.agent);
  const attributes: Record<string, string | number | undefined> = {
    "gen_ai.request.model": model,
    "gen_ai.usage.input_tokens": billedInput(usage),
    "gen_ai.usage.output_tokens": usage.output,
    "gen_ai.usage.cache_read.input_tokens": usage.cacheRead,
    "gen_ai.usage.cache_creation.input_tokens": usage.cacheWrite,
    "http.response.status_code": entry.status,
    "error.type": error,
    "svc.request.id": entry.id,
    "svc.stack": stack,
    "svc.client": client,
    "svc.tokens.before": entry.tokensBefore,
    "svc.tokens.after": entry.tokensAfter,
    "svc.overhead_ms": entry.overheadMs,
    "svc.ttfb_ms": entry.ttfbMs,
    "svc.tokens.saved": savedBy(entry),
  };
  const known = Object.entries(attributes).filter(([, value]) =>
    value !== undefined
  );
  return Object.fromEntries(known) as Attributes;
}

/** Every span is a root, so the parent-based words mean the same as the others. */
const SAMPLERS: Readonly<Record<string, (argument: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
};

function samplerOf({ env, log }: OtelIo): Sampler {
  const word = (env.OTEL_TRACES_SAMPLER?.trim().toLowerCase() || "always_on")
    .replace(/^parentbased_/, "");
  const given = env.OTEL_TRACES_SAMPLER_ARG?.trim();
  const ratio = given ? Number(given) : 1;
  const isRatio = ratio >= 0 && ratio <= 1;
  const name = Object.hasOwn(SAMPLERS, word)
    ? word === "traceidratio" && !isRatio
      ? "OTEL_TRACES_SAMPLER_ARG"
      : undefined
    : "OTEL_TRACES_SAMPLER";
  if (name === undefined) return SAMPLERS[word]!(ratio);
  log("warn", "otel_setting_ignored", {
    name,
    allowed: name.endsWith("_ARG")
      ? "a number from 0 to 1"
      : `${Object.keys(SAMPLERS).join(", ")}, with or without parentbased_`,
  });
  return SAMPLERS.always_on!(1);
}
