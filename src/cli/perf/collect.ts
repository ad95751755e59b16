/** From requests to figures. @module */
import type { LedgerReader, LoggedRequest } from "../../core/ledger_reader.ts";
import { recommendations } from "./advice.ts";
import { Compressors } from "./compressors.ts";
import { Conversations } from "./conversations.ts";
import { Models } from "./models.ts";
import { percentOf, type PerfReport, type TimeSpread } from "./report.ts";
import { type Ending, endingOf, isTaken } from "./request_kind.ts";
import { spreadOf } from "./spread.ts";

/** Requests that are in memory at once. */
const PAGE = 1000;
/** What takes longer than half a second is felt, in milliseconds. */
const SLOW_MS = 500;
const MINUTE_MS = 60_000;
/** Milliseconds between first and last byte below which an answer was no stream. */
const STREAM_MS = 100;

/** Which requests are looked at. */
export interface PerfSpan {
  /** Hours that are looked at; `undefined` for all that is kept. */
  readonly hours: number | undefined;
  /** Start of them, milliseconds since the Unix epoch. */
  readonly since: number | undefined;
}

/** The requests of a span, the oldest first, a page at a time. @throws {Error} What the database throws. */
export function* requestsOf(
  reader: Pick<LedgerReader, "requests">,
  { since }: Pick<PerfSpan, "since">,
): Generator<LoggedRequest, void> {
  for (let after = 0;;) {
    const page = reader.requests({
      limit: PAGE,
      after,
      ...since !== undefined && { since },
    });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.seq;
  }
}

/**
 * The figures of requests.
 *
 * @param requests The oldest first.
 * @param asked Times that a model asked for what each compressor left out; `undefined` when nobody knows.
 */
export function perfReport(
  requests: Iterable<LoggedRequest>,
  span: PerfSpan,
  asked: ReadonlyMap<string, number> | undefined,
): PerfReport {
  const collected = new Collected();
  for (const request of requests) collected.add(request);
  const figures = collected.figures(span, asked);
  return { ...figures, recommendations: recommendations(figures) };
}

/** Figures that grow. */
class Collected {
  readonly #models = new Models();
  readonly #conversations = new Conversations();
  readonly #compressors = new Compressors();
  readonly #endings: Record<Ending, number> = {
    answered: 0,
    other: 0,
    failed: 0,
    client_errors: 0,
    aborted: 0,
    cached: 0,
    refused: 0,
  };
  readonly #prefix = { compared: 0, client: 0, ours: 0 };
  readonly #minutes = new Map<number, number>();
  readonly #overhead: number[] = [];
  readonly #ttfb: number[] = [];
  readonly #latency: number[] = [];
  readonly #speed: number[] = [];
  #before = 0;
  #after = 0;

  add(request: LoggedRequest): void {
    const ending = endingOf(request);
    this.#endings[ending]++;
    const minute = Math.floor(request.at / MINUTE_MS);
    this.#minutes.set(minute, (this.#minutes.get(minute) ?? 0) + 1);
    this.#compressors.add(request);
    this.#addPrefix(request);
    if (isTaken(request)) {
      this.#before += request.tokensBefore;
      this.#after += request.tokensAfter;
      this.#conversations.add(request);
    }
    if (ending === "answered") this.#models.add(request);
    this.#addTimes(request, ending === "answered");
  }

  figures(
    { hours, since }: PerfSpan,
    asked: ReadonlyMap<string, number> | undefined,
  ): Omit<PerfReport, "recommendations"> {
    const saved = this.#before - this.#after;
    const total = Object.values(this.#endings)
      .reduce((sum, count) => sum + count, 0);
    return {
      hours: hours ?? null,
      since: since === undefined ? null : new Date(since).toISOString(),
      requests: { total, ...this.#endings },
      tokens: {
        tokens_before: this.#before,
        tokens_after: this.#after,
        tokens_saved: saved,
        savings_percent: percentOf(saved, this.#before),
      },
      models: this.#models.figures(),
      cache: this.#conversations.cache(),
      overhead_ms: timeSpread(this.#overhead),
      ttfb_ms: timeSpread(this.#ttfb),
      latency_ms: timeSpread(this.#latency),
      output_tokens_per_second: spreadOf(this.#speed),
      busiest_minute_requests: [...this.#minutes.values()]
        .reduce((most, count) => Math.max(most, count), 0),
      conversations: this.#conversations.sizes(),
      prefix: { ...this.#prefix },
      compressors: this.#compressors.figures(asked),
      left_alone: this.#compressors.leftAlone(),
    };
  }

  #addTimes(request: LoggedRequest, isAnswered: boolean): void {
    const { overheadMs, ttfbMs, latencyMs, output = 0 } = request;
    // As in `/stats`: all three of the same requests, or they would not compare.
    if (ttfbMs === undefined) return;
    this.#overhead.push(overheadMs);
    this.#latency.push(latencyMs);
    this.#ttfb.push(ttfbMs);
    const streamed = latencyMs - ttfbMs;
    if (isAnswered && streamed >= STREAM_MS && output > 0) {
      this.#speed.push(1000 * output / streamed);
    }
  }

  #addPrefix({ prefix }: LoggedRequest): void {
    if (prefix === undefined || prefix.verdict === "first") return;
    this.#prefix.compared++;
    if (prefix.verdict === "client") this.#prefix.client++;
    if (prefix.verdict === "ours") this.#prefix.ours++;
  }
}

function timeSpread(values: number[]): TimeSpread {
  return {
    ...spreadOf(values),
    over_500_ms: values.filter((value) => value > SLOW_MS).length,
  };
}
