/** What the beacon counts of one request: numbers, and names that are public. @module */
import type { RequestRecord, SeenBlock } from "../core/ledger.ts";
import type { LoggedRequest } from "../core/ledger_reader.ts";
import { inputOf, savedBy, took } from "../core/outcome.ts";
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
export interface BeaconTurn {
  /** Milliseconds since the Unix epoch at which it ended. */
  readonly endedAt: number;
  /** Milliseconds from first byte in to last byte out. */
  readonly latencyMs: number;
  /** Milliseconds of them that this service added. */
  readonly overheadMs: number;
  /** HTTP status relayed to the client. */
  readonly status: number;
  /** Whether it was answered from the response cache. */
  readonly cached: boolean;
  /** Whether anything was changed in it. */
  readonly changed: boolean;
  /** Tokens of a request that was taken, as received; 0 for any other. */
  readonly original: number;
  /** Tokens of the texts that compression looked at for the first time. */
  readonly attempted: number;
  /** Prompt tokens that went upstream. */
  readonly input: number;
  /** Generated tokens. */
  readonly output: number;
  /** Saved; below zero when more was added. */
  readonly saved: number;
  /** Prompt tokens read from the provider's cache. */
  readonly cacheRead: number;
  /** Prompt tokens written to it. */
  readonly cacheWrite: number;
  /** Prompt tokens that it did not hold. */
  readonly uncached: number;
  /** Slugs of what changed it. */
  readonly transforms: readonly string[];
  /** What was compressed for the first time. */
  readonly strategies: readonly StrategyTokens[];
  /** Public name of its provider. */
  readonly provider: string;
  /** Public name of its model. */
  readonly model: string;
  /** Public name of its client. */
  readonly client: string;
}

/** Stands for every name that is not public. */
const OTHER = "other";

/** Whether a request asked a model: what is only passed on is no turn. */
export function isTurn({ provider }: Pick<RequestRecord, "provider">): boolean {
  return provider !== "passthrough";
}

/** Reads a finished request. */
export function turnOf(entry: RequestRecord, names: PublicNames): BeaconTurn {
  const { usage } = entry;
  return {
    ...sharedOf(entry, usage, names),
    input: inputOf(entry),
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
    endedAt: entry.at + latencyMs,
    latencyMs,
    overheadMs,
    status,
    cached,
    changed: strategies.length > 0,
    original: took({ status, cached, usage }) ? entry.tokensBefore : 0,
    output: usage.output ?? 0,
    cacheRead: usage.cacheRead ?? 0,
    cacheWrite: usage.cacheWrite ?? 0,
    uncached: usage.input ?? 0,
    attempted: blocks.reduce(
      (sum, { tokensBefore = 0 }) => sum + tokensBefore,
      0,
    ),
    transforms: [...new Set(strategies.map(slugOf))],
    strategies: blocks.flatMap(strategyTokens),
    provider: named(names.provider(entry.upstream)),
    model: names.model(entry.model) ?? OTHER,
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
