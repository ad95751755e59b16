/** Figures of conversations. @module */
import type { LoggedRequest } from "../../core/ledger_reader.ts";
import { type CacheFigures, percentOf, type PerfReport } from "./report.ts";
import { promptOf } from "./request_kind.ts";
import { spreadOf } from "./spread.ts";

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
  cache(): CacheFigures {
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
  sizes(): PerfReport["conversations"] {
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
