/** Time as the machine tells it. @module */
import type { Clock } from "./core/clock.ts";

/** The machine's clock. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
