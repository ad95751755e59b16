/** Sums of one burst of activity: numbers, and names that are public. @module */
import type { RequestRecord, SeenBlock } from "../core/ledger.ts";
import type { LoggedRequest } from "../core/ledger_reader.ts";
import { inputOf, savedBy, succeeded } from "../core/outcome.ts";
import { slugOf } from "./slug.ts";

/** Names that many installations share; `undefined` or `other` for anything else, which may identify somebody. */
export interface PublicNames {
  /** Name in the public price list of the model that a client calls so; `undefined` when it is in none. */
  readonly model: (model: string) => string | undefined;
  /** Well-known provider with this label, as a slug; `undefined` for any other. */
  readonly provider: (upstream: string) => string | undefined;
  /** Well-known client with this product name, as a slug; `undefined` for any other. */
  readonly client: (agent: string) => string | undefined;
}

/** What the beacon looks at in a finished request. */
type BeaconEntry = Pick<
  LoggedRequest,
  | "at"
  | "latencyMs"
  | "overheadMs"
  | "status"
  | "cached"
  | "strategies"
  | "blocks"
  | "upstream"
  | "model"
  | "agent"
  | "tokensBefore"
  | "tokensIn"
  | "tokensSaved"
  | "schemaTokensSaved"
  | "input"
  | "output"
  | "cacheRead"
  | "cacheWrite"
>;

/** Reads a request that is in no ledger yet. */
export function entryOf(entry: RequestRecord): BeaconEntry {
  const { input, output, cacheRead, cacheWrite } = entry.usage;
  return {
    ...entry,
    ...{ input, output, cacheRead, cacheWrite },
    tokensIn: inputOf(entry),
    tokensSaved: savedBy(entry),
  };
}

/** Whether a request asked a model: what is only passed on is no turn. */
export function isTurn({ provider }: Pick<RequestRecord, "provider">): boolean {
  return provider !== "passthrough";
}

/** Strategies with a row of their own; the rest share one. The same bound holds for names and statuses. */
const MAX_ROWS = 32;
const OTHER = "other";

type Tally = Map<string, number>;

/** Texts that one compressor made smaller. */
interface Strategy {
  readonly events: number;
  /** Tokens of them. */
  readonly tokens_in: number;
  /** Tokens of what was sent for them. */
  readonly tokens_out: number;
}

/** What one snapshot says. Field names and shapes are those on the wire. */
export type BeaconSnapshot = Readonly<ReturnType<BeaconSession["snapshot"]>>;

/** Sums that only grow; a snapshot holds all of them so far. */
export class BeaconSession {
  readonly #id: string;
  readonly #names: PublicNames;
  #sequence = 0;
  #startedAt = Infinity;
  #endedAt = 0;
  #turns = 0;
  #plain = 0;
  #hits = 0;
  readonly #tokens = {
    original: 0,
    attempted: 0,
    input: 0,
    output: 0,
    saved: 0,
    tool_saved: 0,
    cache_read: 0,
    cache_write: 0,
    uncached: 0,
  };
  readonly #latency = { sum: 0, max: 0 };
  readonly #overhead = { sum: 0, max: 0 };
  readonly #transforms: Tally = new Map();
  readonly #strategies = new Map<string, Strategy>();
  readonly #providers: Tally = new Map();
  readonly #models: Tally = new Map();
  readonly #clients: Tally = new Map();
  readonly #failures: Tally = new Map();

  /** @param id Random. */
  constructor(id: string, names: PublicNames) {
    this.#id = id;
    this.#names = names;
  }

  /** Requests so far. */
  get turns(): number {
    return this.#turns;
  }

  /** The client with the most requests; `other` when there is none. */
  get stack(): string {
    const [first] = [...this.#clients].sort(([, a], [, b]) => b - a);
    return first?.[0] ?? OTHER;
  }

  /** Adds one request. */
  add(entry: BeaconEntry): void {
    const { at, latencyMs, status, strategies } = entry;
    this.#turns++;
    this.#startedAt = Math.min(this.#startedAt, at);
    this.#endedAt = Math.max(this.#endedAt, at + latencyMs);
    if (strategies.length === 0) this.#plain++;
    if (entry.cached) this.#hits++;
    this.#addTokens(entry);
    addDuration(this.#latency, latencyMs);
    addDuration(this.#overhead, entry.overheadMs);
    for (const name of new Set(strategies.map(slugOf))) {
      count(this.#transforms, name);
    }
    for (const block of entry.blocks) this.#addBlock(block);
    const { provider, model, client } = this.#names;
    count(this.#providers, named(provider(entry.upstream)));
    count(this.#models, model(entry.model) ?? OTHER);
    count(this.#clients, named(client(entry.agent)));
    // A client that left is no failure.
    if (status >= 400 && status !== 499) {
      count(this.#failures, statusName(status));
    }
  }

  #addTokens(entry: BeaconEntry): void {
    const { status, cached } = entry;
    const tokens = this.#tokens;
    if (succeeded({ status, cached, usage: entry })) {
      tokens.original += entry.tokensBefore;
      tokens.tool_saved += entry.schemaTokensSaved;
    }
    tokens.input += entry.tokensIn;
    tokens.output += entry.output ?? 0;
    tokens.saved += entry.tokensSaved;
    tokens.cache_read += entry.cacheRead ?? 0;
    tokens.cache_write += entry.cacheWrite ?? 0;
    tokens.uncached += entry.input ?? 0;
  }

  #addBlock({ isKnown, outcome, ...block }: SeenBlock): void {
    const { tokensBefore = 0, tokensAfter = 0 } = block;
    this.#tokens.attempted += tokensBefore;
    if (isKnown || outcome === "alone") return;
    const name = keyIn(this.#strategies, slugOf(block.strategy));
    const row = this.#strategies.get(name);
    this.#strategies.set(name, {
      events: (row?.events ?? 0) + 1,
      tokens_in: (row?.tokens_in ?? 0) + tokensBefore,
      tokens_out: (row?.tokens_out ?? 0) + tokensAfter,
    });
  }

  /** Everything so far; each one has the next number. */
  snapshot(final: boolean) {
    const tokens = { ...this.#tokens };
    return {
      /** Of these fields. */
      schema_version: 1 as const,
      /** Random. */
      session_id: this.#id,
      /** Of the snapshot in its session, from 0. */
      sequence: this.#sequence++,
      /** Whether the session is over. */
      final,
      /** From the start of the session's first request to the end of its last. */
      duration_ms: this.#turns === 0
        ? 0
        : Math.round(this.#endedAt - this.#startedAt),
      /** Requests. */
      turns: this.#turns,
      /** Requests that were sent as they came. */
      passthrough_turns: this.#plain,
      /** Requests answered from the response cache. */
      response_cache_hits: this.#hits,
      /** Sums. */
      tokens,
      /** Of them, in percent with one decimal. */
      percent: {
        saved: percent(tokens.saved, tokens.original),
        attempted: percent(tokens.attempted, tokens.original),
        cache_read: percent(
          tokens.cache_read,
          tokens.cache_read + tokens.cache_write + tokens.uncached,
        ),
      },
      /** Requests by what changed them. */
      transforms: Object.fromEntries(this.#transforms),
      /** What was compressed for the first time. */
      strategies: Array.from(
        this.#strategies,
        ([strategy, row]) => ({ strategy, ...row }),
      ),
      /** Milliseconds. */
      latency_ms: whole(this.#latency),
      /** See `latency_ms`. */
      overhead_ms: whole(this.#overhead),
      /** Requests by where they came from. */
      sources: { proxy: this.#turns },
      /** Requests by public name. */
      providers: Object.fromEntries(this.#providers),
      /** See `providers`. */
      models: Object.fromEntries(this.#models),
      /** Requests that failed, by HTTP status. */
      failures: Object.fromEntries(this.#failures),
    };
  }
}

function count(tally: Tally, name: string): void {
  const key = keyIn(tally, name);
  tally.set(key, (tally.get(key) ?? 0) + 1);
}

/** The name, or `other` when there are rows enough. */
function keyIn(rows: ReadonlyMap<string, unknown>, name: string): string {
  return rows.has(name) || rows.size < MAX_ROWS - 1 ? name : OTHER;
}

function addDuration(row: { sum: number; max: number }, ms: number): void {
  row.sum += ms;
  row.max = Math.max(row.max, ms);
}

/** Whole milliseconds, of all and of the longest. */
function whole({ sum, max }: { readonly sum: number; readonly max: number }) {
  return { sum: Math.round(sum), max: Math.round(max) };
}

function percent(part: number, of: number): number {
  return of === 0 ? 0 : Math.round((part / of) * 1000) / 10;
}

function statusName(status: number): string {
  return Number.isInteger(status) && status < 600 ? String(status) : OTHER;
}

function named(slug: string | undefined): string {
  return slug === undefined ? OTHER : slugOf(slug);
}
