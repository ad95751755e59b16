/** Requests of conversations as the provider's cache saw them, read from the database. @module */
import type { CacheTurn } from "../core/cache_outcome.ts";
import type { PrefixProof } from "../core/ledger.ts";
import { type RequestRow, usageOf } from "./rows.ts";
import type { Row } from "./statements.ts";

/**
 * What was billed beside what was billed before in the conversation: of the same model, since each has its own cache. Tokens of further rounds are part of a row's sums:
 * the first one is what found something in the cache.
 *
 * Parameters: the `seq` and the time before the first row, and how many there are at most.
 */
export const CACHE_TURNS =
  `SELECT r.seq, r.at, r.provider, r.model, r.prefix_verdict,
    r.cache_read - ifnull(iif(r.further_rounds > 0,
      json_extract(r.lists, '$.furtherUsage.cacheRead'), 0), 0) AS first_read,
    p.at AS before_at, p.cache_write, p.cache_write_1h,
    p.input - ifnull(json_extract(p.lists, '$.furtherUsage.input'), 0)
      AS input,
    p.cache_read - ifnull(json_extract(p.lists, '$.furtherUsage.cacheRead'), 0)
      AS cache_read
  FROM requests AS r LEFT JOIN requests AS p ON p.seq = (
    SELECT seq FROM requests WHERE conversation <> ''
      AND conversation = r.conversation AND seq < r.seq
      AND model = r.model AND provider = r.provider
      AND cost_basis = 'measured' ORDER BY seq DESC LIMIT 1)
  WHERE r.seq > ? AND r.at >= ? AND r.conversation <> ''
    AND r.cost_basis IS NOT NULL AND r.status < 400
  ORDER BY r.seq LIMIT ?`;

/** The turn of a row of {@linkcode CACHE_TURNS}. */
export function turnOf(found: Row): CacheTurn {
  // The columns are those of a row, and of the row before.
  const row = found as unknown as RequestRow;
  const { first_read: read, before_at: at } = found;
  return {
    seq: Number(found["seq"]),
    at: Number(row.at),
    provider: String(row.provider),
    model: String(row.model),
    read: read === null ? undefined : Number(read),
    // A word of the same column.
    verdict: row.prefix_verdict as PrefixProof["verdict"] | null ?? undefined,
    before: at === null ? undefined : {
      ...usageOf({ ...row, output: null }),
      at: Number(at),
    },
  };
}
