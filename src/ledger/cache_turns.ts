/** Requests of conversations as the provider's cache saw them, read from the database. @module */
import type { CacheTurn } from "../core/cache_outcome.ts";
import type { PrefixProof } from "../core/ledger.ts";
import { type RequestRow, usageOf } from "./rows.ts";
import type { Row } from "./statements.ts";

/** Requests of a conversation among which the one before is looked for: clients choose the names of models. */
const LOOK_BACK = 20;

/**
 * What was billed beside what was billed before in the conversation: of the same model, since each has its own cache. Tokens of further rounds are part of a row's sums:
 * the first one is what found something in the cache.
 *
 * Parameters: the `seq` and the time before the first row, and how many there are at most.
 */
export const CACHE_TURNS =
  `SELECT r.seq, r.at, r.provider, r.model, r.prefix_verdict,
    ${firstRound("r", "cacheRead")} AS first_read,
    p.at AS before_at, p.cache_write, p.cache_write_1h,
    ${firstRound("p", "input")} AS input,
    ${firstRound("p", "cacheRead")} AS cache_read
  FROM requests AS r LEFT JOIN requests AS p ON p.seq = (
    SELECT seq FROM (
      SELECT seq, model, provider, cost_basis FROM requests
      WHERE conversation <> '' AND conversation = r.conversation
        AND seq < r.seq ORDER BY seq DESC LIMIT ${LOOK_BACK})
    WHERE model = r.model AND provider = r.provider
      AND cost_basis = 'measured' ORDER BY seq DESC LIMIT 1)
  WHERE r.seq > ? AND r.at >= ? AND r.conversation <> ''
    AND r.cost_basis IS NOT NULL AND r.status < 400
  ORDER BY r.seq LIMIT ?`;

/** Tokens of the first round: lists are long, and most requests have no other. */
function firstRound(row: "r" | "p", count: "input" | "cacheRead"): string {
  const column = count === "input" ? "input" : "cache_read";
  return `${row}.${column} - iif(${row}.further_rounds > 0,
      ifnull(json_extract(${row}.lists, '$.furtherUsage.${count}'), 0), 0)`;
}

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
