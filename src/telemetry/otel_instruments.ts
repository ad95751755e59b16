/** Counters and histograms of finished requests. @module */
import type { Attributes, Counter, Histogram, Meter } from "@opentelemetry/api";
import type { RequestRecord } from "../core/ledger.ts";
import { boundedValues } from "./bounded_values.ts";
import { genAiInstruments } from "./gen_ai_metrics.ts";
import type { GenAiNames, Outcome, OutcomeOf } from "./outcome.ts";

/** Different models, and different clients and stacks, that have series of their own. */
const MAX_MODELS = 100;
const MAX_CLIENTS = 32;

/** Upper bounds of the buckets, milliseconds. */
const REQUEST_MS = [
  ...[50, 100, 250, 500, 1000, 2500, 5000],
  ...[10_000, 30_000, 60_000, 120_000, 300_000],
];
const OVERHEAD_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500];

/** What the meaning of a request depends on. */
export interface RecordFacts {
  /** Judges a request. */
  readonly outcomeOf: OutcomeOf;
  /** Names what it asked for. */
  readonly genAi: GenAiNames;
}

/**
 * Makes the instruments.
 *
 * @returns Counts one finished request; never throws.
 */
export function makeInstruments(
  meter: Meter,
  { outcomeOf, genAi }: RecordFacts,
): (entry: RequestRecord) => void {
  const count = makeCounters(meter);
  const time = makeDurations(meter);
  const measure = genAiInstruments(meter);
  const model = boundedValues(MAX_MODELS);
  const stack = boundedValues(MAX_CLIENTS);
  const client = boundedValues(MAX_CLIENTS);
  return (entry) => {
    const attributes: Attributes = {
      provider: entry.provider,
      ...entry.model !== "" && { model: model(entry.model) },
      ...entry.stack !== "" && { stack: stack(entry.stack) },
      ...entry.agent !== "" && { client: client(entry.agent) },
    };
    count(entry, outcomeOf(entry), attributes);
    time(entry, attributes);
    const call = isSent(entry) ? genAi(entry) : undefined;
    if (call !== undefined) {
      measure(entry, call, attributes.model as string | undefined);
    }
  };
}

type Row = readonly [name: string, unit: string, description: string];

const COUNTERS = {
  requests: ["svc.proxy.requests", "{request}", "Finished requests"],
  cached: [
    "svc.proxy.requests.cached",
    "{request}",
    "Requests answered from the response cache",
  ],
  failed: [
    "svc.proxy.requests.failed",
    "{request}",
    "Requests answered with a 5xx status",
  ],
  limited: [
    "svc.proxy.requests.rate_limited",
    "{request}",
    "Requests that met a rate limit",
  ],
  input: [
    "svc.proxy.tokens.input",
    "{token}",
    "Prompt tokens that went upstream",
  ],
  output: ["svc.proxy.tokens.output", "{token}", "Generated tokens"],
  saved: [
    "svc.proxy.tokens.saved",
    "{token}",
    "Tokens that all layers took away, before what was added",
  ],
  added: [
    "svc.proxy.tokens.added",
    "{token}",
    "Tokens added by the retrieval tool and what it gave back",
  ],
  toolSchemaSaved: [
    "svc.proxy.tokens.tool_schema_saved",
    "{token}",
    "Tokens saved by deferring tool definitions",
  ],
  cacheRead: [
    "svc.proxy.cache.read_tokens",
    "{token}",
    "Prompt tokens read from providers' caches",
  ],
  cacheWrite: [
    "svc.proxy.cache.write_tokens",
    "{token}",
    "Prompt tokens written to providers' caches",
  ],
  uncached: [
    "svc.proxy.cache.uncached_input_tokens",
    "{token}",
    "Prompt tokens that no cache held",
  ],
  compressed: [
    "svc.compression.tokens.saved",
    "{token}",
    "Tokens saved by compression, before what it added",
  ],
} as const satisfies Record<string, Row>;

function makeCounters(
  meter: Meter,
): (entry: RequestRecord, outcome: Outcome, attributes: Attributes) => void {
  const counters = Object.fromEntries(
    Object.entries(COUNTERS).map(([key, [name, unit, description]]) => [
      key,
      meter.createCounter(name, { unit, description }),
    ]),
  ) as Record<keyof typeof COUNTERS, Counter>;
  return (entry, { took, input, saved, isRateLimited }, attributes) => {
    const { usage, savedTokens: { fresh, kept } } = entry;
    const removed = took ? fresh + kept : 0;
    const counts: Partial<Record<keyof typeof COUNTERS, number>> = {
      requests: 1,
      cached: entry.cached ? 1 : 0,
      failed: entry.status >= 500 ? 1 : 0,
      limited: isRateLimited ? 1 : 0,
      input,
      output: usage.output ?? 0,
      saved: removed,
      added: removed - saved,
      cacheRead: usage.cacheRead ?? 0,
      cacheWrite: usage.cacheWrite ?? 0,
      uncached: usage.input ?? 0,
      compressed: removed,
    };
    for (const [key, value] of Object.entries(counts)) {
      // A counter never falls, and a series of zeros says nothing.
      if (value > 0) {
        counters[key as keyof typeof COUNTERS].add(value, attributes);
      }
    }
  };
}

function makeDurations(
  meter: Meter,
): (entry: RequestRecord, attributes: Attributes) => void {
  const histogram = (
    name: string,
    description: string,
    explicitBucketBoundaries: number[],
  ): Histogram =>
    meter.createHistogram(name, {
      unit: "ms",
      description,
      advice: { explicitBucketBoundaries },
    });
  const whole = histogram(
    "svc.proxy.request.duration",
    "From the first byte in to the last byte out",
    REQUEST_MS,
  );
  const overhead = histogram(
    "svc.proxy.overhead.duration",
    "What the proxy added before it sent the request",
    OVERHEAD_MS,
  );
  const firstByte = histogram(
    "svc.proxy.ttfb.duration",
    "From the first byte in to the first byte of the response",
    REQUEST_MS,
  );
  return (entry, attributes) => {
    whole.record(entry.latencyMs, attributes);
    if (isSent(entry)) overhead.record(entry.overheadMs, attributes);
    if (entry.ttfbMs !== undefined) firstByte.record(entry.ttfbMs, attributes);
  };
}

/** Whether it was to go to a provider, and was not answered or refused here. */
function isSent({ cached, refusedBy }: RequestRecord): boolean {
  return !cached && refusedBy === undefined;
}
