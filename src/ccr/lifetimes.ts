/** How long originals live, whichever process looks. @module */
import type { DatabaseSync } from "node:sqlite";

/** From one to the next, so that the cost depends on how many lives there are, not on how many originals. */
const LIVES = `WITH RECURSIVE lives (life) AS (
    SELECT min(life_ms) FROM entries
    UNION ALL
    SELECT (SELECT min(life_ms) FROM entries WHERE life_ms > life) FROM lives
    WHERE life IS NOT NULL)
  SELECT life FROM lives WHERE life IS NOT NULL`;

/** Prepares the look-up of all lives that are noted, the shortest first. */
export function prepareLifetimes(db: DatabaseSync): () => number[] {
  const lives = db.prepare(LIVES);
  return () => lives.all().map((row) => row["life"] as number);
}
