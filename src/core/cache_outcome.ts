/** What requests found of the request before in their provider's prompt cache. @module */
import type { PrefixProof } from "./ledger.ts";
import { billedInput } from "./outcome.ts";
import type { Usage } from "./usage.ts";

/** The input side of a bill. */
export type CacheBill = Pick<
  Usage,
  "input" | "cacheRead" | "cacheWrite" | "cacheWrite1h"
>;

/** A finished request of a conversation, beside the one before that the provider billed for the same model. */
export interface CacheTurn {
  /** Position in the ledger. */
  readonly seq: number;
  /** Milliseconds since the Unix epoch at which it came. */
  readonly at: number;
  /** Id of the provider format. */
  readonly provider: string;
  /** As sent upstream. */
  readonly model: string;
  /** Tokens read from the cache by its first round; `undefined` where the provider says nothing of its cache. */
  readonly read: number | undefined;
  /** See {@linkcode PrefixProof}; `undefined` without a proof. */
  readonly verdict: PrefixProof["verdict"] | undefined;
  /** The one before; `undefined` where the ledger has none. */
  readonly before: (CacheBill & { readonly at: number }) | undefined;
}

/**
 * What became of a turn. `hit`: most of what was left in the cache was read. Any other word is why not: `first`: nothing
 * was sent to this model before. `below_minimum`: the prompt before was too short for a cache. `not_cached`: the provider put nothing
 * of it into the cache. `cold`: more time had passed than a prompt is held for. `client`, `declared`, `svc`: the client
 * changed what it had sent, or svc did, on purpose or not. `not_reported`: the provider says nothing of its cache.
 * `unknown`: none of these.
 */
export type CacheCause = typeof CACHE_CAUSES[number];

/** Every cause, in the order in which it is shown. */
export const CACHE_CAUSES = [
  "hit",
  "first",
  "below_minimum",
  "not_cached",
  "cold",
  "client",
  "declared",
  "svc",
  "not_reported",
  "unknown",
] as const;

/** A turn, judged. */
export interface CacheOutcome {
  /** What became of it. */
  readonly cause: CacheCause;
  /** Milliseconds since the request before came; 0 without one. */
  readonly idleMs: number;
  /** Milliseconds for which the prompt before was to be held; `undefined` when the bill does not say. */
  readonly lifeMs: number | undefined;
  /** Tokens that could be read. */
  readonly expected: number;
  /** Tokens that were read. */
  readonly read: number;
  /** Whether something was read that the request before had put there itself, which no other conversation did. */
  readonly isOwn: boolean;
}

/** Tokens below which no provider holds a prompt. */
const MIN_TOKENS = 1024;
/** Part of what is expected that a hit reads: caches without breakpoints hold whole blocks of 128 tokens. */
const HIT_SHARE = 0.8;

const HOUR_MS = 3_600_000;
/** A prompt is held for so long where it was paid for, unless for an hour; and where a cache needs no payment. */
const WRITTEN_MS = 300_000;
const AUTOMATIC_MS = HOUR_MS;

/** Judges a turn. Where two causes fit, the time that had passed counts. */
export function cacheOutcome(turn: CacheTurn): CacheOutcome {
  const { at, read = 0, before } = turn;
  const expected = before === undefined ? 0 : leftBy(before);
  const idleMs = before === undefined ? 0 : Math.max(0, at - before.at);
  const lifeMs = before && lifeOf(before);
  return {
    cause: causeOf(turn, { idleMs, lifeMs, expected }),
    ...{ idleMs, lifeMs, expected, read },
    isOwn: read > (before?.cacheRead ?? 0),
  };
}

function causeOf(
  { read, verdict, before }: CacheTurn,
  { idleMs, lifeMs = HOUR_MS, expected }: Pick<
    CacheOutcome,
    "idleMs" | "lifeMs" | "expected"
  >,
): CacheCause {
  if (before === undefined) return "first";
  if (read === undefined) return "not_reported";
  if (expected === 0) {
    const isShort = (billedInput(before) ?? 0) < MIN_TOKENS;
    return isShort ? "below_minimum" : "not_cached";
  }
  if (read >= HIT_SHARE * expected) return "hit";
  if (idleMs > lifeMs) return "cold";
  switch (verdict) {
    case "client":
      return "client";
    case "decided":
      return "declared";
    case "ours":
      return "svc";
    default:
      return "unknown";
  }
}

/** Tokens that a request leaves in the cache; a provider that bills no writes holds any prompt that is long enough. */
function leftBy(bill: CacheBill): number {
  const { cacheRead = 0, cacheWrite } = bill;
  if (cacheWrite !== undefined) return cacheRead + cacheWrite;
  const prompt = billedInput(bill) ?? 0;
  return prompt < MIN_TOKENS ? 0 : prompt;
}

/** What is newest in a prompt is forgotten first: it counts. */
function lifeOf(
  { cacheWrite, cacheWrite1h = 0 }: CacheBill,
): number | undefined {
  if (cacheWrite === undefined) return AUTOMATIC_MS;
  if (cacheWrite > cacheWrite1h) return WRITTEN_MS;
  return cacheWrite1h > 0 ? HOUR_MS : undefined;
}

/** What is known of how long a provider holds prompts. */
export interface CacheLives {
  /**
   * Milliseconds for which a prompt may be held: `lifeMs`, or longer where one was read after a longer time.
   *
   * @param provider Id of the provider format. @param lifeMs What the provider says, for the same request.
   */
  longest(provider: string, model: string, lifeMs: number): number;
}

/** Where nothing is learned. */
export const NO_LEARNED_LIVES: CacheLives = {
  longest: (_provider, _model, lifeMs) => lifeMs,
};
