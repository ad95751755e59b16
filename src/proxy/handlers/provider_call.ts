/** A provider route: compress, forward, answer retrievals, relay, record. @module */
import type { Handler } from "hono";
import { splice } from "../../bytes/splice.ts";
import type { Edit } from "../../core/block.ts";
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { BodyScan, ProviderFormat } from "../../core/format.ts";
import type { RequestRecord } from "../../core/ledger.ts";
import type { CompressionMode } from "../../core/mode.ts";
import type { BodyCount, CountInput } from "../../core/tokens.ts";
import type { Send, Upstream } from "../../core/upstream.ts";
import type { UsageTap } from "../../core/usage.ts";
import { isAbort } from "../../pipeline/attempt.ts";
import type { CompressedBody } from "../../pipeline/compress_body.ts";
import { toUpstream } from "../../upstream/forward.ts";
import { requestHeaders } from "../../upstream/header_policy.ts";
import { answerRetrievals } from "../answer_retrievals.ts";
import { decodedResponse } from "../decoded_response.ts";
import type { ProxyEnv } from "../env.ts";
import { clientGone, errorResponse, statusOf } from "../errors.ts";
import { modeOf } from "../mode.ts";
import { readBody, type RequestBody } from "../request_body.ts";
import { makeMeter, type Meter } from "../meter.ts";
import { relay } from "../response_tap.ts";
import { type RetrievalParts, retrievalSession } from "../retrieval_session.ts";

/** What a compression is asked with. */
export interface CompressCall {
  /** The body, decoded. */
  readonly body: Uint8Array;
  /** What may be done to it. */
  readonly mode: CompressionMode;
  /** The client's request fields. */
  readonly headers: Headers;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

/** What this handler needs; `app.ts` builds one per provider route. */
export interface ProviderCallParts {
  /** Adapter of the route's wire format. */
  readonly format: ProviderFormat;
  /** Where the route's requests go. */
  readonly upstream: Upstream;
  /** Mode of a request that does not say otherwise. */
  readonly mode: CompressionMode;
  /** Largest body in bytes, on the wire and decoded. */
  readonly maxBodyBytes: number;
  /** Whether `x-svc-*` fields stop here. */
  readonly stripInternal: boolean;
  /** Rejects only with an `AbortError`; on any other failure it returns the bytes it was given. */
  readonly compress: (call: CompressCall) => Promise<CompressedBody>;
  /** Counts a body beside the request. */
  readonly count: (input: CountInput) => BodyCount;
  /** Sends upstream. */
  readonly send: Send;
  /** What answering retrievals needs. */
  readonly retrievals: RetrievalParts;
  /** Told of what broke a response, or kept it from coming. */
  readonly onFailure: (error: unknown) => void;
  /** Told of the id of a response that a later request may continue. Never throws. */
  readonly onResponseId: (id: string, call: CompressedBody) => void;
  /** Told that the upstream takes the body only without our tool. */
  readonly onToolRefused: (call: CompressedBody) => void;
  /** Takes the finished request; never throws. */
  readonly record: (entry: RequestRecord) => void;
  /** Told of a record that waits for its count. */
  readonly pending: (record: Promise<void>) => void;
  /** Measures. */
  readonly clock: Clock;
}

/** Makes the handler of one provider route. */
export function providerCall(parts: ProviderCallParts): Handler<ProxyEnv> {
  return async (c) => {
    const request = c.req.raw;
    const meter = makeMeter(parts);
    try {
      const read = await readBody(request, {
        maxBytes: parts.maxBodyBytes,
        maxDecodedBytes: parts.maxBodyBytes,
        setBy: "SVC_REQUEST_BODY_MAX_BYTES",
      });
      meter.received();
      const call = await compressed(parts, request, read);
      return await exchange(parts, { request, read, call, meter });
    } catch (error) {
      return failed(parts, request, meter, error);
    }
  };
}

/** A body that cannot be decoded is sent as it came; its bytes stand for its text. */
function compressed(
  parts: ProviderCallParts,
  request: Request,
  { decoded, wire }: RequestBody,
): Promise<CompressedBody> {
  return parts.compress({
    body: decoded ?? wire,
    mode: modeOf(request.headers, parts.mode),
    headers: request.headers,
    signal: request.signal,
  });
}

/** One call, from the bytes to send to the response. */
interface Exchange {
  readonly request: Request;
  readonly read: RequestBody;
  readonly call: CompressedBody;
  readonly meter: Meter;
}

async function exchange(
  parts: ProviderCallParts,
  exchange: Exchange,
): Promise<Response> {
  const { request, call, meter } = exchange;
  call.sent();
  meter.sent();
  const pending = sendRound(parts, exchange, call.bytes);
  const count = parts.count(toCount(call));
  countTurns(parts, call, meter);
  const first = await pending;
  if (refusesOurTool(first, call)) {
    const response = await resend(parts, exchange, first);
    return relayed(parts, exchange, { response, count, isTapped: false });
  }
  if (call.declaration.by !== "proxy" || call.scan === undefined) {
    return relayed(parts, exchange, {
      response: first,
      count,
      isTapped: false,
    });
  }
  const response = await answerRetrievals(
    tapped(parts, exchange, first),
    retrievalSession(parts.retrievals, {
      format: parts.format,
      call,
      scan: call.scan,
      signal: request.signal,
      onAnswer: (content, event) => {
        if (event) meter.retrieved(event);
        const body = new TextEncoder().encode(content);
        meter.added(countWhole(parts, call, body));
      },
      send: async (elements, forbidTools, signal) => {
        const body = continued(parts.format, call, elements, forbidTools);
        const round = await sendRound(parts, exchange, body, signal);
        return tapped(parts, exchange, round);
      },
    }),
  );
  return relayed(parts, exchange, { response, count, isTapped: true });
}

/** What answered retrievals of earlier requests put into this one, and what they stand in place of. */
function countTurns(
  parts: ProviderCallParts,
  call: CompressedBody,
  meter: Meter,
): void {
  for (const { span, replacement } of call.turns) {
    meter.added(countWhole(parts, call, replacement));
    const replaced = call.body.subarray(span.start, span.end);
    if (replaced.length > 0) meter.removed(countWhole(parts, call, replaced));
  }
}

/** Tokens of bytes that are no value of the body. */
function countWhole(
  { count }: ProviderCallParts,
  { scan }: CompressedBody,
  body: Uint8Array,
): BodyCount {
  const spans = [{ start: 0, end: body.length }];
  return count({ body, spans, model: scan?.model ?? "", extra: "" });
}

/** What the client gets. */
interface Answer {
  readonly response: Response;
  readonly count: BodyCount;
  /** Whether the usage of every round is observed already. */
  readonly isTapped: boolean;
}

function relayed(
  parts: ProviderCallParts,
  { request, call, meter }: Exchange,
  { response, count, isTapped }: Answer,
): Response {
  const { format } = parts;
  const tap = isTapped ? NO_USAGE : usageTapOf(format, response);
  return relay(response, {
    signal: request.signal,
    headers: meter.headers(call, count),
    tap: call.scan?.keepsState ? withIdTap(parts, call, tap) : tap,
    onEnd: ({ aborted, usage, error }) => {
      meter.used(usage);
      if (error !== undefined) parts.onFailure(error);
      const status = error === undefined ? response.status : 502;
      meter.finish(call, count, aborted ? 499 : status);
    },
  });
}

/** For a response whose usage is observed elsewhere. */
const NO_USAGE: UsageTap = { push() {}, finish: () => ({}) };

/** Bytes in which the id of a response stands, if it has one. */
const HEAD_BYTES = 4096;

/** Looks for the id of the response that the client sees, beside `tap`: a client may continue it at once. */
function withIdTap(
  { format, onResponseId }: ProviderCallParts,
  call: CompressedBody,
  tap: UsageTap,
): UsageTap {
  const decoder = new TextDecoder();
  let head = "";
  let isDone = false;
  return {
    push(chunk) {
      tap.push(chunk);
      if (isDone) return;
      head += decoder.decode(chunk.subarray(0, HEAD_BYTES), { stream: true });
      const id = format.responseIdIn?.(head);
      if (id !== undefined) onResponseId(id, call);
      isDone = id !== undefined || head.length >= HEAD_BYTES;
    },
    finish: () => tap.finish(),
  };
}

/** One round's response, whose usage the meter sees. */
function tapped(
  { format }: ProviderCallParts,
  { request, meter }: Exchange,
  response: Response,
): Response {
  // Decoded first: the tap reads the bytes as text, and so does who looks for our calls.
  return relay(decodedResponse(response), {
    signal: request.signal,
    tap: usageTapOf(format, response),
    onEnd: ({ usage }) => meter.used(usage),
  });
}

function usageTapOf(format: ProviderFormat, { headers }: Response): UsageTap {
  return format.usageTap(headers.get("content-type") ?? "");
}

/** Sends bytes to the upstream. */
function sendRound(
  parts: ProviderCallParts,
  { request, read, call }: Exchange,
  bytes: Uint8Array,
  signal = request.signal,
): Promise<Response> {
  const asItCame = bytes === call.body;
  return parts.send(toUpstream(request, parts.upstream, {
    body: asItCame ? read.wire : bytes,
    headers: requestHeaders(request.headers, {
      stripInternal: parts.stripInternal,
      contentEncoding: asItCame ? "keep" : "drop",
    }),
    signal,
  }));
}

/** What the counter is asked. */
function toCount(call: CompressedBody): CountInput {
  const { body, scan, declaration, uncounted } = call;
  return {
    body,
    spans: uncounted,
    model: scan?.model ?? "",
    extra: declaration.by === "proxy" ? declaration.definition : "",
  };
}

/** A first request that failed with our edits is tried as the client sent it. */
function refusesOurTool(response: Response, call: CompressedBody): boolean {
  const { declaration } = call;
  return (response.status === 400 || response.status === 422) &&
    declaration.by === "proxy" && declaration.begins;
}

async function resend(
  parts: ProviderCallParts,
  exchange: Exchange,
  refused: Response,
): Promise<Response> {
  const { call, meter } = exchange;
  await refused.body?.cancel();
  const response = await sendRound(parts, exchange, call.body);
  if (response.ok) {
    await call.retract();
    parts.onToolRefused(call);
  }
  meter.resent();
  return response;
}

/** The body of a further round: the bytes of the first, and what has been said since. */
function continued(
  format: ProviderFormat,
  call: CompressedBody,
  elements: Uint8Array,
  forbidTools: boolean,
): Uint8Array {
  const { body, scan, edits } = call;
  if (scan === undefined) throw new TypeError("Cannot continue: no scan");
  const appended = [
    ...edits,
    ...format.append(body, scan, elements),
    ...forbidTools ? [noTools(format, body, scan)] : [],
  ];
  return splice(
    body,
    appended.toSorted((a, b) => a.span.start - b.span.start),
  );
}

function noTools(
  format: ProviderFormat,
  body: Uint8Array,
  { toolChoice }: BodyScan,
): Edit {
  const utf8 = new TextEncoder();
  if (toolChoice !== undefined) {
    return { span: toolChoice, replacement: utf8.encode(format.noToolChoice) };
  }
  const at = body.indexOf(0x7b) + 1;
  const replacement = utf8.encode(`"tool_choice":${format.noToolChoice},`);
  return { span: { start: at, end: at }, replacement };
}

function failed(
  { format, onFailure }: ProviderCallParts,
  request: Request,
  meter: Meter,
  error: unknown,
): Response {
  if (request.signal.aborted || isAbort(error)) {
    meter.failed(499);
    return clientGone();
  }
  if (!(error instanceof ServiceError)) {
    meter.failed(500);
    throw error;
  }
  const status = statusOf(error);
  meter.failed(status);
  if (status >= 500) onFailure(error);
  return errorResponse(format.errorBody(status, error.message), status);
}
