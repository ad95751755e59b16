/** How long originals live, whichever process looks. @module */
import type { DatabaseSync } from "node:sqlite";

/** An original of which no life is noted lives for at least this long: 30 minutes, in milliseconds. */
const UNKNOWN_MS = 30 * 60_000;

/** From one to the next, so that the cost depends on how many lives there are, not on how many originals. */
const LIVES = `WITH RECURSIVE lives (life) AS (
    SELECT min(life_ms) FROM entries
    UNION ALL
    SELECT (SELECT min(life_ms) FROM entries WHERE life_ms > life) FROM lives
    WHERE life IS NOT NULL)
  SELECT life FROM lives WHERE life IS NOT NULL`;

/**
 * Milliseconds that an original lives after its last use.
 *
 * @param lifeMs As noted with it; 0 where a service of version 1 stored it.
 * @param ttlMs What this process gives to originals; counts only where nothing is noted.
 */
export function lifetimeOf(lifeMs: number, ttlMs: number): number {
  return lifeMs === 0 ? Math.max(ttlMs, UNKNOWN_MS) : lifeMs;
}

/** SQL of {@linkcode lifetimeOf} for a row; `unknown` is the SQL of its value where nothing is noted. */
export function lifetimeSql(column: string, unknown: string): string {
  return `iif(${column} = 0, ${unknown}, ${column})`;
}

/** Prepares the look-up of all lives that are noted, the shortest first. */
export function prepareLifetimes(db: DatabaseSync): () => number[] {
  const lives = db.prepare(LIVES);
  return () => lives.all().map((row) => row["life"] as number);
}
