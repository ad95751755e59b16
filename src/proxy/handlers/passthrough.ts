/** Any route that is not ours: streamed through, both ways. @module */
import type { Incoming } from "../env.ts";
import { ServiceError } from "../../core/errors.ts";
import type {
  RouteTarget,
  Send,
  Upstream,
  UpstreamBody,
  UpstreamResolver,
} from "../../core/upstream.ts";
import { isAbort } from "../../pipeline/attempt.ts";
import { isForwardable, toUpstream } from "../../upstream/forward.ts";
import { requestHeaders } from "../../upstream/header_policy.ts";
import type { BodyBytes, BodyLease } from "../body_bytes.ts";
import { pacedBody } from "../client_body.ts";
import type { CallsInFlight } from "../calls_in_flight.ts";
import type { Attribution } from "../attribution.ts";
import {
  type BodyTooSlow,
  clientGone,
  detailResponse,
  errorTypeTap,
  methodNotAllowed,
  serviceErrorResponse,
  statusOf,
} from "../errors.ts";
import { emptyRecord } from "../call_facts.ts";
import type { MeterParts } from "../meter.ts";
import { readBody, readWire } from "../request_body.ts";
import { firstByteTap, NO_USAGE, relay, withTaps } from "../response_tap.ts";
import { overrideHeader } from "../request_headers.ts";

/** What the handler needs. */
export interface PassthroughParts
  extends Pick<MeterParts, "clock" | "newId" | "record"> {
  /** Picks the upstream. */
  readonly upstreams: UpstreamResolver;
  /** Sends the request. */
  readonly send: Send;
  /** Told of what broke a response, or kept it from coming. */
  readonly onFailure: (error: unknown, upstream: Upstream | undefined) => void;
  /** Whether `x-svc-*` fields stop here. */
  readonly stripInternal: boolean;
  /** What callers from other machines send; never forwarded. */
  readonly token: string | undefined;
  /** Largest body that is read whole, in bytes, on the wire and decoded. */
  readonly maxBodyBytes: number;
  /** Bounds the bytes of all bodies that are read whole. */
  readonly bodies: BodyBytes;
  /** Requests that are not recorded yet. */
  readonly calls: CallsInFlight;
}

/** Where a request belongs. */
export interface PassedPlace {
  /** Whose upstream it goes to. */
  readonly wanted: RouteTarget;
  /** Path and query to send instead of the client's; its own unless given. */
  readonly path?: string;
  /** Gives the bytes to send for a decoded body, the same array when nothing changes; without it bodies are streamed through. */
  readonly rewrite?: (
    body: Uint8Array,
    request: Request,
    upstream: Upstream,
  ) => Promise<Uint8Array>;
  /** Fields of the request that stop here, in lower case. */
  readonly drop?: readonly string[];
}

/**
 * Bodies with a declared length up to this many bytes are sent with that length, since
 * simple servers do not understand chunks; `fetch` sends every stream in chunks.
 */
const MAX_READ = 4 * 1024 * 1024;

/** Makes the handler of every request that no model answers, or that is not known. */
export function passthrough(
  parts: PassthroughParts,
): (incoming: Incoming, place: PassedPlace) => Promise<Response> {
  return async ({ request, env, names }, place) => {
    if (!isForwardable(request.method)) return methodNotAllowed();
    if (hidesBody(request)) {
      return detailResponse(
        400,
        `cannot forward a ${request.method} request with a body: send it without one`,
      );
    }
    const { signal, recorded } = parts.calls.begin(request, env);
    const finish = recorder({
      ...parts,
      record(entry) {
        recorded();
        parts.record(entry);
      },
    }, names);
    try {
      return await passed(parts, { request, signal, place, finish });
    } catch (error) {
      if (signal.aborted || isAbort(error)) {
        finish.done(499);
        return clientGone();
      }
      if (!(error instanceof ServiceError)) {
        finish.done(500);
        throw error;
      }
      finish.errorIs(error.type);
      finish.done(statusOf(error));
      const upstream = finish.upstream();
      parts.onFailure(error, upstream);
      return serviceErrorResponse(error, upstream && overrideHeader(upstream));
    }
  };
}

/** One request to pass on. */
interface Passed {
  readonly request: Request;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  readonly place: PassedPlace;
  readonly finish: Recorder;
}

async function passed(
  parts: PassthroughParts,
  { request, signal, place, finish }: Passed,
): Promise<Response> {
  const upstream = await parts.upstreams.resolve(request, place.wanted);
  finish.goesTo(upstream);
  // Until the upstream has answered: then nothing can be sent again.
  using lease = parts.bodies.lease(request.signal);
  const { body, contentEncoding, tooSlow } = await outgoingBody(
    { ...parts, lease },
    request,
    place,
    upstream,
  );
  finish.received();
  const outgoing = toUpstream(request, upstream, {
    body,
    headers: requestHeaders(request.headers, {
      stripInternal: parts.stripInternal,
      contentEncoding,
      token: parts.token,
      drop: place.drop ?? [],
      set: [],
      extraHeaders: upstream.extraHeaders,
    }),
    signal,
    ...place.path !== undefined && { path: place.path },
  });
  finish.sent();
  const reply = await parts.send(outgoing).catch((error: unknown) => {
    // The upstream saw a body that broke off; the client's side is why.
    throw tooSlow?.() ?? error;
  });
  const errorTap = errorTypeTap(reply);
  return relay(reply, {
    signal,
    headers: overrideHeader(upstream),
    tap: firstByteTap(finish, withTaps(NO_USAGE, errorTap)),
    onEnd: ({ aborted, error }) => {
      if (error !== undefined) parts.onFailure(error, upstream);
      const status = error === undefined ? reply.status : 502;
      if (errorTap) finish.errorIs(errorTap.type());
      finish.done(aborted ? 499 : status);
    },
  });
}

/** The runtime does not show the body of `GET` and `HEAD`: it would be lost without a word. */
function hidesBody({ method, headers, body }: Request): boolean {
  if (body !== null || !/^(GET|HEAD)$/.test(method)) return false;
  return headers.has("transfer-encoding") ||
    Number(headers.get("content-length")) > 0;
}

async function bodyOf(
  request: Request,
  lease: BodyLease,
): Promise<OutgoingBody> {
  const { headers, body } = request;
  const declared = headers.get("content-length");
  // The runtime shows an empty stream where there is no body; sent on, it would be an empty chunked one.
  const isNone = declared === null && !headers.has("transfer-encoding");
  if (isNone || body === null) return AS_IT_CAME;
  const length = Number(declared ?? Infinity);
  if (length <= MAX_READ) {
    const limits = { maxBytes: MAX_READ, lease };
    return { ...AS_IT_CAME, body: await readWire(request, limits) };
  }
  const { stream, tooSlow } = pacedBody(body);
  return { ...AS_IT_CAME, body: stream, tooSlow };
}

/** No body, or one that is sent as it came. */
const AS_IT_CAME: OutgoingBody = { body: null, contentEncoding: "keep" };

/** What leaves as the body. */
interface OutgoingBody {
  readonly body: UpstreamBody;
  readonly contentEncoding: "keep" | "drop";
  /** Why the client's side of a stream ended; `undefined` when it did not fall behind. */
  readonly tooSlow?: () => BodyTooSlow | undefined;
}

/** A body that cannot be decoded is sent as it came. */
async function outgoingBody(
  { maxBodyBytes, lease }: PassthroughParts & { readonly lease: BodyLease },
  request: Request,
  { rewrite }: PassedPlace,
  upstream: Upstream,
): Promise<OutgoingBody> {
  if (rewrite === undefined) return await bodyOf(request, lease);
  const { decoded, wire } = await readBody(request, {
    maxBytes: maxBodyBytes,
    maxDecodedBytes: maxBodyBytes,
    setBy: "SVC_REQUEST_BODY_MAX_BYTES",
    lease,
  });
  const bytes = decoded && await rewrite(decoded, request, upstream);
  return bytes === undefined || bytes === decoded
    ? { body: wire, contentEncoding: "keep" }
    : { body: bytes, contentEncoding: "drop" };
}

/** Follows one request. */
interface Recorder {
  readonly upstream: () => Upstream | undefined;
  readonly goesTo: (upstream: Upstream) => void;
  readonly received: () => void;
  readonly sent: () => void;
  readonly answering: () => void;
  readonly errorIs: (type: string) => void;
  readonly done: (status: number) => void;
}

/** Measures one request and records it. */
function recorder(
  parts: PassthroughParts,
  attribution: Attribution,
): Recorder {
  const { clock } = parts;
  const empty = emptyRecord(parts, "passthrough", attribution);
  const start = clock.monotonic();
  let receivedAt = start;
  let overheadMs = 0;
  let ttfbMs: number | undefined;
  let upstream: Upstream | undefined;
  let errorType = "";
  return {
    upstream: () => upstream,
    goesTo: (to) => {
      upstream = to;
    },
    received: () => {
      receivedAt = clock.monotonic();
    },
    sent: () => {
      overheadMs = clock.monotonic() - receivedAt;
    },
    answering: () => {
      ttfbMs ??= clock.monotonic() - start;
    },
    errorIs: (type) => {
      errorType = type;
    },
    done: (status) =>
      parts.record({
        ...empty,
        upstream: upstream?.label ?? "",
        status,
        latencyMs: clock.monotonic() - start,
        ttfbMs,
        overheadMs,
        errorType,
      }),
  };
}
