/** One truth: whatever is asked about requests agrees with the rows of the ledger, to the token and the nano-dollar. */
import assert from "node:assert/strict";
import {
  lifetimeOf,
  runOf as runScope,
  spanOf,
} from "../../dashboard/scope.ts";
import { requestFacts } from "../../src/core/inspected.ts";
import type { LoggedRequest, Sums } from "../../src/core/ledger_reader.ts";
import { openLedgerReader } from "../../src/ledger/open_reader.ts";
import { assertCommands, type SavedShares } from "./day_commands.ts";
import {
  assertHistory,
  assertSession,
  pointsOf,
  STEPS,
} from "./day_history.ts";
import { asInMetrics, keptInMetrics, runInMetrics } from "./day_metrics.ts";
import {
  type Answers,
  answersOf,
  keptInLifetime,
  keptInStats,
  nano,
  runInStats,
  shortly,
} from "./day_reports.ts";
import {
  grouped,
  keptOf,
  lastSession,
  NAMED,
  plus,
  runOf,
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

/** Rows of the ledger, the oldest first. */
export async function rowsIn(dir: string): Promise<readonly LoggedRequest[]> {
  const { reader, close } = await openLedgerReader(`${dir}/ledger.db`);
  const rows = reader.requests({ limit: ALL, after: 0 });
  close();
  return rows;
}

/** Asserts that everything agrees; returns the rows. */
export async function assertAgreement(
  place: Workplace,
): Promise<readonly LoggedRequest[]> {
  const all: Answers[] = [];
  // What one has counted is in the file when another is asked.
  for (const url of place.urls) await (await fetch(`${url}/stats`)).bytes();
  for (const url of place.urls) all.push(await answersOf(url));
  const rows = await rowsIn(place.dir);
  const own = rows.slice(place.before);
  await assertReader(place.dir, rows);
  const run = runOf(own);
  assert.deepEqual(
    all.map(({ stats }) => runInStats(stats)).reduce(plus),
    run,
    "this run in /stats",
  );
  assert.deepEqual(
    all.map(({ samples }) => runInMetrics(samples)).reduce(plus),
    asInMetrics(run),
    "this run in /metrics",
  );
  const shares = await sharesIn(place.dir);
  for (const answers of all) assertKept(answers, rows, shares);
  for (const url of place.urls) {
    await assertHistory(url, rows);
    await assertDashboard(url, rows, place.now);
  }
  await assertCommands(place, rows, shares);
  return rows;
}

async function sharesIn(dir: string): Promise<SavedShares> {
  const { reader, close } = await openLedgerReader(`${dir}/ledger.db`);
  const net = (by: "kind" | "tool") =>
    Object.fromEntries(
      reader.breakdown(by).map(({ name, saved, added }) =>
        [name || "unknown", saved - added] as const
      ),
    );
  const shares = { kind: net("kind"), tool: net("tool") };
  close();
  return shares;
}

/** What triggers keep is what rows add up to. */
async function assertReader(
  dir: string,
  rows: readonly LoggedRequest[],
): Promise<void> {
  const { reader, close } = await openLedgerReader(`${dir}/ledger.db`);
  const total = sumsOf(rows);
  assert.deepEqual(reader.lifetime(), total, "lifetime");
  for (const step of STEPS) {
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
    assert.deepEqual(added, [["(added)", 0, total.added]], by);
  }
  assert.equal(reader.brokenPrefixes(), 0);
  close();
}

/** All time, in every answer of one proxy. */
function assertKept(
  { stats, lifetime, history, samples }: Answers,
  rows: readonly LoggedRequest[],
  shares: SavedShares,
): void {
  const kept = keptOf(rows);
  const { sums } = kept;
  assert.deepEqual(keptInLifetime(lifetime), kept, "/stats-lifetime");
  const net = (table: LifetimeTable) =>
    Object.fromEntries(
      Object.entries(table).map(([name, row]) => [name, row.tokens_saved]),
    );
  assert.deepEqual(net(lifetime.by_kind), shares.kind, "by kind");
  assert.deepEqual(net(lifetime.by_tool!), shares.tool, "by tool");
  const { waiting, ...short } = { waiting: 0, ...shortly(sums) };
  assert.equal(lifetime.persistence.pending_records, waiting);
  const { unpriced: _, ...priced } = short;
  assert.deepEqual(
    keptInStats(stats.persistent_savings.lifetime),
    short,
    "kept in /stats",
  );
  assert.deepEqual(keptInMetrics(samples), priced, "kept in /metrics");
  const session = lastSession(rows);
  assertSession(stats.display_session, session);
  assertSession(history.display_session, session);
  assert.deepEqual(
    stats.savings_history,
    pointsOf(rows, 100),
    "points in /stats",
  );
  const recent = rows.slice(-10).toReversed();
  assert.deepEqual(
    stats.recent_requests?.map(({ request_id }) => request_id),
    recent.map(({ id }) => id),
  );
  assert.deepEqual(
    stats.request_logs,
    JSON.parse(JSON.stringify(recent)),
    "request_logs",
  );
}

type LifetimeTable = NonNullable<Answers["lifetime"]["by_tool"]>;

const DAY_MS = 24 * 3_600_000;

/** What the dashboard asks for and shows. */
async function assertDashboard(
  url: string,
  rows: readonly LoggedRequest[],
  now: number,
): Promise<void> {
  const ask = async (path: string) => await (await fetch(url + path)).json();
  const stats = await ask("/stats?cached=1");
  assert.equal(runScope(stats).requests, stats.requests.total);
  const day = new Date(now).toISOString().slice(0, 10);
  const today = rows.filter(({ at }) =>
    new Date(at).toISOString().startsWith(day)
  );
  const start = Date.parse(day);
  const range = await ask(`/stats-range?edges=${start},${start + DAY_MS}`);
  assertScope(spanOf(range), sumsOf(today), "today");
  const lifetime = await ask("/stats-lifetime");
  assertScope(lifetimeOf(lifetime), sumsOf(rows), "all time");
  const { transformations } = await ask("/transformations/feed?limit=50");
  const shown = rows.slice(-50).toReversed().map((row) => {
    const { tokens_before, tokens_after, strategies, ...facts } = requestFacts(
      row,
    );
    return {
      ...facts,
      input_tokens_original: tokens_before,
      input_tokens_optimized: tokens_after,
      transforms_applied: strategies,
      blocks: row.blocks.length,
    };
  });
  for (const [i, wanted] of shown.entries()) {
    assert.deepEqual({ ...transformations[i], ...wanted }, transformations[i]);
  }
  assert.equal(transformations.length, shown.length);
}

function assertScope(
  scope: ReturnType<typeof lifetimeOf>,
  sums: Sums,
  what: string,
): void {
  assert.deepEqual(
    [
      scope.requests,
      scope.failed,
      scope.saved,
      scope.before,
      nano(scope.cost ?? 0),
      nano(scope.net ?? 0),
      nano(scope.gross ?? 0),
      nano(scope.without ?? 0),
      scope.unpriced,
    ],
    [
      sums.requests,
      sums.failed,
      sums.saved - sums.added,
      sums.input + sums.saved - sums.added,
      sums.nanoUsd,
      sums.savedNet,
      sums.savedGross,
      sums.nanoUsd + sums.savedNet,
      sums.unpriced,
    ],
    `${what} on the dashboard`,
  );
}
