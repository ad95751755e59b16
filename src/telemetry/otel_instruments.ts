/** Counters and histograms of finished requests. @module */
import type { Attributes, Counter, Histogram, Meter } from "@opentelemetry/api";
import type { GenAiCall } from "../core/gen_ai.ts";
import type { RequestRecord } from "../core/ledger.ts";
import {
  addedBy,
  billedInput,
  inputOf,
  isFailed,
  isRateLimited,
  removedBy,
  succeeded,
} from "../core/outcome.ts";
import { boundedValues } from "./slug.ts";

/** Different models, and different clients and stacks, that have series of their own. */
const MAX_MODELS = 100;
const MAX_CLIENTS = 32;

/** Upper bounds of the buckets, milliseconds. */
const REQUEST_MS = [
  ...[50, 100, 250, 500, 1000, 2500, 5000],
  ...[10_000, 30_000, 60_000, 120_000, 300_000],
];
const OVERHEAD_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500];

/** Names what a request asked for; `undefined` for one that asked no model. */
type GenAiNames = (
  entry: Pick<RequestRecord, "provider" | "upstream">,
) => GenAiCall | undefined;

/** What the meaning of a request depends on. */
export interface RecordFacts {
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
  { genAi }: RecordFacts,
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
    count(entry, attributes);
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
): (entry: RequestRecord, attributes: Attributes) => void {
  const counters = Object.fromEntries(
    Object.entries(COUNTERS).map(([key, [name, unit, description]]) => [
      key,
      meter.createCounter(name, { unit, description }),
    ]),
  ) as Record<keyof typeof COUNTERS, Counter>;
  return (entry, attributes) => {
    const { usage } = entry;
    const removed = removedBy(entry);
    const definitions = succeeded(entry) ? entry.schemaTokensSaved : 0;
    const counts: Partial<Record<keyof typeof COUNTERS, number>> = {
      requests: 1,
      cached: entry.cached ? 1 : 0,
      failed: isFailed(entry) ? 1 : 0,
      limited: isRateLimited(entry) ? 1 : 0,
      input: inputOf(entry),
      output: usage.output ?? 0,
      saved: removed,
      added: addedBy(entry),
      cacheRead: usage.cacheRead ?? 0,
      cacheWrite: usage.cacheWrite ?? 0,
      uncached: usage.input ?? 0,
      toolSchemaSaved: definitions,
      compressed: removed - definitions,
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

/** Upper bounds that the conventions advise. */
const TOKEN_BOUNDS = Array.from({ length: 14 }, (_, i) => 4 ** i);
const SECOND_BOUNDS = Array.from({ length: 14 }, (_, i) => (2 ** i) / 100);

/**
 * Makes `gen_ai.client.token.usage` and `gen_ai.client.operation.duration`.
 *
 * @returns Measures one request that was sent; `model` is the name its series have. Tokens are those that the provider
 * reported: nothing is guessed.
 */
function genAiInstruments(
  meter: Meter,
): (entry: RequestRecord, call: GenAiCall, model: string | undefined) => void {
  const tokens = meter.createHistogram("gen_ai.client.token.usage", {
    unit: "{token}",
    description: "Number of input and output tokens used",
    advice: { explicitBucketBoundaries: TOKEN_BOUNDS },
  });
  const duration = meter.createHistogram("gen_ai.client.operation.duration", {
    unit: "s",
    description: "GenAI operation duration",
    advice: { explicitBucketBoundaries: SECOND_BOUNDS },
  });
  return (entry, call, model) => {
    const attributes: Attributes = {
      "gen_ai.operation.name": call.operation,
      "gen_ai.provider.name": call.provider,
      ...model !== undefined && { "gen_ai.request.model": model },
    };
    const { usage } = entry;
    const counts = { input: billedInput(usage), output: usage.output };
    for (const [type, count] of Object.entries(counts)) {
      if (count === undefined) continue;
      tokens.record(count, { ...attributes, "gen_ai.token.type": type });
    }
    const error = errorType(entry.status);
    duration.record(entry.latencyMs / 1000, {
      ...attributes,
      ...error !== undefined && { "error.type": error },
    });
  };
}

/** Value of `error.type`: the status of a request that went wrong; `undefined` for one that did not. */
export function errorType(status: number): string | undefined {
  if (status >= 200 && status < 400) return undefined;
  return status >= 400 && status < 600 ? String(status) : "_OTHER";
}
