/** Blocks of older turns without a form: when they may be decided after all. @module */
import type { CacheLives } from "../core/cache_outcome.ts";
import type { Decision } from "../core/decision.ts";
import type { ConversationState } from "../core/forms.ts";
import type { BodyScan, PromptCache, ProviderFormat } from "../core/format.ts";
import type { OlderReason } from "../core/ledger.ts";
import type { CompressionMode } from "../core/mode.ts";
import type { ConversationKey } from "../core/store.ts";
import type { LiveBlock, OlderScope } from "./live_zone_pass.ts";

/** Older blocks that got a form, in one go. */
export interface OlderDecided {
  /** Why. */
  readonly reason: OlderReason;
  /** How many. */
  readonly blocks: number;
  /** Tokens that their forms save, by our counter. */
  readonly tokensSaved: number;
}

/** What a request says about older blocks. */
export interface OlderQuestion {
  /** Adapter of its wire format. */
  readonly format: ProviderFormat;
  /** The body. */
  readonly body: Uint8Array;
  /** What may be done to it. */
  readonly mode: CompressionMode;
  /** Whether the provider has just refused the body as too long. */
  readonly isTooLong?: boolean;
}

/** Milliseconds for which a prompt may be held, learned, where the provider says `lifeMs`: never less. */
export type LongestLife = (lifeMs: number) => number;

/** What was learned of the cache that would hold a body. */
export function longestLife(
  { cacheLives }: { readonly cacheLives: CacheLives },
  { format }: Pick<OlderQuestion, "format">,
  { model }: Pick<BodyScan, "model">,
): LongestLife {
  return (lifeMs) => cacheLives.longest(format.id, model, lifeMs);
}

/** What may be done to the older blocks of one request. */
export interface OlderPlan {
  /** Which are asked about. */
  readonly scope: OlderScope;
  /** Why they may be decided; `undefined` where that has to pay. */
  readonly reason: OlderReason | undefined;
}

/** Older blocks stay as they are. */
export const LEAVE_OLDER: OlderPlan = { scope: "none", reason: undefined };

/** All of them are asked about: the provider has forgotten the conversation. */
export const DECIDE_ANEW: OlderPlan = { scope: "all", reason: "cold_cache" };

/**
 * Plans: all of them when the provider refused the body for its length, or in token mode when it has surely forgotten
 * the conversation; in token mode also those that were never seen before, if that pays. Once per conversation, but for
 * a refused body.
 */
export function olderPlan(
  { format, body, mode, isTooLong }: OlderQuestion,
  { activeAt, now, isDone, longest }: Pick<ConversationState, "activeAt"> & {
    readonly now: number;
    readonly isDone: boolean;
    readonly longest?: LongestLife;
  },
): OlderPlan {
  if (isTooLong) return { scope: "all", reason: "too_long" };
  if (mode !== "token" || isDone) return LEAVE_OLDER;
  return isCold({ activeAt, now, longest }, format.promptCache, body)
    ? { scope: "all", reason: "cold_cache" }
    : { scope: "unseen", reason: undefined };
}

/** Conversations remembered; the oldest are forgotten, and may then be decided once more. */
const MAX_CONVERSATIONS = 10_000;

/** Conversations whose older blocks were looked at: once each, so that the provider's cache is broken at most once. */
export class OlderTurns {
  readonly #done = new Set<ConversationKey>();

  /** Whether this was done for `key`. */
  has(key: ConversationKey): boolean {
    return this.#done.has(key);
  }

  /** Notes that it was. */
  add(key: ConversationKey): void {
    this.#done.add(key);
    const [oldest] = this.#done;
    if (this.#done.size > MAX_CONVERSATIONS && oldest) {
      this.#done.delete(oldest);
    }
  }
}

/** Activity is written once a minute: another process may have used the cache that much later than the store says. */
const SLACK_MS = 60_000;

/** Whether the provider has surely forgotten a conversation whose last request was at `activeAt`. */
export function isCold(
  { activeAt, now, longest = (lifeMs) => lifeMs }: {
    readonly activeAt: number | undefined;
    readonly now: number;
    readonly longest?: LongestLife | undefined;
  },
  cache: PromptCache,
  body: Uint8Array,
): boolean {
  if (activeAt === undefined) return false;
  const idleMs = now - activeAt;
  // How long a body asks to be held is looked for in all of it.
  return idleMs > SLACK_MS && idleMs > longest(cache.lifeMs(body)) + SLACK_MS;
}

/** Requests that are expected to read a prefix once it is written. */
const EXPECTED_READS = 10;
/** Further requests of a conversation that are expected. */
const FURTHER_REQUESTS = 10;
/** Bytes per token, for what a change makes the provider read anew. */
export const BYTES_PER_TOKEN = 4;
/** Share of an elided form in the definition of the retrieval tool, in tokens. */
const ELIDED_SHARE = 20;

/** What older decisions would save, and what they would make the provider read anew. */
export interface OlderGain {
  /** Forms among the decisions. */
  readonly blocks: number;
  /** Tokens saved. */
  readonly tokensSaved: number;
  /** Tokens behind the first block that changes. */
  readonly tokensBehind: number;
}

/** Blocks with their decisions, one each. */
export interface DecidedLive {
  /** The blocks. */
  readonly live: readonly LiveBlock[];
  /** One per block. */
  readonly decisions: readonly Decision[];
  /** What became of the older ones; `undefined` when none got a form. */
  readonly older: OlderDecided | undefined;
  /** Older blocks whose forms would not pay. */
  readonly dropped: readonly LiveBlock[];
}

/** Drops the older blocks again where deciding them would not pay. */
export function keepIfItPays(
  plan: OlderPlan,
  { live, decisions }: Pick<DecidedLive, "live" | "decisions">,
  { format: { promptCache }, body: { length } }: OlderQuestion,
): DecidedLive {
  const asIs = { live, decisions, older: undefined, dropped: [] };
  if (plan.scope === "none") return asIs;
  const older = [...live.keys()].filter((i) => live[i]!.isOlder);
  const dropped = older.map((i) => live[i]!);
  const gain = gainOf(dropped, older.map((i) => decisions[i]!), length);
  const { blocks, tokensSaved } = gain;
  if (blocks === 0) return asIs;
  if (plan.reason !== undefined || pays(gain, promptCache)) {
    const reason = plan.reason ?? "pays";
    return { ...asIs, older: { reason, blocks, tokensSaved } };
  }
  return {
    live: live.filter(({ isOlder }) => !isOlder),
    decisions: decisions.filter((_, i) => !live[i]!.isOlder),
    older: undefined,
    dropped,
  };
}

/** Sums up what deciding `live` like that would do to a body of `length` bytes. */
export function gainOf(
  live: readonly LiveBlock[],
  decisions: readonly Decision[],
  length: number,
): OlderGain {
  let [blocks, tokensSaved, first] = [0, 0, length];
  for (const [i, { block }] of live.entries()) {
    const decision = decisions[i];
    if (decision?.type !== "form") continue;
    blocks++;
    tokensSaved += decision.tokensBefore - decision.tokensAfter -
      (decision.elision === undefined ? 0 : ELIDED_SHARE);
    first = Math.min(first, block.span.end);
  }
  const tokensBehind = Math.ceil((length - first) / BYTES_PER_TOKEN);
  return { blocks, tokensSaved, tokensBehind };
}

/**
 * Whether a change in a prefix that the provider holds pays: what it saves now and on each further read, against
 * writing once more what was only to be read.
 */
export function pays(
  { tokensSaved, tokensBehind }: OlderGain,
  { write, read }: PromptCache,
): boolean {
  return tokensSaved * (write + read * (EXPECTED_READS - 1)) >
    (write - read) * (tokensBehind + tokensSaved);
}

/** Price of a token that is new and then read with all further requests, as a share of the price of input. */
export function heldPrice(
  { write, read }: Pick<PromptCache, "write" | "read">,
): number {
  return write + read * FURTHER_REQUESTS;
}

/**
 * Whether it pays to make the provider read `tokensBehind` anew that it may hold: `tokensSaved` are tokens that it has not
 * seen yet.
 */
export function paysForNew(
  { tokensSaved, tokensBehind }: Pick<
    OlderGain,
    "tokensSaved" | "tokensBehind"
  >,
  cache: PromptCache,
): boolean {
  return tokensSaved * heldPrice(cache) >
    (cache.write - cache.read) * tokensBehind;
}
