/** Waiting, but not for ever. @module */
import { type Later, laterUnheld } from "./later.ts";

/** Resolves when `work` has ended, well or not, or after `ms` milliseconds. */
export async function within(
  ms: number,
  work: Promise<unknown>,
  later: Later = laterUnheld,
): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const stop = later(ms, limit.resolve);
  await Promise.race([Promise.allSettled([work]), limit.promise]);
  stop();
}
