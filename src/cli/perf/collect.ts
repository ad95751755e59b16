/** The report of `svc perf`: what is measured, and what to do about it. @module */
import type { LedgerReader, LoggedRequest } from "../../core/ledger_reader.ts";
import {
  type Figures,
  figuresOf,
  type PerfSpan,
  SLOW_MS,
  sum,
} from "./figures.ts";
import {
  countText,
  manyText,
  msText,
  nameText,
  reasonText,
  ruleText,
} from "../words.ts";

/** Requests that are read at once. */
const PAGE = 1000;

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
 * The figures of requests and what follows from them.
 *
 * @param requests The oldest first.
 * @param asked Times that a model asked for what each compressor left out; `undefined` when nobody knows.
 */
export function perfReport(
  requests: Iterable<LoggedRequest>,
  span: PerfSpan,
  asked: ReadonlyMap<string, number> | undefined,
): PerfReport {
  const figures = figuresOf(requests, span, asked);
  // The most urgent first.
  const recommendations = RULES.flatMap((rule) => rule(figures) || []);
  return { ...figures, recommendations };
}

/** The whole report. */
export type PerfReport = Figures & {
  /** Sentences without a final period. */
  readonly recommendations: readonly string[];
};

/** Fewer requests, results or conversations prove nothing. */
const MIN_REQUESTS = 20;
const MIN_RESULTS = 10;
const MIN_CONVERSATIONS = 3;
/** Savings that are hardly any, in percent. */
const LITTLE_PERCENT = 5;
/** Points of a percentage that are no accident. */
const FALL_POINTS = 10;

/** Says what to do, or nothing. */
type Rule = (figures: Figures) => string | false | readonly string[];

const brokenPrefixes: Rule = ({ prefix: { ours, compared } }) =>
  ours > 0 &&
  `svc changed a part of the prompt that was sent before in ${
    countText(ours)
  } of ${
    countText(compared)
  } requests. This must never happen: please report it. svc proxy --no-optimize sends requests unchanged`;

const failures: Rule = ({ requests: { total, failed } }) =>
  total >= MIN_REQUESTS && failed * 10 >= total &&
  `${countText(failed)} of ${
    countText(total)
  } requests failed with a 5xx status: svc log shows which`;

const slow: Rule = ({ overhead_ms: { count, p95, over_500_ms: over } }) =>
  count >= MIN_REQUESTS && (p95 ?? 0) > SLOW_MS &&
  `One request in 20 waits ${msText(p95!)} or longer for svc (${
    countText(over)
  } of ${
    countText(count)
  } above 500 ms): svc log shows which; for many parallel requests, raise SVC_WORKERS`;

const littleSaved: Rule = (figures) => {
  const { tokens, left_alone: alone, compressors, requests } = figures;
  const results = sum(alone, "results") + sum(compressors, "results");
  const isLittle = tokens.savings_percent < LITTLE_PERCENT;
  if (requests.answered < MIN_REQUESTS || !isLittle) return false;
  const share = `Only ${tokens.savings_percent} % was saved`;
  const [most] = alone;
  if (results < MIN_RESULTS || most === undefined) {
    return tokens.tokens_saved < 0 &&
      `${share}: the definition of the retrieval tool costs more than these conversations have to shorten; SVC_NO_CCR=1 leaves it out`;
  }
  const part = Math.round(100 * most.bytes / sum(alone, "bytes"));
  return `${share}. The main reason, for ${part} % of the bytes that were skipped: ${
    reasonText(most.reason)
  } (${most.reason}). svc log and svc show have the details`;
};

const fallingCache: Rule = ({ cache }) => {
  const { first_5_hit_percent: first, last_5_hit_percent: last } = cache;
  return first !== null && last !== null &&
    cache.long_conversations >= MIN_CONVERSATIONS &&
    first - last > FALL_POINTS &&
    `The share of prompts that is read from provider caches falls within conversations, from ${first} % to ${last} %: prompts change near their start, or pauses outlast the cache; svc show <id> shows the first difference`;
};

const changingClients: Rule = ({ prefix: { client, compared } }) =>
  compared >= MIN_REQUESTS && client * 5 >= compared &&
  `In ${countText(client)} of ${
    countText(compared)
  } requests the client itself changed what it had sent before, and the provider billed it again: svc show <id> shows where`;

const askedAgain: Rule = ({ compressors }) =>
  compressors.filter(({ elided, asked_for: asked }) =>
    asked !== null && elided >= MIN_RESULTS && asked * 3 >= elided
  ).map(({ strategy, elided, asked_for: asked }) =>
    `Models asked ${manyText(asked!, "time")} for what was left out of ${
      countText(elided)
    } results (${
      ruleText(strategy)
    }): svc ccr stats shows for which tools; SVC_TOOL_POLICY keeps their results whole (Name=lossless)`
  );

const unknownPrices: Rule = ({ models }) => {
  const unknown = models.filter((model) => model.unpriced_requests > 0);
  const names = unknown.map(({ model }) => nameText(model)).join(", ");
  return unknown.length > 0 &&
    `No price is known for ${
      manyText(sum(unknown, "unpriced_requests"), "request")
    } (${names}): add the model to models.json in the configuration directory`;
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
