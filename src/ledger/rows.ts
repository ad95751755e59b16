/** Finished requests as rows of the database, and back. @module */
import type {
  PrefixProof,
  RequestRecord,
  SentForm,
  StageFailure,
} from "../core/ledger.ts";
import type { Sums } from "../core/ledger_reader.ts";
import { inputOf, savedBy, succeeded } from "../core/outcome.ts";
import type { Usage } from "../core/usage.ts";
import { finite, savedByName, shortName, whole } from "./named_sums.ts";
import { listsInSteps, listsText } from "./row_lists.ts";

/** A value of a column. */
export type Cell = string | number | null;

/** Columns of a row of `requests`, in the order of {@linkcode RequestRow}. */
export const REQUEST_COLUMNS = [
  ...["id", "at", "run", "process"],
  ...["provider", "upstream", "model"],
  ...["status", "cached", "refused_by", "older_decided"],
  ...["tokens_before", "tokens_after", "tokens_in", "tokens_saved"],
  ...["saved_fresh", "saved_kept", "added_fresh", "added_kept"],
  ...["input", "output", "cache_read", "cache_write", "cache_write_1h"],
  ...["further_rounds", "latency_ms", "overhead_ms"],
  ...["cost_basis", "nano_usd", "saved_gross", "saved_net", "lists"],
  ...["project", "stack", "agent", "conversation", "ttfb_ms"],
  ...["prefix_verdict", "prefix_previous", "prefix_equal", "prefix_difference"],
  ...["saved_by", "error_type", "failures"],
] as const;

/** Inserts a row of `requests`, unless there is one of the same id. */
export const INSERT_REQUEST = `INSERT INTO requests (${
  REQUEST_COLUMNS.join(", ")
}) VALUES (${REQUEST_COLUMNS.map(() => "?").join(", ")})
  ON CONFLICT (id) DO NOTHING`;

/** The values of {@linkcode INSERT_REQUEST}. */
export function cellsOf(row: RequestRow): readonly Cell[] {
  return REQUEST_COLUMNS.map((column) => row[column]);
}

/** A row of `requests`. */
export type RequestRow = Readonly<
  Record<typeof REQUEST_COLUMNS[number], Cell>
>;

/** Whose row it is. */
export interface RowOwner {
  /** One start of the proxy, with all its processes. */
  readonly run: string;
  /** The process. */
  readonly process: string;
}

/** Nano-dollars beyond which a cost is an error in a price: a million dollars. */
const MAX_NANO_USD = 1e15;

/**
 * The row of a finished request.
 *
 * @param forms Those of its forms that were not in an earlier row: a conversation sends all of its forms each time.
 */
export function rowOf(
  entry: RequestRecord,
  owner: RowOwner,
  forms: readonly SentForm[],
): RequestRow {
  return rowWith(entry, owner, listsText(entry, forms));
}

/** Blocks of a row that is written in a few milliseconds. */
const MANY_BLOCKS = 2000;

/** Whether it takes several turns to write the row. */
export function hasManyBlocks(
  { blocks }: Pick<RequestRecord, "blocks">,
): boolean {
  return blocks.length > MANY_BLOCKS;
}

/** The same, with turns of others in between. */
export async function rowInSteps(
  entry: RequestRecord,
  owner: RowOwner,
  forms: readonly SentForm[],
): Promise<RequestRow> {
  return rowWith(entry, owner, await listsInSteps(entry, forms));
}

function rowWith(
  entry: RequestRecord,
  owner: RowOwner,
  lists: string,
): RequestRow {
  const { usage, cost, savedTokens, prefix } = entry;
  // Nothing is spread: an object that is made at once takes a fraction of the time.
  return {
    id: entry.id,
    at: whole(entry.at),
    run: owner.run,
    process: owner.process,
    provider: entry.provider,
    upstream: entry.upstream,
    model: shortName(entry.model),
    status: whole(entry.status),
    cached: Number(entry.cached),
    refused_by: entry.refusedBy ?? null,
    older_decided: entry.olderDecided ?? null,
    tokens_before: whole(entry.tokensBefore),
    tokens_after: whole(entry.tokensAfter),
    tokens_in: whole(inputOf(entry)),
    tokens_saved: whole(savedBy(entry)),
    saved_fresh: whole(savedTokens.fresh),
    saved_kept: whole(savedTokens.kept),
    added_fresh: whole(savedTokens.addedFresh),
    added_kept: whole(savedTokens.addedKept),
    input: maybeWhole(usage.input),
    output: maybeWhole(usage.output),
    cache_read: maybeWhole(usage.cacheRead),
    cache_write: maybeWhole(usage.cacheWrite),
    cache_write_1h: maybeWhole(usage.cacheWrite1h),
    further_rounds: whole(entry.furtherRounds),
    latency_ms: finite(entry.latencyMs),
    overhead_ms: finite(entry.overheadMs),
    cost_basis: cost?.basis ?? null,
    nano_usd: money(cost?.nanoUsd),
    saved_gross: money(cost?.savedGrossNanoUsd),
    saved_net: money(cost?.savedNetNanoUsd),
    lists,
    project: entry.project,
    stack: entry.stack,
    agent: entry.agent,
    conversation: entry.conversation,
    ttfb_ms: entry.ttfbMs === undefined ? null : finite(entry.ttfbMs),
    prefix_verdict: prefix?.verdict ?? null,
    prefix_previous: maybeWhole(prefix?.previousBytes),
    prefix_equal: maybeWhole(prefix?.equalBytes),
    prefix_difference: prefix?.firstDifference ?? null,
    saved_by: savedByName(entry),
    error_type: shortName(entry.errorType),
    failures: failuresCell(entry.failures),
  };
}

/** Failures of a row that are kept, and UTF-16 units of a reason. */
const MAX_FAILURES = 20;
const MAX_REASON = 300;

function failuresCell(failures: readonly StageFailure[]): Cell {
  if (failures.length === 0) return null;
  return JSON.stringify(
    failures.slice(0, MAX_FAILURES).map(({ stage, reason }) => ({
      stage,
      reason: reason.slice(0, MAX_REASON),
    })),
  );
}

/** Steps that failed in the request of a row. */
export function failuresOf(
  { failures }: Pick<RequestRow, "failures">,
): readonly StageFailure[] {
  // Written by `failuresCell`.
  return failures === null
    ? []
    : JSON.parse(String(failures)) as readonly StageFailure[];
}

/** The proof of a row. */
export function prefixOf(
  row: Pick<
    RequestRow,
    "prefix_verdict" | "prefix_previous" | "prefix_equal" | "prefix_difference"
  >,
): PrefixProof | undefined {
  if (row.prefix_verdict === null) return undefined;
  return {
    // A word of the same column.
    verdict: row.prefix_verdict as PrefixProof["verdict"],
    previousBytes: Number(row.prefix_previous),
    equalBytes: Number(row.prefix_equal),
    firstDifference: String(row.prefix_difference),
  };
}

/** The number of a cell; `undefined` where it is unknown. */
export function maybe(cell: Cell): number | undefined {
  return cell === null ? undefined : Number(cell);
}

/** The usage of a row. */
export function usageOf(
  row: Pick<
    RequestRow,
    "input" | "output" | "cache_read" | "cache_write" | "cache_write_1h"
  >,
): Usage {
  const fields = {
    input: row.input,
    output: row.output,
    cacheRead: row.cache_read,
    cacheWrite: row.cache_write,
    cacheWrite1h: row.cache_write_1h,
  };
  const reported = Object.entries(fields).filter(([, cell]) => cell !== null);
  return Object.fromEntries(reported) as Usage;
}

/** Whether a provider took the request of a row: of one that failed it may say what it would have saved. */
export function isTaken(row: RequestRow): boolean {
  return succeeded({
    status: Number(row.status),
    cached: row.cached === 1,
    usage: promptOf(row),
  });
}

/** The prompt as billed. */
export function promptOf(row: RequestRow) {
  return {
    input: maybe(row.input),
    cacheRead: maybe(row.cache_read),
    cacheWrite: maybe(row.cache_write),
  };
}

/** Tokens that compression took away in the request of a row. */
export function removedIn(row: RequestRow): number {
  return isTaken(row) ? Number(row.saved_fresh) + Number(row.saved_kept) : 0;
}

/** What a row adds to all sums. */
export function sumsOfRow(row: RequestRow): Sums {
  const saved = removedIn(row);
  return {
    requests: 1,
    failed: Number(Number(row.status) >= 500),
    input: Number(row.tokens_in),
    output: Number(row.output),
    saved,
    added: saved - Number(row.tokens_saved),
    cacheRead: Number(row.cache_read),
    cacheWrite: Number(row.cache_write),
    nanoUsd: Number(row.nano_usd),
    savedGross: Number(row.saved_gross),
    savedNet: Number(row.saved_net),
    unpriced: Number(row.cost_basis !== null && row.nano_usd === null),
  };
}

/** Tokens of a row by kind and tool, as `savedByName` wrote them. */
export function savedShares(
  { saved_by }: Pick<RequestRow, "saved_by">,
): readonly (readonly [name: string, tokens: number])[] {
  return Object.entries(JSON.parse(String(saved_by)));
}

function maybeWhole(value: number | undefined): Cell {
  return value === undefined ? null : whole(value);
}

function money(nanoUsd: number | undefined): Cell {
  if (nanoUsd === undefined) return null;
  return Math.max(-MAX_NANO_USD, Math.min(MAX_NANO_USD, whole(nanoUsd)));
}
