/** Clients that mark their prompts for the provider's cache, as agents do, and talk for many turns. */
import assert from "node:assert/strict";
import type { BillingScript } from "./billing_provider.ts";
import { loadTools } from "./deferred_tools.ts";
import { Random } from "./random.ts";
import type { SimulatedClient } from "./simulated_client.ts";
import {
  hashesIn,
  nameIn,
  plainOutput,
  questionOf,
} from "./simulated_model.ts";

/** What goes wrong, or takes its time, before the answer of one turn comes. */
export type Incident =
  /** The provider refuses the first try with this status. */
  | { readonly status: 429 | 500 }
  /** The client leaves the first try in the middle of its answer. */
  | { readonly leaves: true }
  /** The client waits so long before it asks. */
  | { readonly pauseMs: number };

/** One conversation. */
export interface Talk {
  readonly name: string;
  readonly client: SimulatedClient;
  readonly streaming: boolean;
  /** How long the client wants its prompts to be kept. */
  readonly life: "5m" | "1h";
  readonly turns: number;
  /** By turn, from 0. */
  readonly incidents: Readonly<Record<number, Incident>>;
  /** Instead of the usual one of its format. */
  readonly model?: string;
  /** Fields that its requests have besides. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In front of the path of its requests. */
  readonly prefix?: string;
  /** Tools beside the usual ones, in the shape of its format. */
  readonly tools?: readonly object[];
  /** Turn in which the model calls which of them; it looks for the tool where it is not loaded. */
  readonly needs?: Readonly<Record<number, string>>;
  /** What its tools print in a turn; unless given, anything. */
  readonly output?: (random: Random, name: string, turn: number) => string;
  /** What the user pastes behind the results of a turn. */
  readonly pasted?: (random: Random, turn: number) => string;
  /** What the model thinks in a turn, in plain text; unless given, nothing. */
  readonly thinks?: (random: Random, turn: number) => string;
  /** Turns that the client has with the provider itself, before it goes through the proxy. */
  readonly direct?: number;
}

/** Turn in which the model asks for an original, where it sees a marker. */
const RETRIEVES_AT = 5;
/** A user's note: it says which turn it is. */
const NOTE = /"turn (\d+) of /g;
/** A call of the retrieval tool, other than its definition. */
const ASKED = /"name":"headroom_retrieve","(?:input":\{"hash|arguments")/;
const FAILURE = '{"type":"error","error":{"type":"api_error","message":"no"}}';

/** Makes a model: it calls a tool in every turn but the last, and meets with the incidents of its talks. */
export function billedModel(talks: readonly Talk[]): BillingScript {
  const met = new Set<string>();
  return ({ text, json, path }) => {
    const talk = talks.find(({ name }) => name === nameIn(text))!;
    const turn = Number([...text.matchAll(NOTE)].at(-1)?.[1] ?? 0);
    const incident = talk.incidents[turn];
    const isNew = !met.has(`${talk.name} ${turn}`);
    met.add(`${talk.name} ${turn}`);
    if (isNew && incident && "status" in incident) {
      return { error: { status: incident.status, body: FAILURE } };
    }
    const holds = isNew && incident !== undefined && "leaves" in incident;
    const [hash] = hashesIn(text);
    const asks = turn >= RETRIEVES_AT && hash !== undefined &&
      !ASKED.test(text);
    if (asks && !holds) {
      return { calls: [{ tool: "headroom_retrieve", input: { hash } }] };
    }
    const needed = talk.needs?.[turn];
    const { mayCall } = path === "/v1/messages"
      ? loadTools(json!)
      : { mayCall: () => true };
    if (needed !== undefined && !mayCall(needed) && !holds) {
      return { calls: [{ tool: "svc_find_tools", input: { query: needed } }] };
    }
    const random = new Random(`${talk.name} ${turn}`);
    const said = `I see ${random.below(1e9)}, and look on. `.repeat(3);
    const thought = talk.thinks
      ? { thinking: talk.thinks(random, turn), isPlain: true }
      : {};
    return turn + 1 >= talk.turns ? { ...thought, text: said, holds } : {
      ...thought,
      text: said,
      calls: [{ tool: needed ?? "Bash", input: { turn } }],
      holds,
    };
  };
}

/** What a client is made of besides its conversation. */
const RULES = Array.from(
  { length: 60 },
  (_, i) =>
    `Rule ${i}: look at what rule ${i * 7 % 60} says before you answer.`,
).join("\n");
const TOOLS = ["Bash", "Grep", "Read", "fetch_rows"];
const SCHEMA = { type: "object", properties: { turn: { type: "number" } } };

/** The body of the next request. */
function bodyOf(talk: Talk, elements: readonly unknown[]): string {
  const { client: { format }, streaming } = talk;
  if (format.id === "responses") return responsesBody(talk, elements);
  if (format.id === "messages") {
    const cache_control = talk.life === "1h"
      ? { type: "ephemeral", ttl: "1h" }
      : { type: "ephemeral" };
    return JSON.stringify({
      model: talk.model ?? "claude-sonnet-4-5",
      max_tokens: 1000,
      stream: streaming,
      system: [{ type: "text", text: RULES, cache_control }],
      tools: [
        ...TOOLS.map((name) => ({ name, input_schema: SCHEMA })),
        ...talk.tools ?? [],
      ],
      messages: markedAtEnd(elements, cache_control),
    });
  }
  return JSON.stringify({
    model: talk.model ?? "gpt-4o",
    stream: streaming,
    ...streaming ? { stream_options: { include_usage: true } } : {},
    tools: [
      ...TOOLS.map((name) => ({
        type: "function",
        function: { name, parameters: SCHEMA },
      })),
      ...talk.tools ?? [],
    ],
    messages: [{ role: "system", content: RULES }, ...elements],
  });
}

function responsesBody(
  { model = "gpt-4o", streaming }: Talk,
  input: readonly unknown[],
): string {
  return JSON.stringify({
    model,
    stream: streaming,
    store: false,
    instructions: RULES,
    tools: TOOLS.map((name) => ({
      type: "function",
      name,
      parameters: SCHEMA,
    })),
    input,
  });
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** Marks the last two messages of the user: the mark that was last goes on, so that it is found again. */
function markedAtEnd(
  elements: readonly unknown[],
  cache_control: object,
): readonly unknown[] {
  const messages = elements as readonly Message[];
  const users = messages.flatMap(({ role }, i) => role === "user" ? [i] : []);
  const marked = new Set(users.slice(-2));
  return messages.map((message, i) => {
    if (!marked.has(i)) return message;
    const { content } = message;
    const parts = typeof content === "string"
      ? [{ type: "text", text: content }]
      : content as readonly object[];
    const last = { ...parts.at(-1), cache_control };
    return { ...message, content: [...parts.slice(0, -1), last] };
  });
}

/** Where a talk takes place. */
export interface Place {
  /** Of the proxy, or of the provider. */
  readonly url: string;
  /** Of the provider; that of the place unless given. */
  readonly provider?: string;
  /** Lets time pass. */
  readonly pass: (ms: number) => void;
  /** Told of each answer that its client took to the end. */
  readonly seen?: (status: number) => void;
}

/** Time between two requests of a client. */
const TURN_MS = 20_000;

/** Has one conversation from its question to its conclusion. */
export async function hold(talk: Talk, place: Place): Promise<void> {
  const { client, name } = talk;
  const { elements, read } = client;
  const steps = { question: questionOf(name), steps: [] };
  let said: readonly unknown[] = client.format.elements(steps, 0);
  for (let turn = 0; turn < talk.turns; turn++) {
    const incident = talk.incidents[turn];
    const paused = incident && "pauseMs" in incident ? incident.pauseMs : 0;
    place.pass(TURN_MS + paused);
    const isDirect = turn < (talk.direct ?? 0);
    const { url, provider = url } = place;
    const there = { ...place, url: isDirect ? provider : url };
    if (incident && "leaves" in incident) await leave(talk, there, said);
    const bytes = await ask(talk, there, said);
    const answer = read(bytes, talk.streaming);
    const random = new Random(`${name} result ${turn}`);
    const results = answer.calls.map((callId) => ({
      callId,
      text: (talk.output ?? plainOutput)(random, name, turn),
      hasParts: false,
      isError: false,
    }));
    const pasted = talk.pasted?.(random, turn) ?? "";
    const note = `turn ${turn + 1} of ${name}${pasted && `\n\n${pasted}`}`;
    said = [...said, ...answer.elements, ...elements(results, note)];
  }
}

function post(
  { client: { format }, name, headers, prefix = "" }: Talk,
  { url }: Place,
  { body, signal }: { readonly body: string; readonly signal?: AbortSignal },
): Promise<Response> {
  return fetch(url + prefix + format.path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-svc-session-id": name,
      ...headers,
    },
    body,
    signal: signal ?? null,
  });
}

/** A client asks again what failed. */
async function ask(
  talk: Talk,
  place: Place,
  said: readonly unknown[],
): Promise<Uint8Array> {
  const body = bodyOf(talk, said);
  for (let n = 0; n < 3; n++) {
    const response = await post(talk, place, { body });
    const bytes = await response.bytes();
    place.seen?.(response.status);
    if (response.ok) return bytes;
    const text = new TextDecoder().decode(bytes);
    assert(response.status === 500 || response.status === 429, text);
  }
  throw new TypeError(`${talk.name} has no answer`);
}

/** Leaves when the first bytes of the answer are there. */
async function leave(
  talk: Talk,
  place: Place,
  said: readonly unknown[],
): Promise<void> {
  const { signal, abort } = leaving();
  const response = await post(talk, place, {
    body: bodyOf(talk, said),
    signal,
  });
  const reader = response.body!.getReader();
  await reader.read();
  abort();
  await reader.read().catch(() => {});
}

function leaving() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
