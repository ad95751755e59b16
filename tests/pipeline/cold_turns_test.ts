/** Conversations that the provider has forgotten: decided anew once, and only appended to before and after. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import { makePrefixProofs } from "../../src/pipeline/prefix_proof.ts";
import { bodyOf, CLIENTS, printed, talk } from "../conformance/conversation.ts";
import { type Harness, harness, type RequestFacts } from "./harness.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const MINUTE_MS = 60_000;
/** Longer than any cache lives that these clients ask for. */
const LONG_MS = 3 * 60 * MINUTE_MS;
const ON: RequestFacts = { recompacts: true };
const EXTENDS = new Set(["first", "extended", "client"]);

/** One process after another on the same store and clock. */
function restarted({ store, clock }: Harness, ccr = true): Harness {
  return harness({ store, clock, ccr });
}

const markersIn = (call: CompressedBody) =>
  text(call.bytes).match(/hash=[0-9a-f]{24}\]/g)?.length ?? 0;

for (const client of CLIENTS) {
  const { id } = client;
  const results = [
    "short",
    printed(60),
    "x".repeat(900),
    printed(70, "row"),
    "end",
  ];
  const body = (n: number) => bodyOf(client, talk(...results), n);
  /** How long this client's cache lives. */
  const lifeMs = id === "messages" ? 5 * MINUTE_MS : 60 * MINUTE_MS;

  Deno.test(`${id}: what the provider has forgotten is decided anew once, older results too, and the same bytes go out from then on`, async () => {
    // Nothing may be left out at first.
    const before = harness({ ccr: false });
    const proofs = makePrefixProofs();
    for (const n of [0, 1, 2, 3]) {
      proofs.prove(await before.send(id, body(n), ON));
    }
    const process = restarted(before);
    before.clock.ms += LONG_MS;
    const cold = await process.send(id, body(4), ON);
    assert.equal(proofs.prove(cold)!.verdict, "decided");
    assert.equal(cold.older?.reason, "cold_cache");
    assert.equal(markersIn(cold), 2);
    assert.equal(cold.declaration.by, "proxy");
    let last = cold;
    for (const at of [process, restarted(process), restarted(process)]) {
      const next = await at.send(id, body(5), ON);
      assert.equal(proofs.prove(next)!.verdict, "extended");
      assert.equal(markersIn(next), 2);
      last = next;
    }
    // Whatever is set later.
    const off = await restarted(process).send(id, body(5));
    assert.deepEqual(off.bytes, last.bytes);
  });

  Deno.test(`${id}: nothing is decided anew before the cache has surely gone, unasked, or in a question about it`, async () => {
    const process = harness({ ccr: false });
    for (const n of [0, 1, 2]) await process.send(id, body(n), ON);
    const sent = process.clock.ms;
    const at = async (idle: number, facts: RequestFacts) => {
      process.clock.ms = sent + idle;
      const call = await restarted(process).compress(id, body(2), facts);
      return call.coldTurns;
    };
    const life = lifeMs + MINUTE_MS;
    assert.equal(await at(life, ON), 0);
    assert.equal(await at(life + 1, {}), 0);
    assert.equal(await at(life + 1, { ...ON, isPreview: true }), 0);
    assert.equal(await at(life + 1, ON), 1);
  });

  Deno.test(`${id}: a conversation that went on while this was switched off is warm`, async () => {
    const process = harness();
    for (const n of [0, 1]) await process.send(id, body(n), ON);
    for (let minutes = 0; minutes < 120; minutes += 2) {
      process.clock.ms += 2 * MINUTE_MS;
      await process.send(id, body(2));
    }
    assert.equal((await process.send(id, body(3), ON)).coldTurns, 0);
  });

  Deno.test(`${id}: a pause begins when the answer has ended`, async () => {
    const process = harness();
    for (const n of [0, 1]) await process.send(id, body(n), ON);
    const long = await process.send(id, body(2), ON);
    process.clock.ms += LONG_MS;
    long.answered!();
    assert.equal((await process.send(id, body(3), ON)).coldTurns, 0);
  });

  Deno.test(`${id}: a conversation stays warm while a fork of it goes on, and both have what was decided anew`, async () => {
    const process = harness({ ccr: false });
    for (const n of [0, 1, 2]) await process.send(id, body(n), ON);
    const fork = { ...ON, session: "fork" };
    await process.send(id, body(2), fork);
    const on = restarted(process);
    for (let minutes = 0; minutes < 100; minutes += 2) {
      on.clock.ms += 2 * MINUTE_MS;
      await on.send(id, body(2), fork);
    }
    assert.equal((await on.send(id, body(2), ON)).older, undefined);
    on.clock.ms += LONG_MS;
    const cold = await on.send(id, body(3), ON);
    assert.equal(cold.older?.reason, "cold_cache");
    const same = await restarted(on).send(id, body(3), fork);
    assert.deepEqual(same.bytes, cold.bytes);
  });

  Deno.test(`${id}: two processes that decide anew at the same time send the same bytes`, async () => {
    const first = harness({ ccr: false });
    for (const n of [0, 1, 2]) await first.send(id, body(n), ON);
    first.clock.ms += LONG_MS;
    const [a, b] = await Promise.all(
      [restarted(first), restarted(first)].map((at) =>
        at.compress(id, body(3), ON)
      ),
    );
    assert.deepEqual(a!.bytes, b!.bytes);
    assert.equal(markersIn(a!), 1);
    b!.sent();
    a!.sent();
    const next = await restarted(first).send(id, body(3), ON);
    assert.deepEqual(next.bytes, a!.bytes);
  });

  Deno.test(`${id}: what cannot be stored on a cold turn goes out as before`, async () => {
    const process = harness();
    for (const n of [0, 1, 2, 3]) await process.send(id, body(n), ON);
    const before = await process.send(id, body(3), ON);
    process.clock.ms += LONG_MS;
    const { store, clock } = process;
    const refusing = harness({
      clock,
      store: { ...store, write: () => Promise.reject(new Error("locked")) },
    });
    const call = await refusing.send(id, body(3), ON);
    assert.deepEqual(call.bytes, before.bytes);
    assert.equal(call.coldTurns, 0);
  });

  Deno.test(`${id}: every pause that is long enough breaks the prefix once at most, declared, in any order of requests, forks, restarts and pauses`, async () => {
    const result = fc.oneof(
      fc.constantFrom("short", "brief"),
      fc.integer({ min: 5, max: 200 }).map((n) => printed(n)),
      fc.integer({ min: 300, max: 900 }).map((n) => "x".repeat(n)),
    );
    const move = fc.record({
      pick: fc.nat(),
      session: fc.constantFrom(undefined, "s"),
      idle: fc.constantFrom(0, MINUTE_MS, 4 * MINUTE_MS, LONG_MS),
      restarts: fc.constantFrom(undefined, true, false),
      recompacts: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(result, { minLength: 1, maxLength: 5 }),
        fc.array(move, { minLength: 2, maxLength: 12 }),
        async (results, moves) => {
          let process = harness();
          let most = 0;
          const turns = new Map<string | undefined, number>();
          const proofs = makePrefixProofs();
          const conversation = talk(...results);
          for (const { pick, session, idle, restarts, recompacts } of moves) {
            process.clock.ms += idle;
            // What was left alone is known to one process only: a restarted one must not be asked to go back.
            const restarting = restarts !== undefined && most < results.length;
            const n = restarting ? most + 1 : pick % (results.length + 1);
            if (restarting) process = restarted(process, restarts);
            most = Math.max(most, n);
            const call = await process.send(
              id,
              bodyOf(client, conversation, n),
              { recompacts, ...session !== undefined && { session } },
            );
            const { verdict } = proofs.prove(call)!;
            const isDecided = verdict === "decided";
            assert(isDecided || EXTENDS.has(verdict), `${verdict} at ${n}`);
            // Once for each pause and session.
            const was = turns.get(session) ?? 0;
            if (isDecided) assert(call.coldTurns! > was, `decided at ${n}`);
            turns.set(session, call.coldTurns ?? was);
            for (const key of call.elided.keys()) {
              assert(
                "original" in process.store.entry(key, process.clock.ms),
                `${key} is gone at ${n}`,
              );
            }
          }
        },
      ),
      { numRuns: 80 },
    );
  });
}

Deno.test("a conversation of more than 2,000 results stays as it is", async () => {
  const [client] = CLIENTS;
  const turnsCold = async (count: number) => {
    const process = harness();
    const { id } = client!;
    const all = talk(...Array.from({ length: count }, () => "ok"));
    await process.send(id, bodyOf(client!, all, 1), ON);
    process.clock.ms += LONG_MS;
    return (await process.send(id, bodyOf(client!, all, count), ON)).coldTurns;
  };
  assert.equal(await turnsCold(2000), 1);
  assert.equal(await turnsCold(2001), 0);
});
