/** Retrievals in streams that come in odd pieces, and turns that do not end well. */
import assert from "node:assert/strict";
import { withProxy } from "./proxy.ts";
import { Random } from "./random.ts";
import {
  type Answer,
  ask,
  assertExtends,
  BASH,
  begin,
  type Case,
  CaseModel,
  goOn,
  type Originals,
  type Place,
  play,
} from "./retrieval_talk.ts";
import type { Delivery, Reply } from "./scripted_wires.ts";
import { SDK_CLIENTS, type SdkClient } from "./sdk_clients.ts";

const wholeLog = ({ original_content }: Answer, { log }: Originals) =>
  assert.equal(original_content, log);
const wholeRows = ({ original_content }: Answer, { rows }: Originals) =>
  assert.equal(original_content, rows);

function* byteByByte(stream: Uint8Array): Iterable<Uint8Array> {
  for (let i = 0; i < stream.length; i++) yield stream.slice(i, i + 1);
}

function inPieces(seed: string): NonNullable<Delivery["chunks"]> {
  const random = new Random(seed);
  return function* (stream) {
    for (let at = 0; at < stream.length;) {
      const size = 1 + random.below(random.chance(0.5) ? 5 : 400);
      yield stream.slice(at, at + size);
      at += size;
    }
  };
}

const DELIVERIES: Readonly<Record<string, Delivery>> = {
  "byte by byte": { chunks: byteByByte },
  "in one piece": { chunks: (stream) => [stream] },
  "in pieces, 1": { chunks: inPieces("1") },
  "in pieces, 2": { chunks: inPieces("2") },
  "with CRLF": { lineEnd: "\r\n" },
  "with CRLF, byte by byte": { lineEnd: "\r\n", chunks: byteByByte },
  "with CR, in pieces": { lineEnd: "\r", chunks: inPieces("3") },
};

/** A retrieval alone, then one beside a call, with everything that a stream can hold. */
function oddly(delivery: Delivery): Case {
  const rounds: Case["rounds"] = ({ log, rows }) => [
    {
      thinking: "hm, é?",
      text: "Let me sée 😀. ",
      calls: [ask({ hash: log })],
    },
    {
      thinking: "ah",
      text: "Both: ",
      calls: [BASH, ask({ hash: rows }), BASH],
    },
  ];
  return {
    rounds: (asked) => rounds(asked).map((reply) => ({ ...reply, delivery })),
    answers: [wholeLog, wholeRows],
  };
}

/** Runs `test` with a proxy behind which a model plays cases. */
async function withCases(
  client: SdkClient,
  test: (place: Omit<Place, "streaming">) => Promise<void>,
): Promise<void> {
  const model = new CaseModel();
  await withProxy(
    model.script,
    ({ provider, ...proxy }) => test({ client, proxy, provider, model }),
    // Bodies are compared byte for byte: breakpoints of ours would move.
    { SVC_AUTO_CACHE: "0" },
  );
}

/** It asks again and again. */
const FOREVER: Case = {
  rounds: ({ log }) =>
    Array.from({ length: 4 }, (): Reply => ({
      text: "More! ",
      calls: [ask({ hash: log })],
    })),
  answers: [],
};

/** The provider does not go on. */
const REFUSED: Case = {
  rounds: ({ log }) => [
    { text: "One. ", calls: [ask({ hash: log })] },
    { error: { status: 400, body: '{"error":{"message":"too large"}}' } },
  ],
  answers: [],
};

/** Plays a turn that must fail for `reason`; gives the request and what was sent for it. */
async function failing(
  place: Place,
  { name, one, reason }: {
    readonly name: string;
    readonly one: Case;
    readonly reason: RegExp;
  },
) {
  const { client, provider: { received } } = place;
  const { request } = await begin(place, {
    name: `${name}, ${place.streaming}`,
    one,
  });
  const from = received.length;
  await assert.rejects(client.send(request), reason);
  const sent = received.slice(from);
  return {
    request,
    sent,
  };
}

/** The same request again is sent as it was sent first: nothing was put back. */
async function assertForgotten(
  { client, provider: { received } }: Place,
  { request, sent }: Awaited<ReturnType<typeof failing>>,
): Promise<void> {
  const seen = await client.send(request);
  assert.match(seen.text, /^Fine/);
  assert.deepEqual(received.at(-1)!.body, sent[0]!.body);
}

async function endsWithErrors(
  t: Deno.TestContext,
  place: Place,
): Promise<void> {
  const { client: { format }, streaming } = place;
  const kind = streaming ? "stream" : "document";
  const object = format === "messages";
  const none = object ? { type: "none" } : "none";
  const auto = object ? { type: "auto" } : "auto";
  const forced = object ? { type: "any" } : "required";
  const turns: readonly (readonly [string, unknown, unknown])[] = [
    ["no choice", undefined, none],
    ["auto", auto, none],
    ["forced", forced, forced],
  ];
  for (const [name, choice, last] of turns) {
    await t.step(
      `${kind}: a fourth time ends the turn with what was said; tool_choice stays the client's, but for auto in the last round: ${name}`,
      async () => {
        const members = choice === undefined ? {} : { tool_choice: choice };
        const { client, provider: { received } } = place;
        const { request } = await begin(place, {
          name: `${name}, ${streaming}`,
          one: { ...FOREVER, members },
        });
        const from = received.length;
        const seen = await client.send(request);
        assert.equal(seen.text, "More! More! More! More! ");
        assert.deepEqual(seen.calls, []);
        assert(!seen.raw.includes("headroom_retrieve"));
        const sent = received.slice(from);
        assert.deepEqual(
          sent.map(({ json }) => json!["tool_choice"]),
          [choice, choice, choice, last],
        );
        await client.send(goOn(place, request, seen));
        const after = received.at(-1)!;
        assertExtends(place, { before: sent.at(-1)!, after, what: name });
      },
    );
  }
  await t.step(
    `${kind}: a provider that does not go on ends the turn with an error, and nothing is put back`,
    async () => {
      const reason = /too large/;
      const failed = await failing(place, {
        name: "refused",
        one: REFUSED,
        reason,
      });
      assert.equal(failed.sent.length, 2);
      await assertForgotten(place, failed);
    },
  );
}

for (const client of SDK_CLIENTS) {
  const { format } = client;

  Deno.test(`retrievals do not depend on how a stream comes, and what cannot be answered is an error: ${format}`, (t) =>
    withCases(client, async (place) => {
      for (const [how, delivery] of Object.entries(DELIVERIES)) {
        const name = `a stream ${how}`;
        const one = oddly(delivery);
        await t.step(
          name,
          () => play({ ...place, streaming: true }, { name, one }),
        );
      }
      for (const streaming of [false, true]) {
        await endsWithErrors(t, { ...place, streaming });
      }
    }));
}

Deno.test("limits, thinking and beta fields are the client's on every round", () =>
  withCases(SDK_CLIENTS[0]!, (place) =>
    play({ ...place, streaming: true }, {
      name: "fields",
      one: {
        rounds: ({ log }) => [
          { thinking: "t", calls: [ask({ hash: log })] },
          { text: "Done." },
        ],
        answers: [wholeLog],
        members: {
          max_tokens: 2345,
          thinking: { type: "enabled", budget_tokens: 1024 },
          metadata: { user_id: "u" },
        },
        headers: { "anthropic-beta": "interleaved-thinking-2025-05-14" },
      },
    }).then(() => {
      for (const { headers, json } of place.provider.received) {
        assert.match(headers.get("anthropic-beta")!, /interleaved-thinking/);
        assert.equal(json!["max_tokens"], 2345);
        assert.equal(headers.get("authorization"), "Bearer sk-ant-test");
      }
    })));
