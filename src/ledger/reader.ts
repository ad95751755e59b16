/** Reads what is kept, for reports and the command line. Sums are read as floating point: beyond 2^53 they are rounded instead of refused. @module */
import type { DatabaseSync } from "node:sqlite";
import type { CacheTurn } from "../core/cache_outcome.ts";
import type { CostBasis } from "../core/cost.ts";
import type {
  AnsweredTurns,
  Bucket,
  CacheTurnQuery,
  ConversationSums,
  Dimension,
  LedgerReader,
  LoggedRequest,
  NamedSums,
  RequestLister,
  RequestListQuery,
  RequestQuery,
  Step,
  Sums,
} from "../core/ledger_reader.ts";
import {
  failuresOf,
  maybe,
  prefixOf,
  removedIn,
  type RequestRow,
} from "./rows.ts";
import { type Lists, listsOf } from "./row_lists.ts";
import { CACHE_TURNS, turnOf } from "./cache_turns.ts";
import { type Row, Statements } from "./statements.ts";
import { ADDED_UP, SUMS, sumsOf } from "./sum_columns.ts";

const REQUEST = `SELECT seq, id, at, provider, upstream, model, project, stack,
  agent, conversation, status, cached, refused_by, tokens_before, tokens_after,
  tokens_in, tokens_saved, saved_fresh, saved_kept, input, output, cache_read,
  cache_write, cache_write_1h, latency_ms, ttfb_ms, overhead_ms, cost_basis, nano_usd, saved_gross, saved_net,
  further_rounds, prefix_verdict, prefix_previous, prefix_equal,
  prefix_difference, error_type, failures, lists FROM requests`;

/** The condition of an index. */
const HAS_PROBLEM =
  "((status >= 400 AND status <> 499) OR failures IS NOT NULL)";

const SQL = {
  newest: `${REQUEST} ORDER BY seq DESC LIMIT ?`,
  newestSince: `${REQUEST} WHERE seq IN (
    SELECT seq FROM requests WHERE at >= ? ORDER BY at DESC LIMIT ?)
    ORDER BY seq DESC`,
  after: `${REQUEST} WHERE seq > ? AND at >= ? ORDER BY seq LIMIT ?`,
  byId: `${REQUEST} WHERE id = ?`,
  // No character of an id stands behind the last one of Unicode.
  byPrefix: `${REQUEST} WHERE id >= ?1 AND id < ?1 || char(1114111) LIMIT 2`,
  listed: `${REQUEST} WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
  listedOfConversation: `${REQUEST} WHERE conversation <> ''
    AND conversation = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
  listedProblems: `${REQUEST} WHERE ${HAS_PROBLEM} AND seq < ?
    ORDER BY seq DESC LIMIT ?`,
  lifetime: `SELECT ${SUMS} FROM totals`,
  broken: `SELECT broken_prefixes FROM totals`,
  buckets: `SELECT start, ${SUMS} FROM buckets WHERE step = ? ORDER BY start`,
  named: `SELECT name, ${SUMS} FROM named WHERE dimension = ? AND day = -1`,
  namedSince: `SELECT name, ${ADDED_UP} FROM named
    WHERE dimension = ? AND day >= max(0, ?) GROUP BY name`,
  conversations: `SELECT count(*) AS count, total(net < 0) AS dearer,
      total(min(net, 0)) AS lost, total(routed) AS routed,
      total(route_saved) AS route_saved, total(cached) AS cached,
      total(cache_saved) AS cache_saved
    FROM (
      SELECT sum(saved_net) AS net,
        sum(json_extract(lists, '$.routedFrom') IS NOT NULL) AS routed,
        sum(ifnull(json_extract(lists, '$.routeSaved'), 0)) AS route_saved,
        sum(json_extract(lists, '$.cacheSaved') IS NOT NULL) AS cached,
        sum(ifnull(json_extract(lists, '$.cacheSaved'), 0)) AS cache_saved
      FROM requests
      WHERE conversation <> '' AND saved_net IS NOT NULL AND at >= ?
      GROUP BY conversation)`,
  answers:
    `SELECT conversation, model, json_extract(lists, '$.shape.turn') AS turn,
      json_extract(lists, '$.shape.isShaped') AS shaped, count(*) AS turns,
      sum(output) AS output
    FROM requests
    WHERE conversation <> '' AND output IS NOT NULL AND status = 200
      AND at >= ? AND json_extract(lists, '$.shape.turn') IS NOT NULL
    GROUP BY conversation, model, turn, shaped`,
  cacheTurns: CACHE_TURNS,
  session: `SELECT started_at, last_at, ${SUMS} FROM session`,
} as const;

/** The last stretch of requests without an hour of silence between two of them. */
export interface DisplaySession extends Sums {
  /** Milliseconds since the Unix epoch at which its first request came. */
  readonly startedAt: number;
  /** When its last request ended. */
  readonly lastAt: number;
}

/** Reads the session, too. */
export interface SessionReader extends LedgerReader {
  /** The last session, however long ago; `undefined` before the first request. */
  session(): DisplaySession | undefined;
}

/** Reads on one connection; a statement is prepared when it is first used. */
export class SqlReader implements SessionReader, RequestLister {
  readonly #sql: Statements<keyof typeof SQL>;

  /** The tables must be there. */
  constructor(db: DatabaseSync) {
    this.#sql = new Statements(db, SQL);
  }

  requests(query: RequestQuery): readonly LoggedRequest[] {
    return this.#requestRows(query).map(requestOf);
  }

  list(query: RequestListQuery): readonly LoggedRequest[] {
    return this.#listedRows(query).map(requestOf);
  }

  request(id: string): LoggedRequest | undefined {
    if (id === "") return undefined;
    const [exact] = this.#sql.all("byId", id);
    if (exact !== undefined) return requestOf(exact);
    const [only, other] = this.#sql.all("byPrefix", id);
    return only === undefined || other !== undefined
      ? undefined
      : requestOf(only);
  }

  lifetime(): Sums {
    return sumsOf(this.#sql.all("lifetime")[0] ?? {});
  }

  buckets(step: Step): readonly Bucket[] {
    return this.#sql.all("buckets", step).map((row) => ({
      start: Number(row["start"]),
      ...sumsOf(row),
    }));
  }

  breakdown(by: Dimension, since?: number): readonly NamedSums[] {
    const rows = since === undefined
      ? this.#sql.all("named", by)
      : this.#sql.all("namedSince", by, since);
    return rows.map((row) => ({ name: String(row["name"]), ...sumsOf(row) }))
      .sort((a, b) => b.saved - b.added - (a.saved - a.added));
  }

  brokenPrefixes(): number {
    return Number(this.#sql.all("broken")[0]?.["broken_prefixes"]);
  }

  conversations(since = 0): ConversationSums {
    const row = this.#sql.all("conversations", since)[0] ?? {};
    return {
      count: Number(row["count"]),
      dearer: Number(row["dearer"]),
      lostNanoUsd: -Number(row["lost"]),
      routed: Number(row["routed"]),
      routeSavedNanoUsd: Number(row["route_saved"]),
      cached: Number(row["cached"]),
      cacheSavedNanoUsd: Number(row["cache_saved"]),
    };
  }

  answers(since = 0): readonly AnsweredTurns[] {
    return this.#sql.all("answers", since).map((row) => ({
      conversation: String(row["conversation"]),
      stratum: `${row["model"]} ${row["turn"]}`,
      isShaped: row["shaped"] === 1,
      turns: Number(row["turns"]),
      output: Number(row["output"]),
    }));
  }

  cacheTurns(query: CacheTurnQuery): readonly CacheTurn[] {
    const { after, since = -Infinity, limit } = query;
    return this.#sql.all("cacheTurns", after, since, limit).map(turnOf);
  }

  session(): DisplaySession | undefined {
    const [row] = this.#sql.all("session");
    return row && {
      startedAt: Number(row["started_at"]),
      lastAt: Number(row["last_at"]),
      ...sumsOf(row),
    };
  }

  #requestRows({ limit, after, since }: RequestQuery): readonly Row[] {
    if (after !== undefined) {
      return this.#sql.all("after", after, since ?? -Infinity, limit);
    }
    return since === undefined
      ? this.#sql.all("newest", limit)
      : this.#sql.all("newestSince", since, limit);
  }

  #listedRows(
    { limit, conversation, hasProblem, before = Number.MAX_SAFE_INTEGER }:
      RequestListQuery,
  ): readonly Row[] {
    if (conversation !== undefined) {
      return this.#sql.all("listedOfConversation", conversation, before, limit);
    }
    const name = hasProblem ? "listedProblems" : "listed";
    return this.#sql.all(name, before, limit);
  }
}

/** Its lists are parsed when they are looked at: they may be long, and sums of many requests need none of them. */
function requestOf(found: Row): LoggedRequest {
  // The columns are those of a row.
  const row = found as unknown as RequestRow;
  let parsed: Lists | undefined;
  const lists = () => parsed ??= listsOf(row);
  return {
    seq: Number(found["seq"]),
    id: String(row.id),
    at: Number(row.at),
    provider: String(row.provider),
    upstream: String(row.upstream),
    model: String(row.model),
    project: String(row.project),
    stack: String(row.stack),
    agent: String(row.agent),
    conversation: String(row.conversation),
    status: Number(row.status),
    cached: row.cached === 1,
    // Words of the same columns.
    refusedBy: row.refused_by as LoggedRequest["refusedBy"] ?? undefined,
    errorType: String(row.error_type),
    failures: failuresOf(row),
    costBasis: row.cost_basis as CostBasis | null ?? undefined,
    ...tokensIn(row),
    latencyMs: Number(row.latency_ms),
    ttfbMs: maybe(row.ttfb_ms),
    overheadMs: Number(row.overhead_ms),
    nanoUsd: maybe(row.nano_usd),
    savedGrossNanoUsd: maybe(row.saved_gross),
    savedNetNanoUsd: maybe(row.saved_net),
    get strategies() {
      return lists().strategies;
    },
    get schemaTokensSaved() {
      return lists().schemaTokensSaved;
    },
    get routedFrom() {
      return lists().routedFrom;
    },
    get blocks() {
      return lists().blocks;
    },
    prefix: prefixOf(row),
    furtherRounds: Number(row.further_rounds),
    get retrievals() {
      return lists().retrieved.length;
    },
  };
}

function tokensIn(row: RequestRow) {
  return {
    tokensBefore: Number(row.tokens_before),
    tokensAfter: Number(row.tokens_after),
    tokensIn: Number(row.tokens_in),
    tokensRemoved: removedIn(row),
    tokensSaved: Number(row.tokens_saved),
    output: maybe(row.output),
    input: maybe(row.input),
    cacheRead: maybe(row.cache_read),
    cacheWrite: maybe(row.cache_write),
  };
}
