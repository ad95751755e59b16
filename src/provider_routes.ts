/** Composition of the routes that carry conversations. @module */
import { nextTurn } from "./core/next_turn.ts";
import type { Context, Handler, MiddlewareHandler } from "hono";
import type { AppIo } from "./core/app_io.ts";
import { itemsIn } from "./ccr/marker.ts";
import type { Retriever } from "./ccr/retriever.ts";
import type { Clock } from "./core/clock.ts";
import type { BudgetRefusal, Pricing } from "./core/cost.ts";
import { ServiceError } from "./core/errors.ts";
import type { ProviderFormat } from "./core/format.ts";
import type { Log } from "./core/log.ts";
import type { Upstream, UpstreamResolver } from "./core/upstream.ts";
import { makeDestinations } from "./proxy/destinations.ts";
import type { Services } from "./services.ts";
import type { Compression } from "./open_compression.ts";
import type { ModelPricing } from "./cost/pricing.ts";
import { ratesFor } from "./cost/rates.ts";
import { compressBody } from "./pipeline/compress_body.ts";
import type { CompressParts } from "./pipeline/compress_parts.ts";
import {
  conversationOf,
  originOf,
  pinKey,
} from "./pipeline/conversation_keys.ts";
import { forgetRoute } from "./pipeline/routing.ts";
import { chatCompletionsFormat } from "./providers/chat_completions/format.ts";
import { messagesFormat } from "./providers/messages/format.ts";
import { providerRouteOf } from "./providers/registry.ts";
import { responsesFormat } from "./providers/responses/format.ts";
import type { Attribution } from "./proxy/attribution.ts";
import type { BodyBytes } from "./proxy/body_bytes.ts";
import type { ProxyEnv } from "./proxy/env.ts";
import { rateResponse } from "./proxy/gates/rate.ts";
import { BodiesBusy, errorResponse, notFound } from "./proxy/errors.ts";
import { compressRoute } from "./proxy/handlers/compress.ts";
import { type PassedPlace, passthrough } from "./proxy/handlers/passthrough.ts";
import {
  type CompressCall,
  providerCall,
  type ProviderCallParts,
} from "./proxy/handlers/provider_call.ts";
import { modelRoutes } from "./proxy/model_routes.ts";
import { incomingOf } from "./proxy/incoming.ts";
import { emptyRecord } from "./proxy/call_facts.ts";
import type { Config } from "./settings/resolve.ts";
import type { Upstreams } from "./upstream/open_upstreams.ts";
import { conversationHeaders, modeOf } from "./proxy/request_headers.ts";

/** Prices are whole pico-dollars. */
const PICO_PER_USD = 1e12;

/** What that route needs beside compression. */
export interface LibraryRouteParts
  extends Pick<ModelPricing, "priceOf" | "contextLimit"> {
  /** Bounds the bytes of all request bodies. */
  readonly bodies: BodyBytes;
}

/** Handler of the route that compresses without sending. */
export function libraryRoute(
  config: Config,
  { parts, counter }: Compression,
  { priceOf, contextLimit, bodies }: LibraryRouteParts,
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
    contextLimit,
    maxBodyBytes: config.requestBodyMaxBytes,
    bodies,
    timeoutMs: config.compressionTimeoutSeconds * 1000,
  });
}

/** What the routes to providers are made of. */
export interface RoadParts {
  /** What outlives a change of the configuration. */
  readonly services: Services;
  /** Compresses. */
  readonly compression: Compression;
  /** Gives originals back. */
  readonly retriever: Retriever;
  /** Where requests go, and sending them. */
  readonly upstreams: Upstreams;
  /** What requests cost. */
  readonly pricing: Pricing;
  /** Refuses a caller that asks models too often; `undefined` without a limit. */
  readonly rate: MiddlewareHandler<ProxyEnv> | undefined;
  /** Bounds the bytes of all request bodies. */
  readonly bodies: BodyBytes;
  /** Makes the random id of a request. */
  readonly newId: () => string;
}

/**
 * Handler of everything that is not the proxy's own: what the path says decides whether a model is asked to go on, a
 * conversation is only asked about, or the request is passed through.
 */
export function providerHandler(
  config: Config,
  io: AppIo,
  parts: RoadParts,
): Handler<ProxyEnv> {
  const road = callParts(config, io, parts);
  const call = providerCall(road);
  const pass = passthrough(road);
  const destination = makeDestinations(config, parts.upstreams.resolver);
  return async (c) => {
    const incoming = incomingOf(c);
    const { request: { method }, pathname } = incoming;
    const route = providerRouteOf(method, pathname);
    if (route?.use === "refused") {
      return errorResponse(route.format.errorBody(400, route.message), 400);
    }
    const place = await destination(incoming, route);
    if (place instanceof Response) return place;
    if (route === undefined || route.use === "passthrough") {
      return await pass(incoming, place);
    }
    const { format } = route;
    const isPreview = route.use === "preview";
    if (isPreview && !route.isPaid) {
      return await pass(incoming, {
        ...place,
        drop: format.droppedHeaders ?? [],
        rewrite: preview(road, format, incoming.names),
      });
    }
    const answer = () => call(incoming, { ...place, format, isPreview });
    return parts.rate === undefined
      ? await answer()
      : await limited(parts.rate, c, { road, format, answer });
  };
}

/** Lets the gate of the rate stand before a handler that is chosen inside another one. */
async function limited(
  rate: MiddlewareHandler<ProxyEnv>,
  c: Context<ProxyEnv>,
  { road, format, answer }: {
    readonly road: ProviderCallParts;
    readonly format: ProviderFormat;
    readonly answer: () => Promise<Response>;
  },
): Promise<Response> {
  let response: Response | undefined;
  const refusal = await rate(c, async () => {
    response = await answer();
  });
  if (response) return response;
  const empty = emptyRecord(road, format.id, incomingOf(c).names);
  road.record({ ...empty, status: 429, refusedBy: "rate_limit" });
  return refusal ? rateResponse(format, refusal) : notFound();
}

/** Asks about a conversation, or compacts it: the body is what the conversation would be sent. */
function preview(
  { compress, mode }: ProviderCallParts,
  format: ProviderFormat,
  names: Attribution,
): NonNullable<PassedPlace["rewrite"]> {
  return async (body, { headers, signal }, upstream) => {
    const own = modeOf(headers, mode);
    const call = { format, upstream, body, mode: own, headers, signal, names };
    return (await compress({ ...call, isPreview: true })).bytes;
  };
}

/** A place that the route names wins over the configured upstream, and the client's choice over both. */
function fixedFirst(upstreams: UpstreamResolver): UpstreamResolver {
  return {
    async resolve(request, wanted) {
      const found = await upstreams.resolve(request, wanted);
      if (wanted.fixed === undefined || found.isChosen) return found;
      const { ignoredOverride } = found;
      return ignoredOverride === undefined
        ? wanted.fixed
        : { ...wanted.fixed, ignoredOverride };
    },
  };
}

/** Everything that a call to a provider needs. */
function callParts(
  config: Config,
  { log }: AppIo,
  { services, compression, retriever, upstreams, pricing, ...parts }: RoadParts,
): ProviderCallParts {
  const { counter, parts: compressing } = compression;
  const { store, conversations, responseIds, attempt, clock } = compressing;
  const { bodies, newId } = parts;
  const { ledger, observers, refusals, betas, calls, proofs } = services;
  const routes = modelRoutes(config.modelRoutes, log, refusals);
  return {
    ...{ bodies, betas, calls, clock, pricing, proofs },
    upstreams: fixedFirst(upstreams.resolver),
    send: upstreams.send,
    newId,
    record(entry) {
      ledger.record(entry);
      observers.record(entry);
    },
    keepers: observers.keepers,
    stripInternal: config.stripInternalHeaders,
    token: config.trust.token,
    maxBodyBytes: config.requestBodyMaxBytes,
    mode: config.mode,
    budget: ledger.budget,
    cache: config.responseCache ? services.cache : undefined,
    onFailure: (error, upstream) => logFailure(log, upstream, error),
    onRefused: sayOnceAnHour(log, clock),
    count: (input) => counter.count(input),
    async compress({ headers, upstream, names, ...given }) {
      const { host } = upstream.base;
      const call = await extended(given, { compressing, services });
      const isAsked = config.streamUsage && !call.isSimulation &&
        !call.isPreview && !refusals.has(host, { what: "usage" });
      const knowsDeferral = (model: string) =>
        call.format.retrieval.deferral?.isKnown(host, model) === true;
      const refusesDeferral = (model: string) =>
        refusals.has(host, { what: "deferral", model });
      return compressBody(compressing, {
        ...call,
        ...conversationHeaders(headers),
        client: names.agent,
        compactsTools: config.toolCompaction,
        recompacts: config.coldRecompact,
        ...config.keepsReasoning !== undefined && {
          keepsReasoning: config.keepsReasoning,
        },
        output: {
          ...services.runtimeEnv.output(config),
          project: names.project,
        },
        outlineFrom: services.runtimeEnv.outlineFrom(config),
        refusesTool: (model) => refusals.has(host, { what: "tool", model }),
        refusesDeferral,
        defersTools: (model) =>
          config.toolDeferral !== "off" && !refusesDeferral(model) &&
          (config.toolDeferral === "on" || knowsDeferral(model)),
        setsBreakpoints: (model) =>
          config.autoCache && !call.isPreview &&
          !refusals.has(host, { what: "breakpoints", model }),
        ...routes && call.format.id === "messages" && {
          route: (facts) => call.isPreview ? undefined : routes(facts, host),
        },
        asksUsage: (model) =>
          isAsked && refusals.usage(host, model) !== "in_doubt",
      });
    },
    retrievals: {
      store,
      conversations,
      retrieve: (from, wanted) => retriever.answer(from, wanted),
      responseIds,
      itemsIn,
      clock,
      attempt,
      everyTenSeconds,
      pause: nextTurn,
    },
    onResponseId: (id, { conversation }) => {
      if (conversation === undefined) return;
      void attempt(
        "note_response",
        () => responseIds.note(conversationOf(id), conversation),
        undefined,
      );
    },
    onToolRefused: ({ conversation, scan, tools }, { base }) => {
      const what = tools.deferred.size > 0 ? "deferral" : "tool";
      refusals.add(base.host, { what, model: scan?.model ?? "" });
      if (conversation && scan) {
        conversations.undeclare(pinKey(conversation, scan));
      }
    },
    onDeferralRefused: ({ scan }, { base }) => {
      const model = scan?.model ?? "";
      refusals.add(base.host, { what: "deferral", model });
    },
    onRouteRefused: ({ conversation, routing, scan }, { base }) => {
      if (routing === undefined || !conversation || !scan) return;
      refusals.add(base.host, { what: "route", model: routing.route.to });
      forgetRoute(compressing, pinKey(conversation, scan));
    },
    onBreakpointsRefused: ({ scan }, { base }) => {
      const model = scan?.model ?? "";
      refusals.add(base.host, { what: "breakpoints", model });
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

/** A call with the edits of extensions in its body: what is sent as it came stays so. */
async function extended<
  Call extends Omit<CompressCall, "headers" | "upstream" | "names">,
>(
  call: Call,
  { compressing, services }: {
    readonly compressing: CompressParts;
    readonly services: Services;
  },
): Promise<Call> {
  const { extensions } = services;
  if (extensions === undefined || call.mode === "passthrough") return call;
  const { body, format } = call;
  const edited = await extensions.editor.edited({
    body,
    format,
    originOf: (scan) => originOf(compressing, { format, body, scan }),
    mayAsk: !call.isPreview && !call.isSimulation,
  });
  return { ...call, ...edited };
}
