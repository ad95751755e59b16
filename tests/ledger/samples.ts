/** Requests and clocks for tests of the ledger. */
import type { Clock } from "../../src/core/clock.ts";
import type { CostRecord } from "../../src/core/cost.ts";
import type { RequestRecord, SentForm } from "../../src/core/ledger.ts";
import type { BlockKey, CcrKey, RetrievalEvent } from "../../src/core/store.ts";

/** Half past ten on a day in the middle of a month. */
export const NOON = Date.UTC(2026, 2, 15, 10, 30);

/** A request that saved 400 tokens. */
export const RECORD: RequestRecord = {
  id: "r",
  at: NOON,
  provider: "messages",
  upstream: "up",
  model: "m1",
  project: "default",
  stack: "",
  agent: "",
  conversation: "",
  status: 200,
  tokensBefore: 1000,
  tokensAfter: 600,
  latencyMs: 100,
  ttfbMs: undefined,
  overheadMs: 4,
  usage: {},
  furtherUsage: {},
  savedTokens: { fresh: 400, kept: 0, addedFresh: 0, addedKept: 0 },
  schemaTokensSaved: 0,
  cost: undefined,
  cached: false,
  refusedBy: undefined,
  errorType: "",
  failures: [],
  olderDecided: undefined,
  strategies: ["log"],
  leftAlone: [],
  blocks: [],
  prefix: undefined,
  forms: [],
  retrieved: [],
  furtherRounds: 0,
};

/** What {@linkcode RECORD} may have sent for a block. */
export const FORM: SentForm & { readonly entry: CcrKey } = {
  key: "b" as BlockKey,
  entry: "k" as CcrKey,
  toolName: "Bash",
  strategy: "log",
  saved: 50,
};

/** That somebody asked for the original of {@linkcode FORM}. */
export const RETRIEVAL: RetrievalEvent = {
  key: FORM.entry,
  at: 0,
  via: "proxy",
  part: "full",
  query: "",
  strategy: "log",
  toolName: "Bash",
  items: 1,
  totalItems: 1,
  tokens: 20,
};

/** A cost as reported by the provider, unless `basis` says otherwise. */
export function costOf(
  nanoUsd: number | undefined,
  basis: CostRecord["basis"] = "measured",
): CostRecord {
  return {
    basis,
    nanoUsd,
    savedGrossNanoUsd: nanoUsd && 2 * nanoUsd,
    savedNetNanoUsd: nanoUsd,
  };
}

/** A request with a cost. */
export function spent(
  id: string,
  nanoUsd: number | undefined,
  basis: CostRecord["basis"] = "measured",
): RequestRecord {
  return { ...RECORD, id, cost: costOf(nanoUsd, basis) };
}

/** A clock that stands until it is set. */
export interface StandingClock extends Clock {
  /** Milliseconds since the Unix epoch. */
  time: number;
}

/** Makes a clock that shows `time`. */
export function standingClock(time: number = NOON): StandingClock {
  return {
    time,
    now() {
      return this.time;
    },
    monotonic() {
      return this.time;
    },
  };
}

/** Names that are never given twice. */
export function ids(prefix: string): () => string {
  let last = 0;
  return () => `${prefix}${++last}`;
}
