/** A call that makes a model go on: look into memory, compress, pay, send, relay, record. @module */
import type { Incoming } from "../env.ts";
import type { ServiceError } from "../../core/errors.ts";
import type { ProviderFormat } from "../../core/format.ts";
import type { CompressionMode } from "../../core/mode.ts";
import type { Upstream, UpstreamResolver } from "../../core/upstream.ts";
import type { CompressedBody } from "../../pipeline/compressed_body.ts";
import type { Attribution } from "../attribution.ts";
import type { BetaTracker, StickyBetas } from "../beta_tracker.ts";
import { type BudgetParts, refusedByBudget } from "../budget_refusal.ts";
import type { BodyLease } from "../body_bytes.ts";
import type { Destination } from "../destinations.ts";
import { errorResponse, fieldsOf, statusOf } from "../errors.ts";
import { type Answer, exchange } from "../exchange.ts";
import type { ExchangeParts } from "../exchange_parts.ts";
import { followedCall, type FollowParts } from "../followed_call.ts";
import type { Meter } from "../meter.ts";
import {
  type AnsweredCall,
  relayAnswer,
  type RelayParts,
} from "../relay_answer.ts";
import {
  BODY_COPIES,
  BODY_SETTING,
  readBody,
  type RequestBody,
} from "../request_body.ts";
import { responseKey } from "../response_key.ts";
import { NAMES_DEFERRAL } from "../send_attempts.ts";
import { isSimulation, modeOf, overrideHeader } from "../request_headers.ts";

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
export interface CallPlace extends Destination {
  /** Adapter of the route's wire format. */
  readonly format: ProviderFormat;
  /** Whether the model is asked about the conversation, and not to go on with it. */
  readonly isPreview?: boolean;
}

/** What this handler needs besides what an exchange needs. */
export interface ProviderCallParts
  extends BudgetParts, ExchangeParts, FollowParts, RelayParts {
  /** Picks the upstream. */
  readonly upstreams: UpstreamResolver;
  /** Mode of a request that does not say otherwise. */
  readonly mode: CompressionMode;
  /** Largest body that is read whole, in bytes, on the wire and decoded. */
  readonly maxBodyBytes: number;
  /** Rejects only with an `AbortError`; on any other failure it returns the bytes it was given. */
  readonly compress: (call: CompressCall) => Promise<CompressedBody>;
  /** Knows which beta features a conversation has used. */
  readonly betas: BetaTracker;
}

/** Makes the handler of all calls that make a model go on. */
export function providerCall(
  parts: ProviderCallParts,
): (incoming: Incoming, place: CallPlace) => Promise<Response> {
  return (incoming, place) => {
    const { request, env: { completed }, names } = incoming;
    const { format } = place;
    return followedCall(parts, incoming, {
      provider: format.id,
      refusal: (error, meter) => refused(parts, format, error, meter),
      async work({ signal, meter, lease }) {
        const upstream = await parts.upstreams.resolve(request, place.wanted);
        meter.goesTo(upstream);
        const read = await readBody(request, {
          maxBytes: parts.maxBodyBytes,
          setBy: BODY_SETTING,
          lease,
        });
        meter.received();
        const call = { request, completed, signal, lease, read, place, names };
        return await answer(parts, { ...call, format, upstream, meter });
      },
    });
  };
}

/** A request that was read, and where it goes. */
interface Call extends AnsweredCall {
  /** Holds the bytes of its body. */
  readonly lease: BodyLease;
  readonly read: RequestBody;
  readonly place: CallPlace;
  /** Whose it is. */
  readonly names: Attribution;
}

async function answer(
  parts: ProviderCallParts,
  call: Call,
): Promise<Response> {
  const { request: { headers }, signal, lease, read, place, names } = call;
  const { format, upstream, meter } = call;
  const body = read.decoded ?? read.wire;
  const mode = modeOf(headers, parts.mode);
  const asked = { format, upstream, body, mode, headers, signal, names };
  const simulated = isSimulation(headers)
    ? await parts.compress({ ...asked, mode: parts.mode, isSimulation: true })
    : undefined;
  const compressed = place.isPreview
    ? asPreview(await parts.compress({ ...asked, isPreview: true }))
    : await parts.compress(asked);
  keepSent(lease, read, compressed);
  const { scan, conversation } = compressed;
  const model = scan?.model ?? "";
  const { betaHeader: header } = format;
  const betas = mode === "passthrough"
    ? undefined
    : parts.betas.betasFor({ header, headers, model, body, conversation });
  const key = await cacheKey(parts, call, compressed, { mode, betas });
  const cached = key === undefined ? undefined : parts.cache?.get(key);
  if (cached !== undefined) {
    meter.answeredFromCache(model);
    return withFields(cached, overrideHeader(upstream));
  }
  const refusal = await refusedByBudget(parts, call, {
    model,
    bytes: compressed.bytes.length,
  });
  if (refusal) return refusal;
  const made = await exchange(parts, {
    ...call,
    call: compressed,
    path: place.path,
    isPreview: place.isPreview ?? false,
    betas,
    again: (refusal) =>
      afterRefusal(parts, { asked, lease, read }, compressed, refusal),
  });
  keepAnswered(lease, made);
  return relayAnswer(parts, call, { ...made, key, simulated });
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
  { request, format, upstream, read }: Call,
  { scan }: CompressedBody,
  { mode, betas }: {
    readonly mode: CompressionMode;
    readonly betas: StickyBetas | undefined;
  },
): Promise<string | undefined> {
  if (cache === undefined || mode === "passthrough" || !scan?.isSteady) {
    return undefined;
  }
  const { method, url, headers } = request;
  const { keepsState } = scan;
  return await responseKey({
    method,
    url,
    headers,
    // What the conversation asked for before can change the answer too.
    instead: betas?.value === undefined
      ? undefined
      : [format.betaHeader, betas.value],
    body: read.decoded ?? read.wire,
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
  { asked, lease, read }: Pick<Call, "lease" | "read"> & {
    readonly asked: CompressCall;
  },
  before: CompressedBody,
  { status, text }: { readonly status: number; readonly text: string },
): Promise<CompressedBody | undefined> {
  const { mode, format, upstream, body } = asked;
  if (mode === "passthrough") return undefined;
  const isDeferralRefused = before.tools.deferred.size > 0 &&
    NAMES_DEFERRAL.test(text);
  const isTooLong = before.hasOlder && status !== 422 &&
    format.isTooLong(status, text);
  if (!isDeferralRefused && !isTooLong) return undefined;
  if (isDeferralRefused) parts.onHostRefused(before, upstream, "deferral");
  await lease.grow((BODY_COPIES - 1) * body.length);
  const again = await parts.compress({ ...asked, isTooLong });
  keepSent(lease, read, again);
  return isDeferralRefused || again.older !== undefined ? again : undefined;
}

function refused(
  { onFailure }: ProviderCallParts,
  format: ProviderFormat,
  error: ServiceError,
  { upstream }: Meter,
): Response {
  const status = statusOf(error);
  if (status >= 500) onFailure(error, upstream);
  return errorResponse(format.errorBody(status, error.message), status, {
    ...fieldsOf(error),
    ...upstream && overrideHeader(upstream),
  });
}

function withFields(
  response: Response,
  fields: Readonly<Record<string, string>>,
): Response {
  for (const [name, value] of Object.entries(fields)) {
    response.headers.set(name, value);
  }
  return response;
}
