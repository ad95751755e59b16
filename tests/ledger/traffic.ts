/** A day of requests that end in every way, and a reader that adds them up the plain way. */
import type { RequestRecord, SentForm } from "../../src/core/ledger.ts";
import type { LoggedRequest, Sums } from "../../src/core/ledger_reader.ts";
import { inputOf, succeeded } from "../../src/core/outcome.ts";
import type { BlockKey, CcrKey, RetrievalEvent } from "../../src/core/store.ts";
import { SqlReader } from "../../src/ledger/reader.ts";
import { databaseOf } from "./database.ts";
import { NOON, RECORD, RETRIEVAL } from "./samples.ts";

/** Numbers from 0 to below 1, the same for a seed. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ENDS = [200, 200, 200, 200, 201, 400, 404, 429, 499, 500, 529] as const;
const VERDICTS = ["first", "extended", "client", "decided"] as const;

/** Makes `count` requests, some minutes apart from each other. */
export function traffic(seed: number, count: number): RequestRecord[] {
  const next = random(seed);
  const whole = (below: number) => Math.floor(next() * below);
  const of = <T>(items: readonly T[]): T => items[whole(items.length)]!;
  const form = (): SentForm => ({
    key: `b${whole(60)}` as BlockKey,
    entry: next() < 0.5 ? `k${whole(60)}` as CcrKey : undefined,
    toolName: of(["Bash", "Read", ""]),
    strategy: of(["log", "json", "wrapped:diff"]),
    saved: 1 + whole(500),
  });
  const event = (): RetrievalEvent => ({
    ...RETRIEVAL,
    key: `k${whole(60)}` as CcrKey,
    at: NOON,
    tokens: whole(300),
  });
  return Array.from({ length: count }, (_, i): RequestRecord => {
    const forms = Array.from({ length: whole(5) }, form);
    const before = 1000 + whole(20_000);
    const added = whole(200);
    const saved = forms.reduce((sum, form) => sum + form.saved, 0);
    const record: RequestRecord = {
      ...RECORD,
      id: `r${i}`,
      at: NOON - 12 * 3_600_000 + i * 431_000,
      provider: of(["messages", "responses", "passthrough"]),
      model: of(["m1", "m2", ""]),
      project: of(["default", "alpha", "beta"]),
      stack: of(["", "web"]),
      agent: of(["cli", ""]),
      tokensBefore: before,
      tokensAfter: before - saved + added,
      savedTokens: {
        fresh: Math.min(saved, 400),
        kept: Math.max(0, saved - 400),
        addedFresh: 0,
        addedKept: added,
      },
      latencyMs: next() * 9000,
      ttfbMs: next() < 0.8 ? next() * 900 : undefined,
      overheadMs: next() * 40,
      strategies: [...new Set(forms.map(({ strategy }) => strategy))],
      leftAlone: next() < 0.5 ? ["too_small"] : [],
      blocks: [],
      forms,
      prefix: next() < 0.7
        ? {
          verdict: of(VERDICTS),
          previousBytes: 1000,
          equalBytes: whole(1000),
          firstDifference: "",
        }
        : undefined,
    };
    const ending = next();
    if (ending < 0.05) return { ...record, ...OURS, status: 200, cached: true };
    if (ending < 0.1) {
      const refusedBy = of(["budget", "rate_limit"] as const);
      return { ...record, ...OURS, status: 429, refusedBy };
    }
    const status = of(ENDS);
    const isBilled = status < 400 ? next() < 0.8 : status === 499;
    const nanoUsd = next() < 0.9 ? whole(90_000_000) : undefined;
    return {
      ...record,
      status,
      usage: isBilled
        ? {
          input: whole(5000),
          output: whole(900),
          cacheRead: whole(20_000),
          cacheWrite: 500 + whole(900),
          cacheWrite1h: whole(500),
        }
        : {},
      cost: status < 400 || isBilled
        ? {
          basis: isBilled ? "measured" : "estimated",
          nanoUsd,
          savedGrossNanoUsd: nanoUsd && 7 * whole(9_000_000),
          savedNetNanoUsd: nanoUsd && whole(9_000_000) - 2_000_000,
        }
        : undefined,
      furtherRounds: whole(2),
      retrieved: next() < 0.2 ? [event()] : [],
    };
  });
}

/** What an answer or refusal of our own has not. */
const OURS = { usage: {}, cost: undefined, forms: [], strategies: [] };

/** Sums, added up one by one. */
export function sumsOf(records: readonly RequestRecord[]): Sums {
  const sum = (of: (entry: RequestRecord) => number | undefined) =>
    records.reduce((total, entry) => total + (of(entry) ?? 0), 0);
  return {
    requests: records.length,
    failed: sum(({ status }) => Number(status >= 500)),
    input: sum(inputOf),
    output: sum(({ usage }) => usage.output),
    saved: sum((entry) => succeeded(entry) ? takenAway(entry) : 0),
    added: sum((entry) =>
      succeeded(entry)
        ? entry.tokensAfter - entry.tokensBefore + takenAway(entry)
        : 0
    ),
    cacheRead: sum(({ usage }) => usage.cacheRead),
    cacheWrite: sum(({ usage }) => usage.cacheWrite),
    nanoUsd: sum(({ cost }) => cost?.nanoUsd),
    savedGross: sum(({ cost }) => cost?.savedGrossNanoUsd),
    savedNet: sum(({ cost }) => cost?.savedNetNanoUsd),
    unpriced: sum(({ cost }) =>
      Number(cost !== undefined && cost.nanoUsd === undefined)
    ),
  };
}

function takenAway({ savedTokens }: RequestRecord): number {
  return savedTokens.fresh + savedTokens.kept;
}

/** Reads requests, in the order given. */
export function readerOf(records: readonly RequestRecord[]): SqlReader {
  return new SqlReader(databaseOf(records));
}

/** A request as the ledger has it. */
export function loggedOf(entry: RequestRecord): LoggedRequest {
  return readerOf([entry]).requests({ limit: 1 })[0]!;
}
