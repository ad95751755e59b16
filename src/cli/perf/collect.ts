/** From requests to figures, and what to do about them. @module */
import { SLOW_MS, spreadOf, timeSpread, tokenFigures } from "./report.ts";
import type { LedgerReader, LoggedRequest } from "../../core/ledger_reader.ts";
import {
  Compressors,
  Conversations,
  type Ending,
  endingOf,
  isTaken,
  Models,
} from "./sums.ts";
import {
  countText,
  manyText,
  msText,
  nameText,
  reasonText,
  ruleText,
} from "../words.ts";

/** Requests that are in memory at once. */
const PAGE = 1000;
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
  ) {
    const total = Object.values(this.#endings)
      .reduce((sum, count) => sum + count, 0);
    return {
      hours: hours ?? null,
      since: since === undefined ? null : new Date(since).toISOString(),
      requests: { total, ...this.#endings },
      tokens: tokenFigures(this.#before, this.#after),
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

/** Fewer requests, results or conversations prove nothing. */
const MIN_REQUESTS = 20;
const MIN_RESULTS = 10;
const MIN_CONVERSATIONS = 3;
/** Savings that are hardly any, in percent. */
const LITTLE_PERCENT = 5;
/** Points of a percentage that are no accident. */
const FALL_POINTS = 10;

/** All figures. */
type Figures = ReturnType<Collected["figures"]>;

/** The whole report: what is measured, and what to do about it. */
export type PerfReport = Figures & {
  readonly recommendations: readonly string[];
};
/** Says what to do, or nothing. */
type Rule = (figures: Figures) => readonly string[];

/** Sentences without a final period, the most urgent first. */
function recommendations(figures: Figures): readonly string[] {
  return RULES.flatMap((rule) => rule(figures));
}

const brokenPrefixes: Rule = ({ prefix: { ours, compared } }) =>
  ours === 0 ? [] : [
    `svc changed a part of the prompt that was sent before in ${
      countText(ours)
    } of ${
      countText(compared)
    } requests. This must never happen: please report it. svc proxy --no-optimize sends requests unchanged`,
  ];

const failures: Rule = ({ requests: { total, failed } }) =>
  total < MIN_REQUESTS || failed * 10 < total ? [] : [
    `${countText(failed)} of ${
      countText(total)
    } requests failed with a 5xx status: svc log shows which`,
  ];

const slow: Rule = ({ overhead_ms: { count, p95, over_500_ms: over } }) =>
  count < MIN_REQUESTS || (p95 ?? 0) <= SLOW_MS ? [] : [
    `One request in 20 waits ${msText(p95!)} or longer for svc (${
      countText(over)
    } of ${
      countText(count)
    } above 500 ms): svc log shows which; for many parallel requests, raise SVC_WORKERS`,
  ];

const littleSaved: Rule = (figures) => {
  const { tokens, left_alone: alone, compressors, requests } = figures;
  const results = sum(alone, "results") + sum(compressors, "results");
  const isLittle = tokens.savings_percent < LITTLE_PERCENT;
  if (requests.answered < MIN_REQUESTS || !isLittle) return [];
  const share = `Only ${tokens.savings_percent} % was saved`;
  const [most] = alone;
  if (results < MIN_RESULTS || most === undefined) {
    return tokens.tokens_saved >= 0 ? [] : [
      `${share}: the definition of the retrieval tool costs more than these conversations have to shorten; SVC_NO_CCR=1 leaves it out`,
    ];
  }
  const part = Math.round(100 * most.bytes / sum(alone, "bytes"));
  return [
    `${share}. The main reason, for ${part} % of the bytes that were skipped: ${
      reasonText(most.reason)
    } (${most.reason}). svc log and svc show have the details`,
  ];
};

const fallingCache: Rule = ({ cache }) => {
  const { first_5_hit_percent: first, last_5_hit_percent: last } = cache;
  if (first === null || last === null) return [];
  const isFalling = cache.long_conversations >= MIN_CONVERSATIONS &&
    first - last > FALL_POINTS;
  return isFalling
    ? [
      `The share of prompts that is read from provider caches falls within conversations, from ${first} % to ${last} %: prompts change near their start, or pauses outlast the cache; svc show <id> shows the first difference`,
    ]
    : [];
};

const changingClients: Rule = ({ prefix: { client, compared } }) =>
  compared < MIN_REQUESTS || client * 5 < compared ? [] : [
    `In ${countText(client)} of ${
      countText(compared)
    } requests the client itself changed what it had sent before, and the provider billed it again: svc show <id> shows where`,
  ];

const askedAgain: Rule = ({ compressors }) =>
  compressors.flatMap(({ strategy, elided, asked_for: asked }) =>
    asked === null || elided < MIN_RESULTS || asked * 3 < elided ? [] : [
      `Models asked ${manyText(asked, "time")} for what was left out of ${
        countText(elided)
      } results (${
        ruleText(strategy)
      }): svc ccr stats shows for which tools; SVC_TOOL_POLICY keeps their results whole (Name=lossless)`,
    ]
  );

const unknownPrices: Rule = ({ models }) => {
  const unknown = models.filter((model) => model.unpriced_requests > 0);
  if (unknown.length === 0) return [];
  const names = unknown.map(({ model }) => nameText(model)).join(", ");
  return [
    `No price is known for ${
      manyText(sum(unknown, "unpriced_requests"), "request")
    } (${names}): add the model to models.json in the configuration directory`,
  ];
};

const RULES: readonly Rule[] = [
  brokenPrefixes,
  failures,
  slow,
  littleSaved,
  fallingCache,
  changingClients,
  askedAgain,
  unknownPrices,
];

function sum<Key extends string>(
  rows: readonly Readonly<Record<Key, number>>[],
  key: Key,
): number {
  return rows.reduce((total, row) => total + row[key], 0);
}
