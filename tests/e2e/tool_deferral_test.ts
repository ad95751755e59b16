/** Tools that are loaded on demand: the model finds them inside the proxy, and the client sees nothing of it. */
import assert from "node:assert/strict";
import { MCP_TOOLS } from "./many_tools.ts";
import {
  ask,
  assertExtends,
  BASH,
  begin,
  type Case,
  CaseModel,
  find,
  goOn,
  type Place,
  play,
} from "./retrieval_talk.ts";
import { messagesSdk } from "./sdk_clients.ts";
import type { Script } from "./scripted_provider.ts";
import type { Received } from "./upstream.ts";
import { withWorld, type World } from "./world.ts";

/** Bodies are compared byte for byte: breakpoints of ours would move from one to the next. */
const ON = { SVC_TOOL_DEFERRAL: "on", SVC_AUTO_CACHE: "0" };
const NAMES = MCP_TOOLS.map(({ name }) => name);
const OWN = ["Bash", "fetch_rows"].map((name) => ({
  name,
  input_schema: { type: "object" },
}));
const members = { tools: [...OWN, ...MCP_TOOLS] };
const DONE = { text: 'It is "dóne" 😀.' };

const ISSUE = "mcp__tracker__create_issue";
const LETTER = "mcp__mail__send_letter";
const use = (tool: string) => ({ tool, input: { note: 'the "ü"' } });

/** Asserts what a search is answered with. */
const loads = (...names: readonly string[]) => (answer: unknown) =>
  assert.deepEqual(
    answer,
    names.map((tool_name) => ({ type: "tool_reference", tool_name })),
  );
const nothing = (answer: unknown) =>
  assert.deepEqual(answer, { found: 0, tools: NAMES });
const whole: Case["answers"][number] = ({ original_content }, { log }) =>
  assert.equal(original_content, log);

const CASES: Readonly<Record<string, Omit<Case, "members">>> = {
  "a tool that is not listed": {
    rounds: () => [
      { text: "I look for it. ", calls: [find("create an issue")] },
      { text: "Here.", calls: [use(ISSUE)] },
      { text: "And again.", calls: [use(ISSUE), BASH] },
    ],
    answers: [loads(ISSUE)],
  },
  "thinking before the search": {
    rounds: () => [
      { thinking: "hm, é?", text: "Wait. ", calls: [find(ISSUE)] },
      { thinking: "ah", text: "There.", calls: [use(ISSUE)] },
      { thinking: "oh", calls: [BASH] },
    ],
    answers: [loads(ISSUE)],
  },
  "beside the client's calls": {
    rounds: () => [
      { thinking: "t", calls: [BASH, find(`select:${ISSUE},${LETTER}`), BASH] },
      { calls: [use(LETTER), use(ISSUE)] },
      DONE,
    ],
    answers: [loads(ISSUE, LETTER)],
  },
  "beside the client's calls, then alone": {
    rounds: () => [
      { text: "Both. ", calls: [find(ISSUE), BASH] },
      { text: "One more. ", calls: [find(LETTER)] },
      { calls: [use(ISSUE), use(LETTER)] },
    ],
    answers: [loads(ISSUE), loads(LETTER)],
  },
  "with a retrieval": {
    rounds: ({ log }) => [
      { text: "Two things. ", calls: [ask({ hash: log }), find(ISSUE)] },
      { calls: [use(ISSUE)] },
    ],
    answers: [whole, loads(ISSUE)],
  },
  "with a retrieval, beside the client's call": {
    rounds: ({ log }) => [
      { calls: [find(ISSUE), BASH, ask({ hash: log })] },
      { calls: [use(ISSUE)] },
    ],
    answers: [loads(ISSUE), whole],
  },
  "a retrieval, then a search": {
    rounds: ({ log }) => [
      { thinking: "a", calls: [ask({ hash: log })] },
      { thinking: "b", calls: [find(ISSUE)] },
      { thinking: "c", calls: [use(ISSUE)] },
    ],
    answers: [whole, loads(ISSUE)],
  },
  "several at once": {
    rounds: () => [
      { calls: [find(ISSUE), find("what is this?"), find(LETTER)] },
      { calls: [use(LETTER)] },
    ],
    answers: [loads(ISSUE), nothing, loads(LETTER)],
  },
  "three in a row, and what the last one found is used": {
    rounds: () => [
      { calls: [find("zzzz")] },
      { thinking: "t", calls: [find(LETTER)] },
      { text: "Last. ", calls: [find(ISSUE)] },
      { text: "So.", calls: [use(ISSUE)] },
    ],
    answers: [nothing, loads(LETTER), loads(ISSUE)],
  },
  "a search that finds nothing": {
    rounds: () => [{ calls: [find("qqqq zzzz")] }, DONE],
    answers: [nothing],
  },
  "malformed searches": {
    rounds: () => [
      { calls: [17, null, {}, ["x"], ""].map(find) },
      { calls: [{ tool: "svc_find_tools", input: {} }, BASH] },
    ],
    answers: Array.from({ length: 6 }, () => nothing),
  },
  "the same tool again": {
    rounds: () => [
      { calls: [find(ISSUE)] },
      { text: "Yes.", calls: [use(ISSUE)] },
      { calls: [find(ISSUE)] },
      { calls: [use(ISSUE)] },
    ],
    answers: [loads(ISSUE), loads(ISSUE)],
  },
  "cut off at once": {
    rounds: () => [{ text: "It is", calls: [find(ISSUE)], cut: true }],
    answers: [],
  },
};

const STREAMING = [false, true];
const TITLE = "[title]";

interface DeferralPlace extends Place {
  readonly world: World;
}

/** Where conversations take place: in documents, then in streams. */
function withPlaces(
  test: (place: DeferralPlace, what: string) => Promise<void>,
): Promise<void> {
  const model = new CaseModel();
  const script: Script = (request, n) =>
    request.text.includes(TITLE)
      ? { text: "A title." }
      : model.script(request, n);
  const options = { model: script, proxies: 2, env: ON };
  return withWorld(options, async (world) => {
    const { provider } = world;
    for (const streaming of STREAMING) {
      const what = streaming ? "stream" : "document";
      await test({
        client: messagesSdk,
        ...{ streaming, provider, model, world },
        // Another one after each restart.
        get proxy() {
          return world.proxies[0]!;
        },
      }, what);
    }
  });
}

let strangers = 0;

/** Fields of a client of whose habits nothing is known. */
function stranger(): Record<string, string> {
  return { "user-agent": `stranger-${++strangers}/1` };
}

/** The tools that a request marks as deferred. */
function deferredIn({ json }: Received): readonly string[] {
  const tools = (json!["tools"] ?? []) as {
    readonly name: string;
    readonly defer_loading?: boolean;
  }[];
  return tools.flatMap(({ name, defer_loading }) => defer_loading ? name : []);
}

Deno.test("a client sees no search, and the model keeps what it found", async (t) => {
  await withPlaces(async (place, what) => {
    for (const [name, one] of Object.entries(CASES)) {
      const full = `${what}, ${name}`;
      await t.step(
        full,
        () =>
          play(place, {
            name: full,
            one: { ...one, members, headers: stranger() },
          }),
      );
    }
    for (const request of place.provider.received) {
      assert.deepEqual(deferredIn(request), NAMES);
    }
  });
});

/** A search for two tools, and the use of each. */
function searchWith(...calls: readonly Call[]): Case {
  const search = find(`select:${ISSUE},${LETTER}`);
  const rounds = () => [
    { thinking: "t", calls: [search, ...calls] },
    { text: "There. ", calls: [use(ISSUE)] },
    { text: "More. ", calls: [use(LETTER)] },
  ];
  return { members, rounds, answers: [loads(ISSUE, LETTER)] };
}
type Call = ReturnType<typeof use> | typeof BASH;
const SEARCHES = { alone: searchWith(), beside: searchWith(BASH) };

Deno.test("what was found stays in its place after a restart, in another process, and in a fork under another session", () =>
  withPlaces(async (place, what) => {
    const { client, world } = place;
    for (const [how, one] of Object.entries(SEARCHES)) {
      const name = `${what}, ${how}, restart`;
      const { request, talk } = await begin(place, {
        name,
        one: { ...one, headers: stranger() },
      });
      let seen = await client.send(request);
      let next = request;
      for (const turn of [1, 2, 3]) {
        if (turn !== 2) await world.restart();
        const { url } = world.proxies[turn % 2]!;
        next = { ...goOn(place, next, seen), url };
        // A fork: what was found was found before it.
        if (turn === 3) {
          next = { ...next, headers: { "x-svc-session-id": name } };
        }
        const before = place.provider.received[talk.numbers.at(-1)!]!;
        seen = await client.send(next);
        const after = place.provider.received[talk.numbers.at(-1)!]!;
        assertExtends(place, { before, after, what: `${name}, turn ${turn}` });
        const found = [...after.text.matchAll(/"tool_reference"/g)];
        assert.equal(found.length, 2, name);
      }
    }
  }));

Deno.test("a request beside the conversation has no reference to a tool that it does not define", () =>
  withPlaces(async (place, what) => {
    const { client, provider } = place;
    const issue = MCP_TOOLS.filter(({ name }) => name === ISSUE);
    for (const [how, one] of Object.entries(SEARCHES)) {
      const name = `${what}, ${how}, title`;
      const { request, talk } = await begin(place, {
        name,
        one: { ...one, headers: stranger() },
      });
      let next = request;
      let seen = await client.send(next);
      for (const tools of [undefined, OWN, [...OWN, ...issue], MCP_TOOLS]) {
        next = { ...goOn(place, next, seen), url: place.proxy.url };
        const title = client.user(`${TITLE} of ${next.elements.length}`);
        await client.send({
          ...next,
          members: { tools },
          elements: [...next.elements.slice(0, -1), title],
        });
        const aside = provider.received.at(-1)!;
        const isWhole = tools === MCP_TOOLS;
        assert.equal(aside.text.includes("tool_reference"), isWhole, name);
        const before = provider.received[talk.numbers.at(-1)!]!;
        seen = await client.send(next);
        const after = provider.received[talk.numbers.at(-1)!]!;
        assertExtends(place, { before, after, what: name });
      }
    }
  }));

Deno.test("a tool that comes in mid-conversation is found, and one that goes leaves no reference behind", () =>
  withPlaces(async (place, what) => {
    const { client, provider } = place;
    const name = `${what}, tools change`;
    const without = (gone: string) => ({
      tools: members.tools.filter((tool) => tool.name !== gone),
    });
    const rounds = () => [
      { calls: [find(ISSUE)] },
      { text: "One. ", calls: [use(ISSUE)] },
      { text: "Two. ", calls: [find(LETTER), BASH] },
      { text: "Three. ", calls: [use(LETTER)] },
    ];
    const one: Case = {
      ...{ members: without(LETTER), rounds, answers: [] },
      headers: stranger(),
    };
    let { request } = await begin(place, { name, one });
    for (
      const [members, found] of [
        [without(LETTER), [ISSUE]],
        [{ tools: [...OWN, ...MCP_TOOLS].reverse() }, [ISSUE]],
        [{ tools: [...OWN, ...MCP_TOOLS] }, [ISSUE, LETTER]],
        [without(ISSUE), [LETTER]],
        [without(LETTER), [ISSUE]],
        [{ tools: [...OWN, ...MCP_TOOLS] }, [ISSUE, LETTER]],
      ] as const
    ) {
      const seen = await client.send({ ...request, members });
      const { text } = provider.received.at(-1)!;
      const names = text.matchAll(/"tool_reference","tool_name":"([^"]+)"/g);
      assert.deepEqual([...names].map(([, name]) => name), found, name);
      request = goOn(place, request, seen);
    }
  }));
