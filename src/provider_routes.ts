/** Composition of the routes that carry conversations. @module */
import type { Handler } from "hono";
import { makeConversations } from "./ccr/conversations.ts";
import { makeFrozenForms } from "./ccr/frozen_forms.ts";
import { ccrKey, conversationKey } from "./ccr/key.ts";
import { Lru } from "./ccr/lru.ts";
import { itemsIn } from "./ccr/marker.ts";
import { makeResponseIds } from "./ccr/response_ids.ts";
import type { Retriever } from "./ccr/retriever.ts";
import type { Clock } from "./core/clock.ts";
import { ServiceError } from "./core/errors.ts";
import type { ProviderFormat } from "./core/format.ts";
import type { Log } from "./core/log.ts";
import type { CcrStore } from "./core/store.ts";
import type { Attempt } from "./pipeline/attempt.ts";
import { compressBody, type CompressedBody } from "./pipeline/compress_body.ts";
import type { CompressParts } from "./pipeline/compress_parts.ts";
import { conversationOf } from "./pipeline/conversation_keys.ts";
import {
  rememberDecisions,
  RESULT_CACHE_BYTES,
  SKIP_SET_SIZE,
} from "./pipeline/router_cache.ts";
import type { WorkerPool } from "./pipeline/worker_pool.ts";
import { chatCompletionsFormat } from "./providers/chat_completions/format.ts";
import { messagesFormat } from "./providers/messages/format.ts";
import { responsesFormat } from "./providers/responses/format.ts";
import type { ProxyEnv } from "./proxy/env.ts";
import { compressRoute } from "./proxy/handlers/compress.ts";
import { conversationHeaders } from "./proxy/conversation_headers.ts";
import { passthrough } from "./proxy/handlers/passthrough.ts";
import {
  type CompressCall,
  providerCall,
} from "./proxy/handlers/provider_call.ts";
import { modeOf } from "./proxy/mode.ts";
import type { Route } from "./proxy/routes.ts";
import { ToolRefusals } from "./proxy/tool_refusals.ts";
import type { Config } from "./settings/resolve.ts";
import { BodyCounter } from "./tokens/body_counter.ts";
import type { Upstream } from "./core/upstream.ts";
import type { UpstreamResolver } from "./upstream/resolve.ts";

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

/** Compression as it is shared by all routes that offer it. */
export interface Compression {
  /** For {@linkcode compressBody}. */
  readonly parts: CompressParts;
  /** Counts bodies beside the request. */
  readonly counter: BodyCounter;
}

/** Puts compression together. */
export function makeCompression(
  config: Config,
  { store, pool, attempt, clock, log }: CompressionSurroundings,
): Compression {
  const { ttlSeconds, enabled } = config.ccr;
  const counter = new BodyCounter((pieces, onCounted) =>
    attempt("count_tokens", () => pool.count(pieces, onCounted), undefined)
  );
  const parts: CompressParts = {
    forms: makeFrozenForms(store, { clock, log }),
    conversations: makeConversations(store, { clock, ttlSeconds, log }),
    responseIds: makeResponseIds(store, clock),
    store,
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
    itemsIn,
    keyOf: ccrKey,
    conversationKey,
    attempt,
    clock,
    ccr: enabled,
    options: {
      exact: config.lossless,
      folds: config.losslessCompaction,
      codeAware: config.codeAware,
    },
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

/** What the provider routes share. */
export interface ProviderRouteParts {
  /** Compresses. */
  readonly compression: Compression;
  /** Gives originals back. */
  readonly retriever: Retriever;
  /** Where requests go. */
  readonly upstreams: UpstreamResolver;
  /** Takes log records. */
  readonly log: Log;
  /** The same for every route. */
  readonly shared: Pick<
    Parameters<typeof providerCall>[0],
    "clock" | "send" | "record" | "pending" | "stripInternal"
  >;
}

/** The routes that carry a conversation. */
export function providerRoutes(
  config: Config,
  parts: ProviderRouteParts,
): Route[] {
  const refusals = new ToolRefusals();
  const at = (
    path: string,
    format: ProviderFormat,
    family: "messages" | "chat",
  ): RoutePlace => {
    const upstream = parts.upstreams.forFamily(family);
    return { config, ...parts, path, format, upstream, refusals };
  };
  return [
    preview(at("/v1/messages/count_tokens", messagesFormat, "messages")),
    preview(at("/v1/responses/input_tokens", responsesFormat, "chat")),
    preview(at("/v1/responses/compact", responsesFormat, "chat")),
    generation(at("/v1/messages", messagesFormat, "messages")),
    generation(at("/v1/chat/completions", chatCompletionsFormat, "chat")),
    generation(at("/v1/responses", responsesFormat, "chat")),
  ];
}

/** One route, and what its requests are answered with. */
interface RoutePlace extends ProviderRouteParts {
  readonly config: Config;
  readonly path: string;
  readonly format: ProviderFormat;
  readonly upstream: Upstream;
  readonly refusals: ToolRefusals;
}

/** Compresses the body of one request; as a preview nothing is decided by it. */
function compressAt(
  { compression, format, upstream, refusals }: RoutePlace,
  { headers, ...call }: CompressCall,
  isPreview = false,
): Promise<CompressedBody> {
  return compressBody(compression.parts, {
    ...call,
    ...conversationHeaders(headers),
    format,
    refusesTool: (model) => refusals.has(upstream.base.host, model),
    isPreview,
  });
}

function failureAt({ log, path, upstream }: RoutePlace, error: unknown): void {
  logFailure(log, { route: path, upstream: upstream.base.host }, error);
}

/** The model is asked to go on: compress, forward, answer its retrievals. */
function generation(place: RoutePlace): Route {
  const { config, compression, retriever, shared, upstream, refusals } = place;
  const { parts, counter } = compression;
  const { store, conversations, responseIds, attempt, clock } = parts;
  return {
    method: "POST",
    path: place.path,
    handler: providerCall({
      ...shared,
      format: place.format,
      upstream,
      mode: config.mode,
      maxBodyBytes: config.requestBodyMaxBytes,
      compress: (call) => compressAt(place, call),
      count: (input) => counter.count(input),
      retrievals: {
        store,
        conversations,
        retrieve: (from, wanted) => retriever.answer(from, wanted),
        responseIds,
        itemsIn,
        clock,
        attempt,
        everyTenSeconds,
      },
      onFailure: (error) => failureAt(place, error),
      onResponseId: (id, { conversation }) => {
        if (conversation === undefined) return;
        void attempt(
          "note_response",
          () => responseIds.note(conversationOf(id), conversation),
          undefined,
        );
      },
      onToolRefused: ({ conversation, scan }) => {
        refusals.add(upstream.base.host, scan?.model ?? "");
        if (conversation) conversations.undeclare(conversation);
      },
    }),
  };
}

/** Asks about a conversation, or compacts it: the body is what the conversation would be sent. */
function preview(place: RoutePlace): Route {
  const { config, shared, upstream } = place;
  return {
    method: "POST",
    path: place.path,
    handler: passthrough({
      ...shared,
      upstreamOf: () => upstream,
      rewrite: {
        maxBytes: config.requestBodyMaxBytes,
        bytesFor: async (body, { headers, signal }) => {
          const mode = modeOf(headers, config.mode);
          const call = { body, mode, headers, signal };
          return (await compressAt(place, call, true)).bytes;
        },
      },
      onFailure: (error) => failureAt(place, error),
    }),
  };
}

/** Notes what broke a response, or kept it from coming. */
export function logFailure(
  log: Log,
  place: { readonly route: string; readonly upstream: string },
  error: unknown,
): void {
  const reason = error instanceof ServiceError
    ? error.message
    : "the response broke off";
  log("warn", "upstream_failed", { ...place, reason });
}

function everyTenSeconds(callback: () => void): () => void {
  const timer = setInterval(callback, 10_000);
  return () => clearInterval(timer);
}
