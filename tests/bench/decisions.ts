/** What one decision costs: 20 KB of each kind recognised, compressed, counted and checked. @module */
import process from "node:process";
import type { BlockJob, Decision } from "../../src/core/decision.ts";
import type { ContentKind } from "../../src/core/detector.ts";
import type { OpenRouter } from "../../src/compute/open_router.ts";
import { jobOf } from "../pipeline/jobs.ts";
import { figure, percentile, table } from "./measure.ts";
import { type MakeText, SAMPLES } from "./samples.ts";

/** UTF-16 units of a text. */
const SIZE = 20_000;

/** Decisions of each kind before those that count: the compiler of the runtime is done by then. */
const WARM = 120;

/** Decisions of each kind that count. */
const RUNS = 60;

/** Most milliseconds that a decision should take. */
const AIMS: Partial<Record<ContentKind, number>> = {
  log: 2,
  search_results: 2,
  paths: 2,
  diff: 2,
  json: 2,
};

/** A checkout that decides. */
export interface Contestant {
  /** How the table names it. */
  readonly name: string;
  /** Its router. */
  readonly router: {
    readonly decide: (job: BlockJob) => Decision | Promise<Decision>;
  };
}

/** How much is measured. */
export interface Effort {
  /** Decisions of each kind before those that count. */
  readonly warm: number;
  /** Decisions of each kind that count. */
  readonly runs: number;
}

/**
 * One row per kind: milliseconds of CPU time of the median decision, of each contestant on the same texts in turns;
 * with two of them, how many times the time of the first the second takes.
 */
export async function decisionReport(
  contestants: readonly Contestant[],
  effort: Effort = { warm: WARM, runs: RUNS },
): Promise<string> {
  const makers = Object.entries(SAMPLES) as [ContentKind, MakeText][];
  const aimed = ([kind]: readonly [ContentKind, MakeText]) =>
    AIMS[kind] === undefined ? 1 : 0;
  const rows: string[][] = [];
  for (const [kind, make] of makers.sort((a, b) => aimed(a) - aimed(b))) {
    const medians = await mediansOf(contestants, make, effort);
    rows.push([
      kind,
      `${AIMS[kind] ?? "-"}`,
      ...medians.map((ms) => figure(ms)),
      ...medians.slice(1).map((ms) => figure(ms / medians[0]!)),
    ]);
  }
  const names = contestants.map(({ name }) => name);
  return table([
    "ms of CPU time for 20 KB",
    "aim",
    ...names,
    ...names.slice(1).map((name) => `${name}, times`),
  ], rows);
}

async function mediansOf(
  contestants: readonly Contestant[],
  make: MakeText,
  { warm, runs }: Effort,
): Promise<readonly number[]> {
  const samples = contestants.map((): number[] => []);
  for (let i = 0; i < warm + runs; i++) {
    // A fresh text on every run: the counter must not live on repeated ones.
    const job = jobOf(make(SIZE, i + 1), {
      query: "why did the job fail",
      model: "gpt-5",
    });
    // Who comes first alternates: the second finds the text in the caches.
    for (let k = 0; k < contestants.length; k++) {
      const n = (i + k) % contestants.length;
      const start = cpuMs();
      await contestants[n]!.router.decide(job);
      if (i >= warm) samples[n]!.push(cpuMs() - start);
    }
  }
  return samples.map((each) => percentile(each.sort((a, b) => a - b), 0.5));
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Opens the router of another checkout.
 *
 * @param folder Its root.
 */
export async function routerOf(folder: string): Promise<OpenRouter> {
  const root = new URL(`file://${await Deno.realPath(folder)}/`);
  const load = (path: string) => import(`${new URL(path, root)}`);
  const { openRouter } = await load("src/compute/open_router.ts")
    // Where older checkouts have it.
    .catch(() => load("src/open_router.ts"));
  return await openRouter();
}
