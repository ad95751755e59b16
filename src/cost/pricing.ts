/** Puts a price on requests. @module */
import { cutText } from "../bytes/cut_text.ts";
import { OncePerName } from "../core/once_per_name.ts";
import type { CostFacts, CostRecord, Pricing } from "../core/cost.ts";
import type { Log } from "../core/log.ts";
import { RESERVED_OUTPUT, type Usage } from "../core/usage.ts";
import {
  type ContextLimit,
  type FoundPrice,
  makeCatalog,
  type ModelLayer,
} from "./prices.ts";
import {
  grossSaving,
  netSaving,
  outputCost,
  promptCost,
  promptTokens,
  type Rates,
  ratesFor,
  reportsPrompt,
  times,
  toNano,
} from "./rates.ts";

/** What it needs. */
interface PricingParts {
  /** The user's models, later layers before earlier ones; the built-in table comes last. */
  readonly layers: readonly ModelLayer[];
  /** Told once per model that its price is unknown or guessed, or its usage not reported. */
  readonly log: Log;
}

/** A {@linkcode Pricing} that can be asked about models. */
export type ModelPricing = Pricing & ReturnType<typeof makeCatalog>;

/** The client closed the connection before the answer was complete. */
const CLIENT_LEFT = 499;
const FIRST_FAILURE = 400;

/** Models that are warned of by one event; clients may invent any number of names. */
const MAX_WARNED = 1000;
/** Characters of a model's name in a log. */
const MAX_LOGGED_CHARS = 100;

/** Bytes of a body per token, at the least: text has about four, numbers and brackets three. */
const MIN_BYTES_PER_TOKEN = 3;

/**
 * Makes a pricing.
 *
 * Each round of a request is billed by itself: `input × input price + cache reads × read price + cache writes × write
 * price (5 minutes or 1 hour) + output × output price`, at the prices for a prompt of its size. A round that said nothing
 * about its prompt counts with the tokens that were sent, as input, one whose end never came with the output that its
 * size tells; either makes the record an estimated one.
 *
 * A price that is only guessed from the model's name makes a record like any other, which counts in budgets: the guess is
 * told once, by `model_unknown` with `price="inferred"`, and `priceOf` says so. Without any price a record has none.
 */
export function makePricing({ layers, log }: PricingParts): ModelPricing {
  const catalog = makeCatalog(layers);
  const warnOnce = makeWarnOnce(log);
  const priceOf = (model: string) => {
    const found = catalog.priceOf(model);
    if (found === undefined || found.inferred) {
      warnOnce("model_unknown", model, () => ({
        context_limit: catalog.limitOf(model).tokens,
        price: found === undefined ? "none" : "inferred",
      }));
    }
    return found?.price;
  };
  return {
    ...catalog,
    costOf(facts) {
      if (!reachedModel(facts)) return undefined;
      const { model, tokensAfter } = facts;
      const rounds = facts.rounds.map(withOutput);
      const basis = facts.rounds.every(isMeasured) ? "measured" : "estimated";
      if (basis === "estimated") warnOnce("cost_estimated", model);
      const price = priceOf(model);
      if (price === undefined) return { basis, ...UNKNOWN };
      const bills = rounds.map((round) => billOf(round, price, tokensAfter));
      const routed = facts.routedFrom === undefined
        ? undefined
        : catalog.priceOf(facts.routedFrom)?.price;
      const record = facts.hasOwnBreakpoints && needsBreakpoints(bills)
        ? withCache(facts, bills, routed ?? price)
        : recordOf(facts, bills);
      return {
        basis,
        ...record,
        ...routed && withRoute(record, routingSaving(facts, bills, routed)),
      };
    },
    reserveFor(model, promptBytes) {
      const price = priceOf(model);
      if (price === undefined) return 0;
      return reservationOf(price, promptBytes, catalog.limitOf(model));
    },
  };
}

function isMeasured(round: CostFacts["rounds"][number]): boolean {
  return reportsPrompt(round) && round.outputEstimate === undefined;
}

/** One round, with what is billed for it. */
interface Bill {
  readonly usage: Usage;
  readonly rates: Rates;
}

function billOf(
  round: Usage,
  price: FoundPrice["price"],
  tokensAfter: number,
): Bill {
  const usage = reportsPrompt(round) ? round : { ...round, input: tokensAfter };
  return { usage, rates: ratesFor(price, promptTokens(usage)) };
}

function reservationOf(
  price: FoundPrice["price"],
  promptBytes: number,
  limit: ContextLimit,
): number {
  // No prompt is longer than the model takes: a body may be large for its images.
  const tokens = Math.min(
    Math.ceil(promptBytes / MIN_BYTES_PER_TOKEN),
    limit.inferred ? Infinity : limit.tokens,
  );
  const rates = ratesFor(price, tokens);
  return toNano(
    times(tokens, dearest(rates)) + times(RESERVED_OUTPUT, rates.output),
  );
}

function withRoute(
  { savedNetNanoUsd = 0 }: Omit<CostRecord, "basis">,
  pico: bigint,
): Pick<CostRecord, "savedNetNanoUsd" | "savedByRouteNanoUsd"> {
  const savedByRouteNanoUsd = toNano(pico);
  return {
    savedNetNanoUsd: savedNetNanoUsd + savedByRouteNanoUsd,
    savedByRouteNanoUsd,
  };
}

/** Whether the cache of these bills holds what is marked only: where writing costs no more than input it holds everything. */
function needsBreakpoints(bills: readonly Bill[]): boolean {
  const { rates } = bills[0]!;
  return rates.cacheWrite > rates.input;
}

/** @param price Of the client's model. */
function withCache(
  facts: CostFacts,
  bills: readonly Bill[],
  price: FoundPrice["price"],
): Omit<CostRecord, "basis"> {
  const { usage, rates } = bills[0]!;
  const { input } = rates;
  // Without breakpoints nothing would have been read or written: what compression took away had the price of input.
  const uncached = { cacheRead: input, cacheWrite: input, cacheWrite1h: input };
  const record = recordOf(facts, bills, {
    rates: { ...rates, ...uncached },
  });
  if (!isTaken(facts.status, facts.rounds)) return record;
  const tokens = promptTokens(usage);
  const own = ratesFor(price, tokens);
  const savedByCacheNanoUsd = toNano(
    times(tokens, own.input) - promptCost(usage, own),
  );
  const { savedNetNanoUsd = 0 } = record;
  return {
    ...record,
    savedNetNanoUsd: savedNetNanoUsd + savedByCacheNanoUsd,
    savedByCacheNanoUsd,
  };
}

/**
 * Pico-dollars that the client's model would have cost more. What it says of the prompt is taken from the one that was
 * asked; but a conversation that had begun would have been read from the client's cache where this one read nothing.
 */
function routingSaving(
  { status, rounds, isBegun = false, hasOwnBreakpoints }: CostFacts,
  bills: readonly Bill[],
  price: FoundPrice["price"],
): bigint {
  if (!isTaken(status, rounds)) return 0n;
  return bills.reduce((sum, { usage, rates }) => {
    const own = ratesFor(price, promptTokens(usage));
    const isSwitched = isBegun && !hasOwnBreakpoints &&
      (usage.cacheRead ?? 0) === 0;
    const prompt = isSwitched
      ? times(promptTokens(usage), own.cacheRead)
      : promptCost(usage, own);
    return sum + prompt + outputCost(usage, own) - promptCost(usage, rates) -
      outputCost(usage, rates);
  }, 0n);
}

const UNKNOWN: Omit<CostRecord, "basis"> = {
  nanoUsd: undefined,
  savedGrossNanoUsd: undefined,
  savedNetNanoUsd: undefined,
};

const NOTHING_SAVED = { fresh: 0, kept: 0, addedFresh: 0, addedKept: 0 };

/**
 * @param bills One per round, at least one.
 * @param rates Prices without svc.
 */
function recordOf(
  { status, rounds, saved: all }: CostFacts,
  bills: readonly Bill[],
  { rates }: Pick<Bill, "rates"> = bills[0]!,
): Omit<CostRecord, "basis"> {
  const saved = isTaken(status, rounds) ? all : NOTHING_SAVED;
  const prompts = bills.map((bill) => promptCost(bill.usage, bill.rates));
  const outputs = bills.map((bill) => outputCost(bill.usage, bill.rates));
  return {
    nanoUsd: toNano(sum([...prompts, ...outputs])),
    savedGrossNanoUsd: toNano(grossSaving(saved, rates)),
    savedNetNanoUsd: toNano(netSaving({
      saved,
      first: rounds[0]!,
      rates,
      furtherPrompts: sum(prompts.slice(1)),
    })),
  };
}

/** What was reported in the middle of an answer is no sum: the larger of it and the estimate counts. */
function withOutput(round: Usage): Usage {
  const { output = 0, outputEstimate } = round;
  return outputEstimate === undefined
    ? round
    : { ...round, output: Math.max(output, outputEstimate) };
}

/** A failure without usage was billed by nobody; a client that leaves an answer pays for it all the same. */
function reachedModel({ status, rounds }: CostFacts): boolean {
  if (rounds.length === 0) return false;
  return !isFailure(status) ||
    rounds.some((usage) =>
      reportsPrompt(usage) || usage.output !== undefined ||
      usage.outputEstimate !== undefined
    );
}

/** A client that left before the prompt was billed saved nothing. */
function isTaken(status: number, rounds: readonly Usage[]): boolean {
  return status === CLIENT_LEFT
    ? rounds.some(reportsPrompt)
    : status < FIRST_FAILURE;
}

function isFailure(status: number): boolean {
  return status >= FIRST_FAILURE && status !== CLIENT_LEFT;
}

function dearest(rates: Rates): number {
  return Math.max(
    rates.input,
    rates.cacheRead,
    rates.cacheWrite,
    rates.cacheWrite1h,
  );
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** Logs an event once per model, and once that there are too many. */
function makeWarnOnce(log: Log) {
  const warned = new Map<string, OncePerName>();
  return (
    event: string,
    model: string,
    fields: () => Readonly<Record<string, string | number>> = () => ({}),
  ): void => {
    const name = cutText(model, MAX_LOGGED_CHARS);
    const models = warned.get(event) ?? new OncePerName(MAX_WARNED);
    warned.set(event, models);
    switch (models.turn(name)) {
      case "first":
        return log("warn", event, { model: name, ...fields() });
      case "full":
        log("warn", "models_not_logged", { about: event, models: MAX_WARNED });
    }
  };
}
