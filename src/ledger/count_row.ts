/** What a row of `requests` adds to the sums of its run. @module */
import { UNKNOWN } from "./named_sums.ts";
import type { ContextBudget } from "../core/context_budget.ts";
import type { SeenBlock, SentForm } from "../core/ledger.ts";
import type { Sums } from "../core/ledger_reader.ts";
import { billedInput } from "../core/outcome.ts";
import type { RetrievalEvent } from "../core/store.ts";
import type { LedgerTask } from "./channel.ts";
import { durationFields } from "./durations.ts";
import {
  type Cell,
  isTaken,
  promptOf,
  type RequestRow,
  savedShares,
  sumsOfRow,
} from "./rows.ts";
import { type Lists, listsOf } from "./row_lists.ts";
import type { Fields, RunSums } from "./run_sums.ts";
import { percent } from "./sums.ts";

/** Names of forms that were counted in the run. */
export interface CountedForms {
  /** Notes one; says whether it is new. */
  add(key: string): boolean;
  /** Whether it was noted. */
  has(key: string): boolean;
}

/** What requests have in common. */
const DIMENSIONS = [
  "provider",
  "model",
  "stack",
  "project",
  "agent",
] as const;

const named = (name: Cell) => String(name) || UNKNOWN;

/** Counts what a task says that happened. */
export function countTask(
  sums: RunSums,
  task: LedgerTask,
  forms: CountedForms,
): void {
  if (task.type === "insert") countRow(sums, task.row, forms);
  if (task.type !== "given") return;
  // Written as one.
  countRetrieved(sums, JSON.parse(task.event) as RetrievalEvent, forms);
}

/** Counts a row; its forms are those that its process had not sent before. */
function countRow(
  sums: RunSums,
  row: RequestRow,
  counted: CountedForms,
): void {
  const own = sumsOfRow(row);
  const lists = listsOf(row);
  sums.add("all", "", { ...own, ...outcomesOf(row) });
  const counts = nonZero(own);
  for (const by of DIMENSIONS) sums.add(by, named(row[by]), counts);
  for (const [key, tokens] of savedShares(row)) {
    const name = key.slice("kind:".length) || UNKNOWN;
    sums.add(`saved_${key.slice(0, "kind".length)}`, name, { tokens });
  }
  for (const id of lists.strategies) sums.add("strategy", id, { n: 1 });
  for (const reason of lists.leftAlone) {
    sums.add("left_alone", reason, { n: 1 });
  }
  if (row.older_decided !== null) {
    sums.add("older", String(row.older_decided), { n: 1 });
  }
  // What an upstream did not begin to answer has no first byte: percentiles of others would not compare.
  if (row.ttfb_ms !== null) {
    for (const measure of ["latency", "overhead", "ttfb"] as const) {
      sums.add(measure, "", durationFields(Number(row[`${measure}_ms`])));
    }
  }
  countBill(sums, row, own);
  if (isTaken(row)) countCompression(sums, row, lists);
  if (row.cost_basis !== null) countCost(sums, row, own);
  if (row.prefix_verdict !== null) countPrefix(sums, row);
  if (lists.context && isTaken(row)) countContext(sums, row, lists.context);
  countForms(sums, lists, counted);
  sums.add("retrievals", "", {
    rounds: Number(row.further_rounds),
    input: billedInput(lists.furtherUsage) ?? 0,
  });
}

/** Counts an original that was given back; in the tables only where its form was counted. */
function countRetrieved(
  sums: RunSums,
  { key, toolName, strategy, tokens }: RetrievalEvent,
  counted: CountedForms,
): void {
  sums.add("retrievals", "", { total: 1, tokens });
  if (!counted.has(key)) return;
  const fields = { asked_for: 1, tokens_given_back: tokens };
  sums.add("form_strategy", named(strategy), fields);
  sums.add("form_tool", named(toolName), fields);
}

/** Most are 0, and are added five times. */
function nonZero(fields: Sums): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, n]) => n !== 0));
}

function outcomesOf({ cached, status, refused_by: refusedBy }: RequestRow) {
  return {
    cached: Number(cached),
    // A spent budget is no rate limit.
    rateLimited: Number(
      refusedBy === null ? status === 429 : refusedBy === "rate_limit",
    ),
    refusedByBudget: Number(refusedBy === "budget"),
    refusedByRate: Number(refusedBy === "rate_limit"),
    aborted: Number(status === 499),
  };
}

function countBill(sums: RunSums, row: RequestRow, own: Sums): void {
  const { output, cacheRead, cacheWrite } = own;
  const cacheWrite1h = Number(row.cache_write_1h);
  const billed = billedInput(promptOf(row));
  sums.add("billed", "", {
    requests: Number(billed !== undefined),
    input: billed ?? 0,
    output,
    cache_read: cacheRead,
    cache_write: cacheWrite,
  });
  if (billed === undefined) return;
  // A report may have the part without the whole.
  const written5m = Math.max(0, cacheWrite - cacheWrite1h);
  sums.add(`cache:${row.provider}`, named(row.model), {
    requests: 1,
    hits: Number(cacheRead > 0),
    requests5m: Number(written5m > 0),
    requests1h: Number(cacheWrite1h > 0),
    read: cacheRead,
    written5m,
    written1h: cacheWrite1h,
    uncached: Number(row.input),
  });
}

function countCost(sums: RunSums, row: RequestRow, own: Sums): void {
  if (row.cost_basis === "estimated") {
    sums.add("all", "", { estimated: own.nanoUsd });
  }
  const cacheWrite1h = Number(row.cache_write_1h);
  sums.add("cost", named(row.model), {
    requests: 1,
    saved: Number(row.tokens_saved),
    sent: own.input,
    cacheWrite1h,
    cacheWrite5m: own.cacheWrite - cacheWrite1h,
  });
}

function countPrefix(sums: RunSums, row: RequestRow): void {
  sums.add("prefix", "", {
    [String(row.prefix_verdict)]: 1,
    previous: Number(row.prefix_previous),
    equal: Number(row.prefix_equal),
  });
  if (row.prefix_verdict !== "ours") return;
  const last = {
    request_id: row.id,
    timestamp: new Date(Number(row.at)).toISOString(),
    first_difference: row.prefix_difference,
  };
  sums.add("prefix", "", { last: Number(row.at) }, JSON.stringify(last));
}

/** What further rounds sent is part of the sum, and of no prompt. */
function countContext(
  sums: RunSums,
  { tokens_in: tokens, further_rounds: rounds }: RequestRow,
  { budget }: ContextBudget,
): void {
  if (Number(rounds) > 0) return;
  sums.add("context", "", {
    requests: 1,
    over: Number(Number(tokens) > budget),
    max: percent(Number(tokens), budget),
  });
}

/** One that nobody took is not counted: it saved nothing. */
function countCompression(sums: RunSums, row: RequestRow, lists: Lists): void {
  for (const block of lists.blocks) countBlock(sums, block);
  if (lists.strategies.length === 0) {
    sums.add("uncompressed", whyUnchanged(row, lists), { n: 1 });
    return;
  }
  const { tokens_before: before, tokens_after: after } = row;
  const saved = Number(row.tokens_saved);
  const share = percent(saved, Number(before));
  sums.add("compressed", "", {
    requests: 1,
    percents: share,
    removed: saved,
    before: Number(before),
  });
  if (share <= 0) return;
  sums.add("compressed", "", { max: share }, `${before} to ${after} tokens`);
}

function countBlock(
  sums: RunSums,
  { isKnown, tokensBefore, tokensAfter, outcome }: SeenBlock,
): void {
  // Counted when it came first.
  if (isKnown) return;
  sums.add("fresh", "", { blocks: 1 });
  if (tokensBefore === undefined) return;
  const after = tokensAfter ?? tokensBefore;
  sums.add("fresh", "", {
    counted_blocks: 1,
    tokens_before: tokensBefore,
    tokens_after: after,
  });
  if (outcome === "alone") return;
  sums.add("fresh", "", {
    compressed_blocks: 1,
    compressed_tokens_before: tokensBefore,
    compressed_tokens_after: after,
  });
}

/** The reason that occurs most often; of several the first one. */
function whyUnchanged({ provider }: RequestRow, { leftAlone }: Lists): string {
  if (provider === "passthrough") return "passthrough";
  const counts = new Map<string, number>();
  for (const reason of leftAlone) {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? "no_compressible_content";
}

function countForms(
  sums: RunSums,
  { forms, retrieved }: Lists,
  counted: CountedForms,
): void {
  for (const form of forms) {
    if (counted.add(form.key)) countForm(sums, form, counted);
  }
  // After the forms: a model can ask for what this very request left out.
  for (const event of retrieved) countRetrieved(sums, event, counted);
}

function countForm(
  sums: RunSums,
  { entry, toolName, strategy, saved }: SentForm,
  counted: CountedForms,
): void {
  if (entry !== undefined) counted.add(entry);
  const shapes = Number(counted.add(`${strategy} ${toolName}`));
  sums.add("retrievals", "", { shapes });
  const fields = {
    forms: 1,
    elided: Number(entry !== undefined),
    tokens_saved: saved,
  };
  sums.add("form_strategy", named(strategy), fields);
  sums.add("form_tool", named(toolName), fields);
}
