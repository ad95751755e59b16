/** Composition of compression: what it remembers, and what the configuration allows. @module */
import { ScanCache } from "./bytes/scan_cache.ts";
import { Lru } from "./bytes/lru.ts";
import { makeConversations } from "./ccr/conversations.ts";
import { makeFrozenForms } from "./ccr/frozen_forms.ts";
import { ccrKey, conversationKey } from "./ccr/key.ts";
import { itemsIn, omittedWhole } from "./ccr/marker.ts";
import { makeResponseIds } from "./ccr/response_ids.ts";
import { type CacheLives, NO_LEARNED_LIVES } from "./core/cache_outcome.ts";
import type { Clock } from "./core/clock.ts";
import type { Log } from "./core/log.ts";
import type { CcrStore } from "./core/store.ts";
import { ToolEditor } from "./pipeline/added_tools.ts";
import type { Attempt } from "./pipeline/attempt.ts";
import type { CompressParts } from "./pipeline/compress_parts.ts";
import { EarlierTexts } from "./pipeline/known_texts.ts";
import { OlderTurns } from "./pipeline/older_blocks.ts";
import {
  type Decide,
  rememberDecisions,
  RESULT_CACHE_BYTES,
  SKIP_SET_SIZE,
} from "./pipeline/router_cache.ts";
import { OutputShaper } from "./pipeline/output_shape.ts";
import { ToolHabits } from "./pipeline/tool_habits.ts";
import type { Config } from "./settings/resolve.ts";
import { type AskPieces, BodyCounter } from "./tokens/body_counter.ts";

/** Parts with a lifetime, and what every part needs. */
export interface CompressionSurroundings {
  /** Originals, forms, conversations. */
  readonly store: CcrStore;
  /** Decides and counts. */
  readonly compute: {
    readonly decide: Decide;
    readonly count: AskPieces;
  };
  /** What was learned of prompt caches; nothing unless given. */
  readonly cacheLives?: CacheLives | undefined;
  /** Absorbs failures. */
  readonly attempt: Attempt;
  /** Time. */
  readonly clock: Clock;
  /** Takes log records. */
  readonly log: Log;
}

/** What compression remembers: it outlives a change of the configuration. */
export type CompressionMemory = ReturnType<typeof makeMemory>;

/** Makes an empty memory, before what the store remembers. */
export function makeMemory(
  { ccr: { ttlSeconds } }: { readonly ccr: Pick<Config["ccr"], "ttlSeconds"> },
  surroundings: CompressionSurroundings,
) {
  const { store, compute, attempt, clock, log } = surroundings;
  return {
    cacheLives: surroundings.cacheLives ?? NO_LEARNED_LIVES,
    bodies: new ScanCache() as CompressParts["bodies"],
    forms: makeFrozenForms(store, { clock, log }),
    conversations: makeConversations(store, { clock, ttlSeconds, log }),
    responseIds: makeResponseIds(store, clock),
    decide: rememberDecisions(
      {
        skips: new Lru(SKIP_SET_SIZE),
        results: new Lru(
          RESULT_CACHE_BYTES,
          ({ decision }) => decision.literal.length,
        ),
        digest: ccrKey,
        clock,
      },
      (jobs) => compute.decide(jobs),
    ),
    olderTurns: new OlderTurns(),
    earlierTexts: new EarlierTexts(),
    toolEditor: new ToolEditor(ccrKey),
    habits: new ToolHabits({ store, attempt, clock }),
    shaper: new OutputShaper({ store, attempt, clock }),
    /** Counts bodies beside the request. */
    counter: new BodyCounter((pieces, onCounted) =>
      attempt("count_tokens", () => compute.count(pieces, onCounted), undefined)
    ),
  };
}

/** Compression as it is shared by all routes that offer it. */
export type Compression = ReturnType<typeof makeCompression>;

/** What decides which forms may be used. */
export interface CompressionSettings extends
  Pick<
    Config,
    | "lossless"
    | "losslessCompaction"
    | "codeAware"
    | "userMessages"
    | "dedupe"
    | "toolRules"
  > {
  /** Whether originals are kept, so that parts may be left out. */
  readonly ccr: Pick<Config["ccr"], "enabled">;
}

/** Puts compression together, as the configuration wants it. */
export function makeCompression(
  config: CompressionSettings,
  { store, attempt, clock, log }: Omit<
    CompressionSurroundings,
    "compute" | "cacheLives"
  >,
  { counter, ...memory }: CompressionMemory,
) {
  /** For {@linkcode compressBody}. */
  const parts: CompressParts = {
    ...memory,
    store,
    itemsIn,
    omitted: omittedWhole,
    keyOf: ccrKey,
    conversationKey,
    attempt,
    clock,
    ccr: config.ccr.enabled,
    options: {
      exact: config.lossless,
      folds: config.losslessCompaction,
      codeAware: config.codeAware,
    },
    onOlderDecided: (conversation, { reason, blocks, tokensSaved }) =>
      log("info", "older_blocks_decided", {
        conversation,
        reason,
        blocks,
        tokens_saved: tokensSaved,
      }),
    userMessages: config.userMessages,
    dedupe: config.dedupe,
    toolRules: config.toolRules,
  };
  return { parts, counter };
}
