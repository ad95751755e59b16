/** Sums of one burst of activity. @module */
import type { BeaconTurn } from "./beacon_turn.ts";

/** Strategies with a row of their own; the rest share one. The same bound holds for names and statuses. */
const MAX_ROWS = 32;
const OTHER = "other";

/** What one snapshot says. Field names and shapes are those on the wire. */
export interface BeaconSnapshot {
  /** Of these fields. */
  readonly schema_version: 1;
  /** Random. */
  readonly session_id: string;
  /** Of the snapshot in its session, from 0. */
  readonly sequence: number;
  /** Whether the session is over. */
  readonly final: boolean;
  /** From the start of the session's first request to the end of its last. */
  readonly duration_ms: number;
  /** Requests. */
  readonly turns: number;
  /** Requests that were sent as they came. */
  readonly passthrough_turns: number;
  /** Requests answered from the response cache. */
  readonly response_cache_hits: number;
  /** Sums. */
  readonly tokens: Readonly<Record<string, number>>;
  /** Of them, in percent with one decimal. */
  readonly percent: Readonly<Record<string, number>>;
  /** Requests by what changed them. */
  readonly transforms: Readonly<Record<string, number>>;
  /** What was compressed for the first time. */
  readonly strategies: readonly StrategyRow[];
  /** Milliseconds. */
  readonly latency_ms: DurationRow;
  /** See `latency_ms`. */
  readonly overhead_ms: DurationRow;
  /** Requests by where they came from. */
  readonly sources: Readonly<Record<string, number>>;
  /** Requests by public name. */
  readonly providers: Readonly<Record<string, number>>;
  /** See `providers`. */
  readonly models: Readonly<Record<string, number>>;
  /** Requests that failed, by HTTP status. */
  readonly failures: Readonly<Record<string, number>>;
}

/** One strategy. */
export interface StrategyRow {
  /** Slug of the compressor. */
  readonly strategy: string;
  /** Texts. */
  readonly events: number;
  /** Of them. */
  readonly tokens_in: number;
  /** Of what was sent for them. */
  readonly tokens_out: number;
}

/** Durations, whole milliseconds. */
export interface DurationRow {
  /** Of all. */
  readonly sum: number;
  /** The longest. */
  readonly max: number;
}

type Tally = Map<string, number>;

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
  readonly #strategies = new Map<string, Omit<StrategyRow, "strategy">>();
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
  snapshot(final: boolean): BeaconSnapshot {
    const tokens = { ...this.#tokens };
    return {
      schema_version: 1,
      session_id: this.#id,
      sequence: this.#sequence++,
      final,
      duration_ms: this.#turns === 0
        ? 0
        : Math.round(this.#endedAt - this.#startedAt),
      turns: this.#turns,
      passthrough_turns: this.#plain,
      response_cache_hits: this.#hits,
      tokens,
      percent: {
        saved: percent(tokens.saved, tokens.original),
        attempted: percent(tokens.attempted, tokens.original),
        cache_read: percent(
          tokens.cache_read,
          tokens.cache_read + tokens.cache_write + tokens.uncached,
        ),
      },
      transforms: Object.fromEntries(this.#transforms),
      strategies: Array.from(
        this.#strategies,
        ([strategy, row]) => ({ strategy, ...row }),
      ),
      latency_ms: whole(this.#latency),
      overhead_ms: whole(this.#overhead),
      sources: { proxy: this.#turns },
      providers: Object.fromEntries(this.#providers),
      models: Object.fromEntries(this.#models),
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

function whole({ sum, max }: DurationRow): DurationRow {
  return { sum: Math.round(sum), max: Math.round(max) };
}

function percent(part: number, of: number): number {
  return of === 0 ? 0 : Math.round((part / of) * 1000) / 10;
}

function statusName(status: number): string {
  return Number.isInteger(status) && status < 600 ? String(status) : OTHER;
}
