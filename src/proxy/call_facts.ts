/** What is recorded of one provider call, and its token fields. @module */
import { sourceOf } from "../core/block.ts";
import type { Clock } from "../core/clock.ts";
import type { ContextBudget } from "../core/context_budget.ts";
import type { SavedTokens } from "../core/cost.ts";
import type { BodyScan } from "../core/format.ts";
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import type { FormedBlock } from "../pipeline/frozen_pass.ts";
import type { Attribution } from "./attribution.ts";

/** What is recorded of a call: nothing of it holds the body, which may be gone by the time of the record. */
export interface CallFacts extends
  Pick<
    CompressedBody,
    | "breakpoints"
    | "answered"
    | "conversation"
    | "decided"
    | "failures"
    | "formed"
    | "formTokensSaved"
    | "hasDeclared"
    | "older"
    | "seen"
    | "shape"
    | "strategies"
  > {
  /** What was found in the body, as far as the record depends on it. */
  readonly scan: Pick<BodyScan, "model" | "maxOutput" | "begun"> | undefined;
  /** What the prompt may have; absent where that is unknown. */
  readonly context?: ContextBudget | undefined;
  /** The client's model, where another one was asked. */
  readonly routing:
    | Pick<NonNullable<CompressedBody["routing"]>, "route">
    | undefined;
}

/** Takes from a call what is recorded of it. */
export function factsOf(call: CallFacts): CallFacts {
  const { conversation, decided, formed, formTokensSaved } = call;
  const { failures, hasDeclared, older, seen, shape, strategies } = call;
  const { breakpoints, answered } = call;
  const { model, maxOutput, begun } = call.scan ?? {};
  return {
    ...{ conversation, decided, formed, formTokensSaved },
    ...{ failures, hasDeclared, older, seen, shape, strategies, breakpoints },
    ...answered && { answered },
    scan: call.scan && { model: model!, maxOutput, begun: begun! },
    routing: call.routing && { route: call.routing.route },
  };
}

/** A record in which nothing has happened yet, in the wire format `provider`. */
export function emptyRecord(
  { clock, newId }: {
    readonly clock: Clock;
    readonly newId: () => string;
  },
  provider: string,
  attribution: Attribution,
): RequestRecord {
  return {
    id: newId(),
    at: clock.now(),
    provider,
    upstream: "",
    model: "",
    ...attribution,
    conversation: "",
    status: 0,
    tokensBefore: 0,
    tokensAfter: 0,
    latencyMs: 0,
    ttfbMs: undefined,
    overheadMs: 0,
    usage: {},
    furtherUsage: {},
    savedTokens: NOTHING_SAVED,
    schemaTokensSaved: 0,
    cost: undefined,
    cached: false,
    refusedBy: undefined,
    strategies: [],
    leftAlone: [],
    blocks: [],
    prefix: undefined,
    forms: [],
    furtherRounds: 0,
    retrieved: [],
    errorType: "",
    failures: [],
    olderDecided: undefined,
  };
}

/** No token less, and none more. */
export const NOTHING_SAVED: SavedTokens = {
  fresh: 0,
  kept: 0,
  addedFresh: 0,
  addedKept: 0,
};

/** Goes with `x-svc-tokens-*` where a part of the text was not counted yet: that part is taken from its length. */
export const ESTIMATED = { "x-svc-tokens-estimated": "true" } as const;

/** The model's limit, and what the prompt may have of it. */
export function contextHeaders(
  context: ContextBudget | undefined,
): Readonly<Record<string, string>> {
  return context === undefined ? {} : {
    "x-svc-tokens-limit": `${context.limit}`,
    "x-svc-tokens-budget": `${context.budget}`,
  };
}

/** Three fields that begin alike: tokens before and after, and the difference. */
export function tokenHeaders(
  prefix: string,
  before: number,
  after: number,
): Readonly<Record<string, string>> {
  return {
    [`${prefix}before`]: `${before}`,
    [`${prefix}after`]: `${after}`,
    [`${prefix}saved`]: `${before - after}`,
  };
}

/** A form as it is recorded. */
export function sentForm({ key, block, form }: FormedBlock): SentForm {
  return {
    key,
    entry: form.entry,
    toolName: sourceOf(block),
    strategy: form.strategy,
    saved: form.tokensBefore - form.tokensAfter,
  };
}
