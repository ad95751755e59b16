/** Requests of a ledger made of literals. @module */
import type { PrefixProof, SeenBlock } from "../../../src/core/ledger.ts";
import type {
  LedgerReader,
  LoggedRequest,
  RequestLister,
} from "../../../src/core/ledger_reader.ts";
import type { BlockKey, CcrKey } from "../../../src/core/store.ts";

/** Noon of a day on the reader's clock, whatever its zone is. */
export const NOON: number = new Date(2026, 0, 31, 12, 0, 0).getTime();

/** The request in place `seq`, a second after the one before; `parts` replaces what a test needs otherwise. */
export function requestOf(
  seq: number,
  parts: Partial<LoggedRequest> = {},
): LoggedRequest {
  return {
    seq,
    id: `${seq}`.padStart(4, "0") + "aaaa-bbbb-cccc",
    at: NOON + seq * 1000,
    provider: "messages",
    upstream: "api.example.com",
    model: "model-1",
    routedFrom: undefined,
    schemaTokensSaved: 0,
    project: "default",
    stack: "",
    agent: "claude-cli",
    conversation: "c0ffee",
    status: 200,
    cached: false,
    refusedBy: undefined,
    errorType: "",
    failures: [],
    tokensBefore: 84_120,
    tokensAfter: 16_900,
    tokensIn: 17_000,
    tokensRemoved: 67_220,
    tokensSaved: 67_220,
    output: 420,
    input: 12,
    cacheRead: 15_000,
    cacheWrite: 1988,
    latencyMs: 2310.4,
    ttfbMs: 812,
    overheadMs: 1.94,
    costBasis: "measured",
    nanoUsd: 12_345_600,
    savedGrossNanoUsd: 201_660_000,
    savedNetNanoUsd: 20_166_000,
    strategies: ["log", "search_results"],
    blocks: [],
    prefix: proofOf(),
    furtherRounds: 0,
    retrievals: 0,
    ...parts,
  };
}

/** A proof that everything was sent again. */
export function proofOf(parts: Partial<PrefixProof> = {}): PrefixProof {
  return {
    verdict: "extended",
    previousBytes: 12_345,
    equalBytes: 12_345,
    firstDifference: "",
    ...parts,
  };
}

/** A build log that was shortened. */
export function blockOf(parts: Partial<SeenBlock> = {}): SeenBlock {
  return {
    key: "block-1" as BlockKey,
    entry: "ba7816bf8f01cfea414140de" as CcrKey,
    isKnown: false,
    messageIndex: 4,
    toolName: "Bash",
    kind: "log",
    outcome: "elided",
    strategy: "log",
    reason: "",
    bytes: 20_000,
    tokensBefore: 5120,
    tokensAfter: 640,
    ...parts,
  };
}

/** A file that was left alone. */
export function aloneBlock(parts: Partial<SeenBlock> = {}): SeenBlock {
  return blockOf({
    key: undefined,
    entry: undefined,
    toolName: "Read",
    kind: "",
    outcome: "alone",
    strategy: "",
    reason: "file_read",
    bytes: 1234,
    tokensBefore: undefined,
    tokensAfter: undefined,
    ...parts,
  });
}

/** Reads these requests, the oldest first in `rows`, which may grow meanwhile. */
export function readerOf(
  rows: readonly LoggedRequest[],
): LedgerReader & RequestLister {
  return {
    requests: ({ limit, after, since }) =>
      (after === undefined
        ? rows.toReversed()
        : rows.filter(({ seq }) => seq > after))
        .filter(({ at }) => since === undefined || at >= since)
        .slice(0, limit),
    list: ({ limit, conversation, hasProblem, before = Infinity }) =>
      rows.toReversed().filter((row) =>
        row.seq < before &&
        (conversation === undefined || row.conversation === conversation) &&
        (!hasProblem || row.failures.length > 0 ||
          (row.status >= 400 && row.status !== 499))
      ).slice(0, limit),
    request(id) {
      const found = rows.filter((row) => row.id.startsWith(id));
      return found.length === 1 ? found[0] : undefined;
    },
    lifetime: notAsked,
    buckets: notAsked,
    breakdown: notAsked,
    brokenPrefixes: notAsked,
    conversations: notAsked,
    answers: notAsked,
    cacheTurns: notAsked,
  };
}

function notAsked(): never {
  throw new Error("Nobody asks this");
}
