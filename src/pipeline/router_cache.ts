/** What was decided before: texts that are known to stay as they are, and forms. @module */
import type { Clock } from "../core/clock.ts";
import type { BlockJob, DecidedForm, Decision } from "../core/decision.ts";

/** Decides blocks, one answer per job in order. */
export type Decide = (
  jobs: readonly BlockJob[],
) => Promise<readonly Decision[]>;

/** Milliseconds that a decision is remembered. */
export const ROUTER_CACHE_TTL_MS = 30 * 60 * 1000;

/** Bytes of forms that are remembered. */
export const RESULT_CACHE_BYTES = 8 * 1024 * 1024;

/** Texts that are remembered as left alone. */
export const SKIP_SET_SIZE = 10_000;

/** A decision and when it was made. */
export interface Remembered<D> {
  /** The decision. */
  readonly decision: D;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/** A map that forgets by itself when it grows too large. */
export interface BoundedMap<V> {
  /** `undefined` when absent. */
  get(key: string): V | undefined;
  /** Adds or replaces. */
  set(key: string, value: V): void;
  /** Removes. */
  delete(key: string): void;
}

/** What the cache is made of. */
export interface RouterCacheParts {
  /** Texts that stay as they are. */
  readonly skips: BoundedMap<Remembered<Decision>>;
  /** Forms. */
  readonly results: BoundedMap<Remembered<DecidedForm>>;
  /** Digest of a text, so that a long question is not kept whole. */
  readonly digest: (text: string) => string;
  /** Time. */
  readonly clock: Clock;
}

/**
 * Answers what was asked within the last 30 minutes from memory. A decision is a function of its job, so that
 * the answer is the same as without the cache; failures are not remembered.
 */
export function rememberDecisions(
  parts: RouterCacheParts,
  decide: Decide,
): Decide {
  return async (jobs) => {
    const keys = jobs.map((job) => parts.digest(jobText(job)));
    const known = keys.map((key) => recall(parts, key));
    const rest = jobs.filter((_, i) => known[i] === undefined);
    const answers = rest.length === 0 ? [] : await decide(rest);
    const next = answers[Symbol.iterator]();
    return known.map((decision, i): Decision => {
      if (decision !== undefined) return decision;
      const made = next.next().value ?? { type: "failed", reason: "no_answer" };
      remember(parts, keys[i]!, made);
      return made;
    });
  };
}

/** Everything that a decision depends on; the text by its digest. */
function jobText(job: BlockJob): string {
  const { original, toolName, rule, path, query, model } = job;
  const { exact, folds, codeAware } = job.options;
  return JSON.stringify([
    original,
    job.text.length,
    toolName,
    rule,
    path,
    query,
    job.mayElide,
    job.stale,
    job.mayOutline === true,
    job.notElided,
    model,
    exact,
    folds,
    codeAware,
    job.repeats,
  ]);
}

function recall(
  { skips, results, clock }: RouterCacheParts,
  key: string,
): Decision | undefined {
  for (const tier of [skips, results]) {
    const found = tier.get(key);
    if (found === undefined) continue;
    if (clock.monotonic() - found.at < ROUTER_CACHE_TTL_MS) {
      return found.decision;
    }
    tier.delete(key);
  }
  return undefined;
}

function remember(
  { skips, results, clock }: RouterCacheParts,
  key: string,
  decision: Decision,
): void {
  const at = clock.monotonic();
  if (decision.type === "alone") skips.set(key, { decision, at });
  if (decision.type === "form") results.set(key, { decision, at });
}
