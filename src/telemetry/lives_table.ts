/** What was seen of how long prompts are held, by provider, model and the time that was asked for. @module */
import { objectOr, parseJson } from "../bytes/json_parts.ts";
import type { CacheOutcome, CacheTurn } from "../core/cache_outcome.ts";

/** Milliseconds beyond which a prompt that is still there says nothing: no provider offers more than a day. */
const MAX_LIFE_MS = 86_400_000;
/** Rows that are kept, those that were seen last: clients choose the names of models. */
const MAX_ROWS = 500;
/** UTF-16 units of a name at most. */
const MAX_NAME = 200;

/** What is known of one provider, model and time. */
interface LifeRow {
  readonly provider: string;
  readonly model: string;
  /** Milliseconds that were asked for. */
  readonly ttl_ms: number;
  readonly hits: number;
  /** Those whose bytes were the same, apart from what was added. */
  readonly misses: number;
  /** Milliseconds of the longest pause after which a prompt was read. */
  readonly longest_hit_ms: number;
  /** Of the shortest one after which it was not, though nothing had changed; `null` for none. */
  readonly shortest_miss_ms: number | null;
}

/** The table. */
export class LivesTable {
  /** `seq` of the last row of the ledger that is in it; `undefined` for none. */
  counted: number | undefined;
  readonly #rows = new Map<string, LifeRow>();

  /** Adds a turn: one that was read again, or one that was not though nothing had changed. */
  add(
    { provider, model, verdict }: Pick<
      CacheTurn,
      "provider" | "model" | "verdict"
    >,
    { cause, idleMs, lifeMs, isOwn }: CacheOutcome,
  ): void {
    // What stands at the start of many prompts is read whatever becomes of one of them.
    const isHit = cause === "hit" && isOwn;
    const isMiss = verdict === "extended" &&
      (cause === "cold" || cause === "unknown");
    if (lifeMs === undefined || idleMs > MAX_LIFE_MS || !(isHit || isMiss)) {
      return;
    }
    const row = this.#row(provider, model, lifeMs);
    const { hits, misses, longest_hit_ms, shortest_miss_ms } = row;
    this.set({
      ...row,
      ...isHit
        ? { hits: hits + 1, longest_hit_ms: Math.max(longest_hit_ms, idleMs) }
        : {
          misses: misses + 1,
          shortest_miss_ms: Math.min(shortest_miss_ms ?? Infinity, idleMs),
        },
    });
  }

  /** Puts a row in place of the one before. */
  set(row: LifeRow): void {
    const key = keyOf(row.provider, row.model, row.ttl_ms);
    this.#rows.delete(key);
    this.#rows.set(key, row);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > MAX_ROWS) this.#rows.delete(oldest!);
  }

  /** See {@linkcode CacheLives}. */
  longest(provider: string, model: string, lifeMs: number): number {
    const row = this.#rows.get(keyOf(provider, model, lifeMs));
    return Math.max(lifeMs, row?.longest_hit_ms ?? 0);
  }

  /** As JSON, for {@linkcode livesIn}. */
  text(): string {
    const { counted = 0 } = this;
    const rows = [...this.#rows.values()];
    return `${JSON.stringify({ version: 1, counted, rows }, null, 2)}\n`;
  }

  #row(provider: string, model: string, ttl_ms: number): LifeRow {
    return this.#rows.get(keyOf(provider, model, ttl_ms)) ?? {
      ...{ provider, model, ttl_ms, hits: 0, misses: 0 },
      longest_hit_ms: 0,
      shortest_miss_ms: null,
    };
  }
}

function keyOf(provider: string, model: string, lifeMs: number): string {
  return JSON.stringify([provider, model, lifeMs]);
}

/**
 * Reads a table.
 *
 * @throws {RangeError} If it is none of ours: nothing of it is used.
 */
export function livesIn(text: string): LivesTable {
  // The engine's message would repeat a part of the text.
  const { version, counted, rows } = objectOr(parseJson(text));
  if (version !== 1 || !isCount(counted) || !Array.isArray(rows)) {
    throw notOurs();
  }
  const table = new LivesTable();
  table.counted = counted;
  for (const row of rows) {
    if (!isLifeRow(row)) throw notOurs();
    table.set(row);
  }
  return table;
}

function isLifeRow(value: unknown): value is LifeRow {
  const row = objectOr(value);
  return [row.provider, row.model].every((name) =>
    typeof name === "string" && name.length <= MAX_NAME
  ) &&
    [row.ttl_ms, row.longest_hit_ms, row.shortest_miss_ms ?? 0].every((ms) =>
      isCount(ms) && ms <= MAX_LIFE_MS
    ) && isCount(row.hits) && isCount(row.misses);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function notOurs(): RangeError {
  return new RangeError("Cannot use it: no table of cache lifetimes");
}
