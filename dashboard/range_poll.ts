/** Asking for the figures of the days that are shown. @module */
import type { RangeBody, SumsReport } from "./api.ts";
import { usePolled } from "./poll.ts";
import { edgesOf, type Range, type Slot, slotsOf, type Step } from "./range.ts";

/** Milliseconds between two questions for what is kept. */
export const KEPT_MS = 10_000;

/** Figures of some days, a step at a time. */
export interface Steps {
  /** The steps, the oldest first. */
  readonly slots: readonly Slot[];
  /** The answer; it has an interval per slot. `undefined` before it came. */
  readonly data: RangeBody | undefined;
}

/** Asks for the steps of a range, up to the present one. */
export function useSteps(range: Range, step: Step): Steps {
  const edges = edgesOf(range, step, new Date());
  const { data } = usePolled<RangeBody>(
    `/stats-range?edges=${edges.join()}`,
    KEPT_MS,
  );
  return { slots: slotsOf(edges, step), data };
}

/** Asks for a table by name of a range: an answer without one is not for this reader. */
export function useNames(
  { from, until }: Range,
  by: string,
): {
  readonly isThere: boolean;
  readonly table?: Readonly<Record<string, SumsReport>>;
} {
  const { data } = usePolled<RangeBody>(
    `/stats-range?edges=${from},${until}&by=${by}`,
    KEPT_MS,
  );
  return {
    isThere: data !== undefined,
    ...data?.by && { table: data.by },
  };
}
