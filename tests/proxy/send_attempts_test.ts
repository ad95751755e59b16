import assert from "node:assert/strict";
import {
  ASKED,
  BARE,
  betas,
  bytesOf,
  callOf,
  chatCall,
  exchanged,
  ok,
  refusesUsage,
  TOOL,
} from "./exchange_lab.ts";

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
  assert.equal(answer.reply.statusText, "Odd");
  assert.equal(answer.reply.headers.get("request-id"), "r");
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
  for (const status of [200, 401, 429, 500, 529]) {
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

Deno.test("exchange of a body with many values hands on that nobody answers, however soon that is known", async () => {
  const uncounted = Array.from({ length: 1500 }, () => ({ start: 0, end: 1 }));
  await assert.rejects(
    exchanged(() => {
      throw new Error("nobody is there");
    }, { call: callOf("edited", { uncounted }) }),
    /nobody is there/,
  );
});
