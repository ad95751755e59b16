/** One conversation in which the model asks for originals, through an official SDK; and what must hold of it. */
import assert from "node:assert/strict";
import {
  chatDialect,
  type Dialect,
  messagesDialect,
  responsesDialect,
} from "../conformance/retrieval_dialects.ts";
import { isOwnTool } from "../../src/core/retrieval.ts";
import { jsonRows, serviceLog } from "../bench/corpus.ts";
import { conversationOf } from "./agent.ts";
import type { RunningProxy } from "./proxy.ts";
import { inputTokensOf, type Script } from "./scripted_provider.ts";
import type { Reply } from "./scripted_wires.ts";
import type { SdkClient, SdkRequest, Seen } from "./sdk_clients.ts";
import { SIMULATED_CLIENTS } from "./simulated_client.ts";
import type { Received, RunningUpstream } from "./upstream.ts";

/** What the model can ask for. */
export interface Asked {
  /** Hash of the log, from its marker. */
  readonly log: string;
  /** Hash of the rows, from their marker. */
  readonly rows: string;
}

/** What the tools gave back. */
export interface Originals {
  /** Some 55 lines of a log. */
  readonly log: string;
  /** JSON with an array of rows. */
  readonly rows: string;
}

/** One way to ask for originals. */
export interface Case {
  /** What the model does, round by round, once it saw the markers. */
  readonly rounds: (asked: Asked) => readonly Reply[];
  /** Checks the answers to its retrievals, in order. */
  readonly answers: readonly ((answer: Answer, originals: Originals) => void)[];
  /** More top-level members of every request. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The retrieval tool's answer, as JSON. */
export interface Answer {
  readonly hash?: string;
  readonly original_content?: string;
  readonly error?: string;
}

/** Calls the retrieval tool. */
export function ask(input: unknown) {
  return { tool: "headroom_retrieve", input };
}

/** Calls a tool of the client. */
export const BASH = { tool: "Bash", input: { command: 'make "ü"' } } as const;
/** Calls another tool of the client. */
export const FETCH = { tool: "fetch_rows", input: {} } as const;

/** Calls the tool that finds tools. */
export function find(query: unknown) {
  return { tool: "svc_find_tools", input: { query } };
}

const isOurs = ({ tool }: { readonly tool: string }) => isOwnTool(tool);
const DIALECTS: readonly Dialect[] = [
  messagesDialect,
  chatDialect,
  responsesDialect,
];
const decoder = new TextDecoder();

/** A conversation with its script. */
interface Scripted {
  readonly one: Case;
  /** Requests so far, by their number at the provider. */
  readonly numbers: number[];
  /** Replies to `numbers`. */
  readonly replies: Reply[];
}

/** A model that plays each conversation's case: two calls, the case, then small talk. */
export class CaseModel {
  readonly #talks = new Map<string, Scripted>();

  /** Registers a conversation; clients write `name` into their first message. */
  add(name: string, one: Case): Scripted {
    const talk = { one, numbers: [], replies: [] };
    this.#talks.set(name, talk);
    return talk;
  }

  /** Answers every request. */
  readonly script: Script = (request, n) => {
    const body = decoder.decode(request.body);
    const name = /\[case ([^\]]+)\]/.exec(body)?.[1] ?? "";
    const talk = this.#talks.get(name);
    assert(talk, `a request of no conversation: ${body.slice(0, 200)}`);
    // Beside the conversation, e.g. for a title.
    if (request.json!["tools"] === undefined) return { text: "A title." };
    const reply = this.#reply(talk, body);
    talk.numbers.push(n);
    talk.replies.push(reply);
    return reply;
  };

  #reply({ one, numbers }: Scripted, body: string): Reply {
    const k = numbers.length;
    if (k === 0) return { text: "I look.", calls: [BASH, FETCH] };
    const hash = (unit: string) =>
      new RegExp(`${unit} compressed to \\d+\\. Retrieve more: hash=(\\w+)`)
        .exec(body)?.[1] ?? assert.fail(`no marker of ${unit} in ${body}`);
    const asked = { log: hash("lines"), rows: hash("items") };
    return one.rounds(asked)[k - 1] ?? { text: `Fine, ${k}.` };
  }
}

/** Where a conversation takes place. */
export interface Place {
  readonly client: SdkClient;
  readonly streaming: boolean;
  readonly proxy: Pick<RunningProxy, "url">;
  readonly provider: RunningUpstream;
  readonly model: CaseModel;
}

/** A conversation that has come to the point where the model asks. */
export interface Begun {
  readonly name: string;
  readonly talk: Scripted;
  readonly originals: Originals;
  /** The request that holds the results. */
  readonly request: SdkRequest;
}

let seeds = 0;

/** Begins a conversation: the model has called both tools, and they have run. */
export async function begin(
  place: Place,
  { name, one }: { readonly name: string; readonly one: Case },
): Promise<Begun> {
  const { client, proxy, streaming, model } = place;
  const talk = model.add(name, one);
  const { members = {}, headers = {} } = one;
  const seed = ++seeds;
  const originals = { log: serviceLog(5000, seed), rows: jsonRows(5000, seed) };
  const elements = [client.user(`[case ${name}] Why do jobs fail?`)];
  const request = { url: proxy.url, streaming, members, headers };
  const first = await client.send({ ...request, elements });
  const [log, rows] = first.calls;
  const results = client.results(
    new Map([[log!.id, originals.log], [rows!.id, originals.rows]]),
  );
  elements.push(...first.elements, ...results);
  return { name, talk, originals, request: { ...request, elements } };
}

/** Goes on after a response: the client's tools run, or the user speaks. */
export function goOn(
  { client }: Place,
  request: SdkRequest,
  seen: Seen,
): SdkRequest {
  const { elements } = request;
  const next = seen.calls.length > 0
    ? client.results(new Map(seen.calls.map(({ id }) => [id, `out of ${id}`])))
    : [client.user(`And then, after ${elements.length}?`)];
  return { ...request, elements: [...elements, ...seen.elements, ...next] };
}

/** Plays a whole case and checks all that must hold of it. */
export async function play(
  place: Place,
  { name, one }: { readonly name: string; readonly one: Case },
): Promise<void> {
  const { client, provider } = place;
  const begun = await begin(place, { name, one });
  const { talk, originals, request } = begun;
  const seen = await client.send(request);
  const requests = () => talk.numbers.map((n) => provider.received[n]!);
  const rounds = requests().slice(1);
  assertSeen(place, { seen, talk, rounds });

  let next = request;
  let last = seen;
  for (const turn of [1, 2]) {
    const before = requests().at(-1)!;
    next = goOn(place, next, last);
    last = await client.send(next);
    const after = requests().at(-1)!;
    assertExtends(place, { before, after, what: `${name}, turn ${turn}` });
  }
  assertAnswered(place, { talk, originals, request: requests().at(-1)! });
}

/** What the client sees: one response without us. */
function assertSeen(
  { client, streaming }: Place,
  { seen, talk, rounds }: {
    readonly seen: Seen;
    readonly talk: Scripted;
    readonly rounds: readonly Received[];
  },
): void {
  const replies = talk.replies.slice(1);
  const first = talk.numbers[1]!;
  const ours = /headroom_retrieve|svc_find_tools|tool_reference/;
  assert.doesNotMatch(seen.raw, ours);
  const isCut = replies.at(-1)!.cut === true;
  if (!isCut || client.format !== "responses") {
    // The strict reader: contiguous indexes and numbers, one id, one end.
    const strict = SIMULATED_CLIENTS.find(({ format }) =>
      format.id === client.format
    )!;
    const bytes = new TextEncoder().encode(seen.raw.replace(/\r\n?/g, "\n"));
    const turn = strict.read(bytes, streaming);
    assert.equal(turn.id, seen.id);
    assert.deepEqual(turn.calls, seen.calls.map(({ id }) => id));
  }
  assert.match(seen.id, new RegExp(`_${first}$`));
  const said = replies.map(({ text = "" }) => text).join("");
  assert.equal(seen.text, said);
  const thoughts = replies.map(({ thinking = "" }) => thinking).join("");
  if (client.format !== "chat_completions") {
    assert.equal(seen.thinking, thoughts);
  } else assert.equal(reasoningIn(seen.raw, streaming), thoughts);
  const wanted = replies.flatMap(({ calls = [] }) => calls)
    .filter((call) => !isOurs(call));
  assert.deepEqual(
    seen.calls.map(({ name, input }) => ({ tool: name, input })),
    wanted,
  );
  const { stops } = client;
  const stop = isCut ? "cut" : wanted.length > 0 ? "calls" : "end";
  assert.equal(seen.stop, stops[stop]);
  assert.equal(seen.input, inputTokensOf(rounds.at(-1)!));
  assert.equal(seen.output, 20 * replies.length);
  for (let i = 1; i < rounds.length; i++) {
    const pair = {
      before: rounds[i - 1]!,
      after: rounds[i]!,
      what: `round ${i}`,
    };
    assertGrows(pair, client.array);
    assertSameAround(pair, client.array);
  }
}

/** All but the conversation, the length and the choice of tools is the client's on every round. */
function assertSameAround(
  { before, after, what }: Pair,
  array: string,
): void {
  const around = ({ headers, json, path, method }: Received) => {
    const { [array]: _, tool_choice: __, ...members } = json!;
    const fields = [...headers].filter(([name]) => name !== "content-length");
    return { method, path, members, fields };
  };
  assert.deepEqual(around(after), around(before), what);
}

/** The reasoning of a chat response, which the SDK does not know. */
function reasoningIn(raw: string, streaming: boolean): string {
  const parts = raw.matchAll(/"reasoning_content":("(?:[^"\\]|\\.)*")/g);
  const texts = [...parts].map(([, json]) => JSON.parse(json!) as string);
  assert(streaming || texts.length <= 1, "several reasonings in one message");
  return texts.join("");
}

interface Pair {
  readonly before: Received;
  readonly after: Received;
  readonly what: string;
}

/** The conversation grows, byte for byte. */
function assertGrows({ before, after, what }: Pair, array: string): void {
  const old = conversationOf(before, array);
  const now = conversationOf(after, array);
  let at = 0;
  while (at < old.length && old[at] === now[at]) at++;
  assert(
    at === old.length,
    `${what} changes its prefix at ${at} of ${old.length}\nwas ${
      old.slice(at - 100, at + 300)
    }\nis ${now.slice(at - 100, at + 300)}`,
  );
}

/** The conversation grows, and the tools stay. */
export function assertExtends({ client }: Place, pair: Pair): void {
  assertGrows(pair, client.array);
  const tools = ({ json }: Received) => JSON.stringify(json!["tools"]);
  assert.equal(tools(pair.after), tools(pair.before), pair.what);
}

/** Every retrieval stands in the request with its answer, among the calls in their order. */
function assertAnswered(
  { client }: Place,
  { talk, originals, request }: {
    readonly talk: Scripted;
    readonly originals: Originals;
    readonly request: Received;
  },
): void {
  const elements = request.json![client.array] as readonly unknown[];
  const dialect = DIALECTS.find(({ format }) => format.id === client.format)!;
  const answers = dialect.answers(elements);
  const text = JSON.stringify(elements);
  const checks = talk.one.answers.values();
  let place = -1;
  for (const [k, { thinking, calls = [], cut }] of talk.replies.entries()) {
    if (thinking !== undefined && client.format !== "chat_completions") {
      const seal = client.format === "messages" ? "c2ln" : "ZW5j";
      assert(text.includes(`"${seal}${talk.numbers[k]}"`), "a seal is lost");
    }
    for (const [i, call] of calls.entries()) {
      const prefix = client.format === "messages" ? "toolu" : "call";
      const id = `${prefix}_${talk.numbers[k]}_${i}`;
      if (cut && isOurs(call)) {
        assert(!text.includes(`"${id}"`), `${id} was cut off`);
        continue;
      }
      const at = text.indexOf(`"${id}"`, place + 1);
      assert(at > place, `${id} is missing, or not in its place`);
      place = at;
      const answer = answers.get(id);
      assert(answer !== undefined, `${id} has no answer`);
      if (!isOurs(call)) continue;
      const { value: check } = checks.next();
      assert(check, `the case has no check for ${id}`);
      check(JSON.parse(answer) as Answer, originals);
    }
  }
  assert.equal(checks.next().done, true, "not every retrieval was made");
}
