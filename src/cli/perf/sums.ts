/** Sums of compressors, conversations and models, and how values are spread. @module */
import type { LoggedRequest } from "../../core/ledger_reader.ts";
import type { SeenBlock } from "../../core/ledger.ts";
import { percentOf } from "../../core/percent.ts";
import { spreadOf, tokenFigures } from "./report.ts";

/** Status of a request whose client left first. */
const LEFT = 499;

/** How a request ended; `other`: answered, but not by a model. */
export type Ending =
  | "answered"
  | "other"
  | "failed"
  | "client_errors"
  | "aborted"
  | "cached"
  | "refused";

/** How it ended. */
export function endingOf(
  { status, cached, refusedBy, costBasis }: LoggedRequest,
): Ending {
  if (refusedBy !== undefined) return "refused";
  if (cached) return "cached";
  if (status === LEFT) return "aborted";
  if (status >= 500) return "failed";
  if (status >= 400) return "client_errors";
  return costBasis === undefined ? "other" : "answered";
}

/** Prompt tokens as billed, cached ones included; `undefined` when the provider did not say. */
export function promptOf(
  { input, cacheRead, cacheWrite }: LoggedRequest,
): number | undefined {
  const isKnown = input !== undefined || cacheRead !== undefined ||
    cacheWrite !== undefined;
  return isKnown
    ? (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
    : undefined;
}

/** Whether a provider took it, so that its tokens count. */
export function isTaken(request: LoggedRequest): boolean {
  const ending = endingOf(request);
  return ending === "answered" || ending === "other" ||
    (ending === "aborted" && promptOf(request) !== undefined);
}

/** Sums of a compressor. */
const NO_SUMS = { results: 0, elided: 0, before: 0, after: 0 };

/** What became of new tool results. */
export class Compressors {
  readonly #made = new Map<string, typeof NO_SUMS>();
  readonly #alone = new Map<string, { results: number; bytes: number }>();
  /** Results that were skipped, by their keys: only the process that skipped one knows it again. */
  readonly #skipped = new Set<string>();

  /** Takes the results that a request met for the first time. Later requests list those after the last thing the model said again. */
  add({ blocks }: LoggedRequest): void {
    for (const block of blocks) {
      if (block.isKnown) continue;
      if (block.outcome === "alone") {
        if (this.#wasSkipped(block)) continue;
        const sums = this.#alone.get(block.reason) ?? { results: 0, bytes: 0 };
        sums.results++;
        sums.bytes += block.bytes;
        this.#alone.set(block.reason, sums);
        continue;
      }
      const sums = this.#made.get(block.strategy) ?? { ...NO_SUMS };
      sums.results++;
      if (block.outcome === "elided") sums.elided++;
      sums.before += block.tokensBefore ?? 0;
      sums.after += block.tokensAfter ?? 0;
      this.#made.set(block.strategy, sums);
    }
  }

  #wasSkipped({ key }: SeenBlock): boolean {
    if (key === undefined) return false;
    const isKnown = this.#skipped.has(key);
    this.#skipped.add(key);
    return isKnown;
  }

  /**
   * The compressors, the greatest saving first.
   *
   * @param asked Times that a model asked for what each left out; `undefined` when nobody knows.
   */
  figures(
    asked: ReadonlyMap<string, number> | undefined,
  ) {
    return [...this.#made].map(([strategy, sums]) => ({
      strategy,
      results: sums.results,
      elided: sums.elided,
      ...tokenFigures(sums.before, sums.after),
      asked_for: asked === undefined ? null : asked.get(strategy) ?? 0,
    })).sort((a, b) => b.tokens_saved - a.tokens_saved);
  }

  /** What was left alone, the most bytes first. */
  leftAlone() {
    return [...this.#alone].map(([reason, sums]) => ({ reason, ...sums }))
      .sort((a, b) => b.bytes - a.bytes);
  }
}

/** Requests at each end of a conversation that are compared. */
const END = 5;

/** Prompt tokens, and those of them that were read from a cache. */
interface Prompt {
  readonly tokens: number;
  readonly read: number;
}

/** What is known of one conversation. */
interface Conversation {
  requests: number;
  largest: number;
  /** Requests with reported tokens. */
  reported: number;
  readonly first: Prompt[];
  readonly last: Prompt[];
}

/** Sizes of conversations, and how much of them caches held. Takes requests in the order in which they came. */
export class Conversations {
  readonly #all = new Map<string, Conversation>();
  #reported = 0;
  #input = 0;
  #read = 0;
  #write = 0;

  /** Takes one that a provider took. */
  add(request: LoggedRequest): void {
    const { conversation, tokensBefore, cacheRead: read = 0 } = request;
    const one = conversation === "" ? undefined : this.#of(conversation);
    if (one !== undefined) {
      one.requests++;
      one.largest = Math.max(one.largest, tokensBefore);
    }
    const tokens = promptOf(request);
    if (tokens === undefined) return;
    this.#reported++;
    this.#input += request.input ?? 0;
    this.#read += read;
    this.#write += request.cacheWrite ?? 0;
    if (one === undefined) return;
    one.reported++;
    const prompt = { tokens, read };
    if (one.first.length < END) one.first.push(prompt);
    one.last.push(prompt);
    if (one.last.length > END) one.last.shift();
  }

  /** Prompt caches. */
  cache() {
    const long = [...this.#all.values()]
      .filter(({ reported }) => reported >= 2 * END);
    const prompt = this.#input + this.#read + this.#write;
    return {
      requests: this.#reported,
      input_tokens: this.#input,
      read_tokens: this.#read,
      write_tokens: this.#write,
      hit_percent: prompt === 0 ? null : percentOf(this.#read, prompt),
      long_conversations: long.length,
      first_5_hit_percent: hitPercent(long.flatMap(({ first }) => first)),
      last_5_hit_percent: hitPercent(long.flatMap(({ last }) => last)),
    };
  }

  /** Sizes. */
  sizes() {
    const all = [...this.#all.values()];
    return {
      count: all.length,
      requests: spreadOf(all.map(({ requests }) => requests)),
      tokens: spreadOf(all.map(({ largest }) => largest)),
    };
  }

  #of(name: string): Conversation {
    const one = this.#all.get(name) ??
      { requests: 0, largest: 0, reported: 0, first: [], last: [] };
    this.#all.set(name, one);
    return one;
  }
}

function hitPercent(prompts: readonly Prompt[]): number | null {
  const sum = (key: keyof Prompt) =>
    prompts.reduce((total, prompt) => total + prompt[key], 0);
  return sum("tokens") === 0 ? null : percentOf(sum("read"), sum("tokens"));
}

/** Nano-dollars in a dollar. */
const NANO = 1e9;

function noModelSums() {
  const latencies: number[] = [];
  return { before: 0, after: 0, output: 0, nanoUsd: 0, unpriced: 0, latencies };
}

/** Sums by model. */
export class Models {
  readonly #all = new Map<string, ReturnType<typeof noModelSums>>();

  /** Takes an answered request. */
  add(request: LoggedRequest): void {
    const sums = this.#all.get(request.model) ?? noModelSums();
    this.#all.set(request.model, sums);
    sums.before += request.tokensBefore;
    sums.after += request.tokensAfter;
    sums.output += request.output ?? 0;
    sums.nanoUsd += request.nanoUsd ?? 0;
    if (request.nanoUsd === undefined) sums.unpriced++;
    sums.latencies.push(request.latencyMs);
  }

  /** The models, the most requests first. */
  figures() {
    return [...this.#all].map(([model, sums]) => ({
      model,
      requests: sums.latencies.length,
      ...tokenFigures(sums.before, sums.after),
      output_tokens: sums.output,
      cost_usd: sums.unpriced === sums.latencies.length
        ? null
        : sums.nanoUsd / NANO,
      unpriced_requests: sums.unpriced,
      latency_p50_ms: spreadOf(sums.latencies).p50,
    })).sort((a, b) => b.requests - a.requests);
  }
}
