/** Requests as the ledger gives them back. */
import type { RequestRecord } from "../../src/core/ledger.ts";
import type {
  LedgerReader,
  LoggedRequest,
} from "../../src/core/ledger_reader.ts";
import { outcomeOf } from "./export_samples.ts";

/** The row of a request. */
export function loggedOf(entry: RequestRecord, seq = 1): LoggedRequest {
  const { input, saved, took } = outcomeOf(entry);
  const { usage, savedTokens: { fresh, kept } } = entry;
  return {
    ...entry,
    seq,
    tokensIn: input,
    tokensRemoved: took ? fresh + kept : 0,
    tokensSaved: saved,
    input: usage.input,
    output: usage.output,
    cacheRead: usage.cacheRead,
    cacheWrite: usage.cacheWrite,
    costBasis: undefined,
    nanoUsd: undefined,
    savedGrossNanoUsd: undefined,
    savedNetNanoUsd: undefined,
    retrievals: 0,
  };
}

/** A ledger with these requests, given in order of time. */
export function readerOf(
  entries: readonly RequestRecord[],
): Pick<LedgerReader, "requests"> {
  const rows = entries.map(loggedOf).toReversed();
  return { requests: ({ limit }) => rows.slice(0, limit) };
}
