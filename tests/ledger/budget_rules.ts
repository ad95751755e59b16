/** Rules that every budget gate obeys; the test file of each calls this once. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Budget, BudgetGate } from "../../src/core/cost.ts";
import type { RequestRecord } from "../../src/core/ledger.ts";
import { periodStart } from "../../src/ledger/budget_rule.ts";
import {
  NOON,
  RECORD,
  spent,
  type StandingClock,
  standingClock,
} from "./samples.ts";

/** Gates on one budget, as processes that share it have them. */
export interface SharedGates extends AsyncDisposable {
  readonly gates: readonly BudgetGate[];
  /** Hands the record of a finished request to the ledger of gate `i`. */
  book(i: number, entry: RequestRecord): Promise<void>;
  /** Lets every process say that it lives, as each does of itself while requests are under way. */
  beat(): Promise<void>;
}

/** What is tested. */
export interface GateCase {
  readonly name: string;
  open(budget: Budget, clock: StandingClock): Promise<SharedGates>;
  readonly numRuns: number;
}

const HOUR = 3_600_000;

/** Registers one test per rule. */
export function testBudgetGate({ name, open, numRuns }: GateCase): void {
  Deno.test(`${name} refuses when the limit is reached, until the period ends`, async () => {
    const ends = {
      hourly: Date.UTC(2026, 2, 15, 11),
      daily: Date.UTC(2026, 2, 16),
      monthly: Date.UTC(2026, 3, 1),
    };
    for (const period of ["hourly", "daily", "monthly"] as const) {
      const clock = standingClock();
      const budget = budgetOf({ period });
      await using shared = await open(budget, clock);
      const gate = shared.gates[0]!;
      assert.equal(await gate.admit("a", 1), undefined);
      await shared.book(0, spent("a", 100));
      const refusal = {
        reason: "spent",
        period,
        limitNanoUsd: 100,
        spentNanoUsd: 100,
      };
      for (const time of [NOON, ends[period] - 1]) {
        clock.time = time;
        const retryAfterMs = ends[period] - time;
        for (const each of shared.gates) {
          assert.deepEqual(await each.admit("b", 1), {
            ...refusal,
            retryAfterMs,
          });
        }
      }
      clock.time = ends[period];
      assert.equal(await gate.admit("b", 1), undefined);
      assert.equal(gate.state().measuredNanoUsd, 0);
      clock.time = NOON;
      assert.equal((await gate.admit("c", 1))?.reason, "spent");
    }
  });

  Deno.test(`${name} counts estimated spend, ignores it or lets it block, and a missing price like it`, async () => {
    const outcomes = {
      count: ["spent", undefined],
      ignore: [undefined, undefined],
      block: ["spent", "estimated"],
    } as const;
    for (const estimatedBasis of ["count", "ignore", "block"] as const) {
      for (const [i, cost] of [100, undefined].entries()) {
        const clock = standingClock();
        await using shared = await open(budgetOf({ estimatedBasis }), clock);
        const gate = shared.gates.at(-1)!;
        await shared.book(0, spent("a", cost, "estimated"));
        assert.equal(
          (await gate.admit("b", 1))?.reason,
          outcomes[estimatedBasis][i],
          `${estimatedBasis} ${cost}`,
        );
        const { estimatedNanoUsd, records, estimatedRecords } = gate.state();
        assert.deepEqual(
          [estimatedNanoUsd, records, estimatedRecords],
          [cost ?? 0, 1, 1],
        );
      }
    }
  });

  Deno.test(`${name} lets one request at a time have the rest, also of a model without a price`, async () => {
    await using shared = await open(
      budgetOf({ limitNanoUsd: 1 }),
      standingClock(),
    );
    const [first, last] = [shared.gates[0]!, shared.gates.at(-1)!];
    assert.equal(await first.admit("a", 0), undefined);
    const refused = await last.admit("b", 0);
    assert.equal(refused?.reason, "reserved");
    assert.ok(refused!.retryAfterMs >= 1000 && refused!.retryAfterMs <= 5000);
    first.release("a");
    assert.equal(await first.admit("b", 0), undefined);
    await shared.book(0, { ...RECORD, id: "b", status: 500 });
    assert.equal(await last.admit("c", 0), undefined);
  });

  Deno.test(`${name} forgets a reservation whose request was never recorded after an hour`, async () => {
    const clock = standingClock();
    await using shared = await open(budgetOf({ limitNanoUsd: 1 }), clock);
    const gate = shared.gates[0]!;
    assert.equal(await gate.admit("a", 5), undefined);
    clock.time += HOUR;
    assert.equal((await gate.admit("b", 1))?.reason, "reserved");
    clock.time += 1;
    assert.equal(await gate.admit("b", 1), undefined);
  });

  Deno.test(`${name} is exceeded by one request at most, whatever comes at once and however the clock goes`, async () => {
    await fc.assert(
      fc.asyncProperty(steps, periods, async (steps, period) => {
        const clock = standingClock();
        const budget = budgetOf({ period });
        await using shared = await open(budget, clock);
        await runSteps(steps, { budget, clock, shared });
      }),
      { numRuns },
    );
  });
}

function budgetOf(more: Partial<Budget>): Budget {
  return {
    limitNanoUsd: 100,
    period: "daily",
    estimatedBasis: "count",
    ...more,
  };
}

/** What happens: requests come at once, some of those under way end, time passes or goes back. */
type Step =
  | { readonly type: "come"; readonly costs: readonly number[] }
  | { readonly type: "end"; readonly count: number; readonly isSent: boolean }
  | { readonly type: "time"; readonly minutes: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant("come" as const),
      costs: fc.array(fc.integer({ min: 1, max: 40 }), {
        minLength: 1,
        maxLength: 8,
      }),
    }),
    fc.record({
      type: fc.constant("end" as const),
      count: fc.nat(6),
      isSent: fc.boolean(),
    }),
    fc.record({
      type: fc.constant("time" as const),
      minutes: fc.oneof(
        fc.integer({ min: -50, max: 50 }),
        fc.integer({ min: -300, max: 3000 }),
      ),
    }),
  ),
  { maxLength: 25 },
);
const periods = fc.constantFrom("hourly" as const, "daily", "monthly");

interface Scene {
  readonly budget: Budget;
  readonly clock: StandingClock;
  readonly shared: SharedGates;
}

/** Compares the gates with a list of all that was inserted, and looks at the overshoot. */
async function runSteps(
  steps: readonly Step[],
  { budget, clock, shared }: Scene,
): Promise<void> {
  const { gates } = shared;
  const underWay = new Map<string, { cost: number; i: number; at: number }>();
  const inserted: { at: number; cost: number }[] = [];
  let last = 0;
  const spentNow = () => {
    const start = periodStart(budget.period, clock.time);
    return inserted.filter(({ at }) => at - at % HOUR >= start)
      .reduce((sum, { cost }) => sum + cost, 0);
  };
  const reserved = () =>
    [...underWay.values()].reduce((sum, { cost }) => sum + cost, 0);
  for (const step of steps) {
    if (step.type === "time") {
      const next = clock.time + step.minutes * 60_000;
      // Reservations that far from now, in either direction, are not believed any more.
      const isNear = [...underWay.values()].every(({ at }) =>
        Math.abs(next - at) < HOUR
      );
      if (isNear) {
        clock.time = next;
        await shared.beat();
      }
    } else if (step.type === "come") {
      const answers = await Promise.all(step.costs.map(async (cost) => {
        const id = `r${++last}`;
        const i = last % gates.length;
        const room = spentNow() + reserved() < budget.limitNanoUsd;
        const refusal = await gates[i]!.admit(id, cost);
        if (refusal === undefined) {
          underWay.set(id, { cost, i, at: clock.time });
        }
        return { refusal, room };
      }));
      const [first] = answers;
      const some = answers.some(({ refusal }) => refusal === undefined);
      assert.equal(some, first!.room, "refused in spite of room, or not");
    } else {
      for (const [id, { cost, i, at }] of [...underWay].slice(0, step.count)) {
        underWay.delete(id);
        if (!step.isSent) {
          gates[i]!.release(id);
          continue;
        }
        inserted.push({ at, cost });
        await shared.book(i, { ...spent(id, cost), at });
      }
    }
    const most = Math.max(
      0,
      ...inserted.map(({ cost }) => cost),
      ...[...underWay.values()].map(({ cost }) => cost),
    );
    // Each was let in while something was left. A clock that goes back brings two periods together.
    const hasGoneBack = steps.some((one) =>
      one.type === "time" && one.minutes < 0
    );
    if (!hasGoneBack) {
      assert.ok(spentNow() + reserved() < budget.limitNanoUsd + most + 1);
    }
    assert.equal(gates[0]!.state().measuredNanoUsd, spentNow());
  }
}
