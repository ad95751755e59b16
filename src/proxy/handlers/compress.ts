/** Compressing messages for a caller who sends them himself. @module */
import { nextTurn } from "../../core/next_turn.ts";
import type { Handler } from "hono";
import { decodeLiteral } from "../../bytes/json_string.ts";
import { contextBudget } from "../../core/context_budget.ts";
import type { ProviderFormat } from "../../core/format.ts";
import type { CompressionMode } from "../../core/mode.ts";
import type {
  BodyCount,
  CountedTokens,
  CountInput,
} from "../../core/tokens.ts";
import { isAbort } from "../../pipeline/attempt.ts";
import { compressBody } from "../../pipeline/compress_body.ts";
import { compressReport } from "../../pipeline/compress_report.ts";
import type { CompressedBody } from "../../pipeline/compressed_body.ts";
import type { CompressParts } from "../../pipeline/compress_parts.ts";
import { compressAnswer, simulationReport } from "../compress_answer.ts";
import {
  type AskedBody,
  bodyAround,
  type CompressRequest,
  InvalidRequest,
  readCompressRequest,
} from "../compress_request.ts";
import type { ProxyEnv } from "../env.ts";
import type { BodyBytes } from "../body_bytes.ts";
import {
  BodiesBusy,
  BodyTooLarge,
  clientGone,
  fieldsOf,
  plainError,
} from "../errors.ts";
import type { MessagesShape } from "../messages_shape.ts";
import { BODY_SETTING, readBody } from "../request_body.ts";
import {
  contextWishes,
  conversationHeaders,
  isBypassed,
  isSimulation,
  modeOf,
} from "../request_headers.ts";

/** What the route needs. */
export interface CompressRouteParts {
  /**
   * The pipeline. Its memory of blocks should be this route's own: a block that the proxy left alone, because it
   * stood in an older turn, may be decided here.
   */
  readonly compression: CompressParts;
  /** The adapter of each format. */
  readonly formats: Readonly<Record<MessagesShape, ProviderFormat>>;
  /** Mode of a call that does not say otherwise; only `passthrough` differs: the messages come back as they are. */
  readonly mode: CompressionMode;
  /** Counts the messages. */
  readonly count: (input: CountInput) => BodyCount;
  /** US dollars for a token of a prompt of so many tokens; `undefined` where the price is unknown. Not given: no price is known. */
  readonly inputPrice?: (model: string, tokens: number) => number | undefined;
  /** Tokens that a model takes; `undefined` where that is unknown. Not given: no limit is known. */
  readonly contextLimit?: (model: string) => number | undefined;
  /** Largest body in bytes, on the wire and decoded. */
  readonly maxBodyBytes: number;
  /** Bounds the bytes of all bodies. */
  readonly bodies: BodyBytes;
  /** Milliseconds after which the caller is told that it takes too long. */
  readonly timeoutMs: number;
}

/** One call. */
interface Call {
  readonly wanted: CompressRequest;
  /** The body as received, decoded. */
  readonly received: Uint8Array;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/** Makes the handler of `POST /v1/compress`; it belongs behind the loopback gate. */
export function compressRoute(parts: CompressRouteParts): Handler<ProxyEnv> {
  return async (c) => {
    const request = c.req.raw;
    const { headers } = request;
    using lease = parts.bodies.lease(request.signal);
    try {
      const { decoded: received } = await readBody(request, {
        maxBytes: parts.maxBodyBytes,
        setBy: BODY_SETTING,
        lease,
      });
      if (received === undefined) {
        throw new InvalidRequest(
          "The body cannot be decoded: its content-encoding is unknown, or it is cut off",
        );
      }
      const wanted = readCompressRequest(received);
      return await inTime(
        parts.timeoutMs,
        request.signal,
        (signal) => answer(parts, { wanted, received, headers, signal }),
      );
    } catch (error) {
      return failed(parts, request, error);
    }
  };
}

/** The work takes longer than the caller is kept waiting. */
class TimedOut extends Error {}

/** Runs `work`; past the time it is told to stop, and nobody waits for it. */
async function inTime<T>(
  ms: number,
  client: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const stop = new AbortController();
  const timer = setTimeout(() => {
    late.reject(new TimedOut());
    stop.abort();
  }, ms);
  try {
    const signal = AbortSignal.any([client, stop.signal]);
    return await Promise.race([work(signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function failed(
  { compression, timeoutMs }: CompressRouteParts,
  request: Request,
  error: unknown,
): Response {
  const said = (status: number, type: string, message: string) =>
    plainError(status, { type, message }, fieldsOf(error));
  if (error instanceof InvalidRequest) {
    return said(400, "invalid_request", error.message);
  }
  if (error instanceof BodyTooLarge) {
    return said(413, "request_too_large", error.message);
  }
  if (error instanceof BodiesBusy) {
    return said(503, "overloaded_error", error.message);
  }
  if (request.signal.aborted || isAbort(error)) return clientGone();
  const isLate = error instanceof TimedOut;
  const reason = isLate
    ? `timeout: no result in ${timeoutMs} ms`
    : error instanceof Error
    ? error.name
    : typeof error;
  compression.attempt.failed("compress_route", reason);
  return isLate
    ? said(
      503,
      "compression_timeout",
      `Compression took longer than ${
        timeoutMs / 1000
      } s: send fewer messages, or raise SVC_COMPRESSION_TIMEOUT_SECONDS`,
    )
    : said(503, "compression_error", "Compression failed: see the log");
}

async function answer(
  parts: CompressRouteParts,
  call: Call,
): Promise<Response> {
  const { wanted, received } = call;
  const asked = bodyAround(received, wanted);
  const isSimulation = wanted.config.isSimulation || isReport(call.headers);
  const made = await compressed(parts, call, { asked, isSimulation });
  if (!isSimulation) made.sent();
  const model = decodeLiteral(received, wanted.model) ?? "";
  const count = parts.count({
    body: asked.bytes,
    spans: made.scan === undefined ? [asked.messages] : made.uncounted,
    model,
    extra: "",
  });
  const counted = await count.done;
  return compressAnswer(made, {
    messages: asked.messages,
    uncounted: counted.tokens,
    isEstimated: !count.isExact(),
    tokenBudget: wanted.tokenBudget,
    context: contextBudget(
      parts.contextLimit?.(model),
      contextWishes(call.headers),
    ),
    wantsDiff: wanted.config.wantsDiff,
    simulation: isSimulation
      ? await simulated(parts, call, { made, model, counted })
      : undefined,
  });
}

/** Decimals of an amount in US dollars: one request saves cents, or parts of one. */
const USD_DECIMALS = 6;

/** What only a simulation says. */
async function simulated(
  { count, inputPrice }: CompressRouteParts,
  { wanted: { system }, received, signal }: Call,
  { made, model, counted: { tokens } }: {
    readonly made: CompressedBody;
    readonly model: string;
    readonly counted: CountedTokens;
  },
): Promise<object> {
  const { tokensBefore } = compressReport(made, tokens);
  const price = inputPrice?.(model, tokensBefore);
  return {
    // A text: clients of this route have that type for it.
    estimated_savings: price === undefined
      ? "unknown"
      : (price * made.formTokensSaved).toFixed(USD_DECIMALS),
    ...await simulationReport({
      made,
      system: system &&
        JSON.parse(
          new TextDecoder().decode(received.subarray(system.start, system.end)),
        ),
      model,
      count,
      pause: nextTurn,
      signal,
    }),
  };
}

function compressed(
  { compression, formats, mode }: CompressRouteParts,
  { wanted, headers, signal }: Call,
  { asked, isSimulation }: {
    readonly asked: AskedBody;
    readonly isSimulation: boolean;
  },
): Promise<CompressedBody> {
  const { shape, config } = wanted;
  const { options } = compression;
  return compressBody({
    ...compression,
    ccr: compression.ccr && !config.isLossless,
    options: { ...options, exact: options.exact || config.isLossless },
  }, {
    format: formats[shape],
    body: asked.bytes,
    mode: isReport(headers)
      ? "cache"
      : modeOf(headers, isSimulation ? "cache" : mode),
    ...conversationHeaders(headers),
    refusesTool: () => false,
    library: { ...config, isSimulation },
    signal,
  });
}

function isReport(headers: Headers): boolean {
  return isSimulation(headers) && !isBypassed(headers);
}
