/** Blocks of no known kind are decided on the spot; only the others are worth the way to the worker. @module */
import type { ContentDetector } from "../core/detector.ts";
import type { BlockJob, Decision } from "./router.ts";

/** Longer texts, in UTF-16 units, are looked at in the worker: detection takes up to 10 µs per 1,000. */
const MAX_LENGTH = 64 * 1024;

/** Decides blocks, one answer per job in order. */
export type Decide = (
  jobs: readonly BlockJob[],
) => Promise<readonly Decision[]>;

/**
 * Most tool results are of no kind that is compressed. To wake another thread for them can take longer
 * than to look at them.
 *
 * @param detector The one that `elsewhere` uses: what is sent is the same, whoever decides.
 * @param elsewhere Decides the rest.
 */
export function decideUndetectedHere(
  detector: ContentDetector,
  elsewhere: Decide,
): Decide {
  const isUndetected = ({ text, toolName }: BlockJob) => {
    if (text.length > MAX_LENGTH) return false;
    try {
      return detector.detect(text, toolName || undefined) === undefined;
    } catch {
      // `elsewhere` meets the same failure, and says so.
      return false;
    }
  };
  return async (jobs) => {
    const decided = jobs.map((job): Decision | undefined =>
      isUndetected(job) ? { type: "alone", reason: "no_kind" } : undefined
    );
    const rest = jobs.filter((_, i) => decided[i] === undefined);
    const answers = rest.length === 0 ? [] : await elsewhere(rest);
    const next = answers[Symbol.iterator]();
    return decided.map((decision) =>
      decision ?? next.next().value ??
        { type: "failed", reason: "no_answer" }
    );
  };
}
