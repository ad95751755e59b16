import assert from "node:assert/strict";
import { join } from "node:path";
import type { CacheTurn } from "../../src/core/cache_outcome.ts";
import { openCacheLearner } from "../../src/telemetry/cache_lives.ts";
import { type Logged, logInto } from "./export_samples.ts";

const MINUTE = 60_000;
/** Nothing is done by the clock. */
const NEVER_MS = 2 ** 31 - 1;

/** A turn that read what the one before had written, after some minutes. */
function turn(seq: number, minutes: number, read = 5000): CacheTurn {
  return {
    ...{ seq, at: minutes * MINUTE, provider: "messages", model: "m", read },
    verdict: "extended",
    before: { at: 0, input: 1, cacheRead: 4000, cacheWrite: 1000 },
  };
}

/** A ledger that grows. */
class World {
  readonly turns: CacheTurn[] = [];
  readonly logged: Logged[] = [];
  readonly directory: string = Deno.makeTempDirSync();
  readonly table = join(this.directory, "cache_ttl_learned.json");
  readonly observations = join(this.directory, "observations.jsonl");
  isBroken = false;

  open(parts: { readonly isReader?: boolean } = {}) {
    const { table, observations } = this;
    return openCacheLearner({
      ...{ table, observations, ...parts, everyMs: NEVER_MS },
      clock: { now: () => 0, monotonic: () => 0 },
      log: logInto(this.logged),
      reader: {
        cacheTurns: ({ after, limit }) => {
          if (this.isBroken) throw new Error("disk I/O error");
          return this.turns.filter(({ seq }) => seq > after).slice(0, limit);
        },
        requests: () => this.turns.slice(-1) as never[],
      },
    });
  }

  /** Idle minutes that were observed. */
  async observed(): Promise<readonly unknown[]> {
    const text = (await Deno.readTextFile(this.observations)).trimEnd();
    return text.split("\n").map((line) => JSON.parse(line).idle_ms / MINUTE);
  }
}

async function inWorld(test: (world: World) => Promise<void>): Promise<void> {
  const world = new World();
  try {
    await test(world);
  } finally {
    await Deno.remove(world.directory, { recursive: true });
  }
}

const LIFE = 5 * MINUTE;

Deno.test("openCacheLearner observes each turn once, over restarts, from its first start on", () =>
  inWorld(async (world) => {
    world.turns.push(turn(1, 50));
    {
      await using learner = await world.open();
      await learner.learn();
      assert.equal(learner.longest("messages", "m", LIFE), LIFE, "old");
      // More than are read at once.
      for (let seq = 2; seq <= 250; seq++) world.turns.push(turn(seq, 7));
      await learner.learn();
      assert.equal(learner.longest("messages", "m", LIFE), 7 * MINUTE);
      world.turns.push({ ...turn(251, 9), before: undefined });
    }
    world.turns.push(turn(252, 8), turn(253, 30, 100));
    {
      await using learner = await world.open();
      assert.equal(learner.longest("messages", "m", LIFE), 7 * MINUTE);
      await learner.learn();
      assert.equal(learner.longest("messages", "m", LIFE), 8 * MINUTE);
    }
    assert.deepEqual(await world.observed(), [...Array(249).fill(7), 8, 30]);
    const { counted, rows } = JSON.parse(await Deno.readTextFile(world.table));
    assert.deepEqual([counted, rows[0].hits, rows[0].misses], [253, 250, 1]);
    assert.deepEqual(world.logged, []);
  }));

Deno.test("openCacheLearner says in each line what was expected and what was read, and whose conversation it was in none", () =>
  inWorld(async (world) => {
    {
      await using _ = await world.open();
      world.turns.push(turn(1, 7, 0));
    }
    assert.deepEqual(
      JSON.parse(await Deno.readTextFile(world.observations)),
      {
        ...{ at: "1970-01-01T00:07:00.000Z", provider: "messages", model: "m" },
        ...{ idle_ms: 7 * MINUTE, ttl_ms: LIFE, outcome: "cold" },
        ...{ expected_tokens: 5000, read_tokens: 0 },
      },
    );
  }));

Deno.test("openCacheLearner shares a ledger with another proxy: no turn counts twice", () =>
  inWorld(async (world) => {
    {
      await using one = await world.open();
      await using two = await world.open();
      world.turns.push(turn(1, 7));
      await one.learn();
      await two.learn();
      assert.equal(two.longest("messages", "m", LIFE), 7 * MINUTE);
      world.turns.push(turn(2, 6));
      await two.learn();
      await one.learn();
    }
    const { rows } = JSON.parse(await Deno.readTextFile(world.table));
    assert.equal(rows[0].hits, 2);
  }));

Deno.test("openCacheLearner only uses the table where another process learns", () =>
  inWorld(async (world) => {
    {
      await using _ = await world.open();
      world.turns.push(turn(1, 7));
    }
    const before = await Deno.readTextFile(world.table);
    {
      await using reader = await world.open({ isReader: true });
      world.turns.push(turn(2, 9));
      assert.equal(reader.longest("messages", "m", LIFE), 7 * MINUTE);
    }
    assert.equal(await Deno.readTextFile(world.table), before);
  }));

Deno.test("openCacheLearner starts anew with a warning where the table is none, and with another ledger", () =>
  inWorld(async (world) => {
    await Deno.writeTextFile(world.table, "secret\u0000".repeat(9));
    {
      await using learner = await world.open();
      world.turns.push(turn(1, 7));
      await learner.learn();
      assert.equal(learner.longest("messages", "m", LIFE), 7 * MINUTE);
    }
    assert.deepEqual(world.logged.map(([, event]) => event), [
      "cache_lives_unavailable",
    ]);
    assert.doesNotMatch(JSON.stringify(world.logged), /secret/);
    const table = JSON.parse(await Deno.readTextFile(world.table));
    await Deno.writeTextFile(
      world.table,
      JSON.stringify({ ...table, counted: 900 }),
    );
    {
      await using _ = await world.open();
      world.turns.push(turn(2, 8));
    }
    const after = JSON.parse(await Deno.readTextFile(world.table));
    assert.deepEqual([after.counted, after.rows[0].hits], [2, 2]);
  }));

Deno.test("openCacheLearner never fails for the sake of a file or of the ledger, and warns once", () =>
  inWorld(async (world) => {
    await Deno.mkdir(world.table);
    await Deno.mkdir(world.observations);
    {
      await using learner = await world.open();
      world.turns.push(turn(1, 7));
      await learner.learn();
      assert.equal(learner.longest("messages", "m", LIFE), 7 * MINUTE);
      world.isBroken = true;
      await learner.learn();
    }
    assert.deepEqual(world.logged.map(([, event]) => event), [
      "cache_lives_unavailable",
    ]);
  }));

Deno.test("openCacheLearner takes a long way behind the ledger in parts", () =>
  inWorld(async (world) => {
    await using learner = await world.open();
    for (let seq = 1; seq <= 1500; seq++) world.turns.push(turn(seq, 7));
    const counted = async () => {
      await learner.learn();
      return JSON.parse(await Deno.readTextFile(world.table)).counted;
    };
    assert.deepEqual([await counted(), await counted()], [1000, 1500]);
  }));
