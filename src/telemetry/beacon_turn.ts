/** What the beacon counts of one request: numbers, and names that are public. @module */
import type { RequestRecord, SeenBlock } from "../core/ledger.ts";
import type { LoggedRequest } from "../core/ledger_reader.ts";
import { inputOf, savedBy, succeeded } from "../core/outcome.ts";
import type { Usage } from "../core/usage.ts";
import { slugOf } from "./slug.ts";

/** Names that many installations share; `undefined` or `other` for anything else, which may identify somebody. */
export interface PublicNames {
  /** Name in the public price list of the model that a client calls so; `undefined` when it is in none. */
  readonly model: (model: string) => string | undefined;
  /** Well-known provider with this label, as a slug; `undefined` for any other. */
  readonly provider: (upstream: string) => string | undefined;
  /** Well-known client with this product name, as a slug; `undefined` for any other. */
  readonly client: (agent: string) => string | undefined;
}

/** Tokens that compression was tried on, and what became of them. */
export interface StrategyTokens {
  /** Slug of the compressor. */
  readonly strategy: string;
  /** Tokens of the text. */
  readonly before: number;
  /** Tokens of what was sent for it. */
  readonly after: number;
}

/** One request. */
export type BeaconTurn = Readonly<ReturnType<typeof turnOf>>;

/** Stands for every name that is not public. */
const OTHER = "other";

/** Whether a request asked a model: what is only passed on is no turn. */
export function isTurn({ provider }: Pick<RequestRecord, "provider">): boolean {
  return provider !== "passthrough";
}

/** Reads a finished request. */
export function turnOf(entry: RequestRecord, names: PublicNames) {
  const { usage } = entry;
  return {
    ...sharedOf(entry, usage, names),
    /** Prompt tokens that went upstream. */
    input: inputOf(entry),
    /** Saved; below zero when more was added. */
    saved: savedBy(entry),
  };
}

/** Reads a request of the ledger. */
export function turnOfLogged(
  request: LoggedRequest,
  names: PublicNames,
): BeaconTurn {
  return {
    ...sharedOf(request, request, names),
    input: request.tokensIn,
    saved: request.tokensSaved,
  };
}

type Shared = Pick<
  RequestRecord,
  | "at"
  | "tokensBefore"
  | "latencyMs"
  | "overheadMs"
  | "status"
  | "cached"
  | "strategies"
  | "blocks"
  | "upstream"
  | "model"
  | "agent"
>;

function sharedOf(
  entry: Shared,
  usage:
    | Pick<LoggedRequest, "input" | "output" | "cacheRead" | "cacheWrite">
    | Usage,
  names: PublicNames,
) {
  const { latencyMs, overheadMs, status, cached, strategies, blocks } = entry;
  return {
    /** Milliseconds since the Unix epoch at which it ended. */
    endedAt: entry.at + latencyMs,
    /** Milliseconds from first byte in to last byte out. */
    latencyMs,
    /** Milliseconds of them that this service added. */
    overheadMs,
    /** HTTP status relayed to the client. */
    status,
    /** Whether it was answered from the response cache. */
    cached,
    /** Whether anything was changed in it. */
    changed: strategies.length > 0,
    /** Tokens of a request that was taken, as received; 0 for any other. */
    original: succeeded({ status, cached, usage }) ? entry.tokensBefore : 0,
    /** Generated tokens. */
    output: usage.output ?? 0,
    /** Prompt tokens read from the provider's cache. */
    cacheRead: usage.cacheRead ?? 0,
    /** Prompt tokens written to it. */
    cacheWrite: usage.cacheWrite ?? 0,
    /** Prompt tokens that it did not hold. */
    uncached: usage.input ?? 0,
    /** Tokens of the texts that compression looked at for the first time. */
    attempted: blocks.reduce(
      (sum, { tokensBefore = 0 }) => sum + tokensBefore,
      0,
    ),
    /** Slugs of what changed it. */
    transforms: [...new Set(strategies.map(slugOf))],
    /** What was compressed for the first time. */
    strategies: blocks.flatMap(strategyTokens),
    /** Public name of its provider. */
    provider: named(names.provider(entry.upstream)),
    /** Public name of its model. */
    model: names.model(entry.model) ?? OTHER,
    /** Public name of its client. */
    client: named(names.client(entry.agent)),
  };
}

function strategyTokens(
  { isKnown, outcome, strategy, tokensBefore, tokensAfter }: SeenBlock,
): StrategyTokens[] {
  if (isKnown || outcome === "alone") return [];
  return [{
    strategy: slugOf(strategy),
    before: tokensBefore ?? 0,
    after: tokensAfter ?? 0,
  }];
}

function named(slug: string | undefined): string {
  return slug === undefined ? OTHER : slugOf(slug);
}
