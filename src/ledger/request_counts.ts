/** Counts of one run, in memory. @module */
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import type { RetrievalEvent } from "../core/store.ts";
import { bounded } from "./bounded_table.ts";
import { addCost, noCosts } from "./cost_report.ts";
import {
  billedInput,
  inputOf,
  isRateLimited,
  savedBy,
  took,
} from "./outcome.ts";
import {
  type KeptFigures,
  type LedgerCounts,
  type StatsReport,
  toReport,
} from "./report.ts";
import { ShapeCounts } from "./shapes.ts";

/** Counts finished requests. */
export class RequestCounts {
  readonly #counts: LedgerCounts = {
    total: 0,
    cached: 0,
    failed: 0,
    rateLimited: 0,
    refusedByBudget: 0,
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
    olderDecided: new Map(),
    prefixCache: new Map(),
    costs: noCosts(),
    shapes: new ShapeCounts(),
  };

  /** Counts one request; returns its forms that were counted for the first time. */
  add(entry: RequestRecord): readonly SentForm[] {
    const counts = this.#counts;
    this.#outcome(entry);
    counts.input += inputOf(entry);
    counts.output += entry.usage.output ?? 0;
    const saved = savedBy(entry);
    const fresh = took(entry)
      ? entry.forms.filter((form) => counts.shapes.sent(form))
      : [];
    // After the forms: a model can ask for what this very request left out.
    entry.retrieved.forEach((event) => counts.shapes.retrieved(event));
    const further = billedInput(entry.furtherUsage) ?? 0;
    counts.shapes.wentOn(entry.furtherRounds, further);
    if (saved > 0) counts.saved += saved;
    else counts.added -= saved;
    count(counts.byProvider, entry.provider);
    if (entry.model !== "") count(counts.byModel, entry.model);
    for (const strategy of entry.strategies) count(counts.byStrategy, strategy);
    for (const reason of entry.leftAlone) count(counts.leftAlone, reason);
    if (entry.olderDecided) count(counts.olderDecided, entry.olderDecided);
    addCost(counts.costs, entry);
    this.#cache(entry);
    return fresh;
  }

  /** Counts an original that was given back through another door. */
  retrieved(event: RetrievalEvent): void {
    this.#counts.shapes.retrieved(event);
  }

  /** Snapshot. */
  report(kept: KeptFigures): StatsReport {
    return toReport(this.#counts, kept);
  }

  #outcome(entry: RequestRecord): void {
    const counts = this.#counts;
    counts.total++;
    if (entry.cached) counts.cached++;
    if (entry.status >= 500) counts.failed++;
    if (isRateLimited(entry)) counts.rateLimited++;
    if (entry.refusedBy === "budget") counts.refusedByBudget++;
    // What was refused took no time worth knowing, and would hide that of the rest.
    if (entry.refusedBy !== undefined) return;
    sample(counts.latency, entry.latencyMs);
    sample(counts.overhead, entry.overheadMs);
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
