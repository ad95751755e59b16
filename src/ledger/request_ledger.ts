/** Counts of this process, in memory. @module */
import type { RequestRecord, StatsLedger } from "../core/ledger.ts";
import type { Usage } from "../core/usage.ts";
import type { RetrievalEvent } from "../core/store.ts";
import { type LedgerCounts, type StatsReport, toReport } from "./report.ts";
import { ShapeCounts } from "./shapes.ts";

/** Distinct names counted per table; a client chooses model names, and a table must not grow with them. */
const MAX_NAMES = 200;
/** Stands for every name beyond the bound. */
const OTHER = "other";

/** Makes an empty ledger. */
export function makeRequestLedger(): StatsLedger<StatsReport> {
  return new RequestLedger();
}

class RequestLedger implements StatsLedger<StatsReport> {
  readonly #counts: LedgerCounts = {
    total: 0,
    failed: 0,
    rateLimited: 0,
    input: 0,
    output: 0,
    saved: 0,
    added: 0,
    latency: { sum: 0, count: 0, min: Infinity, max: 0 },
    overhead: { sum: 0, count: 0, min: Infinity, max: 0 },
    byProvider: new Map(),
    byModel: new Map(),
    byStrategy: new Map(),
    leftAlone: new Map(),
    prefixCache: new Map(),
    shapes: new ShapeCounts(),
  };

  record(entry: RequestRecord): void {
    const counts = this.#counts;
    counts.total++;
    if (entry.status >= 500) counts.failed++;
    if (entry.status === 429) counts.rateLimited++;
    counts.input += inputOf(entry);
    counts.output += entry.usage.output ?? 0;
    const saved = savedBy(entry);
    if (took(entry)) entry.forms.forEach((form) => counts.shapes.sent(form));
    // After the forms: a model can ask for what this very request left out.
    entry.retrieved.forEach((event) => counts.shapes.retrieved(event));
    counts.shapes.wentOn(entry.furtherRounds, entry.furtherInput);
    if (saved > 0) counts.saved += saved;
    else counts.added -= saved;
    sample(counts.latency, entry.latencyMs);
    sample(counts.overhead, entry.overheadMs);
    count(counts.byProvider, entry.provider);
    if (entry.model !== "") count(counts.byModel, entry.model);
    for (const strategy of entry.strategies) count(counts.byStrategy, strategy);
    for (const reason of entry.leftAlone) count(counts.leftAlone, reason);
    this.#cache(entry);
  }

  retrieved(event: RetrievalEvent): void {
    this.#counts.shapes.retrieved(event);
  }

  report(): StatsReport {
    return toReport(this.#counts);
  }

  #cache({ provider, usage }: RequestRecord): void {
    if (billedInput(usage) === undefined) return;
    const table = this.#counts.prefixCache;
    const name = bounded(table, provider);
    const row = table.get(name) ??
      { requests: 0, hits: 0, read: 0, written: 0, uncached: 0 };
    row.requests++;
    if ((usage.cacheRead ?? 0) > 0) row.hits++;
    row.read += usage.cacheRead ?? 0;
    row.written += usage.cacheWrite ?? 0;
    row.uncached += usage.input ?? 0;
    table.set(name, row);
  }
}

/** Prompt tokens as billed, cached ones included; `undefined` when the provider did not say. */
function billedInput(usage: Usage): number | undefined {
  const { input, cacheRead, cacheWrite } = usage;
  if (
    input === undefined && cacheRead === undefined && cacheWrite === undefined
  ) {
    return undefined;
  }
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
}

/** What the provider billed wins; without a bill, what an answered request sent. */
function inputOf(entry: RequestRecord): number {
  return billedInput(entry.usage) ?? (answered(entry) ? entry.tokensAfter : 0);
}

function savedBy(entry: RequestRecord): number {
  return took(entry) ? entry.tokensBefore - entry.tokensAfter : 0;
}

/** A request that failed, or that was left before the provider took it, saved nothing. */
function took(entry: RequestRecord): boolean {
  return answered(entry) ||
    (entry.status === 499 && billedInput(entry.usage) !== undefined);
}

function answered({ status }: RequestRecord): boolean {
  return status < 400;
}

function sample(samples: LedgerCounts["latency"], ms: number): void {
  samples.sum += ms;
  samples.count++;
  samples.min = Math.min(samples.min, ms);
  samples.max = Math.max(samples.max, ms);
}

function count(table: Map<string, number>, name: string): void {
  const row = bounded(table, name);
  table.set(row, (table.get(row) ?? 0) + 1);
}

function bounded(table: ReadonlyMap<string, unknown>, name: string): string {
  return table.has(name) || table.size < MAX_NAMES ? name : OTHER;
}
