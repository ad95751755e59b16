import assert from "node:assert/strict";
import { CallsInFlight } from "../../src/proxy/calls_in_flight.ts";
import { splice } from "../../src/bytes/splice.ts";
import type { RequestRecord } from "../../src/core/ledger.ts";
import type { Upstream } from "../../src/core/upstream.ts";
import { makeAttempt } from "../../src/pipeline/attempt.ts";
import {
  type CompressedBody,
  untouched,
} from "../../src/pipeline/compressed_body.ts";
import { chatCompletionsFormat } from "../../src/providers/chat_completions/format.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import type { Exchange } from "../../src/proxy/exchange_parts.ts";
import { exchange } from "../../src/proxy/exchange.ts";
import { HostRefusals } from "../../src/proxy/host_refusals.ts";
import { Meter } from "../../src/proxy/meter.ts";
import type { RetrievalParts } from "../../src/proxy/retrieval_session.ts";
import { makePrefixProofs } from "../../src/pipeline/prefix_proof.ts";
import { harness } from "../pipeline/harness.ts";
import { sendingTo, textOf } from "../upstream/replies.ts";
import { NO_PRICES, recordWith, upstreamAt } from "./call_parts.ts";

export const clock = { now: () => 0, monotonic: () => 0 };
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
export const PLAIN = bytesOf("plain");

/** A body that is sent as `text`. */
export function callOf(text: string, facts: Partial<CompressedBody> = {}) {
  const call = untouched(PLAIN, undefined, "test");
  return { ...call, bytes: text === "plain" ? PLAIN : bytesOf(text), ...facts };
}

/** A call that begins a conversation with our tool. */
export const TOOL = {
  by: "proxy",
  pinned: "{}",
  begins: true,
  mayElide: true,
} as const;

/** Betas of a conversation, and whether they were forgotten. */
export function betas(value: string | undefined) {
  const state = { value, isForgotten: false };
  return Object.assign(state, {
    forget: () => void (state.isForgotten = true),
  });
}

/** An upstream's answer to one request, by what it says. */
export type Answers = (
  sent: { text: string; betas: string | null },
) => Response;

/** Exchanges one call with an upstream that answers so. */
export async function exchanged(
  answers: Answers,
  facts: Partial<Exchange> = {},
  retrieve: RetrievalParts["retrieve"] = () =>
    assert.fail("nothing is asked for"),
) {
  const sent: string[] = [];
  const encodings: (string | null)[] = [];
  const refused: Upstream[] = [];
  const unasked: Upstream[] = [];
  const records: RequestRecord[] = [];
  const request = new Request("http://proxy/v1/messages", {
    method: "POST",
    headers: { "content-encoding": "gzip", "x-svc-stack": "s" },
  });
  const meter = new Meter(
    {
      newId: () => "id",
      pricing: NO_PRICES,
      clock,
      record: (entry) => void records.push(entry),
      calls: new CallsInFlight(),
    },
    recordWith({ id: "id" }),
  );
  const count = { tokens: 7, extraTokens: 0 };
  const answer = await exchange({
    stripInternal: true,
    token: undefined,
    count: () => ({
      estimate: () => count,
      isExact: () => true,
      done: Promise.resolve(count),
    }),
    send: sendingTo(async (request) => {
      assert.equal(request.headers.get("x-svc-stack"), null);
      encodings.push(request.headers.get("content-encoding"));
      const text = await request.text();
      const betas = request.headers.get("anthropic-beta");
      sent.push(betas === null ? text : `${text} ${betas}`);
      return answers({ text, betas });
    }),
    retrievals: {
      store: harness().store,
      conversations: undefined as never,
      retrieve,
      responseIds: undefined as never,
      itemsIn: () => undefined,
      clock,
      attempt: makeAttempt(() => {}),
      everyTenSeconds: () => () => {},
      pause: () => Promise.resolve(),
    },
    onFailure: () => assert.fail("nothing breaks"),
    onResponseId: () => {},
    proofs: makePrefixProofs(),
    onHostRefused: (_, upstream, addition) => {
      if (addition === "tool") refused.push(upstream);
      if (addition === "usage") unasked.push(upstream);
    },
    refusals: new HostRefusals(),
  }, {
    request,
    signal: request.signal,
    read: { wire: PLAIN, decoded: undefined, encoding: undefined },
    upstream: upstreamAt("http://up.test"),
    format: messagesFormat,
    path: undefined,
    isPreview: false,
    betas: undefined,
    call: callOf("edited"),
    again: () => Promise.resolve(undefined),
    meter,
    ...facts,
  });
  const { status } = answer.reply;
  const text = await textOf(answer.reply);
  return { answer, status, text, sent, encodings, refused, unasked };
}

export function ok(): Response {
  return new Response("fine");
}

export function chatCall(facts: Partial<CompressedBody> = {}) {
  const body = bytesOf('{"stream":true,"messages":[]}');
  const scan = chatCompletionsFormat.scan(body);
  const usageRequest = scan.usageRequest!;
  return {
    format: chatCompletionsFormat,
    read: { wire: body, decoded: body, encoding: undefined },
    call: {
      ...untouched(body, scan, "test"),
      bytes: splice(body, [usageRequest]),
      edits: [usageRequest],
      usageRequest,
      ...facts,
    },
  };
}

export const BARE = '{"stream":true,"messages":[]}';
export const ASKED = `${
  BARE.slice(0, -1)
},"stream_options":{"include_usage":true}}`;
/** Takes no body that asks for usage. */
export function refusesUsage(status: number): Answers {
  return ({ text }) =>
    text.includes("include_usage") ? new Response("bad", { status }) : ok();
}
