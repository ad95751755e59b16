/** One request to the provider, the tokens in it, and what its response used. @module */
import type { ProviderFormat } from "../core/format.ts";
import type { BodyCount, CountInput } from "../core/tokens.ts";
import type { Reply } from "../core/upstream.ts";
import type { Usage, UsageTap } from "../core/usage.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import { readPinned } from "../pipeline/pinned.ts";
import { toUpstream } from "../upstream/forward.ts";
import { requestHeaders } from "../upstream/header_policy.ts";
import { decodedReply } from "./content_encoding.ts";
import type { Exchange, ExchangeParts } from "./exchange_parts.ts";
import type { Meter } from "./meter.ts";
import { type RelayOutcome, watchedReply } from "./response_tap.ts";

/** What one round sends. */
export interface Round {
  /** The body. */
  readonly bytes: Uint8Array;
  /** Ends a round after the first one, whose client cannot ask again itself; `undefined` for the first. */
  readonly further?: AbortSignal;
}

/** Sends bytes to the upstream. */
export function sendRound(
  parts: ExchangeParts,
  { request, signal, read, upstream, format, path, betas }: Exchange,
  { bytes, further }: Round,
): Promise<Reply> {
  const asItCame = bytes === (read.decoded ?? read.wire);
  return parts.send(toUpstream(request, upstream, {
    body: asItCame ? read.wire : bytes,
    headers: requestHeaders(request.headers, {
      stripInternal: parts.stripInternal,
      contentEncoding: asItCame ? "keep" : "drop",
      token: parts.token,
      drop: format.droppedHeaders ?? [],
      set: betas?.value === undefined ? [] : [[format.betaHeader, betas.value]],
      extraHeaders: upstream.extraHeaders,
    }),
    signal: further ?? signal,
    isContinuation: further !== undefined,
    ...path !== undefined && { path },
  }));
}

/**
 * Starts to count what is sent: what is counted beside the body goes to the meter.
 *
 * @returns The count of the body.
 */
export function countSent(
  parts: Pick<ExchangeParts, "count">,
  { call, meter: { beside } }: Pick<Exchange, "call" | "meter">,
): BodyCount {
  const count = parts.count(toCount(call));
  const { unloaded, tools: { rewritten } } = call;
  const spans = [...unloaded, ...rewritten?.spans ?? []];
  if (spans.length > 0) {
    const asked = { ...toCount(call), spans, extra: "" };
    beside.unloaded = parts.count(asked);
  }
  if (rewritten) {
    const { text, id } = rewritten;
    const all = [{ start: 0, end: text.length, id }];
    const asked = { ...toCount(call), body: text, spans: all, extra: "" };
    beside.rewritten = parts.count(asked);
  }
  // What answered retrievals of earlier requests put into this one, and what they stand in place of.
  for (
    const { span, replacement } of [...call.turns, ...call.unreasoned ?? []]
  ) {
    beside.added.push(countWhole(parts, call, replacement));
    const replaced = call.body.subarray(span.start, span.end);
    if (replaced.length === 0) continue;
    beside.removed.push(countWhole(parts, call, replaced));
  }
  return count;
}

/** Tokens of bytes that are no value of the body. */
export function countWhole(
  { count }: Pick<ExchangeParts, "count">,
  { scan }: CompressedBody,
  body: Uint8Array,
): BodyCount {
  const spans = [{ start: 0, end: body.length }];
  return count({ body, spans, model: scan?.model ?? "", extra: "" });
}

/** What the counter is asked. */
function toCount(call: CompressedBody): CountInput {
  const { body, scan, declaration, uncounted } = call;
  return {
    body,
    spans: uncounted,
    model: scan?.model ?? "",
    extra: declaration.by === "proxy"
      ? readPinned(declaration.pinned).definitions
      : "",
  };
}

/** Whether a provider did what was asked. */
export function isOk({ status }: Pick<Reply, "status">): boolean {
  return status < 300;
}

/** One round's reply, whose usage the meter sees. */
export function tapped(
  exchange: Pick<Exchange, "format" | "signal" | "meter">,
  reply: Reply,
): Reply {
  // Decoded first: the tap reads the bytes as text, and so does who looks for our calls.
  return watchedReply(decodedReply(reply), {
    signal: exchange.signal,
    tap: usageTapOf(exchange.format, reply),
    onEnd: (outcome) => noteUsage(exchange, reply, outcome),
  });
}

/** Gives the meter what one round used, once its reply has ended. */
export function noteUsage(
  { format, meter }: {
    readonly format: Pick<ProviderFormat, "streamBytesPerToken">;
    readonly meter: Pick<Meter, "used">;
  },
  reply: Pick<Reply, "status" | "headers">,
  outcome: RelayOutcome,
): void {
  const received = receivedTokens(format, reply, outcome.bytes);
  meter.used(roundUsage(format, reply, outcome), received);
}

/** Bytes of a document per generated token, roughly. */
const DOCUMENT_BYTES_PER_TOKEN = 4;

/** What one round used; where the provider did not say it to the end, the output is estimated by its size. */
function roundUsage(
  format: Pick<ProviderFormat, "streamBytesPerToken">,
  reply: Pick<Reply, "status" | "headers">,
  { usage, bytes, aborted, error }: RelayOutcome,
): Usage {
  const isWhole = !aborted && error === undefined;
  const isReported = isWhole && usage.output !== undefined;
  if (!isOk(reply) || isReported || bytes === 0) return usage;
  const outputEstimate = tokensBySize(format, mediaType(reply), bytes);
  return { ...usage, outputEstimate };
}

/** Media types of a model's answer: a document, or an event stream. */
const DOCUMENT = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const STREAM = /^\s*text\/event-stream\b/i;

/** Tokens that an answer of `bytes` bytes can have, by its size: none for an error, or for what no model writes. */
function receivedTokens(
  format: Pick<ProviderFormat, "streamBytesPerToken">,
  reply: Pick<Reply, "status" | "headers">,
  bytes: number,
): number {
  const type = mediaType(reply);
  const isAnswer = isOk(reply) && (DOCUMENT.test(type) || STREAM.test(type));
  return isAnswer ? tokensBySize(format, type, bytes) : 0;
}

function tokensBySize(
  { streamBytesPerToken }: Pick<ProviderFormat, "streamBytesPerToken">,
  type: string,
  bytes: number,
): number {
  const isStream = STREAM.test(type);
  const perToken = isStream ? streamBytesPerToken : DOCUMENT_BYTES_PER_TOKEN;
  return Math.ceil(bytes / perToken);
}

function mediaType({ headers }: Pick<Reply, "headers">): string {
  return headers.get("content-type") ?? "";
}

/** A tap for the usage that `reply` reports. */
export function usageTapOf(
  format: ProviderFormat,
  reply: Pick<Reply, "headers">,
): UsageTap {
  return format.usageTap(mediaType(reply));
}
