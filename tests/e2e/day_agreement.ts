/** One truth: whatever is asked about requests agrees with the rows of the ledger, to the token and the nano-dollar. */
import assert from "node:assert/strict";
import { requestFacts } from "../../src/core/inspected.ts";
import type {
  LedgerReader,
  LoggedRequest,
  Sums,
} from "../../src/core/ledger_reader.ts";
import { openLedgerReader } from "../../src/ledger/open_reader.ts";
import type { SavingsDocument } from "../../src/ledger/savings_document.ts";
import {
  keptInLifetime,
  nano,
  printed,
  runInMetrics,
  runInStats,
  type Said,
  savingsIn,
} from "./day_reports.ts";
import {
  countsOf,
  grouped,
  keptOf,
  NAMED,
  plus,
  stepsOf,
  sumsOf,
} from "./day_truth.ts";

/** More than there are. */
const ALL = 100_000;

/** Proxies on one workspace. */
export interface Workplace {
  /** Its directory. */
  readonly dir: string;
  /** Of the proxies that run. */
  readonly urls: readonly string[];
  /** Rows before they started, or began to count anew. */
  readonly before: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** What the ledger in a workspace says. */
async function fromLedger<T>(
  dir: string,
  read: (reader: LedgerReader) => T,
): Promise<T> {
  const { reader, close } = await openLedgerReader(`${dir}/ledger.db`);
  try {
    return read(reader);
  } finally {
    close();
  }
}

/** Rows of the ledger, the oldest first. */
export function rowsIn(dir: string): Promise<readonly LoggedRequest[]> {
  return fromLedger(dir, (reader) => reader.requests({ limit: ALL, after: 0 }));
}

/** Asserts that everything agrees; returns the rows. */
export async function assertAgreement(
  place: Workplace,
): Promise<readonly LoggedRequest[]> {
  const ask = async (url: string) => {
    const response = await fetch(url);
    assert.equal(response.status, 200, url);
    return await response.text();
  };
  const askAll = (path: string) =>
    Promise.all(place.urls.map((url) => ask(url + path)));
  // What one has counted is in the file when another is asked.
  await askAll("/stats");
  const stats = (await askAll("/stats")).map((text) => JSON.parse(text));
  const rows = await rowsIn(place.dir);
  const own = rows.slice(place.before);
  const kept = keptOf(rows);
  await fromLedger(place.dir, (reader) => assertReader(reader, rows));
  const run = stats.map(runInStats).reduce(plus);
  assert.deepEqual(run.kept, keptOf(own), "this run in /stats");
  assert.deepEqual(run.counts, countsOf(own), "counts in /stats");
  assert.deepEqual(
    (await askAll("/metrics")).map(runInMetrics).reduce(plus),
    sumsOf(own),
    "this run in /metrics",
  );
  for (const text of await askAll("/stats-lifetime")) {
    assert.deepEqual(keptInLifetime(JSON.parse(text)), kept, "lifetime");
  }
  for (const text of await askAll("/stats-history")) {
    const { lifetime, series } = JSON.parse(text);
    assertSaid(savingsIn(lifetime), kept.sums, "history");
    assert.equal(
      series.monthly.at(-1).total_tokens_saved,
      kept.sums.saved - kept.sums.added,
    );
  }
  for (const text of await askAll("/transformations/feed?limit=50")) {
    const ids = JSON.parse(text).transformations
      .map(({ request_id }: { request_id: string }) => request_id);
    assert.deepEqual(ids, rows.slice(-50).toReversed().map(({ id }) => id));
  }
  await assertCommands(place, rows);
  return rows;
}

/** What triggers keep is what rows add up to. */
function assertReader(
  reader: LedgerReader,
  rows: readonly LoggedRequest[],
): void {
  const total = sumsOf(rows);
  assert.deepEqual(reader.lifetime(), total, "lifetime");
  for (const step of ["hourly", "daily", "weekly", "monthly"] as const) {
    const buckets = reader.buckets(step).map(({ start, ...sums }) =>
      [new Date(start).toISOString(), sums] as const
    );
    assert.deepEqual(Object.fromEntries(buckets), stepsOf(rows, step), step);
  }
  for (const by of NAMED) {
    const found = reader.breakdown(by).map(({ name, ...sums }) =>
      [name, sums] as const
    );
    const wanted = grouped(rows, (row) => row[by]);
    assert.deepEqual(Object.fromEntries(found), wanted, by);
  }
  for (const by of ["kind", "tool"] as const) {
    const table = reader.breakdown(by);
    const sum = table.reduce((sum, { saved }) => sum + saved, 0);
    assert.equal(sum, total.saved, by);
    const added = table.filter((row) => row.added !== 0)
      .map(({ name, saved, added }) => [name, saved, added]);
    const wanted = total.added === 0 ? [] : [["(added)", 0, total.added]];
    assert.deepEqual(added, wanted, by);
  }
  assert.equal(reader.brokenPrefixes(), 0);
}

/** What is said agrees with the sums; tokens that were added are taken off those saved. */
function assertSaid(said: Said, sums: Sums, what: string): void {
  const net = { ...sums, saved: sums.saved - sums.added };
  assert.deepEqual({ ...net, ...said }, net, what);
}

/** `svc savings`, `svc perf` and `svc log`, as programs read them. */
async function assertCommands(
  place: Workplace,
  rows: readonly LoggedRequest[],
): Promise<void> {
  const sums = sumsOf(rows);
  const { total } = JSON.parse(await printed(place, "savings --json"));
  assertSaid(
    {
      requests: total.requests,
      failed: total.failed,
      input: total.input_tokens,
      output: total.output_tokens,
      saved: total.tokens_saved,
      cacheRead: total.cache_read_tokens,
      cacheWrite: total.cache_write_tokens,
      nanoUsd: nano(total.total_cost_usd),
      savedGross: nano(total.gross_savings_usd),
      savedNet: nano(total.compression_savings_usd),
      unpriced: total.unpriced_requests,
    },
    sums,
    "svc savings",
  );
  const perf = JSON.parse(await printed(place, "perf --hours 0 --format json"));
  assertSaid(
    {
      requests: perf.requests.total,
      failed: perf.requests.failed,
      saved: perf.tokens.tokens_saved,
      cacheRead: perf.cache.read_tokens,
      cacheWrite: perf.cache.write_tokens,
    },
    sums,
    "svc perf",
  );
  const log = await printed(place, `log --json --limit ${ALL}`);
  const lines = log.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ blocks, ...facts }) => [facts, blocks.length]),
    rows.map((row) => [requestFacts(row), row.blocks.length]),
  );
}

/** The file for other programs, behind a stop. */
export async function assertSavingsFile(
  dir: string,
  rows: readonly LoggedRequest[],
): Promise<void> {
  const text = await Deno.readTextFile(`${dir}/proxy_savings.json`);
  const file: SavingsDocument = JSON.parse(text);
  const { sums, tables } = keptOf(rows);
  assertSaid(savingsIn(file.lifetime), sums, "lifetime in the file");
  const { project } = tables;
  assert.deepEqual(
    Object.keys(file.projects).sort(),
    Object.keys(project).sort(),
  );
  for (const [name, report] of Object.entries(file.projects)) {
    assertSaid(savingsIn(report), project[name]!, `${name} in the file`);
  }
}
