/** Composition of the routes that carry conversations. @module */
import { nextTurn } from "./core/next_turn.ts";
import type { Context, Handler, MiddlewareHandler } from "hono";
import type { AppIo } from "./core/app_io.ts";
import { itemsIn } from "./ccr/marker.ts";
import type { Pricing } from "./core/cost.ts";
import { ServiceError } from "./core/errors.ts";
import type { ProviderFormat } from "./core/format.ts";
import type { Log } from "./core/log.ts";
import type { Upstream, UpstreamResolver } from "./core/upstream.ts";
import { makeDestinations } from "./proxy/destinations.ts";
import type { OwnRouteParts } from "./own_routes.ts";
import { compressBody } from "./pipeline/compress_body.ts";
import type { CompressParts } from "./pipeline/compress_parts.ts";
import { conversationOf, originOf } from "./pipeline/conversation_keys.ts";
import { providerRouteOf } from "./providers/registry.ts";
import type { Attribution } from "./proxy/attribution.ts";
import { logOnceAnHour } from "./proxy/budget_refusal.ts";
import { incomingOf, type ProxyEnv } from "./proxy/env.ts";
import { rateResponse } from "./proxy/gates/rate.ts";
import { BodiesBusy, errorResponse, notFound } from "./proxy/errors.ts";
import { type PassedPlace, passthrough } from "./proxy/handlers/passthrough.ts";
import {
  type CompressCall,
  providerCall,
  type ProviderCallParts,
} from "./proxy/handlers/provider_call.ts";
import { modelRoutes } from "./proxy/model_routes.ts";
import { refusalNotes } from "./proxy/host_refusals.ts";
import { emptyRecord } from "./proxy/call_facts.ts";
import type { Config } from "./settings/resolve.ts";
import type { Upstreams } from "./upstream/open_upstreams.ts";
import { conversationHeaders, modeOf } from "./proxy/request_headers.ts";

/** What the routes to providers are made of. */
export interface RoadParts
  extends
    Pick<OwnRouteParts, "services" | "compression" | "retriever" | "bodies"> {
  /** Where requests go, and sending them. */
  readonly upstreams: Upstreams;
  /** What requests cost. */
  readonly pricing: Pricing;
  /** Refuses a caller that asks models too often; `undefined` without a limit. */
  readonly rate: MiddlewareHandler<ProxyEnv> | undefined;
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
  parts: RoadParts,
): ProviderCallParts {
  const { services, compression, retriever, pricing, bodies } = parts;
  const { resolver, send } = parts.upstreams;
  const { counter, parts: compressing } = compression;
  const { store, conversations, responseIds, attempt, clock } = compressing;
  const { ledger, observers, refusals, betas, calls, proofs } = services;
  return {
    ...{ bodies, betas, calls, clock, pricing, proofs, send },
    newId: () => crypto.randomUUID(),
    upstreams: fixedFirst(resolver),
    record(entry) {
      const kept = ledger.record(entry);
      observers.record(entry);
      return kept;
    },
    keepers: observers.keepers,
    stripInternal: config.stripInternalHeaders,
    token: config.trust.token,
    maxBodyBytes: config.requestBodyMaxBytes,
    mode: config.mode,
    budget: ledger.budget,
    cache: config.responseCache ? services.cache : undefined,
    onFailure: (error, upstream) => logFailure(log, upstream, error),
    onRefused: logOnceAnHour(log, clock),
    count: (input) => counter.count(input),
    compress: makeCompress(config, log, parts),
    retrievals: {
      ...{ attempt, clock, conversations, itemsIn, responseIds, store },
      retrieve: (from, wanted) => retriever.answer(from, wanted),
      everyTenSeconds,
      pause: nextTurn,
    },
    onResponseId: (id, { conversation }) =>
      conversation && void attempt(
        "note_response",
        () => responseIds.note(conversationOf(id), conversation, "surely"),
        undefined,
      ),
    refusals,
    onHostRefused: refusalNotes(refusals, compressing),
  };
}

/** Compresses what goes to a provider: with the edits of extensions, and with what its host takes. */
function makeCompress(
  config: Config,
  log: Log,
  { services, compression: { parts: compressing } }: RoadParts,
): ProviderCallParts["compress"] {
  const { refusals } = services;
  const routes = modelRoutes(config.modelRoutes, log, refusals);
  return async ({ headers, upstream, names, ...given }) => {
    const { host } = upstream.base;
    const { agent: client, project } = names;
    const call = await extended(given, { compressing, services });
    const isAsked = config.streamUsage && !call.isSimulation &&
      !call.isPreview && !refusals.has(host, "usage");
    const knowsDeferral = (model: string) =>
      call.format.retrieval.deferral?.isKnown(host, model) === true;
    const refusesDeferral = (model: string) =>
      refusals.has(host, "deferral", model);
    return compressBody(compressing, {
      ...call,
      ...conversationHeaders(headers),
      client,
      compactsTools: config.toolCompaction,
      recompacts: config.coldRecompact,
      ...config.keepsReasoning !== undefined && {
        keepsReasoning: config.keepsReasoning,
      },
      output: { ...services.runtimeEnv.output(config), project },
      outlineFrom: services.runtimeEnv.outlineFrom(config),
      refusesTool: (model) => refusals.has(host, "tool", model),
      refusesDeferral,
      defersTools: (model) =>
        config.toolDeferral !== "off" && !refusesDeferral(model) &&
        (config.toolDeferral === "on" || knowsDeferral(model)),
      setsBreakpoints: (model) =>
        config.autoCache && !call.isPreview &&
        !refusals.has(host, "breakpoints", model),
      ...routes && call.format.id === "messages" && {
        route: (facts) => call.isPreview ? undefined : routes(facts, host),
      },
      asksUsage: (model) =>
        isAsked && refusals.usage(host, model) !== "in_doubt",
    });
  };
}

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
    readonly services: RoadParts["services"];
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
