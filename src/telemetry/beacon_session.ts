/** Sums of one burst of activity. @module */
import type { BeaconTurn } from "./beacon_turn.ts";

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
    // Nothing defers tool definitions yet.
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
  constructor(id: string) {
    this.#id = id;
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
  add(turn: BeaconTurn): void {
    this.#turns++;
    this.#startedAt = Math.min(this.#startedAt, turn.endedAt - turn.latencyMs);
    this.#endedAt = Math.max(this.#endedAt, turn.endedAt);
    if (!turn.changed) this.#plain++;
    if (turn.cached) this.#hits++;
    this.#addTokens(turn);
    addDuration(this.#latency, turn.latencyMs);
    addDuration(this.#overhead, turn.overheadMs);
    for (const name of turn.transforms) count(this.#transforms, name);
    for (const { strategy, before, after } of turn.strategies) {
      const name = keyIn(this.#strategies, strategy);
      const row = this.#strategies.get(name);
      this.#strategies.set(name, {
        events: (row?.events ?? 0) + 1,
        tokens_in: (row?.tokens_in ?? 0) + before,
        tokens_out: (row?.tokens_out ?? 0) + after,
      });
    }
    count(this.#providers, turn.provider);
    count(this.#models, turn.model);
    count(this.#clients, turn.client);
    // A client that left is no failure.
    if (turn.status >= 400 && turn.status !== 499) {
      count(this.#failures, statusName(turn.status));
    }
  }

  #addTokens(turn: BeaconTurn): void {
    const tokens = this.#tokens;
    tokens.original += turn.original;
    tokens.attempted += turn.attempted;
    tokens.input += turn.input;
    tokens.output += turn.output;
    tokens.saved += turn.saved;
    tokens.cache_read += turn.cacheRead;
    tokens.cache_write += turn.cacheWrite;
    tokens.uncached += turn.uncached;
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
