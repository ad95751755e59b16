import assert from "node:assert/strict";
import { nextTurn, Pace, turnIfMany } from "../../src/core/next_turn.ts";

Deno.test("Pace is due by the work that is done, the same for each pass", () => {
  const dueAt = () => {
    const pace = new Pace();
    return Array.from({ length: 10_000 }, (_, i) => pace.isDue(i % 3) ? i : -1)
      .filter((i) => i >= 0);
  };
  const first = dueAt();
  assert.deepEqual(first, dueAt());
  assert.equal(first.length, 2);
  assert.equal(new Pace().isDue(3999), false);
  assert.equal(new Pace().isDue(4000), true);
});

Deno.test("nextTurn lets what waits run first, turnIfMany only where there are many", async () => {
  const events: string[] = [];
  setTimeout(() => events.push("other"), 0);
  await turnIfMany(1000);
  events.push("few");
  await turnIfMany(1001);
  events.push("many");
  await nextTurn();
  assert.deepEqual(events, ["few", "other", "many"]);
});
