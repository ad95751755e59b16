/** One finished request as a record of the proxy log. @module */
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import { savedBy } from "../core/outcome.ts";
import type { LogFields } from "./mask.ts";
import { plainName } from "./slug.ts";

/** Strategies that are named; a request has few. */
const MAX_TRANSFORMS = 20;

/**
 * Fields of the record `request`: who, what, how much smaller, how fast.
 *
 * Names of models, projects, stacks and clients are cut to 100 characters and left out unless they are plain. What
 * nobody knows is left out: a missing `tok_out` was not reported.
 */
export function requestSummary(entry: RequestRecord): LogFields {
  const { usage, prefix } = entry;
  const fields = whoAndWhat(entry);
  fields.tok_before = entry.tokensBefore;
  fields.tok_after = entry.tokensAfter;
  fields.tok_saved = savedBy(entry);
  if (usage.input !== undefined) fields.tok_in = usage.input;
  if (usage.output !== undefined) fields.tok_out = usage.output;
  if (usage.cacheRead !== undefined) fields.cache_read = usage.cacheRead;
  if (usage.cacheWrite !== undefined) fields.cache_write = usage.cacheWrite;
  const hit = hitPercent(entry);
  if (hit !== undefined) fields.cache_hit_pct = hit;
  fields.opt_ms = toMs(entry.overheadMs);
  fields.total_ms = toMs(entry.latencyMs);
  if (entry.ttfbMs !== undefined) fields.ttfb_ms = toMs(entry.ttfbMs);
  fields.transforms = transformsOf(entry.strategies, entry.forms);
  if (prefix !== undefined) fields.prefix = prefix.verdict;
  if (entry.olderDecided !== undefined) fields.older = entry.olderDecided;
  if (entry.furtherRounds > 0) fields.rounds = entry.furtherRounds;
  if (entry.retrieved.length > 0) fields.retrieved = entry.retrieved.length;
  return fields;
}

/** Members are named one by one: an object that is filled by variable names is several times slower. */
function whoAndWhat(
  entry: RequestRecord,
): Record<string, string | number | boolean> {
  const fields: Record<string, string | number | boolean> = {
    request_id: entry.id,
    status: entry.status,
    provider: entry.provider,
  };
  const upstream = plainName(entry.upstream);
  if (upstream !== undefined) fields.upstream = upstream;
  const model = plainName(entry.model);
  if (model !== undefined) fields.model = model;
  const project = plainName(entry.project);
  if (project !== undefined) fields.project = project;
  const stack = plainName(entry.stack);
  if (stack !== undefined) fields.stack = stack;
  const client = plainName(entry.agent);
  if (client !== undefined) fields.client = client;
  if (entry.cached) fields.cached = true;
  if (entry.refusedBy !== undefined) fields.refused_by = entry.refusedBy;
  return fields;
}

function hitPercent({ usage }: RequestRecord): number | undefined {
  const { input = 0, cacheRead, cacheWrite = 0 } = usage;
  if (cacheRead === undefined) return undefined;
  const prompt = input + cacheRead + cacheWrite;
  return prompt === 0 ? undefined : round(100 * cacheRead / prompt, 1);
}

/** `log*3 json*1`: each strategy with the forms of it that stand in the request; `none` for none. */
function transformsOf(
  strategies: readonly string[],
  forms: readonly SentForm[],
): string {
  if (forms.length === 0 && strategies.length === 0) return "none";
  const counts = new Map<string, number>();
  for (const { strategy } of forms) {
    counts.set(strategy, (counts.get(strategy) ?? 0) + 1);
  }
  // A pass changes the request as a whole.
  for (const name of strategies) {
    if (!counts.has(name)) counts.set(name, 1);
  }
  return [...counts].slice(0, MAX_TRANSFORMS)
    .map(([name, count]) => `${plainName(name) ?? "other"}*${count}`)
    .join(" ");
}

/** Microseconds are enough. */
function toMs(ms: number): number {
  return round(ms, 3);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
