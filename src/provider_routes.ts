/** Composition of the routes that carry conversations. @module */
import type { Context, Handler, MiddlewareHandler } from "hono";
import { itemsIn } from "./ccr/marker.ts";
import type { Retriever } from "./ccr/retriever.ts";
import type { Clock } from "./core/clock.ts";
import type { BudgetGate, BudgetRefusal, Pricing } from "./core/cost.ts";
import { ServiceError } from "./core/errors.ts";
import type { ProviderFormat } from "./core/format.ts";
import type { RequestRecord } from "./core/ledger.ts";
import type { Log } from "./core/log.ts";
import type { Send, Upstream, UpstreamResolver } from "./core/upstream.ts";
import { makeDestinations } from "./destinations.ts";
import type { Compression } from "./open_compression.ts";
import type { ModelPricing } from "./cost/pricing.ts";
import { ratesFor } from "./cost/rates.ts";
import { compressBody } from "./pipeline/compress_body.ts";
import type { CompressInput } from "./pipeline/compress_input.ts";
import type { CompressedBody } from "./pipeline/compressed_body.ts";
import { conversationOf } from "./pipeline/conversation_keys.ts";
import type { PrefixProofs } from "./pipeline/prefix_proof.ts";
import { chatCompletionsFormat } from "./providers/chat_completions/format.ts";
import { messagesFormat } from "./providers/messages/format.ts";
import { providerRouteOf } from "./providers/registry.ts";
import { responsesFormat } from "./providers/responses/format.ts";
import { attributionOf, splitProject } from "./proxy/attribution.ts";
import type { BodyBytes } from "./proxy/body_bytes.ts";
import type { BetaTracker } from "./proxy/beta_tracker.ts";
import type { CallsUnderWay } from "./proxy/calls_under_way.ts";
import { conversationHeaders } from "./proxy/conversation_headers.ts";
import type { ProxyEnv } from "./proxy/env.ts";
import { rateResponse } from "./proxy/gates/rate.ts";
import type { HostRefusals } from "./proxy/host_refusals.ts";
import { BodiesBusy, errorResponse, notFound } from "./proxy/errors.ts";
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
import type { TextKeepers } from "./proxy/text_keepers.ts";
import type { Config } from "./settings/resolve.ts";
import { pathOf } from "./upstream/forward.ts";

/** Prices are whole pico-dollars. */
const PICO_PER_USD = 1e12;

/** What that route needs beside compression. */
export interface LibraryRouteParts extends Pick<ModelPricing, "priceOf"> {
  /** Bounds the bytes of all request bodies. */
  readonly bodies: BodyBytes;
}

/** Handler of the route that compresses without sending. */
export function libraryRoute(
  config: Config,
  { parts, counter }: Compression,
  { priceOf, bodies }: LibraryRouteParts,
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
    inputPrice(model, tokens) {
      const found = priceOf(model);
      return found && ratesFor(found.price, tokens).input / PICO_PER_USD;
    },
    maxBodyBytes: config.requestBodyMaxBytes,
    bodies,
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
  /** What hosts do not take of what is added to requests. */
  readonly refusals: HostRefusals;
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
  /** Bounds the bytes of all request bodies. */
  readonly bodies: BodyBytes;
  /** Takes log records. */
  readonly log: Log;
  /** Sends upstream. */
  readonly send: Send;
  /** Makes the random id of a request. */
  readonly newId: () => string;
  /** Takes a finished request; never throws. */
  readonly record: (entry: RequestRecord) => void;
  /** Requests that are not recorded yet. */
  readonly calls: CallsUnderWay;
  /** Compares what is sent with the request before. */
  readonly proofs: PrefixProofs;
  /** Takes copies of texts that the user wants kept. */
  readonly keepers: TextKeepers;
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
  const destination = makeDestinations(config, parts.upstreams);
  return async (c) => {
    const { method, url } = c.req.raw;
    const { path } = splitProject(pathOf(url));
    const route = providerRouteOf(method, path.replace(/[?#].*$/s, ""));
    if (route?.use === "refused") {
      return errorResponse(route.format.errorBody(400, route.message), 400);
    }
    const place = await destination(c, route);
    if (place instanceof Response) return place;
    if (route === undefined || route.use === "passthrough") {
      return await pass(c, place);
    }
    const { format } = route;
    const isPreview = route.use === "preview";
    if (isPreview && !route.isPaid) {
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
      () => call(c, { ...place, format, isPreview }),
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
  const names = attributionOf(c.req.raw);
  const empty = emptyRecord({ clock, newId }, format.id, names);
  record({ ...empty, status: 429, refusedBy: "rate_limit" });
  return refusal ? rateResponse(format, refusal) : notFound();
}

/** Whether usage may be asked for. */
type UsageWish = Pick<CompressInput, "asksUsage">;

function compressWith(
  { compression, refusals }: ProviderRouteParts,
  { headers, upstream, ...call }: CompressCall & UsageWish,
  isPreview = false,
): Promise<CompressedBody> {
  return compressBody(compression.parts, {
    ...call,
    ...conversationHeaders(headers),
    refusesTool: (model) =>
      refusals.has(upstream.base.host, { what: "tool", model }),
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
  const { upstreams, send, newId, record, log } = parts;
  return {
    upstreams: {
      async resolve(request, wanted) {
        const found = await upstreams.resolve(request, wanted);
        if (wanted.fixed === undefined || found.isChosen) return found;
        const { ignoredOverride } = found;
        return ignoredOverride === undefined
          ? wanted.fixed
          : { ...wanted.fixed, ignoredOverride };
      },
    },
    send,
    newId,
    record,
    clock: parts.compression.parts.clock,
    stripInternal: config.stripInternalHeaders,
    token: config.trust.token,
    maxBodyBytes: config.requestBodyMaxBytes,
    bodies: parts.bodies,
    calls: parts.calls,
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
    proofs: parts.proofs,
    keepers: parts.keepers,
    mode: config.mode,
    compress(call) {
      const { host } = call.upstream.base;
      const isAsked = config.streamUsage && !call.isSimulation &&
        !call.isPreview && !refusals.has(host, { what: "usage" });
      const asksUsage = (model: string) =>
        isAsked && refusals.usage(host, model) !== "in_doubt";
      return compressWith(parts, { ...call, asksUsage }, call.isPreview);
    },
    count: (input) => counter.count(input),
    cache: parts.cache,
    budget: parts.budget,
    pricing: parts.pricing,
    onRefused: sayOnceAnHour(parts.log, clock),
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
      refusals.add(base.host, { what: "tool", model: scan?.model ?? "" });
      if (conversation) conversations.undeclare(conversation);
    },
    onUsageRefused: ({ base }) => refusals.add(base.host, { what: "usage" }),
    usage: {
      of: ({ scan }, { base }) => refusals.usage(base.host, scan?.model ?? ""),
      note: ({ scan }, { base }, fact) =>
        refusals.noteUsage(base.host, scan?.model ?? "", fact),
    },
  };
}

/** Notes a spent budget: in the terminal of the proxy too, and not for every request. */
function sayOnceAnHour(
  log: Log,
  clock: Clock,
): (refusal: BudgetRefusal) => void {
  let last = -Infinity;
  return ({ reason, period, limitNanoUsd }) => {
    const now = clock.monotonic();
    if (reason === "reserved" || now - last < HOUR_MS) return;
    last = now;
    log("warn", "budget_exceeded", {
      period,
      limit_usd: limitNanoUsd / 1e9,
      reason,
    });
  };
}
const HOUR_MS = 3_600_000;

/** Notes what broke a response, or kept it from coming. */
function logFailure(
  log: Log,
  upstream: Upstream | undefined,
  error: unknown,
): void {
  if (error instanceof BodiesBusy) {
    return log("warn", "body_bytes_full", error.details);
  }
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
