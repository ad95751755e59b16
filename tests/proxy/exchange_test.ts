import assert from "node:assert/strict";
import { CallsUnderWay } from "../../src/proxy/calls_under_way.ts";
import { splice } from "../../src/bytes/splice.ts";
import type { RequestRecord } from "../../src/core/ledger.ts";
import type { RetrievedMiss } from "../../src/core/retrieved.ts";
import type { Upstream } from "../../src/core/upstream.ts";
import { makeAttempt } from "../../src/pipeline/attempt.ts";
import {
  type CompressedBody,
  untouched,
} from "../../src/pipeline/compressed_body.ts";
import { chatCompletionsFormat } from "../../src/providers/chat_completions/format.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import {
  type Exchange,
  exchange,
  receivedTokens,
  roundUsage,
  usageTapOf,
} from "../../src/proxy/exchange.ts";
import type { RelayOutcome } from "../../src/proxy/response_tap.ts";
import { makeMeter } from "../../src/proxy/meter.ts";
import type { RetrievalParts } from "../../src/proxy/retrieval_session.ts";
import { messagesDialect } from "../conformance/retrieval_dialects.ts";
import { ask, Lab, turns } from "../conformance/retrieval_lab.ts";
import { makePrefixProofs } from "../../src/pipeline/prefix_proof.ts";
import { harness } from "../pipeline/harness.ts";
import { NO_NAMES, NO_PRICES, upstreamAt } from "./call_parts.ts";

const clock = { now: () => 0, monotonic: () => 0 };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const PLAIN = bytesOf("plain");

/** A body that is sent as `text`. */
function callOf(text: string, facts: Partial<CompressedBody> = {}) {
  const call = untouched(PLAIN, undefined, "test");
  return { ...call, bytes: text === "plain" ? PLAIN : bytesOf(text), ...facts };
}

/** A call that begins a conversation with our tool. */
const TOOL = { by: "proxy", definition: "{}", begins: true } as const;

/** Betas of a conversation, and whether they were forgotten. */
function betas(value: string | undefined) {
  const state = { value, isForgotten: false };
  return Object.assign(state, {
    forget: () => void (state.isForgotten = true),
  });
}

/** An upstream's answer to one request, by what it says. */
type Answers = (sent: { text: string; betas: string | null }) => Response;

/** Exchanges one call with an upstream that answers so. */
async function exchanged(
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
  const meter = makeMeter(
    {
      newId: () => "id",
      pricing: NO_PRICES,
      clock,
      record: (entry) => void records.push(entry),
      calls: new CallsUnderWay(),
    },
    "messages",
    NO_NAMES,
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
    async send(request) {
      assert.equal(request.headers.get("x-svc-stack"), null);
      encodings.push(request.headers.get("content-encoding"));
      const text = await request.text();
      const betas = request.headers.get("anthropic-beta");
      sent.push(betas === null ? text : `${text} ${betas}`);
      return answers({ text, betas });
    },
    retrievals: {
      store: harness().store,
      conversations: undefined as never,
      retrieve,
      responseIds: undefined as never,
      itemsIn: () => undefined,
      clock,
      attempt: makeAttempt(() => {}),
      everyTenSeconds: () => () => {},
    },
    onFailure: () => assert.fail("nothing breaks"),
    onResponseId: () => {},
    proofs: makePrefixProofs(),
    onToolRefused: (_, upstream) => void refused.push(upstream),
    onUsageRefused: (upstream) => void unasked.push(upstream),
    usage: { of: () => undefined, note: () => {} },
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
  const { status } = answer.response;
  const text = await answer.response.text();
  return { answer, status, text, sent, encodings, refused, unasked };
}

const ok = () => new Response("fine");

Deno.test("exchange sends once, notes that first, and hands the answer on", async () => {
  const events: string[] = [];
  const call = callOf("edited", { sent: () => void events.push("noted") });
  const { answer, status, text, sent } = await exchanged(() => {
    events.push("sent");
    return new Response("no", { status: 404 });
  }, { call });
  assert.deepEqual([status, text, sent], [404, "no", ["edited"]]);
  assert.deepEqual(events, ["noted", "sent"]);
  assert.equal(answer.call, call);
  assert.equal(answer.isTapped, false);
});

Deno.test("exchange asks what to send after a 400 or 413, once, with the body of the refusal", async () => {
  for (const status of [400, 413]) {
    const asked: unknown[] = [];
    const again = callOf("shorter");
    const { answer, text, sent } = await exchanged(
      ({ text }) =>
        text === "shorter" ? ok() : new Response("too long", { status }),
      {
        again(refusal) {
          asked.push(refusal);
          return Promise.resolve(again);
        },
      },
    );
    assert.deepEqual(asked, [{ status, text: "too long" }]);
    assert.deepEqual([text, sent], ["fine", ["edited", "shorter"]]);
    assert.equal(answer.call, again);
  }
});

Deno.test("exchange gives the client the second refusal, and asks no third time", async () => {
  let asked = 0;
  const { status, text, sent } = await exchanged(
    ({ text }) => new Response(`no ${text}`, { status: 413 }),
    {
      again() {
        asked++;
        return Promise.resolve(callOf("shorter"));
      },
    },
  );
  assert.deepEqual([status, text, asked], [413, "no shorter", 1]);
  assert.deepEqual(sent, ["edited", "shorter"]);
});

Deno.test("exchange hands a refusal on whole where there is nothing else to send", async () => {
  const { answer, status, text } = await exchanged(() =>
    new Response("no", {
      status: 400,
      statusText: "Odd",
      headers: { "request-id": "r" },
    })
  );
  assert.deepEqual([status, text], [400, "no"]);
  assert.equal(answer.response.statusText, "Odd");
  assert.equal(answer.response.headers.get("request-id"), "r");
});

Deno.test("exchange does not read a long refusal, but hands all of it on", async () => {
  const part = "x".repeat(40 * 1024);
  const chunks = [bytesOf(part), bytesOf(part), bytesOf("end")];
  const long = `${part}${part}end`;
  const { text, sent } = await exchanged(
    () => new Response(ReadableStream.from(chunks), { status: 400 }),
    { again: () => assert.fail("not asked") },
  );
  assert.equal(text, long);
  assert.equal(sent.length, 1);
});

Deno.test("exchange asks nothing after any other status, nor where a refusal has no body", async () => {
  for (const status of [200, 401, 422, 429, 500, 529]) {
    const { sent } = await exchanged(
      () => new Response("too long", { status }),
      { again: () => assert.fail(`asked after ${status}`) },
    );
    assert.equal(sent.length, 1);
  }
  await exchanged(() => new Response(null, { status: 413 }), {
    again: () => assert.fail("asked"),
  });
});

Deno.test("exchange sends the betas of the conversation, and without them after a 400; what is taken then forgets them", async () => {
  const kept = betas("a,b");
  const taken = await exchanged(ok, { betas: kept });
  assert.deepEqual(taken.sent, ["edited a,b"]);
  assert.equal(kept.isForgotten, false);
  const bad = betas("a,b");
  const { text, sent } = await exchanged(
    ({ betas }) => betas === null ? ok() : new Response("bad", { status: 400 }),
    { betas: bad },
  );
  assert.deepEqual([text, sent], ["fine", ["edited a,b", "edited"]]);
  assert.equal(bad.isForgotten, true);
});

Deno.test("exchange keeps betas that were not to blame, and gives the answer to the request without them", async () => {
  const innocent = betas("a");
  const { status, text, sent } = await exchanged(
    ({ betas }) => new Response(`bad ${betas}`, { status: 400 }),
    { betas: innocent },
  );
  assert.deepEqual([status, text], [400, "bad null"]);
  assert.equal(sent.length, 2);
  assert.equal(innocent.isForgotten, false);
});

Deno.test("exchange forgets betas of the request itself that is refused with a 400, and sends it no second time", async () => {
  const own = betas(undefined);
  const refuse = () => new Response("bad", { status: 400 });
  const { text, sent } = await exchanged(refuse, { betas: own });
  assert.deepEqual([text, sent], ["bad", ["edited"]]);
  assert.equal(own.isForgotten, true);
});

Deno.test("exchange blames no betas for any other status", async () => {
  for (const value of [undefined, "a"]) {
    for (const status of [401, 422, 429, 500, 529]) {
      const own = betas(value);
      const { sent } = await exchanged(
        () => new Response("bad", { status }),
        { betas: own },
      );
      assert.equal(sent.length, 1, `${value} ${status}`);
      assert.equal(own.isForgotten, false);
    }
  }
});

/** A model that asks for an original, and then answers. */
const ASKING = turns("a", [ask("r1")], [{ text: "Two." }]);

Deno.test("exchange sends further rounds with what was sent before and the fields that were taken", async () => {
  const body = bytesOf(
    '{"messages":[{"role":"user","content":"q"}],"tools":[]}',
  );
  const call: CompressedBody = {
    ...untouched(body, messagesFormat.scan(body), "test"),
    declaration: { ...TOOL, begins: false },
  };
  const lab = new Lab(messagesDialect, { streaming: false });
  const missing: RetrievedMiss = {
    success: false,
    data: { error: "e", hash: "h", status: "missing", ttl_seconds: 1 },
  };
  for (const isTaken of [true, false]) {
    const rounds = [...ASKING];
    const all: (string | null)[] = [];
    const { answer, text, sent } = await exchanged(({ betas }) => {
      all.push(betas);
      return betas === null || isTaken
        ? lab.answer(rounds.shift()!)
        : new Response("bad", { status: 400 });
    }, {
      call,
      betas: betas("a"),
      read: { wire: body, decoded: undefined, encoding: undefined },
    }, () => Promise.resolve({ retrieved: missing, event: undefined }));
    assert.equal(answer.isTapped, true);
    assert.match(text, /Two\./);
    assert.deepEqual(all, isTaken ? ["a", "a"] : ["a", null, null]);
    const further = sent.at(-1)!;
    assert.ok(
      further.startsWith('{"messages":[{"role":"user","content":"q"},'),
    );
    assert.match(further, /"tool_result"/);
  }
});

Deno.test("exchange sends a first request that is refused with our tool as it came, after a 400 without betas of others first, and blames the tool", async () => {
  for (const status of [400, 422]) {
    const events: string[] = [];
    const call = callOf("edited", {
      declaration: TOOL,
      retract: () => Promise.resolve(void events.push("retracted")),
    });
    const known = betas("a");
    const { text, sent, refused } = await exchanged(
      ({ text }) => text === "plain" ? ok() : new Response("", { status }),
      { call, betas: known },
    );
    const tried = status === 400
      ? ["edited a", "edited", "plain"]
      : ["edited a", "plain"];
    assert.deepEqual([text, sent], ["fine", tried]);
    assert.deepEqual(events, ["retracted"]);
    assert.deepEqual(refused.map(({ base }) => base.host), ["up.test"]);
    assert.equal(known.isForgotten, false);
  }
});

Deno.test("exchange blames neither tool nor betas for a body that is refused without them as well", async () => {
  const call = callOf("edited", {
    declaration: TOOL,
    retract: () => assert.fail("nothing is taken back"),
  });
  const known = betas("a");
  const { status, sent, refused } = await exchanged(
    () => new Response("bad", { status: 400 }),
    { call, betas: known },
  );
  assert.deepEqual([status, sent], [400, ["edited a", "edited", "plain"]]);
  assert.deepEqual(refused, []);
  assert.equal(known.isForgotten, false);
});

Deno.test("exchange keeps the tool of a conversation that goes on", async () => {
  const call = callOf("edited", { declaration: { ...TOOL, begins: false } });
  const { sent } = await exchanged(
    () => new Response("bad", { status: 422 }),
    { call },
  );
  assert.deepEqual(sent, ["edited"]);
});

/** A streamed chat request that is sent with a request for usage. */
function chatCall(facts: Partial<CompressedBody> = {}) {
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
const BARE = '{"stream":true,"messages":[]}';
const ASKED = `${BARE.slice(0, -1)},"stream_options":{"include_usage":true}}`;
/** Takes no body that asks for usage. */
const refusesUsage = (status: number): Answers => ({ text }) =>
  text.includes("include_usage") ? new Response("bad", { status }) : ok();

Deno.test("exchange sends a body that is refused with a request for usage once more without it, and blames that", async () => {
  for (const status of [400, 422]) {
    const facts = chatCall();
    const { answer, text, sent, unasked } = await exchanged(
      refusesUsage(status),
      facts,
    );
    assert.deepEqual([text, sent], ["fine", [ASKED, BARE]]);
    assert.deepEqual(unasked.map(({ base }) => base.host), ["up.test"]);
    assert.equal(answer.call.usageRequest, undefined);
    assert.equal(answer.call.bytes, facts.call.body);
    assert.equal(answer.isTapped, false);
  }
});

Deno.test("exchange does not blame usage for what is refused without it, too long, or refused for another reason", async () => {
  const never = await exchanged(
    () => new Response("bad", { status: 400 }),
    chatCall(),
  );
  assert.deepEqual([never.status, never.sent], [400, [ASKED, BARE]]);
  const tooLong = '{"error":{"code":"context_length_exceeded"}}';
  for (const [status, body] of [[400, tooLong], [413, "bad"], [429, "bad"]]) {
    const { text, sent } = await exchanged(
      () => new Response(`${body}`, { status: Number(status) }),
      chatCall(),
    );
    assert.deepEqual([text, sent], [body, [ASKED]]);
  }
  const taken = await exchanged(ok, chatCall());
  assert.deepEqual(taken.sent, [ASKED]);
  for (const { unasked } of [never, taken]) assert.deepEqual(unasked, []);
});

Deno.test("exchange tries once without each of what it added: usage, betas, the tool", async () => {
  const known = betas("a");
  const { text, sent, refused, unasked } = await exchanged(
    ({ text }) => text === BARE ? ok() : new Response("bad", { status: 400 }),
    {
      ...chatCall({ declaration: TOOL, bytes: bytesOf("tool and usage") }),
      betas: known,
    },
  );
  // The test's body without usage is the client's own, so the second try is taken.
  assert.deepEqual([text, sent], ["fine", ["tool and usage", BARE]]);
  assert.deepEqual([refused.length, unasked.length], [0, 1]);
  const all = await exchanged(
    () => new Response("bad", { status: 400 }),
    {
      ...chatCall({ declaration: TOOL, bytes: bytesOf("tool and usage") }),
      betas: betas("a"),
    },
  );
  assert.deepEqual([all.status, all.sent.length], [400, 4]);
  assert.deepEqual([all.refused.length, all.unasked.length], [0, 0]);
});

Deno.test("exchange takes usage that the client did not ask for out of a stream, and out of nothing else", async () => {
  const choice = '"choices":[{"index":0,"delta":{"content":"a"}}]';
  const usage = '"usage":{"prompt_tokens":3,"completion_tokens":1}';
  const stream =
    `data: {${choice},"usage":null}\n\ndata: {"choices":[],${usage}}\n\ndata: [DONE]\n\n`;
  const answer = (type: string, status = 200) => () =>
    new Response(stream, { status, headers: { "content-type": type } });
  const SSE = "text/event-stream";
  const hidden = await exchanged(answer(SSE), chatCall());
  assert.equal(hidden.text, `data: {${choice}}\n\ndata: [DONE]\n\n`);
  assert.equal(hidden.answer.isTapped, true);
  const { call } = chatCall();
  for (
    const shown of [
      await exchanged(answer(SSE), {
        ...chatCall({ usageRequest: undefined }),
      }),
      await exchanged(answer("application/json"), chatCall()),
      await exchanged(answer(SSE, 500), chatCall()),
      // It was sent without it.
      await exchanged(
        ({ text }) =>
          text === BARE ? answer(SSE)() : refusesUsage(400)({
            text,
            betas: null,
          }),
        { ...chatCall(), call },
      ),
    ]
  ) {
    assert.equal(shown.text, stream);
    assert.equal(shown.answer.isTapped, false);
  }
});

Deno.test("exchange sends a body as it came on the wire, and one that was edited without its encoding", async () => {
  const wire = bytesOf("encoded");
  const read = { wire, decoded: PLAIN, encoding: "gzip" };
  const asItCame = await exchanged(ok, { read, call: callOf("plain") });
  assert.deepEqual(asItCame.sent, ["encoded"]);
  assert.deepEqual(asItCame.encodings, ["gzip"]);
  const edited = await exchanged(ok, { read });
  assert.deepEqual(edited.sent, ["edited"]);
  assert.deepEqual(edited.encodings, [null]);
});

Deno.test("usageTapOf reads a response in its own content type", () => {
  const start = {
    type: "message_start",
    message: { usage: { input_tokens: 3 } },
  };
  const stream = `event: message_start\ndata: ${JSON.stringify(start)}\n\n`;
  const usageIn = (type: string) => {
    const headers = { "content-type": type };
    const tap = usageTapOf(messagesFormat, new Response(null, { headers }));
    tap.push(bytesOf(stream));
    return tap.finish().input;
  };
  assert.equal(usageIn("text/event-stream"), 3);
  assert.equal(usageIn("application/json"), undefined);
});

Deno.test("roundUsage estimates the output of an answer that broke off or did not say, and of no other", () => {
  const of = (
    type: string,
    outcome: Partial<RelayOutcome>,
    status = 200,
  ) =>
    roundUsage(
      { streamBytesPerToken: 40 },
      new Response("", { status, headers: { "content-type": type } }),
      { aborted: false, bytes: 400, usage: { output: 1 }, ...outcome },
    ).outputEstimate;
  const STREAM = "text/event-stream; charset=utf-8";
  assert.equal(of(STREAM, {}), undefined);
  assert.equal(of(STREAM, { aborted: true }), 10);
  assert.equal(of(STREAM, { error: new Error("reset") }), 10);
  assert.equal(of(STREAM, { usage: {} }), 10);
  assert.equal(of("application/json", { usage: {} }), 100);
  assert.equal(of(STREAM, { usage: {}, bytes: 0 }), undefined);
  assert.equal(of("application/json", { usage: {} }, 500), undefined);
});

Deno.test("receivedTokens takes an answer by its size, and no error or page for an answer", () => {
  const of = (type: string, status = 200) =>
    receivedTokens(
      { streamBytesPerToken: 40 },
      new Response("", { status, headers: { "content-type": type } }),
      400,
    );
  assert.equal(of("text/event-stream; charset=utf-8"), 10);
  assert.equal(of("application/json"), 100);
  assert.equal(of("Application/JSON; charset=utf-8"), 100);
  assert.equal(of("application/problem+json"), 100);
  for (const type of ["", "text/plain", "application/jsonp", "image/png"]) {
    assert.equal(of(type), 0, type);
  }
  assert.equal(of("application/json", 500), 0);
  assert.equal(of("text/event-stream", 404), 0);
});
