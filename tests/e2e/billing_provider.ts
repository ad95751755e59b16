/** A provider on a real port that keeps prompts as real ones do, and writes a bill. */
import assert from "node:assert/strict";
import type { TextValues } from "../../src/settings/row.ts";
import type { StatsBody } from "../../src/ledger/stats_body.ts";
import { openTokenCounter } from "../../src/tokens/counter.ts";
import { BILLING_WIRES, type BillingWire, type Body } from "./billing_wires.ts";
import { type LoadedPrompt, loadTools, refused } from "./deferred_tools.ts";
import {
  automaticCache,
  type CacheParts,
  explicitCache,
  type PromptCacheModel,
  type PromptCharge,
} from "./prompt_cache_model.ts";
import { startProxy } from "./proxy.ts";
import { type Reply, WIRES } from "./scripted_wires.ts";
import { type Received, startUpstream } from "./upstream.ts";

/** List prices in nano-dollars per token. */
interface Prices {
  readonly input: number;
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly output: number;
}

/** Dollars per million tokens, as the providers list them, times 1000. */
const PRICES: Readonly<Record<string, Prices>> = {
  "claude-sonnet-4-5": {
    input: 3000,
    read: 300,
    write5m: 3750,
    write1h: 6000,
    output: 15_000,
  },
  "gpt-4o": {
    input: 2500,
    read: 1250,
    write5m: 2500,
    write1h: 2500,
    output: 10_000,
  },
};

/** One answer on the bill. */
export interface BilledAnswer extends PromptCharge {
  readonly model: string;
  /** Tokens that were generated, as far as the answer came. */
  output: number;
  /** Whether the client took all of it. */
  isWhole: boolean;
  /** Whether the answer, when it is whole, says what it costs: not in a chat stream that nobody asked for usage. */
  readonly isReported: boolean;
}

/** What the model does; with `holds` the answer stops in its middle until the client leaves. */
export type BillingScript = (request: Received) => Reply & {
  readonly holds?: boolean;
};

/** A provider that runs. */
export interface BillingProvider {
  readonly url: string;
  readonly answers: readonly BilledAnswer[];
  /** Resolves when no answer is under way. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Nano-dollars of these answers; what models without a listed price cost is in no bill. */
export function nanoUsdOf(answers: readonly BilledAnswer[]): number {
  return answers.reduce((sum, answer) => {
    const prices = PRICES[answer.model];
    if (prices === undefined) return sum;
    return sum + answer.input * prices.input + answer.read * prices.read +
      answer.write5m * prices.write5m + answer.write1h * prices.write1h +
      answer.output * prices.output;
  }, 0);
}

/** Starts a provider on a free port of 127.0.0.1. */
export async function startBillingProvider(
  script: BillingScript,
  now: () => number,
): Promise<BillingProvider> {
  const parts: CacheParts = { now, counter: await openTokenCounter() };
  const caches: Readonly<Record<string, PromptCacheModel>> = {
    "/v1/messages": explicitCache(parts),
    "/v1/chat/completions": automaticCache(parts),
    "/v1/responses": automaticCache(parts),
  };
  const answers: BilledAnswer[] = [];
  const open = new Set<Promise<void>>();
  const upstream = startUpstream((request) => {
    const { path } = request;
    if (path === "/v1/models") return Response.json({ data: [] });
    const wire = BILLING_WIRES[path];
    const cache = caches[path];
    if (wire === undefined || cache === undefined) {
      return new Response(null, { status: 404 });
    }
    const json: Body = request.json!;
    const { prompt, refusal, mayCall } = path === "/v1/messages"
      ? loadTools(json)
      : allLoaded(json);
    if (refusal !== undefined) return refused(refusal);
    const reply = script(request);
    if (reply.error) {
      return new Response(reply.error.body, {
        status: reply.error.status,
        headers: {
          "content-type": "application/json",
          "retry-after-ms": "1",
        },
      });
    }
    const model = String(json["model"]);
    const lost = reply.calls?.find(({ tool }) => !mayCall(tool));
    assert(!lost, `the model calls ${lost?.tool}, which it never loaded`);
    const charge = cache.charge(model, wire.blocks(prompt));
    const said = JSON.stringify([reply.text, reply.calls]);
    const isStream = json["stream"] === true;
    const isReported = !isStream || path !== "/v1/chat/completions" ||
      includesUsage(json);
    const billed = { ...charge, model, output: 0, isWhole: false, isReported };
    answers.push(billed);
    const output = parts.counter.count(said, model);
    const all = { path, wire, json, reply, output, n: answers.length };
    if (isStream) return streamed(all, billed, open);
    billed.output = output;
    billed.isWhole = true;
    return Response.json(documentOf(all, billed));
  });
  return {
    url: upstream.url,
    answers,
    settled: async () => void await Promise.all(open),
    stop: upstream.stop,
  };
}

/** A provider with a bill, behind a proxy or alone. */
export interface BilledPlace {
  /** Of the proxy, or else of the provider. */
  readonly url: string;
  readonly provider: BillingProvider;
  /** Lets time pass. */
  readonly pass: (ms: number) => void;
  /** What the proxy reports, once no answer is under way. */
  stats(): Promise<StatsBody>;
}

/** Runs `test` where a provider writes a bill; with a proxy under `env`, without one where that is not given. */
export async function withBill<T>(
  { script, env }: { readonly script: BillingScript; env?: TextValues },
  test: (place: BilledPlace) => Promise<T>,
): Promise<T> {
  const time = { ms: Date.UTC(2026, 2, 2) };
  const provider = await startBillingProvider(script, () => time.ms);
  const clock = { now: () => time.ms, monotonic: () => performance.now() };
  const targets = {
    MSG_TARGET_API_URL: provider.url,
    CHAT_TARGET_API_URL: provider.url,
  };
  const proxy = env && await startProxy({ ...targets, ...env }, { clock });
  const { url } = proxy ?? provider;
  try {
    return await test({
      url,
      provider,
      pass: (ms) => void (time.ms += ms),
      async stats() {
        await provider.settled();
        return await (await fetch(`${url}/stats`)).json();
      },
    });
  } finally {
    await proxy?.stop();
    await provider.stop();
  }
}

/** What a wire makes of its tools in which none is loaded on demand. */
function allLoaded(prompt: Body): LoadedPrompt {
  return { prompt, refusal: undefined, mayCall: () => true };
}

/** An answer that is to be written. */
interface Answer {
  readonly path: string;
  readonly wire: BillingWire;
  readonly json: Body;
  readonly reply: ReturnType<BillingScript>;
  /** Tokens of it. */
  readonly output: number;
  readonly n: number;
}

function includesUsage(json: Body): boolean {
  return JSON.stringify(json["stream_options"] ?? "").includes("true");
}

function factsOf({ n, json }: Answer) {
  return {
    n,
    model: json["model"],
    inputTokens: 0,
    includeUsage: includesUsage(json),
    store: undefined,
  };
}

function documentOf(answer: Answer, charge: PromptCharge): object {
  const { path, wire, reply, output } = answer;
  const document = WIRES[path]!.document(reply, factsOf(answer)) as object;
  return { ...document, usage: wire.usage(charge, output) };
}

/** The same as events; one that holds stops behind half of them. */
function streamed(
  answer: Answer,
  billed: BilledAnswer,
  open: Set<Promise<void>>,
): Response {
  const { path, wire, reply, output } = answer;
  const events: string[] = [];
  WIRES[path]!.stream(reply, factsOf(answer), (event, data) => {
    const named = event === undefined ? "" : `event: ${event}\n`;
    const shown = typeof data === "string" ? data : JSON.stringify(
      reported(data as Events, (tokens) => wire.usage(billed, tokens), output),
    );
    events.push(`${named}data: ${shown}\n\n`);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  open.add(promise);
  const ended = () => {
    open.delete(promise);
    resolve();
  };
  let sent = 0;
  const half = Math.ceil(events.length / 2);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (reply.holds && sent === half) return new Promise(() => {});
      if (sent < events.length) {
        controller.enqueue(new TextEncoder().encode(events[sent++]));
        billed.output = Math.ceil(output * sent / events.length);
        return;
      }
      billed.isWhole = true;
      ended();
      controller.close();
    },
    cancel: ended,
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream" },
  });
}

/** Members of an event that may report usage. */
interface Events {
  readonly type?: string;
  readonly message?: object;
  readonly response?: { readonly usage: object | null };
  readonly usage?: object;
}

/** The event with what this provider reports: when an answer starts, one token of it is there. */
function reported(
  data: Events,
  usage: (output: number) => object,
  output: number,
): object {
  if (data.type === "message_start") {
    return { ...data, message: { ...data.message, usage: usage(1) } };
  }
  if (data.response?.usage) {
    return { ...data, response: { ...data.response, usage: usage(output) } };
  }
  return data.usage === undefined ? data : { ...data, usage: usage(output) };
}
