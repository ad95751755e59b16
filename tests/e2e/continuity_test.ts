/** Conversations with answered retrievals that go on elsewhere, or written otherwise. */
import assert from "node:assert/strict";
import { conversationOf } from "./agent.ts";
import type { RunningProxy } from "./proxy.ts";
import {
  ask,
  assertExtends,
  BASH,
  begin,
  type Case,
  CaseModel,
  goOn,
  type Place,
} from "./retrieval_talk.ts";
import {
  messagesSdk,
  SDK_CLIENTS,
  type SdkClient,
  type SdkRequest,
} from "./sdk_clients.ts";
import type { Script } from "./scripted_provider.ts";
import { SIMULATED_CLIENTS } from "./simulated_client.ts";
import { hashesIn } from "./simulated_model.ts";
import * as simulation from "./simulation.ts";
import type { Received } from "./upstream.ts";
import { withWorld, type World } from "./world.ts";

/** Two proxies on the same files, and a model that plays cases behind them. */
interface Home extends World {
  /** A place at `proxy`; at the first one unless given. */
  at(proxy?: RunningProxy): Place;
}

/** Runs `test` at home, and leaves nothing of it. */
function withHome(
  client: SdkClient,
  test: (home: Home) => Promise<void>,
): Promise<void> {
  const model = new CaseModel();
  // Bodies are compared byte for byte: breakpoints of ours would move.
  const env = { SVC_AUTO_CACHE: "0" };
  return withWorld({ model: model.script, env, proxies: 2 }, (world) => {
    const { provider, proxies: [first] } = world;
    const rest = { client, streaming: true, provider, model };
    return test({ ...world, at: (proxy = first!) => ({ ...rest, proxy }) });
  });
}

/** The newest request that the provider got. */
function last({ provider }: Pick<World, "provider">): Received {
  return provider.received.at(-1)!;
}

/** What a turn with retrievals can look like. */
const TURNS: Readonly<Record<string, Case>> = {
  pure: {
    rounds: ({ log }) => [
      { thinking: "hm", text: "Look. ", calls: [ask({ hash: log })] },
      { text: "It was the database." },
    ],
    answers: [],
  },
  mixed: {
    rounds: ({ log }) => [
      { thinking: "hm", text: "Both. ", calls: [ask({ hash: log }), BASH] },
    ],
    answers: [],
  },
  both: {
    rounds: ({ log, rows }) => [
      { text: "First. ", calls: [ask({ hash: rows })] },
      { thinking: "hm", text: "Then. ", calls: [BASH, ask({ hash: log })] },
    ],
    answers: [],
  },
};

/** The turn has ended: what was sent in its last round, and the client's next request. */
interface Going {
  readonly place: Place;
  readonly home: Home;
  /** Another proxy on the same files. */
  readonly elsewhere: string;
  readonly asked: { readonly before: Received; readonly next: SdkRequest };
}

/** A fork: `changes` apart, it is the same client that goes on, twice. */
function forked(
  changes: (going: Going) => Partial<SdkRequest>,
  { isLate = false }: { isLate?: boolean } = {},
): (going: Going) => Promise<void> {
  return async (going) => {
    const { place, home } = going;
    const { client } = place;
    let { before, next } = going.asked;
    if (isLate) {
      const seen = await client.send(next);
      before = last(home);
      next = goOn(place, next, seen);
    }
    next = { ...next, ...changes(going) };
    for (const what of ["the fork", "its next request"]) {
      const seen = await client.send(next);
      assertExtends(place, { before, after: last(home), what });
      before = last(home);
      next = goOn(place, next, seen);
    }
  };
}

const OTHER = { headers: { "x-svc-session-id": "other" } };

const WAYS: Readonly<Record<string, (going: Going) => Promise<void>>> = {
  "on in another process at once": forked(({ elsewhere }) => ({
    url: elsewhere,
  })),
  "forked at the turn itself": forked(() => OTHER),
  "forked later in another process": forked(
    ({ elsewhere }) => ({ ...OTHER, url: elsewhere }),
    { isLate: true },
  ),
  "resumed without a session": forked(() => ({ headers: {} }), {
    isLate: true,
  }),
  "forked as an agent of the session": forked(
    ({ asked }) => ({
      headers: { ...asked.next.headers, "x-claude-code-agent-id": "sub" },
    }),
    { isLate: true },
  ),
  async "forked after another request with its first message"(going) {
    const { place, asked: { next } } = going;
    // As clients do that ask for a title, or for what the user is about.
    const { client, proxy: { url } } = place;
    const [question] = next.elements;
    await client.send({
      url,
      streaming: false,
      elements: [question],
      headers: { "x-svc-session-id": "busy" },
      members: { tools: undefined },
    });
    const headers = { "x-svc-session-id": "busy" };
    await forked(() => ({ headers }))(going);
  },
  async "with its first message trimmed"({ place, home, asked: { next } }) {
    const { client } = place;
    await client.send(next);
    const before = last(home).text;
    const [question, name] = /(\[case [^\]]+\]) Why do jobs fail\?/.exec(
      before,
    )!;
    const elements = [client.user(`${name} …`), ...next.elements.slice(1)];
    await client.send({ ...next, elements });
    assert.equal(last(home).text, before.replace(question, `${name} …`));
  },
  async "as JSON written otherwise"({ place, home, asked: { next } }) {
    const { client } = place;
    await client.send(next);
    const before = last(home);
    const { tools, model } = before.json!;
    const written = JSON.stringify(
      {
        [client.array]: reordered(next.elements),
        model,
        tools: (tools as unknown[]).slice(0, -1),
      },
      null,
      3,
    );
    const response = await fetch(next.url + before.path, {
      method: "POST",
      headers: { ...next.headers },
      body: written.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      ),
    });
    await response.bytes();
    const after = last(home).json!;
    assert.deepEqual(after[client.array], before.json![client.array]);
    assert.deepEqual(after["tools"], tools);
  },
};

for (const client of SDK_CLIENTS) {
  Deno.test(`answered retrievals go wherever their conversation goes: ${client.format}`, (t) =>
    withHome(client, async (home) => {
      const [first, second] = home.proxies as [RunningProxy, RunningProxy];
      for (const [turn, one] of Object.entries(TURNS)) {
        for (const [how, going] of Object.entries(WAYS)) {
          await t.step(`${turn}, ${how}`, async () => {
            const place = home.at(first);
            const name = `${turn} ${how}`;
            const headers = { "x-svc-session-id": name };
            const begun = await begin(place, {
              name,
              one: { ...one, headers },
            });
            const seen = await client.send(begun.request);
            const asked = {
              before: last(home),
              next: goOn(place, begun.request, seen),
            };
            await going({ place, home, elsewhere: second.url, asked });
            assert.match(
              JSON.stringify(last(home).json![client.array]),
              /headroom_retrieve/,
            );
          });
        }
      }
    }));
}

/** Members in the opposite order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, reordered(inner)])
      .reverse(),
  );
}

Deno.test("a cache_control that moves takes no form and no retrieval along", (t) =>
  withHome(messagesSdk, async (home) => {
    const place = home.at();
    const client = messagesSdk;
    /** As clients do it: on the last block of the conversation, and nowhere else. */
    const marked = (request: SdkRequest): SdkRequest => {
      const elements = structuredClone(request.elements) as {
        content: string | Record<string, unknown>[];
      }[];
      const message = elements.at(-1)!;
      if (typeof message.content === "string") {
        message.content = [{ type: "text", text: message.content }];
      }
      message.content.at(-1)!["cache_control"] = { type: "ephemeral" };
      return { ...request, elements };
    };
    const plain = (request: Received) => {
      const text = request.text.replaceAll(
        ',"cache_control":{"type":"ephemeral"}',
        "",
      );
      return { ...request, body: new TextEncoder().encode(text), text };
    };
    const marks = (request: Received) =>
      request.text.split('"cache_control"').length - 1;
    for (const [name, one] of Object.entries(TURNS)) {
      await t.step(name, async () => {
        let { request } = await begin(place, { name, one });
        let before: Received | undefined;
        for (let turn = 0; turn < 4; turn++) {
          // Written as parts also where it is not marked, so that only the mark moves.
          const seen = await client.send(marked(request));
          const after = last(home);
          assert.equal(marks(after), 1, `turn ${turn}`);
          if (before !== undefined) {
            const pair = { before: plain(before), after: plain(after) };
            assertExtends(place, { ...pair, what: `turn ${turn}` });
          }
          before = after;
          const next = goOn(place, request, seen);
          const parts = (next.elements as { content: unknown }[]).map((e) =>
            typeof e.content === "string" && e !== next.elements[0]
              ? { ...e, content: [{ type: "text", text: e.content }] }
              : e
          );
          request = { ...next, elements: parts };
        }
      });
    }
  }));

Deno.test("a system message behind the results takes no form and no retrieval along", (t) =>
  withHome(messagesSdk, async (home) => {
    const place = home.at();
    for (const [name, one] of Object.entries(TURNS)) {
      await t.step(name, async () => {
        let { request } = await begin(place, { name, one });
        let before: Received | undefined;
        for (let turn = 0; turn < 4; turn++) {
          const reminder = { role: "system", content: `reminder ${turn}` };
          request = { ...request, elements: [...request.elements, reminder] };
          const seen = await messagesSdk.send(request);
          const after = last(home);
          assert.equal(hashesIn(after.text).length >= 2, true);
          if (before !== undefined) {
            assertExtends(place, { before, after, what: `turn ${turn}` });
          }
          before = after;
          request = goOn(place, request, seen);
        }
      });
    }
  }));

for (const client of SIMULATED_CLIENTS) {
  Deno.test(`sessions that begin alike do not take over what only one of them asked for: ${client.format.id}`, () => {
    const asked = {
      tool: "headroom_retrieve",
      input: { hash: "f".repeat(24) },
    };
    const talks = ["one", "two", "three"].map((session): simulation.Talk => ({
      ...simulation.begin(client, "alike"),
      headers: { "x-svc-session-id": session },
    }));
    let curious = true;
    const model: Script = ({ text }) => {
      const isFirst = !text.includes("Hello.");
      if (!isFirst) return { text: "And so on." };
      const asks = curious;
      curious = false;
      return asks ? { calls: [asked] } : { text: "Hello." };
    };
    return withWorld({ model, proxies: 1 }, async (world) => {
      for (let talk of talks) {
        const from = world.provider.received.length;
        for (let turn = 0; turn < 3; turn++) {
          const exchange = await simulation.ask(world, talk);
          talk = simulation.proceed(talk, exchange);
        }
        const bodies = world.provider.received.slice(from);
        const arrays = bodies.map((one) =>
          conversationOf(one, client.format.array)
        );
        for (const [i, now] of arrays.entries()) {
          if (i === 0) continue;
          assert(
            now.startsWith(arrays[i - 1]!),
            `${talk.headers["x-svc-session-id"]}, ${i}`,
          );
        }
      }
    });
  });
}
