/** Sends a body until the provider takes it, or there is nothing left to try. @module */
import { areMany, turnIfMany } from "../core/next_turn.ts";
import type { BodyCount } from "../core/tokens.ts";
import type { Reply } from "../core/upstream.ts";
import {
  type CompressedBody,
  unrouted,
  withoutBreakpoints,
  withoutUsageRequest,
} from "../pipeline/compressed_body.ts";
import { NO_TOOL_EDITS } from "../pipeline/added_tools.ts";
import type { Declaration } from "../pipeline/declaration.ts";
import { readAhead } from "../pipeline/sent_prompt.ts";
import { dropBody } from "../upstream/chunk_reader.ts";
import type { Exchange, ExchangeParts } from "./exchange_parts.ts";
import { readWhole } from "./response_chunks.ts";
import { countSent, isOk, sendRound } from "./rounds.ts";

/** A try that was answered. */
export interface Tried {
  /** What was sent. */
  readonly exchange: Exchange;
  /** The answer. */
  readonly reply: Reply;
  /** Tokens of what was sent. */
  readonly count: BodyCount;
  /** Whether the answer says that the body is too long. */
  readonly isTooLong: boolean;
  /** The refusal's text; empty where there is none. */
  readonly text: string;
}

/** Sends what is to be sent first, and what else may be taken where that is refused. */
export async function sendUntilAccepted(
  parts: ExchangeParts,
  first: Exchange,
): Promise<Tried> {
  const { call, isPreview } = first;
  if (areMany(call.uncounted.length) && !isPreview) await readAhead(call);
  call.sent();
  first.meter.sent();
  let last = await answered(parts, first);
  for (const again of FURTHER) last = await again(parts, last);
  return last;
}

/** One try: its prompt is proved and counted while the provider works. */
async function answered(
  parts: ExchangeParts,
  exchange: Exchange,
): Promise<Tried> {
  const pending = sendRound(parts, exchange, exchange.call);
  // It is waited for below: what fails before that is no failure that nobody hears of.
  pending.catch(() => {});
  // In the turn in which it is sent: requests of one conversation are compared in the order in which they leave.
  const prove = remembered(parts, exchange);
  await turnIfMany(exchange.call.uncounted.length);
  prove();
  const count = countSent(parts, exchange);
  const reply = await pending;
  return { exchange, reply, count, isTooLong: false, text: "" };
}

/** What only asks about a conversation is in no cache of the provider's. */
function remembered(
  { proofs }: ExchangeParts,
  { call, meter, isPreview }: Exchange,
): () => void {
  if (isPreview) return () => {};
  const proof = proofs.remember(call);
  return () => meter.proved(proof());
}

/** Errors that may say that a body is too long are no longer than this. */
const ERROR_BYTES = 64 * 1024;

/** A body that was refused as too long is sent once more, with what is older compressed as well; one for its deferred definitions without them. */
async function compressedAgain(
  parts: ExchangeParts,
  tried: Tried,
): Promise<Tried> {
  const { reply, exchange: first } = tried;
  const { status, body } = reply;
  if (!MAY_SAY_WHY.has(status) || body === null) return tried;
  const whole = await readWhole(body, ERROR_BYTES, first.signal);
  const refused = { ...reply, body: whole.rest ?? whole.bytes };
  const text = latin1.decode(whole.bytes);
  const isTooLong = first.format.isTooLong(status, text);
  const call = whole.rest ? undefined : await first.again({ status, text });
  if (call === undefined) {
    return { ...tried, reply: refused, isTooLong, text };
  }
  call.sent();
  first.meter.restarted();
  return await answered(parts, { ...first, call });
}

/** What a refusal names that means deferred definitions. */
export const NAMES_DEFERRAL = /defer_loading|tool_reference|tool_search/;

/**
 * Looks into the refusal of a further round: a host may take deferred definitions, and not what loads them. The client's
 * next try gets all of them.
 *
 * @returns The same reply.
 */
export async function notingDeferral(
  parts: Pick<ExchangeParts, "onHostRefused">,
  { call, upstream, signal }: Exchange,
  reply: Reply,
): Promise<Reply> {
  const { body } = reply;
  const isDeferring = call.tools.deferred.size > 0;
  if (!isRefusal(reply) || !isDeferring || body === null) return reply;
  const { bytes, rest } = await readWhole(body, ERROR_BYTES, signal);
  if (NAMES_DEFERRAL.test(latin1.decode(bytes))) {
    parts.onHostRefused(call, upstream, "deferral");
  }
  return { ...reply, body: rest ?? bytes };
}

/** Statuses of refusals whose text is read. */
const MAY_SAY_WHY = new Set([400, 413, 422]);
const latin1 = new TextDecoder("latin1");

/** A body that was refused with our request for usage is sent once more without it. */
async function withoutUsage(
  parts: ExchangeParts,
  tried: Tried,
): Promise<Tried> {
  const { reply, exchange, isTooLong, text } = tried;
  const { upstream } = exchange;
  const { usageRequest, scan } = exchange.call;
  const { host } = upstream.base;
  const model = scan?.model ?? "";
  const known = parts.refusals.usage(host, model);
  if (isOk(reply) && (usageRequest || known === "in_doubt")) {
    // Where it is in doubt it was not asked for; what was refused before may have been wrong itself.
    parts.refusals.noteUsage(host, model, usageRequest && "taken");
  }
  if (!isRefusal(reply) || isTooLong || !usageRequest) return tried;
  if (known === "taken" && !NAMES_USAGE.test(text)) return tried;
  const call = withoutUsageRequest(exchange.call);
  const again = await sentInstead(parts, tried, call);
  if (isOk(again.reply)) parts.onHostRefused(call, upstream, "usage");
  else if (again.reply.status === reply.status && known === undefined) {
    parts.refusals.noteUsage(host, model, "in_doubt");
  }
  return again;
}

/** Sends `call`, whose prompt is the same, instead of what was refused. */
async function sentInstead(
  parts: ExchangeParts,
  tried: Tried,
  call: CompressedBody,
): Promise<Tried> {
  await dropBody(tried.reply);
  const exchange = { ...tried.exchange, call };
  const reply = await sendRound(parts, exchange, call);
  // What goes on from the prompt refers to these bytes.
  if (!exchange.isPreview) parts.proofs.prove(call);
  return { ...tried, reply, exchange };
}

/** What a refusal names that means our request for usage. */
const NAMES_USAGE = /stream_options|include_usage/;

/** Breakpoints that the client did not set are left out where the upstream names them in its refusal. */
async function withoutOwnBreakpoints(
  parts: ExchangeParts,
  tried: Tried,
): Promise<Tried> {
  const { exchange, reply, text } = tried;
  const isNamed = isRefusal(reply) && text.includes("cache_control");
  if (exchange.call.breakpoints.length === 0 || !isNamed) return tried;
  const call = withoutBreakpoints(exchange.call);
  const again = await sentInstead(parts, tried, call);
  if (isOk(again.reply)) {
    parts.onHostRefused(call, exchange.upstream, "breakpoints");
  }
  return again;
}

/** What a model refuses that the client did not ask for is sent once more to the client's. */
async function withoutRoute(
  parts: ExchangeParts,
  tried: Tried,
): Promise<Tried> {
  const { exchange, reply } = tried;
  const { routing } = exchange.call;
  if (routing === undefined || !MAY_MEAN_MODEL.has(reply.status)) return tried;
  const call = unrouted(exchange.call, routing);
  const again = await sentInstead(parts, tried, call);
  // A model that is not there is not what the other one is refused for.
  const isMissing = reply.status === 404 && again.reply.status !== 404;
  if (isOk(again.reply) || isMissing) {
    parts.onHostRefused(exchange.call, exchange.upstream, "route");
  }
  return again;
}

/** Statuses of refusals that may be the model's. */
const MAY_MEAN_MODEL = new Set([400, 403, 404, 422]);

/** Beta features that this request did not ask for itself are left out where the upstream refuses it: one of them may be why. */
async function withoutBetas(
  parts: ExchangeParts,
  tried: Tried,
): Promise<Tried> {
  const { exchange, reply } = tried;
  const { betas, call } = exchange;
  if (reply.status !== 400 || betas === undefined) return tried;
  if (betas.value === undefined) {
    // One of its own may be why: it must not come back with later requests.
    betas.forget();
    return tried;
  }
  await dropBody(reply);
  const own = { ...exchange, betas: undefined };
  const again = await sendRound(parts, own, call);
  if (isOk(again)) betas.forget();
  return { ...tried, reply: again, exchange: own };
}

/** A first request that failed with our edits is tried as the client sent it. */
async function withoutTool(
  parts: ExchangeParts,
  tried: Tried,
): Promise<Tried> {
  const { exchange, reply } = tried;
  const { call, meter, upstream } = exchange;
  const { declaration, scan } = call;
  const begins = declaration.by === "proxy"
    ? declaration.begins
    : declaration.pinned !== undefined && scan?.begun === false;
  if (!isRefusal(reply) || !begins) return tried;
  await dropBody(reply);
  const own = {
    ...exchange,
    betas: undefined,
    call: {
      ...call,
      declaration: NOT_DECLARED,
      tools: NO_TOOL_EDITS,
      unloaded: [],
      routing: undefined,
      usageRequest: undefined,
      breakpoints: [],
    },
  };
  const again = await sendRound(parts, own, { bytes: call.body });
  parts.proofs.sentAsItCame(call);
  if (isOk(again)) {
    await call.retract();
    parts.onHostRefused(call, upstream, "tool");
  }
  meter.resent();
  return { ...tried, reply: again, exchange: own };
}
const NOT_DECLARED: Declaration = { by: "nobody", reason: "tool_refused" };

/** Whether something in the body may be why. */
function isRefusal({ status }: Reply): boolean {
  return status === 400 || status === 422;
}

/** What else is tried where the upstream refuses a body, in this order; each gives back what it was given where it has nothing to try. */
const FURTHER = [
  compressedAgain,
  withoutUsage,
  withoutOwnBreakpoints,
  withoutRoute,
  withoutBetas,
  withoutTool,
];
