/** The answer on its way to the client, and what is read of it meanwhile: usage, ids, errors, copies. @module */
import type { RefusedCall } from "../core/refused_call.ts";
import { concat } from "../bytes/concat.ts";
import { type ContextBudget, contextBudget } from "../core/context_budget.ts";
import type { Pricing } from "../core/cost.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import { factsOf, tokenHeaders } from "./call_facts.ts";
import { errorTypeTap } from "./errors.ts";
import type { Answer } from "./exchange.ts";
import type { Exchange, ExchangeParts } from "./exchange_parts.ts";
import { contextWishes, overrideHeader } from "./request_headers.ts";
import type { ResponseCache } from "./response_cache.ts";
import { idTap, NO_USAGE, relay, withTaps } from "./response_tap.ts";
import { noteUsage, usageTapOf } from "./rounds.ts";

/** Who sees the answer go by. */
export interface RelayParts
  extends Pick<ExchangeParts, "onFailure" | "onResponseId"> {
  /** Answers repeated requests; `undefined` when switched off. */
  readonly cache: ResponseCache | undefined;
  /** What a request may cost, and a prompt may have. */
  readonly pricing: Pricing;
  /** Takes copies of texts that the user wants kept. */
  readonly keepers: BodyCapture;
}

/** The request that is answered. */
export interface AnsweredCall
  extends
    Pick<Exchange, "format" | "meter" | "request" | "signal" | "upstream"> {
  /** Settles when the response was sent; absent without a server. */
  readonly completed: Promise<void> | undefined;
}

/** The answer, and what else came of the request. */
export interface RelayedAnswer extends Answer {
  /** Under which the response may be kept; `undefined` when it may not. */
  readonly key: string | undefined;
  /** What would have been done; `undefined` unless the client asked. */
  readonly simulated: CompressedBody | undefined;
}

/** Relays an answer: whatever is to be known of it is read as it goes by. */
export function relayAnswer(
  parts: RelayParts,
  answered: AnsweredCall,
  { reply, call, count, isTapped, key, simulated }: RelayedAnswer,
): Response {
  const { request, completed, signal, format, upstream, meter } = answered;
  const { status } = reply;
  const usage = isTapped ? NO_USAGE : usageTapOf(format, reply);
  // The functions below live as long as the response; the body does not have to.
  const context = contextOf(parts, request.headers, call);
  const facts = { ...factsOf(call), context };
  const ids = call.scan?.keepsState
    ? idTap(format, (id) => parts.onResponseId(id, facts))
    : undefined;
  const keeper = key === undefined
    ? undefined
    : parts.cache?.keeper(key, reply);
  const errorTap = errorTypeTap(reply);
  const { id } = meter;
  const { host } = upstream.base;
  const texts = keeperTap(parts.keepers, { id, request, host, call, status });
  return relay(reply, {
    signal,
    completed,
    headers: {
      ...meter.headers(facts, count),
      ...simulated && simulationHeaders(simulated),
      ...overrideHeader(upstream),
    },
    tap: withTaps(meter, usage, ids, keeper, texts, errorTap),
    onEnd: (outcome) => {
      const { aborted, error } = outcome;
      if (!isTapped) noteUsage(answered, reply, outcome);
      if (error !== undefined) parts.onFailure(error, upstream);
      keeper?.end(!aborted && error === undefined);
      texts?.end();
      if (errorTap) meter.errorIs(errorTap.type());
      facts.answered?.();
      const ended = error === undefined ? status : 502;
      meter.finish(facts, count, aborted ? 499 : ended);
    },
  });
}

/** What the prompt may have: without a word of the client's, its answer may be as long as the body says. */
function contextOf(
  { pricing }: RelayParts,
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

/** Takes what is kept. Nothing here throws. */
export interface BodyCapture {
  /** Takes bodies by the id of their request; absent unless messages are logged. */
  readonly messages?: {
    /** Takes what came, and what was sent for it. */
    note(
      id: string,
      bodies: { readonly received: Uint8Array; readonly sent: Uint8Array },
    ): void;
    /** Takes the response, as far as it is kept. */
    noteResponse(id: string, response: Uint8Array): void;
  };
  /** Takes a request that was answered with 400; absent unless such requests are dumped. */
  readonly refused?: (call: RefusedCall) => void;
}

/** One call whose response is about to pass. */
export interface KeptCall {
  /** Of the request, in its record. */
  readonly id: string;
  /** The client's request. */
  readonly request: Request;
  /** Host of the upstream. */
  readonly host: string;
  /** What was sent. */
  readonly call: CompressedBody;
  /** Status of the response. */
  readonly status: number;
}

/** Sees the chunks of one response. */
export interface KeeperTap {
  /** Takes the next chunk. */
  push(chunk: Uint8Array): void;
  /** To be called after the last one, before the request is recorded. */
  end(): void;
}

/** Bytes of a response that are kept. */
const MAX_RESPONSE = 1024 * 1024;

/** The tap for those who keep something of this call; `undefined` when nobody does. */
export function keeperTap(
  { messages, refused }: BodyCapture,
  { id, request, host, call, status }: KeptCall,
): KeeperTap | undefined {
  const dumps = status === 400 ? refused : undefined;
  if (messages === undefined && dumps === undefined) return undefined;
  messages?.note(id, { received: call.body, sent: call.bytes });
  const { method, url, headers } = request;
  const dump = dumps && ((error: Uint8Array) =>
    dumps({
      ...{ id, method, path: url, status, host, headers },
      body: call.bytes,
      error,
    }));
  const chunks: Uint8Array[] = [];
  let length = 0;
  return {
    push(chunk) {
      if (length >= MAX_RESPONSE) return;
      const part = chunk.slice(0, MAX_RESPONSE - length);
      length += part.length;
      chunks.push(part);
    },
    end() {
      const response = concat(chunks);
      messages?.noteResponse(id, response);
      dump?.(response);
    },
  };
}
