/** Conversations of simulated clients, and what law 2 says of the requests that the provider got. */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { conversationOf } from "./agent.ts";
import type { RunningProxy } from "./proxy.ts";
import { Random } from "./random.ts";
import type { SimulatedClient, ToolResult, Turn } from "./simulated_client.ts";
import { hashesIn, nameIn, questionOf, toolOutput } from "./simulated_model.ts";
import type { World } from "./world.ts";
import type { Received } from "./upstream.ts";

/** One conversation of one client. */
export interface Talk {
  /** Unique in its world; in every message of a failure. */
  readonly name: string;
  readonly client: SimulatedClient;
  /** Makes the client's choices. */
  readonly random: Random;
  readonly streaming: boolean;
  /** Fields that name the session, or none. */
  readonly headers: Readonly<Record<string, string>>;
  /** Conversation elements so far. */
  readonly elements: readonly unknown[];
  /** Everything that the tools gave back, and what the model thought. */
  readonly originals: readonly string[];
  /** Requests whose answers the client kept, oldest first. */
  readonly requests: readonly Exchange[];
}

/** One request and its answer. */
export interface Exchange {
  /** What the client sent. */
  readonly body: string;
  /** What the provider got, round by round. */
  readonly rounds: readonly string[];
  readonly turn: Turn;
}

/** Begins a conversation; nothing is sent yet. */
export function begin(client: SimulatedClient, name: string): Talk {
  const random = new Random(name);
  const question = questionOf(name);
  return {
    name,
    client,
    random,
    streaming: random.chance(0.6),
    headers: random.chance(0.5) ? { "x-svc-session-id": name } : {},
    elements: client.format.elements({ question, steps: [] }, 0),
    originals: [],
    requests: [],
  };
}

/** The next request: numbers in a spelling that only a byte-faithful proxy keeps, then what the client has. */
export function bodyOf({ client, streaming, elements }: Talk): string {
  const { members, array } = client.format;
  const json = JSON.stringify({
    ...members,
    stream: streaming,
    [array]: elements,
  });
  return `{ "metadata": {"n":1.0,"e":1E5,"id":9007199254740993}, ${
    json.slice(1)
  }`;
}

/** Names the next request of `talk`, for messages. */
export function requestName({ name, requests }: Talk): string {
  return `${name}, request ${requests.length}`;
}

/** Sends the next request to `proxy`. */
export function post(
  talk: Talk,
  proxy: RunningProxy,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(proxy.url + talk.client.format.path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": "k",
      ...talk.headers,
    },
    body: bodyOf(talk),
    signal: signal ?? null,
  });
}

/** Sends the next request and reads the answer; the conversation stays as it is. */
export async function ask(
  world: World,
  talk: Talk,
  proxy = world.proxies[0]!,
): Promise<Exchange> {
  const response = await post(talk, proxy);
  const bytes = await response.bytes();
  const text = new TextDecoder().decode(bytes);
  const where = requestName(talk);
  assert.equal(response.status, 200, `${where} got ${text}`);
  assert(!text.includes("headroom_retrieve"), `${where} shows our tool`);
  const turn = named(where, () => talk.client.read(bytes, talk.streaming));
  // The provider's ids end with the number of the request that they answer.
  const first = Number(/\d+$/.exec(turn.id)?.[0]);
  const rounds = roundsOf(world, talk, first);
  return { body: bodyOf(talk), rounds, turn };
}

/** Puts the place of a failure in front of its message. */
function named<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    assert(error instanceof Error);
    throw new assert.AssertionError({ message: `${where}: ${error.message}` });
  }
}

/** Texts of requests that arrived, for they are looked at often. */
const texts = new WeakMap<Received, string>();

function textOf(request: Received): string {
  const text = texts.get(request) ?? new TextDecoder().decode(request.body);
  texts.set(request, text);
  return text;
}

/** The request `first` and those that continue it: each answers a call of ours in the one before. */
function roundsOf(world: World, talk: Talk, first: number): readonly string[] {
  const { received } = world.provider;
  const { array } = talk.client.format;
  const rounds = [first];
  for (let last = first; last !== -1;) {
    const before = conversationOf(received[last]!, array);
    const answered = new RegExp(`(toolu|call)_${last}_\\d`);
    last = received.findIndex((request, n) => {
      if (n <= last || nameIn(textOf(request)) !== talk.name) return false;
      const now = conversationOf(request, array);
      return now.startsWith(before) && answered.test(now.slice(before.length));
    });
    if (last !== -1) rounds.push(last);
  }
  return rounds.map((n) => textOf(received[n]!));
}

/** The conversation after the client kept an answer, ran its tools and spoke again. */
export function proceed(talk: Talk, exchange: Exchange): Talk {
  const { name, client, random } = talk;
  const { calls, elements } = exchange.turn;
  const results = calls.map((callId): ToolResult => ({
    callId,
    text: toolOutput(random, `${name}-${callId}`),
    hasParts: random.chance(0.3),
    isError: random.chance(0.2),
  }));
  const speaks = calls.length === 0 || random.chance(0.2);
  const note = speaks ? `go on ${talk.elements.length}` : undefined;
  return {
    ...talk,
    elements: [
      ...talk.elements,
      ...elements,
      ...client.elements(results, note),
    ],
    originals: [
      ...talk.originals,
      ...results.map(({ text }) => text),
      ...thoughtsIn(elements),
    ],
    requests: [...talk.requests, exchange],
  };
}

/** Texts in which the model thought. */
function thoughtsIn(elements: readonly unknown[]): readonly string[] {
  return elements.flatMap((element) => {
    const { reasoning_content, content } = element as {
      readonly reasoning_content?: string;
      readonly content?: unknown;
    };
    const parts = Array.isArray(content) ? content : [];
    return [
      ...reasoning_content === undefined ? [] : [reasoning_content],
      ...parts.flatMap(({ type, thinking, text }) =>
        thinking ?? (type === "reasoning_text" ? text : [])
      ),
    ];
  });
}

/** Sends the next request and leaves before the answer is complete: soon, when it arrived, or when it is answered. */
export async function leave(
  world: World,
  talk: Talk,
  proxy = world.proxies[0]!,
): Promise<void> {
  const { random } = talk;
  const gone = new AbortController();
  const answer = post(talk, proxy, gone.signal);
  const moment = random.pick(["soon", "arrived", "answered"]);
  if (moment === "soon") await turnsOfTheLoop(random.below(60));
  else if (moment === "arrived") await Promise.race([world.arrival(), answer]);
  else await answer;
  gone.abort();
  try {
    await (await answer).bytes();
  } catch (error) {
    assert.equal((error as Error).name, "AbortError", requestName(talk));
  }
}

/** The proxy runs in this process: each turn takes its request one step further. */
async function turnsOfTheLoop(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
}

/** What there was to check in one conversation, so that a test can tell that it was not empty. */
export interface Checked {
  /** Originals that markers name. */
  readonly markers: number;
  /** Rounds in which the proxy answered. */
  readonly continued: number;
}

/**
 * Asserts law 2 and what goes with it for one conversation: each request extends the one before, the rest
 * of the body stays, no marker without the tool, and every marker gives back what a tool printed.
 */
export async function assertAppendOnly(
  world: World,
  talk: Talk,
): Promise<Checked> {
  for (const [n, { rounds }] of talk.requests.entries()) {
    const before = talk.requests[n - 1]?.rounds.at(-1);
    if (before !== undefined) {
      assertExtends(talk, n, { before, now: rounds.at(-1)! });
    }
  }
  const bodies = bodiesOf(world, talk);
  const hashes = new Set(bodies.flatMap(hashesIn));
  for (const body of bodies.filter((body) => hashesIn(body).length > 0)) {
    assert(
      aroundConversation(body, talk).includes('"name":"headroom_retrieve"'),
      `${talk.name}: a marker without the tool in ${body}`,
    );
  }
  for (const hash of hashes) await assertRetrievable(world, talk, hash);
  const continued = talk.requests.map(({ rounds }) => rounds.length - 1);
  return {
    markers: hashes.size,
    continued: continued.reduce((sum, n) => sum + n, 0),
  };
}

/** Every body of the conversation that the provider got, in order of arrival. */
export function bodiesOf(world: World, talk: Talk): readonly string[] {
  return world.provider.received.map(textOf)
    .filter((body) => nameIn(body) === talk.name);
}

function assertExtends(
  talk: Talk,
  n: number,
  { before, now }: { readonly before: string; readonly now: string },
): void {
  const where = `${talk.name}, request ${n}`;
  const old = conversationIn(before, talk);
  const extended = conversationIn(now, talk);
  if (!extended.startsWith(old)) {
    let at = 0;
    while (extended[at] === old[at]) at++;
    const near = (text: string) => text.slice(Math.max(0, at - 200), at + 300);
    assert.fail(
      `${where} changes its prefix at ${at} of ${old.length}\nwas ${
        near(old)
      }\nis ${near(extended)}`,
    );
  }
  assert.equal(
    aroundConversation(now, talk),
    aroundConversation(before, talk),
    `${where} changes bytes outside the conversation`,
  );
}

/** The conversation array of a body, from its name to its last element. */
export function conversationIn(body: string, { client }: Talk): string {
  const bytes = new TextEncoder().encode(body);
  return conversationOf({ body: bytes }, client.format.array);
}

/** The rest of a body, but for what the last round of a response adds: it forbids tools. */
function aroundConversation(body: string, talk: Talk): string {
  return body.replace(conversationIn(body, talk), "")
    .replace(/"tool_choice":("none"|\{"type":"none"\}),/, "");
}

async function assertRetrievable(
  world: World,
  { name, originals }: Talk,
  hash: string,
): Promise<void> {
  const url = `${world.proxies[0]!.url}/v1/retrieve/${hash}`;
  const response = await fetch(url);
  const answer = await response.json();
  assert.equal(response.status, 200, `${name}, ${hash} is lost`);
  const isOriginal = originals.includes(answer.original_content);
  assert(isOriginal, `${name}, ${hash} gives back no text of it`);
}
