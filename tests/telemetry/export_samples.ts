import assert from "node:assert/strict";
import type { Clock } from "../../src/core/clock.ts";
import type { RequestRecord, SeenBlock } from "../../src/core/ledger.ts";
import type { Log } from "../../src/core/log.ts";
import { PUBLIC_NAMES } from "../../src/telemetry/open_observers.ts";
import type { PublicNames } from "../../src/telemetry/beacon_session.ts";
import type { Later } from "../../src/telemetry/later.ts";
import type { OtelIo, OtelOptions } from "../../src/telemetry/otel_contract.ts";
import { RECORD } from "../ledger/samples.ts";
import { genAiName } from "../../src/upstream/known_hosts.ts";

/** Requests, time and collectors for tests of exports. */

/** A request to a well-known provider, with a bill. */
export const ENTRY: RequestRecord = {
  ...RECORD,
  upstream: "Anthropic",
  model: "claude-sonnet-4-5",
  stack: "adapter_ts_vercel_ai",
  agent: "claude-cli",
  ttfbMs: 60,
  usage: { input: 100, output: 50, cacheRead: 400, cacheWrite: 100 },
  savedTokens: { fresh: 450, kept: 0, addedFresh: 50, addedKept: 0 },
};

/** A tool result that became smaller. */
export function block(strategy: string): SeenBlock {
  return {
    key: undefined,
    entry: undefined,
    isKnown: false,
    messageIndex: 0,
    toolName: "Bash",
    kind: "log",
    outcome: "elided",
    strategy,
    reason: "",
    bytes: 4000,
    tokensBefore: 1000,
    tokensAfter: 200,
  };
}

/** The real tables. */
export const NAMES: PublicNames = PUBLIC_NAMES;

/** A log record. */
export type Logged = readonly [
  level: string,
  event: string,
  fields: Readonly<Record<string, unknown>> | undefined,
];

/** Keeps log records. */
export function logInto(records: Logged[]): Log {
  return (level, event, fields) => void records.push([level, event, fields]);
}

/** Options of an export that is on, every hour unless told otherwise. */
export function otelOptions(parts: Partial<OtelOptions> = {}): OtelOptions {
  return {
    enabled: true,
    exporter: "otlp_http",
    endpoint: undefined,
    headers: [],
    intervalMs: 3_600_000,
    serviceName: "svc-proxy",
    resourceAttributes: [],
    ...parts,
  };
}

/** Surroundings of an export. */
export function otelIo(parts: Partial<OtelIo> = {}): OtelIo {
  return {
    log() {},
    version: "1.2.3",
    env: {},
    offline: false,
    genAi: genAiName,
    instanceId: "instance-1",
    write() {},
    ...parts,
  };
}

/** Time that passes when a test says so. */
export interface FakeTime {
  readonly clock: Clock;
  readonly later: Later;
  /** Lets time pass; timers run when they are due, in order. */
  advance(ms: number): void;
  /** Timers that wait. */
  waiting(): number;
}

/** Makes time that begins at `now`. */
export function fakeTime(now = Date.UTC(2026, 2, 15, 10, 30)): FakeTime {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    clock: { now: () => now, monotonic: () => now },
    later(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until)
          .sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        now = next.at;
        next.run();
      }
      now = until;
    },
    waiting: () => timers.size,
  };
}

/** A request that a server got. */
export interface Received {
  readonly path: string;
  readonly headers: Headers;
  readonly text: string;
}

/** A server on a loopback port. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** What it got, in order. */
  readonly received: readonly Received[];
  /** Resolves with the next request that nobody has taken yet. */
  next(): Promise<Received>;
}

/** Starts one; the answers are given in order, the last one ever after. */
export function startCollector(
  ...answers: readonly (() => Response)[]
): Collector {
  const received: Received[] = [];
  const waiting: ((one: Received) => void)[] = [];
  let taken = 0;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const one = {
        path: pathname + search,
        headers: request.headers,
        text: await request.text(),
      };
      const answer = answers[Math.min(received.length, answers.length - 1)];
      received.push(one);
      waiting.shift()?.(one);
      return answer?.() ?? Response.json({});
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    received,
    next() {
      const one = received[taken++];
      return one !== undefined
        ? Promise.resolve(one)
        : new Promise((resolve) => void waiting.push(resolve));
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Runs `body` with variables of this process set, and sets them back. */
export async function withEnv<T>(
  values: Readonly<Record<string, string>>,
  body: () => Promise<T>,
): Promise<T> {
  const before = Object.keys(values).map((name) =>
    [name, Deno.env.get(name)] as const
  );
  for (const [name, value] of Object.entries(values)) Deno.env.set(name, value);
  try {
    return await body();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
}

/** A JSON object that has these fields and no others. */
export function fieldsOf(
  value: unknown,
  allowed: readonly string[],
): Record<string, unknown> {
  assert(typeof value === "object" && value !== null && !Array.isArray(value));
  for (const key of Object.keys(value)) {
    assert(allowed.includes(key), `${key} is not one of ${allowed}`);
  }
  return value as Record<string, unknown>;
}

/** A JSON array. */
export function listOf(value: unknown): readonly unknown[] {
  assert(Array.isArray(value));
  return value;
}

/** The attributes of the OTLP JSON encoding, checked, by name. */
export function attributesOf(value: unknown): Record<string, unknown> {
  const entries = listOf(value).map((item) => {
    const { key, value } = fieldsOf(item, ["key", "value"]);
    assert(typeof key === "string" && key !== "");
    return [key, plainValue(value)] as const;
  });
  const names = entries.map(([name]) => name);
  assert.equal(new Set(names).size, names.length, "a key stands twice");
  return Object.fromEntries(entries);
}

/** A value of the OTLP JSON encoding, checked: one kind, 64-bit integers as texts or numbers that are safe. */
export function plainValue(value: unknown): unknown {
  const [[kind, inner] = [], ...rest] = Object.entries(value as object);
  assert.equal(rest.length, 0);
  switch (kind) {
    case "stringValue":
      assert(typeof inner === "string");
      return inner;
    case "boolValue":
      assert(typeof inner === "boolean");
      return inner;
    case "intValue":
      assert(/^-?\d+$/.test(String(inner)), `${inner} is no integer`);
      assert(typeof inner === "string" || Number.isSafeInteger(inner));
      return Number(inner);
    case "doubleValue":
      assert(typeof inner === "number" && Number.isFinite(inner));
      return inner;
    case "arrayValue":
      return listOf(fieldsOf(inner, ["values"]).values).map(plainValue);
    case "kvlistValue":
      return attributesOf(fieldsOf(inner, ["values"]).values);
    default:
      throw new Error(`${kind} is no kind of value`);
  }
}

/** Names of the files in a directory. */
export async function namesIn(directory: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(directory)) names.push(name);
  return names.toSorted();
}
