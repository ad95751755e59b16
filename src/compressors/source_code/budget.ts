/** How much of the bodies that may go stays: last statements and short bodies, while the outline is small. @module */
import { type Gap, savedBy } from "./gaps.ts";

/** A body and what may be left of it. */
export interface Body {
  /** Gaps of each form of it, the shortest form first, the fullest last; at least one. */
  readonly forms: readonly (readonly Gap[])[];
}

/** Bodies are left fuller while the outline is a smaller share of the text, by a little or by more. */
const FULL_SHARE = 0.45;
const LITTLE_SHARE = 0.65;
/** Weight that is little: a short line. */
const LITTLE = 60;

/** One step to a fuller form. */
interface Step {
  readonly body: number;
  readonly form: number;
  readonly cost: number;
}

/**
 * All gaps: those given, and those of each body in the fullest form there is room for, the cheapest ones first.
 *
 * @param weights As `weigh` makes them. @returns In no order.
 */
export function chooseGaps(
  weights: Uint32Array,
  gaps: readonly Gap[],
  bodies: readonly Body[],
): Gap[] {
  const saved = (gaps: readonly Gap[]) =>
    gaps.reduce((sum, gap) => sum + savedBy(weights, gap), 0);
  const steps = bodies.flatMap(({ forms }, body): Step[] =>
    forms.slice(1).map((fuller, i) => {
      const cost = saved(forms[i]!) - saved(fuller);
      return { body, form: i + 1, cost };
    })
  );
  steps.sort((a, b) => a.cost - b.cost || a.body - b.body || a.form - b.form);
  const whole = weights[weights.length - 1]!;
  const chosen = new Uint8Array(bodies.length);
  let left = whole - saved(gaps);
  for (const { forms } of bodies) left -= saved(forms[0]!);
  for (const { body, form, cost } of steps) {
    // A step that costs nothing is always taken, after the one before it.
    if (form !== chosen[body]! + 1) continue;
    const share = cost <= LITTLE ? LITTLE_SHARE : FULL_SHARE;
    if (cost > 0 && left + cost > share * whole) continue;
    chosen[body] = form;
    left += cost;
  }
  return [
    ...gaps,
    ...bodies.flatMap(({ forms }, i) => forms[chosen[i]!]!),
  ];
}
