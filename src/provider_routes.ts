/** Composition of the routes that carry conversations. @module */
import type { Context, Handler, MiddlewareHandler } from "hono";
import { Lru } from "./bytes/lru.ts";
import { makeConversations } from "./ccr/conversations.ts";
import { makeFrozenForms } from "./ccr/frozen_forms.ts";
import { ccrKey, conversationKey } from "./ccr/key.ts";
import { itemsIn } from "./ccr/marker.ts";
import { makeResponseIds } from "./ccr/response_ids.ts";
import type { Retriever } from "./ccr/retriever.ts";
import type { Clock } from "./core/clock.ts";
import type { BudgetGate, Pricing } from "./core/cost.ts";
import { ServiceError } from "./core/errors.ts";
import type { ProviderFormat } from "./core/format.ts";
import type { RequestRecord } from "./core/ledger.ts";
import type { Log } from "./core/log.ts";
import type { CcrStore } from "./core/store.ts";
import type {
  Send,
  Upstream,
  UpstreamResolver,
  Wanted,
} from "./core/upstream.ts";
import type { Attempt } from "./pipeline/attempt.ts";
import { compressBody } from "./pipeline/compress_body.ts";
import type { CompressedBody } from "./pipeline/compressed_body.ts";
import type { CompressParts } from "./pipeline/compress_parts.ts";
import { conversationOf } from "./pipeline/conversation_keys.ts";
import { OlderTurns } from "./pipeline/older_blocks.ts";
import {
  rememberDecisions,
  RESULT_CACHE_BYTES,
  SKIP_SET_SIZE,
} from "./pipeline/router_cache.ts";
import type { WorkerPool } from "./pipeline/worker_pool.ts";
import { chatCompletionsFormat } from "./providers/chat_completions/format.ts";
import { messagesFormat } from "./providers/messages/format.ts";
import { type ProviderRoute, providerRouteOf } from "./providers/registry.ts";
import { responsesFormat } from "./providers/responses/format.ts";
import {
  isSubscriptionCall,
  subscriptionTarget,
} from "./providers/responses/subscription.ts";
import type { BetaTracker } from "./proxy/beta_tracker.ts";
import { conversationHeaders } from "./proxy/conversation_headers.ts";
import type { ProxyEnv } from "./proxy/env.ts";
import { errorResponse, notFound } from "./proxy/errors.ts";
import { compressRoute } from "./proxy/handlers/compress.ts";
import {
  type PassedPlace,
  passthrough,
  type PassthroughParts,
} from "./proxy/handlers/passthrough.ts";
import {
  type CompressCall,
  providerCall,
  type ProviderCallParts,
} from "./proxy/handlers/provider_call.ts";
import { emptyRecord } from "./proxy/meter.ts";
import { modeOf } from "./proxy/mode.ts";
import type { ResponseCache } from "./proxy/response_cache.ts";
import type { ToolRefusals } from "./proxy/tool_refusals.ts";
import { SETTINGS } from "./settings/registry.ts";
import type { Config } from "./settings/resolve.ts";
import { BodyCounter } from "./tokens/body_counter.ts";
import { pathOf } from "./upstream/forward.ts";

/** Parts with a lifetime, and what every part needs. */
export interface CompressionSurroundings {
  /** Originals, forms, conversations. */
  readonly store: CcrStore;
  /** Compresses and counts off this thread. */
  readonly pool: WorkerPool;
  /** Absorbs failures. */
  readonly attempt: Attempt;
  /** Time. */
  readonly clock: Clock;
  /** Takes log records. */
  readonly log: Log;
}

/** What compression remembers: it outlives a change of the configuration. */
export interface CompressionMemory extends
  Pick<
    CompressParts,
    "forms" | "conversations" | "responseIds" | "decide" | "olderTurns"
  > {
  /** Counts bodies beside the request. */
  readonly counter: BodyCounter;
}

/** Makes an empty memory, before what the store remembers. */
export function makeMemory(
  { ccr: { ttlSeconds } }: Config,
  { store, pool, attempt, clock, log }: CompressionSurroundings,
): CompressionMemory {
  return {
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
      (jobs) => pool.decide(jobs),
    ),
    olderTurns: new OlderTurns(),
    counter: new BodyCounter((pieces, onCounted) =>
      attempt("count_tokens", () => pool.count(pieces, onCounted), undefined)
    ),
  };
}

/** Compression as it is shared by all routes that offer it. */
export interface Compression {
  /** For {@linkcode compressBody}. */
  readonly parts: CompressParts;
  /** Counts bodies beside the request. */
  readonly counter: BodyCounter;
}

/** Puts compression together, as the configuration wants it. */
export function makeCompression(
  config: Config,
  { store, attempt, clock, log }: CompressionSurroundings,
  { counter, ...memory }: CompressionMemory,
): Compression {
  const parts: CompressParts = {
    ...memory,
    store,
    itemsIn,
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
    toolRules: config.toolRules,
  };
  return { parts, counter };
}

/** Handler of the route that compresses without sending. */
export function libraryRoute(
  config: Config,
  { parts, counter }: Compression,
): Handler<ProxyEnv> {
  return compressRoute({
    compression: parts,
    formats: {
      messages: messagesFormat,
      chat_completions: chatCompletionsFormat,
      responses: responsesFormat,
    },
    mode: config.mode,
    count: (input) => counter.count(input),
    maxBodyBytes: config.requestBodyMaxBytes,
    timeoutMs: config.compressionTimeoutSeconds * 1000,
  });
}

/** What the routes to providers need. */
export interface ProviderRouteParts {
  /** Compresses. */
  readonly compression: Compression;
  /** Gives originals back. */
  readonly retriever: Retriever;
  /** Where requests go. */
  readonly upstreams: UpstreamResolver;
  /** Hosts that do not take our tool. */
  readonly refusals: ToolRefusals;
  /** Beta features of conversations. */
  readonly betas: BetaTracker;
  /** Answers of repeated requests; `undefined` when switched off. */
  readonly cache: ResponseCache | undefined;
  /** Money; `undefined` without a budget. */
  readonly budget: BudgetGate | undefined;
  /** What requests cost. */
  readonly pricing: Pricing;
  /** Refuses a caller that asks models too often; `undefined` without a limit. */
  readonly rate: MiddlewareHandler<ProxyEnv> | undefined;
  /** Takes log records. */
  readonly log: Log;
  /** Sends upstream. */
  readonly send: Send;
  /** Makes the random id of a request. */
  readonly newId: () => string;
  /** Takes a finished request; never throws. */
  readonly record: (entry: RequestRecord) => void;
  /** Told of a record that waits for its count. */
  readonly pending: (record: Promise<void>) => void;
}

/**
 * Handler of everything that is not the proxy's own: what the path says decides whether a model is asked to go on, a
 * conversation is only asked about, or the request is passed through.
 */
export function providerHandler(
  config: Config,
  parts: ProviderRouteParts,
): Handler<ProxyEnv> {
  const call = providerCall(callParts(config, parts));
  const pass = passthrough(passParts(config, parts));
  return async (c) => {
    const { method, url, headers } = c.req.raw;
    const path = pathOf(url);
    const route = providerRouteOf(method, path.replace(/[?#].*$/s, ""));
    if (route?.use === "refused") {
      return errorResponse(route.format.errorBody(400, route.message), 400);
    }
    const place = placeOf(config, { route, path, headers });
    if (route === undefined || route.use === "passthrough") {
      return await pass(c, place);
    }
    const { format } = route;
    if (route.use === "preview") {
      return await pass(c, {
        ...place,
        drop: format.droppedHeaders ?? [],
        rewrite: preview(config, parts, format),
      });
    }
    return await limited(
      parts,
      c,
      format,
      () => call(c, { ...place, format }),
    );
  };
}

/** Lets the gate of the rate stand before a handler that is chosen inside another one. */
async function limited(
  { rate, record, newId, compression }: ProviderRouteParts,
  c: Context<ProxyEnv>,
  format: ProviderFormat,
  answer: () => Promise<Response>,
): Promise<Response> {
  if (rate === undefined) return await answer();
  let response: Response | undefined;
  const refusal = await rate(c, async () => {
    response = await answer();
  });
  if (response) return response;
  const { clock } = compression.parts;
  const empty = emptyRecord({ clock, newId }, format.id);
  record({ ...empty, status: 429, refusedBy: "rate_limit" });
  return refusal ?? notFound();
}

/** The server of subscriptions. */
const SUBSCRIPTION: Upstream = {
  base: new URL(subscriptionTarget("/")),
  label: "ChatGPT",
  extraHeaders: [],
};

/** Where a request goes: a subscription's calls have a server of their own, where no other one is configured. */
function placeOf(
  config: Config,
  { route, path, headers }: {
    readonly route: ProviderRoute | undefined;
    readonly path: string;
    readonly headers: Headers;
  },
): { readonly wanted: Wanted; readonly path?: string } {
  const wanted: Wanted = {
    family: route?.family,
    ...route?.region !== undefined && { region: route.region },
  };
  const isDefault = config.upstreams.chat === SETTINGS.chatApiUrl.fallback &&
    !headers.has("x-svc-base-url");
  const mayBeChat = wanted.family === "chat" || wanted.family === undefined;
  if (isDefault && mayBeChat && isSubscriptionCall(headers)) {
    return {
      wanted: { ...wanted, fixed: SUBSCRIPTION },
      path: subscriptionTarget(path).slice(SUBSCRIPTION.base.origin.length),
    };
  }
  return route?.pathPrefix === undefined
    ? { wanted }
    : { wanted, path: route.pathPrefix + path };
}

function compressWith(
  { compression, refusals }: ProviderRouteParts,
  { headers, upstream, ...call }: CompressCall,
  isPreview = false,
): Promise<CompressedBody> {
  return compressBody(compression.parts, {
    ...call,
    ...conversationHeaders(headers),
    refusesTool: (model) => refusals.has(upstream.base.host, model),
    isPreview,
  });
}

/** Asks about a conversation, or compacts it: the body is what the conversation would be sent. */
function preview(
  config: Config,
  parts: ProviderRouteParts,
  format: ProviderFormat,
): NonNullable<PassedPlace["rewrite"]> {
  return async (body, { headers, signal }, upstream) => {
    const mode = modeOf(headers, config.mode);
    const call = { format, upstream, body, mode, headers, signal };
    return (await compressWith(parts, call, true)).bytes;
  };
}

function passParts(
  config: Config,
  parts: ProviderRouteParts,
): PassthroughParts {
  const { upstreams, send, newId, record, pending, log } = parts;
  return {
    upstreams: {
      resolve: async (request, wanted) =>
        wanted.fixed ?? await upstreams.resolve(request, wanted),
    },
    send,
    newId,
    record,
    pending,
    clock: parts.compression.parts.clock,
    stripInternal: config.stripInternalHeaders,
    token: config.trust.token,
    maxBodyBytes: config.requestBodyMaxBytes,
    onFailure: (error, upstream) => logFailure(log, upstream, error),
  };
}

function callParts(
  config: Config,
  parts: ProviderRouteParts,
): ProviderCallParts {
  const { compression: { counter, parts: compress }, refusals } = parts;
  const { store, conversations, responseIds, attempt, clock } = compress;
  return {
    ...passParts(config, parts),
    mode: config.mode,
    compress: (call) => compressWith(parts, call),
    count: (input) => counter.count(input),
    cache: parts.cache,
    budget: parts.budget,
    pricing: parts.pricing,
    betas: parts.betas,
    retrievals: {
      store,
      conversations,
      retrieve: (from, wanted) => parts.retriever.answer(from, wanted),
      responseIds,
      itemsIn,
      clock,
      attempt,
      everyTenSeconds,
    },
    onResponseId: (id, { conversation }) => {
      if (conversation === undefined) return;
      void attempt(
        "note_response",
        () => responseIds.note(conversationOf(id), conversation),
        undefined,
      );
    },
    onToolRefused: ({ conversation, scan }, { base }) => {
      refusals.add(base.host, scan?.model ?? "");
      if (conversation) conversations.undeclare(conversation);
    },
  };
}

/** Notes what broke a response, or kept it from coming. */
function logFailure(
  log: Log,
  upstream: Upstream | undefined,
  error: unknown,
): void {
  const reason = error instanceof ServiceError
    ? error.message
    : "the response broke off";
  const host = upstream?.base.host ?? "";
  log("warn", "upstream_failed", { upstream: host, reason });
}

function everyTenSeconds(callback: () => void): () => void {
  const timer = setInterval(callback, 10_000);
  return () => clearInterval(timer);
}
