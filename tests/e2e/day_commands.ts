/** What the commands say of requests agrees with the rows of the ledger. */
import assert from "node:assert/strict";
import { denoIo } from "../../src/cli/deno_io.ts";
import { runCli } from "../../src/cli/run.ts";
import { requestFacts } from "../../src/core/inspected.ts";
import type { LoggedRequest, Sums } from "../../src/core/ledger_reader.ts";
import { fakeIo } from "../cli/fake_io.ts";
import { nano } from "./day_reports.ts";
import { keptOf, stepsOf, sumsOf } from "./day_truth.ts";

/** Net tokens by compressor and by tool, as the reader says. */
export interface SavedShares {
  readonly kind: Readonly<Record<string, number>>;
  readonly tool: Readonly<Record<string, number>>;
}

/** `svc savings`, `svc perf` and `svc log`, as programs read them. */
export async function assertCommands(
  { dir, now }: { readonly dir: string; readonly now: number },
  rows: readonly LoggedRequest[],
  shares: SavedShares,
): Promise<void> {
  const { openLedger, openOriginals } = denoIo();
  const env = { SVC_WORKSPACE_DIR: dir };
  const run = async (line: string) => {
    const io = fakeIo({ env, openLedger, openOriginals, now: () => now });
    assert.equal(await runCli(line.split(" "), io), 0, `${line}: ${io.err()}`);
    return io.out();
  };
  const sums = sumsOf(rows);
  const savings = async (by: string) => {
    const report = JSON.parse(await run(`savings --json --by ${by}`));
    assert.deepEqual(savedIn(report.total), withoutAdded(sums), by);
    return report.rows as readonly SavingsRow[];
  };
  const { model, project } = keptOf(rows).tables;
  const tables = {
    day: stepsOf(rows, "daily"),
    week: stepsOf(rows, "weekly"),
    month: stepsOf(rows, "monthly"),
    project,
    model,
  };
  for (const [by, table] of Object.entries(tables)) {
    const found = (await savings(by)).map((row) =>
      [row.name || "unknown", savedIn(row)] as const
    );
    const wanted = Object.entries(table).map(([name, sums]) =>
      [shortName(by, name), withoutAdded(sums)] as const
    );
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(wanted), by);
  }
  for (const by of ["kind", "tool"] as const) {
    const found = (await savings(by)).map(({ name, tokens_saved }) =>
      [name || "unknown", tokens_saved] as const
    );
    assert.deepEqual(Object.fromEntries(found), shares[by], by);
  }
  assertPerf(JSON.parse(await run("perf --hours 0 --format json")), rows);
  const lines = (await run(`log --json --limit 100000`)).trimEnd().split("\n");
  assert.equal(lines.length, rows.length);
  for (const [i, line] of lines.entries()) {
    const { blocks, ...facts } = JSON.parse(line);
    assert.deepEqual(facts, requestFacts(rows[i]!));
    assert.equal(blocks.length, rows[i]!.blocks.length);
  }
}

interface SavingsRow extends Readonly<Record<string, number | string>> {
  readonly name: string;
}

function shortName(by: string, name: string): string {
  if (by === "month") return name.slice(0, 7);
  return by === "day" || by === "week" ? name.slice(0, 10) : name;
}

/** Sums as `svc savings` writes them: gross and added are not apart there. */
function savedIn(row: Readonly<Record<string, number | string>>) {
  const of = (key: string) => Number(row[key]);
  return {
    requests: of("requests"),
    failed: of("failed"),
    input: of("input_tokens"),
    output: of("output_tokens"),
    saved: of("tokens_saved"),
    cacheRead: of("cache_read_tokens"),
    cacheWrite: of("cache_write_tokens"),
    nanoUsd: nano(of("total_cost_usd")),
    savedGross: nano(of("gross_savings_usd")),
    savedNet: nano(of("compression_savings_usd")),
    unpriced: of("unpriced_requests"),
  };
}

function withoutAdded({ added, saved, ...sums }: Sums) {
  return { ...sums, saved: saved - added };
}

interface PerfJson {
  readonly requests: { readonly total: number; readonly [e: string]: number };
  readonly tokens: { readonly tokens_saved: number };
  readonly models: readonly {
    readonly cost_usd: number | null;
    readonly output_tokens: number;
    readonly unpriced_requests: number;
  }[];
  readonly cache: {
    readonly input_tokens: number;
    readonly read_tokens: number;
    readonly write_tokens: number;
  };
  readonly prefix: { readonly ours: number };
  readonly ttfb_ms: { readonly count: number };
  readonly latency_ms: { readonly count: number };
}

/** Endings sum up, tokens are the same; models have answered requests only. */
function assertPerf(perf: PerfJson, rows: readonly LoggedRequest[]): void {
  const sums = sumsOf(rows);
  const { total, ...endings } = perf.requests;
  const count = (is: (row: LoggedRequest) => boolean) => rows.filter(is).length;
  assert.deepEqual(
    [
      total,
      Object.values(endings).reduce((a, b) => a + b),
      endings["failed"],
      endings["cached"],
      endings["refused"],
      endings["aborted"],
    ],
    [
      rows.length,
      rows.length,
      sums.failed,
      count(({ cached }) => cached),
      count(({ refusedBy }) => refusedBy !== undefined),
      count(({ status }) => status === 499),
    ],
    "endings in svc perf",
  );
  assert.equal(perf.tokens.tokens_saved, sums.saved - sums.added);
  const answered = sumsOf(
    rows.filter(({ status, costBasis }) =>
      status < 400 && costBasis !== undefined
    ),
  );
  const of = (key: "cost_usd" | "output_tokens" | "unpriced_requests") =>
    perf.models.reduce((sum, model) => sum + (model[key] ?? 0), 0);
  assert.deepEqual(
    [nano(of("cost_usd")), of("output_tokens"), of("unpriced_requests")],
    [answered.nanoUsd, answered.output, answered.unpriced],
    "models in svc perf",
  );
  const { cache } = perf;
  assert.deepEqual(
    [cache.read_tokens, cache.write_tokens, cache.input_tokens],
    [
      sums.cacheRead,
      sums.cacheWrite,
      rows.reduce((sum, { input = 0 }) => sum + input, 0),
    ],
    "caches in svc perf",
  );
  assert.equal(perf.prefix.ours, 0);
  const timed = count(({ ttfbMs }) => ttfbMs !== undefined);
  assert.deepEqual([perf.ttfb_ms.count, perf.latency_ms.count], [timed, timed]);
}
