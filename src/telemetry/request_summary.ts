/** One finished request as a record of the proxy log. @module */
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import type { LogFields } from "./mask.ts";
import { plainName } from "./slug.ts";

/** Strategies that are named; a request has few. */
const MAX_TRANSFORMS = 20;

/**
 * Fields of the record `request`: who, what, how much smaller, how fast.
 *
 * Names of models, projects, stacks and clients are cut to 100 characters and left out unless they are plain. What
 * nobody knows is left out: a missing `tok_out` was not reported.
 *
 * @param saved Tokens that compression took away less those it added, as the ledger counts them: 0 for a request that failed.
 */
export function requestSummary(
  entry: RequestRecord,
  saved: number,
): LogFields {
  const { usage, prefix } = entry;
  return given({
    request_id: entry.id,
    status: entry.status,
    provider: entry.provider,
    upstream: plainName(entry.upstream),
    model: plainName(entry.model),
    project: plainName(entry.project),
    stack: plainName(entry.stack),
    client: plainName(entry.agent),
    cached: entry.cached || undefined,
    refused_by: entry.refusedBy,
    tok_before: entry.tokensBefore,
    tok_after: entry.tokensAfter,
    tok_saved: saved,
    tok_in: usage.input,
    tok_out: usage.output,
    cache_read: usage.cacheRead,
    cache_write: usage.cacheWrite,
    cache_hit_pct: hitPercent(entry),
    opt_ms: toMs(entry.overheadMs),
    total_ms: toMs(entry.latencyMs),
    ttfb_ms: entry.ttfbMs === undefined ? undefined : toMs(entry.ttfbMs),
    transforms: transformsOf(entry.strategies, entry.forms),
    prefix: prefix?.verdict,
    older: entry.olderDecided,
    rounds: entry.furtherRounds || undefined,
    retrieved: entry.retrieved.length || undefined,
  });
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
  const counts = new Map<string, number>();
  for (const { strategy } of forms) {
    counts.set(strategy, (counts.get(strategy) ?? 0) + 1);
  }
  // A pass changes the request as a whole.
  for (const name of strategies) {
    if (!counts.has(name)) counts.set(name, 1);
  }
  if (counts.size === 0) return "none";
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

function given(
  fields: Readonly<Record<string, string | number | boolean | undefined>>,
): LogFields {
  const known: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) known[name] = value;
  }
  return known;
}
