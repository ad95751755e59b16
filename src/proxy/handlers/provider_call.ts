/** A call that makes a model go on: look into memory, compress, pay, send, relay, record. @module */
import {
  type ContextBudget,
  contextBudget,
} from "../../core/context_budget.ts";
import type { BudgetGate, BudgetRefusal, Pricing } from "../../core/cost.ts";
import { ServiceError } from "../../core/errors.ts";
import type { ProviderFormat } from "../../core/format.ts";
import type { CompressionMode } from "../../core/mode.ts";
import type {
  RouteTarget,
  Upstream,
  UpstreamResolver,
} from "../../core/upstream.ts";
import { isAbort } from "../../pipeline/attempt.ts";
import type { CompressedBody } from "../../pipeline/compressed_body.ts";
import type { Attribution } from "../attribution.ts";
import type { BetaTracker, StickyBetas } from "../beta_tracker.ts";
import { budgetResponse } from "../budget_refusal.ts";
import type { CallsInFlight } from "../calls_in_flight.ts";
import type { BodyBytes, BodyLease } from "../body_bytes.ts";
import {
  clientGone,
  errorResponse,
  errorTypeTap,
  fieldsOf,
  statusOf,
} from "../errors.ts";
import { type Answer, exchange } from "../exchange.ts";
import type { ExchangeParts } from "../exchange_parts.ts";
import type { Incoming } from "../incoming.ts";
import { emptyRecord, factsOf, tokenHeaders } from "../call_facts.ts";
import { makeMeter, type Meter, type MeterParts } from "../meter.ts";
import { BODY_COPIES, readBody, type RequestBody } from "../request_body.ts";
import type { ResponseCache } from "../response_cache.ts";
import {
  firstByteTap,
  NO_USAGE,
  relay,
  withIdTap,
  withTaps,
} from "../response_tap.ts";
import { receivedTokens, roundUsage, usageTapOf } from "../rounds.ts";
import { NAMES_DEFERRAL } from "../send_attempts.ts";
import { type BodyCapture, keeperTap } from "../body_capture.ts";
import {
  contextWishes,
  isSimulation,
  modeOf,
  overrideHeader,
} from "../request_headers.ts";

/** What a compression is asked with. */
export interface CompressCall {
  /** Adapter of the body's wire format. */
  readonly format: ProviderFormat;
  /** Where the request goes. */
  readonly upstream: Upstream;
  /** The body, decoded. */
  readonly body: Uint8Array;
  /** What may be done to it. */
  readonly mode: CompressionMode;
  /** Whether the provider has just refused it as too long. */
  readonly isTooLong?: boolean;
  /** Whether it only says what would be done. */
  readonly isSimulation?: boolean;
  /** Whether it only asks about the conversation: nothing is decided by it. */
  readonly isPreview?: boolean;
  /** The client's request fields. */
  readonly headers: Headers;
  /** Whose it is. */
  readonly names: Attribution;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

/** Where a request belongs. */
export interface CallPlace {
  /** Adapter of the route's wire format. */
  readonly format: ProviderFormat;
  /** Whose upstream it goes to. */
  readonly wanted: RouteTarget;
  /** Path and query to send instead of the client's; its own unless given. */
  readonly path?: string;
  /** Whether the model is asked about the conversation, and not to go on with it. */
  readonly isPreview?: boolean;
}

/** What this handler needs besides what an exchange needs. */
export interface ProviderCallParts extends ExchangeParts, MeterParts {
  /** Picks the upstream. */
  readonly upstreams: UpstreamResolver;
  /** Mode of a request that does not say otherwise. */
  readonly mode: CompressionMode;
  /** Largest body in bytes, on the wire and decoded. */
  readonly maxBodyBytes: number;
  /** Bounds the bytes of all bodies. */
  readonly bodies: BodyBytes;
  /** Rejects only with an `AbortError`; on any other failure it returns the bytes it was given. */
  readonly compress: (call: CompressCall) => Promise<CompressedBody>;
  /** Answers repeated requests; `undefined` when switched off. */
  readonly cache: ResponseCache | undefined;
  /** Lets requests pass while there is money; `undefined` without a budget. */
  readonly budget: BudgetGate | undefined;
  /** What a request may cost. */
  readonly pricing: Pricing;
  /** Told of a refusal by the budget. */
  readonly onRefused: (refusal: BudgetRefusal) => void;
  /** Requests that are not recorded yet. */
  readonly calls: CallsInFlight;
  /** Knows which beta features a conversation has used. */
  readonly betas: BetaTracker;
  /** Takes copies of texts that the user wants kept. */
  readonly keepers: BodyCapture;
}

/** Makes the handler of all calls that make a model go on. */
export function providerCall(
  parts: ProviderCallParts,
): (incoming: Incoming, place: CallPlace) => Promise<Response> {
  return async ({ request, env, names }, place) => {
    const { signal, recorded } = parts.calls.begin(request, env);
    const lease = parts.bodies.lease(signal);
    const meter = makeMeter(
      parts,
      emptyRecord(parts, place.format.id, names),
      () => {
        lease[Symbol.dispose]();
        recorded();
      },
    );
    try {
      const upstream = await parts.upstreams.resolve(request, place.wanted);
      meter.goesTo(upstream);
      const read = await readBody(request, {
        maxBytes: parts.maxBodyBytes,
        maxDecodedBytes: parts.maxBodyBytes,
        setBy: "SVC_REQUEST_BODY_MAX_BYTES",
        lease,
      });
      meter.received();
      const { completed } = env;
      const call = { request, completed, signal, lease, read, place, names };
      return await answer(parts, { ...call, upstream, meter });
    } catch (error) {
      return failed(parts, { signal, place, meter }, error);
    }
  };
}

/** A request that was read, and where it goes. */
interface Call {
  readonly request: Request;
  /** Settles when the response was sent; absent without a server. */
  readonly completed: Promise<void> | undefined;
  readonly signal: AbortSignal;
  /** Holds the bytes of its body. */
  readonly lease: BodyLease;
  readonly read: RequestBody;
  readonly place: CallPlace;
  /** Whose it is. */
  readonly names: Attribution;
  readonly upstream: Upstream;
  readonly meter: Meter;
}

async function answer(
  parts: ProviderCallParts,
  call: Call,
): Promise<Response> {
  const { request, read: { decoded, wire }, place, upstream, meter } = call;
  const { headers } = request;
  const { signal, lease } = call;
  const { format } = place;
  const body = decoded ?? wire;
  const mode = modeOf(headers, parts.mode);
  const { names } = call;
  const question = { format, upstream, body, mode, headers, signal, names };
  const simulated = isSimulation(headers)
    ? await parts.compress({
      ...question,
      mode: parts.mode,
      isSimulation: true,
    })
    : undefined;
  const compressed = place.isPreview
    ? asPreview(await parts.compress({ ...question, isPreview: true }))
    : await parts.compress(question);
  keepSent(lease, call.read, compressed);
  const betas = mode === "passthrough" ? undefined : parts.betas.betasFor({
    header: format.betaHeader,
    headers,
    model: compressed.scan?.model ?? "",
    body,
    conversation: compressed.conversation,
  });
  const key = await cacheKey(parts, question, compressed, { request, betas });
  const cached = key === undefined ? undefined : parts.cache?.get(key);
  if (cached !== undefined) {
    meter.answeredFromCache(compressed.scan?.model ?? "");
    return withFields(cached, overrideHeader(upstream));
  }
  const refusal = await refusedByBudget(parts, call, compressed);
  if (refusal) return refusal;
  const made = await exchange(parts, {
    ...call,
    format,
    call: compressed,
    path: place.path,
    isPreview: place.isPreview ?? false,
    betas,
    again: (refusal) =>
      afterRefusal(parts, { ...call, question }, compressed, refusal),
  });
  keepAnswered(lease, made);
  return relayed(parts, call, { ...made, key, simulated });
}

/** From now on there are the body as it came and as it is sent; the texts in it are used up. */
function keepSent(
  lease: BodyLease,
  { wire, decoded = wire }: RequestBody,
  { bytes }: CompressedBody,
): void {
  const arrays = new Set([wire, decoded, bytes]);
  lease.keep([...arrays].reduce((sum, { length }) => sum + length, 0));
}

/** Once the provider has answered, the body itself is needed to go on with our tool, and until it is counted. */
function keepAnswered(lease: BodyLease, { call, count }: Answer): void {
  lease.keep(call.body.length);
  if (call.declaration.by !== "proxy") {
    void count.done.then(() => lease.keep(0));
  }
}

/** The bytes that the conversation would be sent; nothing else of it follows: no declaration, no second try. */
function asPreview(compressed: CompressedBody): CompressedBody {
  return {
    ...compressed,
    declaration: { by: "nobody", reason: "preview" },
    hasOlder: false,
    sent: () => {},
  };
}

/** Under what the answer may be found again; `undefined` when it may not. */
async function cacheKey(
  { cache }: ProviderCallParts,
  { format, mode, upstream, body }: CompressCall,
  { scan }: CompressedBody,
  { request, betas }: {
    readonly request: Request;
    readonly betas: StickyBetas | undefined;
  },
): Promise<string | undefined> {
  if (cache === undefined || mode === "passthrough" || !scan?.isSteady) {
    return undefined;
  }
  const { method, url, headers } = request;
  const { keepsState } = scan;
  return await cache.keyOf({
    method,
    url,
    headers,
    // What the conversation asked for before can change the answer too.
    instead: betas?.value === undefined
      ? undefined
      : [format.betaHeader, betas.value],
    body,
    upstream,
    keepsState,
  });
}

/**
 * What the same body becomes when its older blocks are decided, or no definition is deferred; `undefined` when it would
 * be sent as it was.
 */
async function afterRefusal(
  parts: ProviderCallParts,
  { question, lease, read }: Call & { readonly question: CompressCall },
  before: CompressedBody,
  { status, text }: { readonly status: number; readonly text: string },
): Promise<CompressedBody | undefined> {
  const { mode, format, upstream, body } = question;
  if (mode === "passthrough") return undefined;
  const isDeferralRefused = before.tools.deferred.size > 0 &&
    NAMES_DEFERRAL.test(text);
  const isTooLong = before.hasOlder && status !== 422 &&
    format.isTooLong(status, text);
  if (!isDeferralRefused && !isTooLong) return undefined;
  if (isDeferralRefused) parts.onDeferralRefused(before, upstream);
  await lease.grow((BODY_COPIES - 1) * body.length);
  const again = await parts.compress({ ...question, isTooLong });
  keepSent(lease, read, again);
  return isDeferralRefused || again.older !== undefined ? again : undefined;
}

/** Reserves money. What was frozen stays: another request may have been sent with it meanwhile. */
async function refusedByBudget(
  { budget, pricing, onRefused }: ProviderCallParts,
  { place: { format }, meter }: Call,
  compressed: CompressedBody,
): Promise<Response | undefined> {
  if (budget === undefined) return undefined;
  const model = compressed.scan?.model ?? "";
  const nanoUsd = pricing.reserveFor(model, compressed.bytes.length);
  const refusal = await budget.admit(meter.id, nanoUsd);
  if (refusal === undefined) return undefined;
  meter.refused("budget", model);
  onRefused(refusal);
  return budgetResponse(format, refusal);
}

/** What the client gets, and what happens beside it. */
interface Relayed extends Answer {
  /** Under which the response may be kept; `undefined` when it may not. */
  readonly key: string | undefined;
  /** What would have been done; `undefined` unless the client asked. */
  readonly simulated: CompressedBody | undefined;
}

function relayed(
  parts: ProviderCallParts,
  { request, completed, signal, place: { format }, upstream, meter }: Call,
  { reply, call, count, isTapped, key, simulated }: Relayed,
): Response {
  const usage = isTapped ? NO_USAGE : usageTapOf(format, reply);
  // The functions below live as long as the response; the body does not have to.
  const facts = {
    ...factsOf(call),
    context: contextOf(parts, request.headers, call),
  };
  const tap = call.scan?.keepsState
    ? withIdTap(usage, {
      responseIdIn: format.responseIdIn,
      onId: (id) => parts.onResponseId(id, facts),
    })
    : usage;
  const keeper = key === undefined
    ? undefined
    : parts.cache?.keeper(key, reply);
  const errorTap = errorTypeTap(reply);
  const texts = keeperTap(parts.keepers, {
    id: meter.id,
    request,
    host: upstream.base.host,
    call,
    status: reply.status,
  });
  return relay(reply, {
    signal,
    completed,
    headers: {
      ...meter.headers(facts, count),
      ...simulated && simulationHeaders(simulated),
      ...overrideHeader(upstream),
    },
    tap: firstByteTap(meter, withTaps(tap, keeper, texts, errorTap)),
    onEnd: (outcome) => {
      const { aborted, error } = outcome;
      if (!isTapped) {
        const received = receivedTokens(format, reply, outcome.bytes);
        meter.used(roundUsage(format, reply, outcome), received);
      }
      if (error !== undefined) parts.onFailure(error, upstream);
      keeper?.end(!aborted && error === undefined);
      const status = error === undefined ? reply.status : 502;
      texts?.end();
      if (errorTap) meter.errorIs(errorTap.type());
      facts.answered?.();
      meter.finish(facts, count, aborted ? 499 : status);
    },
  });
}

/** What the prompt may have: without a word of the client's, its answer may be as long as the body says. */
function contextOf(
  { pricing }: ProviderCallParts,
  headers: Headers,
  { scan }: CompressedBody,
): ContextBudget | undefined {
  if (scan === undefined) return undefined;
  const { outputBuffer = scan.maxOutput, limit } = contextWishes(headers);
  return contextBudget(pricing.contextLimit(scan.model), {
    limit,
    outputBuffer,
  });
}

/** What would have been done to a request that was forwarded untouched. */
function simulationHeaders(
  { formed, formTokensSaved, strategies }: CompressedBody,
): Readonly<Record<string, string>> {
  const before = formed.reduce((sum, { form }) => sum + form.tokensBefore, 0);
  return {
    ...tokenHeaders("x-svc-simulated-", before, before - formTokensSaved),
    "x-svc-simulated-transforms": strategies.join(", "),
  };
}

function failed(
  { onFailure }: ProviderCallParts,
  { signal, place: { format }, meter }: Pick<
    Call,
    "signal" | "place" | "meter"
  >,
  error: unknown,
): Response {
  if (signal.aborted || isAbort(error)) {
    meter.failed(499);
    return clientGone();
  }
  if (!(error instanceof ServiceError)) {
    meter.failed(500);
    throw error;
  }
  const status = statusOf(error);
  meter.errorIs(error.type);
  meter.failed(status);
  if (status >= 500) onFailure(error, meter.upstream);
  return errorResponse(format.errorBody(status, error.message), status, {
    ...fieldsOf(error),
    ...meter.upstream && overrideHeader(meter.upstream),
  });
}

/** The same response with further fields. */
function withFields(
  response: Response,
  fields: Readonly<Record<string, string>>,
): Response {
  for (const [name, value] of Object.entries(fields)) {
    response.headers.set(name, value);
  }
  return response;
}
