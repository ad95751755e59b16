/** Any route that is not ours: streamed through, both ways. @module */
import type { Incoming } from "../env.ts";
import type { Upstream, UpstreamBody } from "../../core/upstream.ts";
import { isForwardable, toUpstream } from "../../upstream/forward.ts";
import { requestHeaders } from "../../upstream/header_policy.ts";
import type { BodyLease } from "../body_bytes.ts";
import { pacedBody } from "../client_body.ts";
import type { Destination } from "../destinations.ts";
import {
  type BodyTooSlow,
  detailResponse,
  errorTypeTap,
  methodNotAllowed,
  serviceErrorResponse,
} from "../errors.ts";
import {
  type FollowedCall,
  followedCall,
  type FollowParts,
} from "../followed_call.ts";
import { BODY_SETTING, readBody, readWire } from "../request_body.ts";
import { NO_USAGE, relay, withTaps } from "../response_tap.ts";
import { overrideHeader } from "../request_headers.ts";
import type { ProviderCallParts } from "./provider_call.ts";

/** What the handler needs. */
export type PassthroughParts =
  & FollowParts
  & Pick<
    ProviderCallParts,
    | "maxBodyBytes"
    | "onFailure"
    | "send"
    | "stripInternal"
    | "token"
    | "upstreams"
  >;

/** Where a request belongs. */
export interface PassedPlace extends Destination {
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
  return async (incoming, place) => {
    const { request } = incoming;
    if (!isForwardable(request.method)) return methodNotAllowed();
    if (hidesBody(request)) {
      return detailResponse(
        400,
        `cannot forward a ${request.method} request with a body: send it without one`,
      );
    }
    return await followedCall(parts, incoming, {
      provider: "passthrough",
      refusal(error, { upstream }) {
        parts.onFailure(error, upstream);
        return serviceErrorResponse(
          error,
          upstream && overrideHeader(upstream),
        );
      },
      work: (call) => passed(parts, { ...call, request, place }),
    });
  };
}

/** One request to pass on. */
interface Passed extends FollowedCall {
  readonly request: Request;
  readonly place: PassedPlace;
}

async function passed(
  parts: PassthroughParts,
  { request, signal, place, meter, lease: held }: Passed,
): Promise<Response> {
  const upstream = await parts.upstreams.resolve(request, place.wanted);
  meter.goesTo(upstream);
  // Until the upstream has answered: then nothing can be sent again.
  using lease = held;
  const { body, contentEncoding, tooSlow } = await outgoingBody(
    { ...parts, lease },
    request,
    place,
    upstream,
  );
  meter.received();
  const outgoing = toUpstream(request, upstream, {
    body,
    headers: requestHeaders(request.headers, {
      stripInternal: parts.stripInternal,
      contentEncoding,
      token: parts.token,
      drop: place.drop ?? [],
      extraHeaders: upstream.extraHeaders,
    }),
    signal,
    ...place.path !== undefined && { path: place.path },
  });
  meter.sent();
  const reply = await parts.send(outgoing).catch((error: unknown) => {
    // The upstream saw a body that broke off; the client's side is why.
    throw tooSlow?.() ?? error;
  });
  const errorTap = errorTypeTap(reply);
  return relay(reply, {
    signal,
    headers: overrideHeader(upstream),
    tap: withTaps(meter, NO_USAGE, errorTap),
    onEnd: ({ aborted, error }) => {
      if (error !== undefined) parts.onFailure(error, upstream);
      const status = error === undefined ? reply.status : 502;
      if (errorTap) meter.errorIs(errorTap.type());
      meter.failed(aborted ? 499 : status);
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
    setBy: BODY_SETTING,
    lease,
  });
  const bytes = decoded && await rewrite(decoded, request, upstream);
  return bytes === undefined || bytes === decoded
    ? { body: wire, contentEncoding: "keep" }
    : { body: bytes, contentEncoding: "drop" };
}
