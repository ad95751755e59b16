/** What passes between the proxy and a provider for one call: the first try, the second, and further rounds. @module */
import { splice } from "../bytes/splice.ts";
import type { Edit } from "../core/block.ts";
import type { BodyScan, ProviderFormat } from "../core/format.ts";
import type { BodyCount, CountInput } from "../core/tokens.ts";
import type { Send, Upstream } from "../core/upstream.ts";
import type { Usage, UsageTap } from "../core/usage.ts";
import { noting } from "../pipeline/attempt.ts";
import {
  type CompressedBody,
  withoutUsageRequest,
} from "../pipeline/compressed_body.ts";
import type { PrefixProofs } from "../pipeline/prefix_proof.ts";
import { toUpstream } from "../upstream/forward.ts";
import { requestHeaders } from "../upstream/header_policy.ts";
import { answerRetrievals } from "./answer_retrievals.ts";
import type { StickyBetas } from "./beta_tracker.ts";
import { decodedResponse } from "./decoded_response.ts";
import type { UsageFact } from "./host_refusals.ts";
import { editedStream, isEditable } from "./edited_stream.ts";
import type { Meter } from "./meter.ts";
import type { RequestBody } from "./request_body.ts";
import { readWhole } from "./response_chunks.ts";
import { relay, type RelayOutcome } from "./response_tap.ts";
import { type RetrievalParts, retrievalSession } from "./retrieval_session.ts";

/** Parts that outlive the call. */
export interface ExchangeParts {
  /** Whether `x-svc-*` fields stop here. */
  readonly stripInternal: boolean;
  /** What callers from other machines send; never forwarded. */
  readonly token: string | undefined;
  /** Counts a body beside the request. */
  readonly count: (input: CountInput) => BodyCount;
  /** Sends upstream. */
  readonly send: Send;
  /** What answering retrievals needs. */
  readonly retrievals: RetrievalParts;
  /** Told of what broke a response, or kept it from coming. */
  readonly onFailure: (error: unknown, upstream: Upstream | undefined) => void;
  /** Told of the id of a response that a later request may continue. Never throws. */
  readonly onResponseId: (
    id: string,
    call: Pick<CompressedBody, "conversation">,
  ) => void;
  /** Compares what is sent with the request before. */
  readonly proofs: PrefixProofs;
  /** Told that the upstream takes the body only without our tool. */
  readonly onToolRefused: (call: CompressedBody, upstream: Upstream) => void;
  /** Told that the upstream takes the body only if it does not ask for usage. */
  readonly onUsageRefused: (upstream: Upstream) => void;
  /** What is known of requests for usage, by upstream and model. */
  readonly usage: UsageFacts;
}

/** Keeps what is known of requests for usage. */
export interface UsageFacts {
  /** What is known. */
  of(call: CompressedBody, upstream: Upstream): UsageFact | undefined;
  /** Notes it; `undefined` for nothing. */
  note(
    call: CompressedBody,
    upstream: Upstream,
    fact: UsageFact | undefined,
  ): void;
}

/** One call. */
export interface Exchange {
  /** The client's request. */
  readonly request: Request;
  /** Aborted when the client leaves, or the proxy stops. */
  readonly signal: AbortSignal;
  /** Its body. */
  readonly read: RequestBody;
  /** Where it goes. */
  readonly upstream: Upstream;
  /** Its wire format. */
  readonly format: ProviderFormat;
  /** Path and query to send; the client's own when `undefined`. */
  readonly path: string | undefined;
  /** Whether the model is asked about the conversation, and not to go on with it. */
  readonly isPreview: boolean;
  /** Beta features of the conversation; `undefined` where the client's field is left alone. */
  readonly betas: StickyBetas | undefined;
  /** What is sent. */
  readonly call: CompressedBody;
  /** What is sent after an error whose body is `text`; `undefined` when there is no second try. */
  readonly again: (
    refusal: { readonly status: number; readonly text: string },
  ) => Promise<CompressedBody | undefined>;
  /** Follows the call. */
  readonly meter: Meter;
}

/** What the client is to get. */
export interface Answer {
  /** The last response. */
  readonly response: Response;
  /** What was sent for it. */
  readonly call: CompressedBody;
  /** Its tokens. */
  readonly count: BodyCount;
  /** Whether the usage of every round is observed already. */
  readonly isTapped: boolean;
}

/** Sends one call, answers what its model asks for, and returns the response that is the client's. */
export async function exchange(
  parts: ExchangeParts,
  first: Exchange,
): Promise<Answer> {
  first.call.sent();
  first.meter.sent();
  const pending = sendRound(parts, first, first.call.bytes);
  prove(parts, first);
  const counted = counts(parts, first);
  const { response, exchange, count } = await withoutUsage(
    parts,
    await secondTry(parts, first, await pending, counted),
  );
  const { call, meter, format, signal } = exchange;
  const taken = await withoutBetas(parts, exchange, response);
  // What follows goes out with the fields that were tried last.
  const going = taken === response
    ? exchange
    : { ...exchange, betas: undefined };
  if (refusesOurTool(taken, call)) {
    return {
      response: await withoutTool(parts, going, taken),
      call,
      count,
      isTapped: false,
    };
  }
  if (call.declaration.by !== "proxy" || call.scan === undefined) {
    return { ...hidden(exchange, taken), call, count };
  }
  const answered = await answerRetrievals(
    tapped(exchange, taken),
    retrievalSession({
      ...parts.retrievals,
      attempt: noting(parts.retrievals.attempt, call.failures),
    }, {
      format,
      call,
      scan: call.scan,
      signal,
      onAnswer: (content, event) => {
        if (event) meter.retrieved(event);
        meter.answered(countWhole(parts, call, utf8.encode(content)));
      },
      send: async (elements, forbidTools, signal) => {
        const body = continued(format, call, elements, forbidTools);
        const pending = sendRound(parts, going, body, signal);
        parts.proofs.wentOn(call, elements);
        const round = await pending;
        return tapped(exchange, round);
      },
    }),
  );
  return { response: answered, call, count, isTapped: true };
}

const utf8 = new TextEncoder();

/** Errors that may say that a body is too long are no longer than this. */
const ERROR_BYTES = 64 * 1024;

/** A try that was answered. */
interface Tried extends Pick<Answer, "response" | "count"> {
  readonly exchange: Exchange;
  /** Whether the answer says that the body is too long. */
  readonly isTooLong: boolean;
  /** The refusal's text; empty where there is none. */
  readonly text: string;
}

/** A body that was refused as too long is sent once more, with what is older compressed as well. */
async function secondTry(
  parts: ExchangeParts,
  first: Exchange,
  response: Response,
  count: BodyCount,
): Promise<Tried> {
  const asItIs = {
    response,
    exchange: first,
    count,
    isTooLong: false,
    text: "",
  };
  const { status, body } = response;
  if (!MAY_SAY_WHY.has(status) || body === null) return asItIs;
  const whole = await readWhole(body, ERROR_BYTES, first.signal);
  const refused = new Response(
    whole.rest ?? whole.bytes as BodyInit,
    { status, statusText: response.statusText, headers: response.headers },
  );
  const text = latin1.decode(whole.bytes);
  const isTooLong = first.format.isTooLong(status, text);
  const call = whole.rest || status === 422
    ? undefined
    : await first.again({ status, text });
  if (call === undefined) {
    return { ...asItIs, response: refused, isTooLong, text };
  }
  const exchange = { ...first, call };
  call.sent();
  first.meter.restarted();
  const pending = sendRound(parts, exchange, call.bytes);
  prove(parts, exchange);
  const counted = counts(parts, exchange);
  return { ...asItIs, response: await pending, exchange, count: counted };
}
/** Statuses of refusals whose text is read. */
const MAY_SAY_WHY = new Set([400, 413, 422]);
const latin1 = new TextDecoder("latin1");

/** A body that was refused with our request for usage is sent once more without it. */
async function withoutUsage(
  parts: ExchangeParts,
  tried: Tried,
): Promise<Tried> {
  const { response, exchange, isTooLong, text } = tried;
  const { upstream, isPreview } = exchange;
  const { usageRequest } = exchange.call;
  const known = parts.usage.of(exchange.call, upstream);
  if (response.ok && (usageRequest || known === "in_doubt")) {
    // Where it is in doubt it was not asked for; what was refused before may have been wrong itself.
    const fact = usageRequest && "taken";
    parts.usage.note(exchange.call, upstream, fact);
  }
  if (!isRefusal(response) || isTooLong || !usageRequest) return tried;
  if (known === "taken" && !NAMES_USAGE.test(text)) return tried;
  await response.body?.cancel();
  const call = withoutUsageRequest(exchange.call);
  const own = { ...exchange, call };
  const again = await sendRound(parts, own, call.bytes);
  // The prompt is the same; what goes on from it refers to these bytes.
  if (!isPreview) parts.proofs.prove(call);
  if (again.ok) parts.onUsageRefused(upstream);
  else if (again.status === response.status && known === undefined) {
    parts.usage.note(call, upstream, "in_doubt");
  }
  return { ...tried, response: again, exchange: own };
}

/** What a refusal names that means our request for usage. */
const NAMES_USAGE = /stream_options|include_usage/;

/** The response without the usage that only we asked for. */
function hidden(
  exchange: Exchange,
  response: Response,
): Pick<Answer, "response" | "isTapped"> {
  const { call, format } = exchange;
  const edit = call.usageRequest && isEditable(response)
    ? format.withoutUsage?.()
    : undefined;
  if (edit === undefined) return { response, isTapped: false };
  return {
    response: editedStream(tapped(exchange, response), edit),
    isTapped: true,
  };
}

/** What only asks about a conversation is in no cache of the provider's. */
function prove(
  { proofs }: ExchangeParts,
  { call, meter, isPreview }: Exchange,
): void {
  if (!isPreview) meter.proved(proofs.prove(call));
}

/** Starts to count what is sent. */
function counts(parts: ExchangeParts, { call, meter }: Exchange): BodyCount {
  const count = parts.count(toCount(call));
  // What answered retrievals of earlier requests put into this one, and what they stand in place of.
  for (const { span, replacement } of call.turns) {
    meter.added(countWhole(parts, call, replacement));
    const replaced = call.body.subarray(span.start, span.end);
    if (replaced.length > 0) meter.removed(countWhole(parts, call, replaced));
  }
  return count;
}

/** Tokens of bytes that are no value of the body. */
function countWhole(
  { count }: ExchangeParts,
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
    extra: declaration.by === "proxy" ? declaration.definition : "",
  };
}

/** One round's response, whose usage the meter sees. */
function tapped(
  { format, signal, meter }: Exchange,
  response: Response,
): Response {
  // Decoded first: the tap reads the bytes as text, and so does who looks for our calls.
  return relay(decodedResponse(response), {
    signal,
    tap: usageTapOf(format, response),
    onEnd: (outcome) =>
      meter.used(
        roundUsage(format, response, outcome),
        receivedTokens(format, response, outcome.bytes),
      ),
  });
}

/** Bytes of a document per generated token, roughly. */
const DOCUMENT_BYTES_PER_TOKEN = 4;

/** What one round used; where the provider did not say it to the end, the output is estimated by its size. */
export function roundUsage(
  format: Pick<ProviderFormat, "streamBytesPerToken">,
  response: Pick<Response, "ok" | "headers">,
  { usage, bytes, aborted, error }: RelayOutcome,
): Usage {
  const isWhole = !aborted && error === undefined;
  const isReported = isWhole && usage.output !== undefined;
  if (!response.ok || isReported || bytes === 0) return usage;
  const outputEstimate = tokensBySize(format, mediaType(response), bytes);
  return { ...usage, outputEstimate };
}

/** Media types of a model's answer: a document, or an event stream. */
const DOCUMENT = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const STREAM = /^\s*text\/event-stream\b/i;

/** Tokens that an answer of `bytes` bytes can have, by its size: none for an error, or for what no model writes. */
export function receivedTokens(
  format: Pick<ProviderFormat, "streamBytesPerToken">,
  response: Pick<Response, "ok" | "headers">,
  bytes: number,
): number {
  const type = mediaType(response);
  const isAnswer = response.ok && (DOCUMENT.test(type) || STREAM.test(type));
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

function mediaType({ headers }: Pick<Response, "headers">): string {
  return headers.get("content-type") ?? "";
}

/** A tap for the usage that `response` reports. */
export function usageTapOf(
  format: ProviderFormat,
  { headers }: Response,
): UsageTap {
  return format.usageTap(headers.get("content-type") ?? "");
}

/** Sends bytes to the upstream. `further` ends a round after the first one: its client cannot ask again itself. */
function sendRound(
  parts: ExchangeParts,
  { request, signal, read, call, upstream, format, path, betas }: Exchange,
  bytes: Uint8Array,
  further?: AbortSignal,
): Promise<Response> {
  const asItCame = bytes === call.body;
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

/** A first request that failed with our edits is tried as the client sent it. */
function refusesOurTool(response: Response, call: CompressedBody): boolean {
  const { declaration } = call;
  return isRefusal(response) && declaration.by === "proxy" &&
    declaration.begins;
}

/** Whether something in the body may be why. */
function isRefusal({ status }: Response): boolean {
  return status === 400 || status === 422;
}

/** Beta features that this request did not ask for itself are left out where the upstream refuses it: one of them may be why. */
async function withoutBetas(
  parts: ExchangeParts,
  exchange: Exchange,
  response: Response,
): Promise<Response> {
  const { betas, call } = exchange;
  if (response.status !== 400 || betas === undefined) return response;
  if (betas.value === undefined) {
    // One of its own may be why: it must not come back with later requests.
    betas.forget();
    return response;
  }
  await response.body?.cancel();
  const own = { ...exchange, betas: undefined };
  const again = await sendRound(parts, own, call.bytes);
  if (again.ok) betas.forget();
  return again;
}

async function withoutTool(
  parts: ExchangeParts,
  exchange: Exchange,
  refused: Response,
): Promise<Response> {
  const { call, meter, upstream } = exchange;
  await refused.body?.cancel();
  const own = { ...exchange, betas: undefined };
  const response = await sendRound(parts, own, call.body);
  parts.proofs.sentAsItCame(call);
  if (response.ok) {
    await call.retract();
    parts.onToolRefused(call, upstream);
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
  if (toolChoice !== undefined) {
    return { span: toolChoice, replacement: utf8.encode(format.noToolChoice) };
  }
  const at = body.indexOf(0x7b) + 1;
  const replacement = utf8.encode(`"tool_choice":${format.noToolChoice},`);
  return { span: { start: at, end: at }, replacement };
}
