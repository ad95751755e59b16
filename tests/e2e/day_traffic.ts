/** What clients do in a day, decided by a seed, and the model that answers them. */
import assert from "node:assert/strict";
import type { BillingScript } from "./billing_provider.ts";
import { billedModel, hold, type Incident, type Talk } from "./billing_talk.ts";
import { Random } from "./random.ts";
import { SIMULATED_CLIENTS } from "./simulated_client.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Who sends requests: each names its project in another way. */
const SENDERS = [
  {
    prefix: "",
    headers: {
      "x-svc-project": "shop",
      "x-svc-stack": "web",
      "user-agent": "claude-cli/2.1.0 (external)",
    },
  },
  {
    prefix: "/p/my%20api",
    headers: { "user-agent": "codex/1.0", "x-svc-stack": "" },
  },
  {
    prefix: "",
    headers: { "x-svc-cwd": "/home/me/tool", "x-svc-stack": "batch" },
  },
  { prefix: "", headers: {} },
] as const;

/** Makes talks that a seed decides: those of the same seed are the same. */
export function talksOf(seed: string, count: number): readonly Talk[] {
  return Array.from({ length: count }, (_, i): Talk => {
    const random = new Random(`${seed} ${i}`);
    const client = SIMULATED_CLIENTS[i % SIMULATED_CLIENTS.length]!;
    const { headers, prefix } = SENDERS[i % SENDERS.length]!;
    const turns = 6 + random.below(2);
    const incidents: Record<number, Incident> = {
      [random.below(2)]: { status: random.pick([429, 500]) },
      [2 + random.below(2)]: { pauseMs: random.below(50) * MINUTE_MS },
      // The provider bills an answer that is left before its client learns what for, but in this format.
      ...client.format.id === "messages" && {
        [4 + random.below(2)]: { leaves: true },
      },
    };
    return {
      name: `${seed}-${i}`,
      client,
      streaming: client.format.id === "messages" || random.chance(0.5),
      life: random.pick(["5m", "1h"]),
      turns,
      incidents,
      prefix,
      output: printed,
      headers: { ...headers, "x-api-key": `key ${seed} ${i}` },
      ...i % 5 === 4 && { model: "mystery-1" },
    };
  });
}

/** A short log with a failure in it, or nothing worth a form. */
function printed(random: Random, tag: string): string {
  if (random.chance(0.1)) return `short ${tag}`;
  const failed = random.below(60);
  return Array.from(
    { length: 60 + random.below(30) },
    (_, i) =>
      i === failed
        ? `08:00:${10 + i % 50} ERROR ${tag} job ${i} failed: ECONNREFUSED`
        : `08:00:${10 + i % 50} INFO ${tag} job ${i} done in ${
          i * 37 % 180
        } ms`,
  ).join("\n");
}

/** Where the day takes place. */
export interface Day {
  /** Of the proxy that gets the next request. */
  url(): string;
  /** Time, which only this moves. */
  readonly time: { ms: number };
  /** Counts answers by their status. */
  seen(status: number): void;
}

/** Has talks, one every hour. */
export async function holdAll(talks: readonly Talk[], day: Day): Promise<void> {
  const place = {
    get url() {
      return day.url();
    },
    pass: (ms: number) => void (day.time.ms += ms),
    seen: day.seen,
  };
  for (const talk of talks) {
    await hold(talk, place);
    day.time.ms += HOUR_MS;
  }
}

/** One request that belongs to no talk. */
export interface Single {
  readonly path: string;
  /** Sent with POST; without it with GET. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What its client sees. */
  readonly status: number;
}

const CHAT = "/v1/chat/completions";
const QUESTION = [{ role: "user", content: "What is the time?" }];

/** A question that may be answered from memory when it comes again. */
export function steady(word: string, status = 200): Single {
  const content = `What does ${word} mean?`;
  const body = {
    model: "gpt-4o",
    temperature: 0,
    messages: [{ role: "user", content }],
  };
  return { path: CHAT, body, status };
}

/** Requests that are answered, refused or fail in all the other ways. */
export const SINGLES: readonly Single[] = [
  { path: "/v1/models", status: 200 },
  { path: "/p/my%20api/v1/models", status: 200 },
  {
    path: "/v1/embeddings",
    body: { input: "x" },
    headers: { authorization: "Bearer sk-test" },
    status: 404,
  },
  steady("entropy"),
  steady("entropy"),
  { ...steady("entropy"), headers: { "x-svc-bypass": "true" } },
  { path: CHAT, body: { model: "busy", messages: QUESTION }, status: 429 },
  { path: CHAT, body: { model: "broken", messages: QUESTION }, status: 500 },
  { path: CHAT, body: { model: "picky", messages: QUESTION }, status: 400 },
  // Nobody listens there.
  {
    path: "/anthropic/v1/messages",
    body: { model: "claude-sonnet-4-5", max_tokens: 9, messages: QUESTION },
    status: 502,
  },
  {
    path: CHAT,
    body: { model: "gpt-4o", messages: QUESTION },
    headers: { "x-svc-mode": "simulate" },
    status: 200,
  },
  // The client does not ask for usage.
  {
    path: CHAT,
    body: { model: "gpt-4o", stream: true, messages: QUESTION },
    status: 200,
  },
];

/** Sends one, and reads its answer. */
export async function send(single: Single, day: Day): Promise<Response> {
  const { path, body, headers = {}, status } = single;
  const response = await fetch(day.url() + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...headers },
    ...body !== undefined && { body: JSON.stringify(body) },
  });
  const text = await response.text();
  assert.equal(response.status, status, `${path}: ${text}`);
  day.seen(response.status);
  day.time.ms += 1000;
  return response;
}

/** How the provider refuses, by the model that is asked for. */
const FAILURES: Readonly<Record<string, number>> = {
  busy: 429,
  broken: 500,
  picky: 400,
};

/** A model for talks and singles. */
export function modelOf(talks: readonly Talk[]): BillingScript {
  const talking = billedModel(talks);
  return (request) => {
    const status = FAILURES[String(request.json?.["model"])];
    if (status !== undefined) {
      return { error: { status, body: '{"error":{"message":"no"}}' } };
    }
    const isTalk = new TextDecoder().decode(request.body)
      .includes("[simulated ");
    return isTalk ? talking(request) : { text: "It is what it was." };
  };
}
