/** Any route that is not ours: streamed through, both ways. @module */
import type { Handler } from "hono";
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { RequestRecord } from "../../core/ledger.ts";
import type { Send, Upstream } from "../../core/upstream.ts";
import { isAbort } from "../../pipeline/attempt.ts";
import {
  isForwardable,
  toUpstream,
  type UpstreamBody,
} from "../../upstream/forward.ts";
import { requestHeaders } from "../../upstream/header_policy.ts";
import type { ProxyEnv } from "../env.ts";
import {
  clientGone,
  detailResponse,
  methodNotAllowed,
  serviceErrorResponse,
  statusOf,
} from "../errors.ts";
import { readBody } from "../request_body.ts";
import { relay } from "../response_tap.ts";

/** What the handler needs. */
export interface PassthroughParts {
  /** Picks the upstream. */
  readonly upstreamOf: (request: Request) => Upstream;
  /** Sends the request. */
  readonly send: Send;
  /** Takes the finished request; never throws. */
  readonly record: (entry: RequestRecord) => void;
  /** Told of what broke a response, or kept it from coming. */
  readonly onFailure: (error: unknown, upstream: Upstream) => void;
  /** Measures latency. */
  readonly clock: Clock;
  /** Whether `x-svc-*` fields stop here. */
  readonly stripInternal: boolean;
  /** What is sent in place of a body; without it bodies are streamed through. */
  readonly rewrite?: BodyRewrite;
  /** Milliseconds without a response byte before the upstream counts as broken; no limit unless given. */
  readonly idleMs?: number;
}

/** Bodies that are read whole and may be replaced. */
export interface BodyRewrite {
  /** Largest body in bytes, on the wire and decoded. */
  readonly maxBytes: number;
  /** Gives the bytes to send for a decoded body; the same array when nothing changes. */
  readonly bytesFor: (
    body: Uint8Array,
    request: Request,
  ) => Promise<Uint8Array>;
}

/**
 * Bodies with a declared length up to this many bytes are sent with that length, since
 * simple servers do not understand chunks; `fetch` sends every stream in chunks.
 */
const MAX_READ = 4 * 1024 * 1024;

/** Makes the handler for every method and path without a handler of its own. */
export function passthrough(parts: PassthroughParts): Handler<ProxyEnv> {
  return async (c) => {
    const request = c.req.raw;
    if (!isForwardable(request.method)) return methodNotAllowed();
    if (hidesBody(request)) {
      return detailResponse(
        400,
        `cannot forward a ${request.method} request with a body: send it without one`,
      );
    }
    const upstream = parts.upstreamOf(request);
    const finish = recorder(parts);
    try {
      const { body, contentEncoding } = parts.rewrite
        ? await rewritten(request, parts.rewrite)
        : { body: await bodyOf(request), contentEncoding: "keep" as const };
      finish.received();
      const outgoing = toUpstream(request, upstream, {
        body,
        headers: requestHeaders(request.headers, {
          stripInternal: parts.stripInternal,
          contentEncoding,
        }),
      });
      finish.sent();
      const response = await parts.send(outgoing);
      return relay(response, {
        signal: request.signal,
        ...(parts.idleMs === undefined ? {} : { idleMs: parts.idleMs }),
        onEnd: ({ aborted, error }) => {
          if (error !== undefined) parts.onFailure(error, upstream);
          const status = error === undefined ? response.status : 502;
          finish.done(aborted ? 499 : status);
        },
      });
    } catch (error) {
      if (request.signal.aborted || isAbort(error)) {
        finish.done(499);
        return clientGone();
      }
      if (!(error instanceof ServiceError)) {
        finish.done(500);
        throw error;
      }
      finish.done(statusOf(error));
      parts.onFailure(error, upstream);
      return serviceErrorResponse(error);
    }
  };
}

/** The runtime does not show the body of `GET` and `HEAD`: it would be lost without a word. */
function hidesBody({ method, headers, body }: Request): boolean {
  if (body !== null || !/^(GET|HEAD)$/.test(method)) return false;
  return headers.has("transfer-encoding") ||
    Number(headers.get("content-length")) > 0;
}

async function bodyOf({ headers, body }: Request): Promise<UpstreamBody> {
  const length = headers.get("content-length");
  // The runtime shows an empty stream where there is no body; sent on, it would be an empty chunked one.
  if (length === null && !headers.has("transfer-encoding")) return null;
  if (body === null) return null;
  if (length === null || Number(length) > MAX_READ) return body;
  return await new Response(body).bytes();
}

/** A body that cannot be decoded is sent as it came. */
async function rewritten(
  request: Request,
  { maxBytes, bytesFor }: BodyRewrite,
): Promise<
  {
    readonly body: UpstreamBody;
    readonly contentEncoding: "keep" | "drop";
  }
> {
  const { decoded, wire } = await readBody(request, {
    maxBytes,
    maxDecodedBytes: maxBytes,
    setBy: "SVC_REQUEST_BODY_MAX_BYTES",
  });
  const bytes = decoded && await bytesFor(decoded, request);
  return bytes === undefined || bytes === decoded
    ? { body: wire, contentEncoding: "keep" }
    : { body: bytes, contentEncoding: "drop" };
}

/** Measures one request and records it. */
function recorder(parts: PassthroughParts) {
  const { clock } = parts;
  const start = clock.monotonic();
  let receivedAt = start;
  let overheadMs = 0;
  return {
    received: () => {
      receivedAt = clock.monotonic();
    },
    sent: () => {
      overheadMs = clock.monotonic() - receivedAt;
    },
    done: (status: number) =>
      parts.record({
        provider: "passthrough",
        model: "",
        status,
        tokensBefore: 0,
        tokensAfter: 0,
        latencyMs: clock.monotonic() - start,
        overheadMs,
        usage: {},
        strategies: [],
        leftAlone: [],
        forms: [],
        retrieved: [],
        furtherRounds: 0,
        furtherInput: 0,
      }),
  };
}
