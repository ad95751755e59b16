import assert from "node:assert/strict";
import fc from "fast-check";
import { BodyBytes, type BodyLease } from "../../src/proxy/body_bytes.ts";

const HERE = new AbortController().signal;

/** Lets everything that is resolved run. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A bound whose waits end when the test says so. */
function bounded(limit: number) {
  const late = new Set<() => void>();
  const bodies = new BodyBytes(limit, {
    later(run) {
      late.add(run);
      return () => late.delete(run);
    },
  });
  return { bodies, late };
}

/** Takes `bytes` and notes `name` when they are held. */
function taking(
  bodies: BodyBytes,
  bytes: number,
  { name = "", log = [] as string[], signal = HERE } = {},
): { readonly lease: BodyLease; readonly taken: Promise<void> } {
  const lease = bodies.lease(signal);
  const taken = Promise.resolve(lease.grow(bytes)).then(() => {
    log.push(name);
  });
  return { lease, taken };
}

Deno.test("BodyBytes gives what fits at once, and the rest in the order in which it was asked for", async () => {
  const { bodies } = bounded(100);
  const first = bodies.lease(HERE);
  assert.equal(first.grow(60), undefined);
  const log: string[] = [];
  const big = taking(bodies, 50, { name: "big", log });
  const small = taking(bodies, 10, { name: "small", log });
  await settle();
  // The small one would fit, and waits all the same: else the big one might wait for ever.
  assert.deepEqual(log, []);
  assert.equal(bodies.waiting, 2);
  first[Symbol.dispose]();
  await Promise.all([big.taken, small.taken]);
  assert.deepEqual(log, ["big", "small"]);
  assert.equal(bodies.held, 60);
});

Deno.test("BodyBytes lets small bodies pass large ones, up to an eighth of the bound", async () => {
  const { bodies } = bounded(1024 * 80);
  const large = bodies.lease(HERE);
  large.grow(1024 * 80);
  const waits = taking(bodies, 1024 * 80);
  const small = Array.from({ length: 128 }, () => bodies.lease(HERE));
  for (const lease of small) assert.equal(lease.grow(80), undefined);
  const more = taking(bodies, 80);
  // What is larger than it said waits with its rest.
  const rest = small[0]!.grow(80);
  assert.equal(bodies.waiting, 3);
  assert.equal(bodies.held, 1024 * 80 + 128 * 80);
  large[Symbol.dispose]();
  await waits.taken;
  waits.lease[Symbol.dispose]();
  await Promise.all([more.taken, rest]);
  assert.equal(bodies.held, 130 * 80);
  more.lease.keep(30);
  small[0]!.keep(100);
  assert.equal(bodies.held, 127 * 80 + 30 + 100);
  for (const lease of [...small, more.lease]) lease[Symbol.dispose]();
  assert.deepEqual([bodies.held, bodies.waiting], [0, 0]);
});

Deno.test("BodyBytes lets in a body above the bound when it is alone, and nobody beside it", async () => {
  const { bodies } = bounded(100);
  const first = bodies.lease(HERE);
  first.grow(1);
  const log: string[] = [];
  const huge = taking(bodies, 500, { name: "huge", log });
  const next = taking(bodies, 1, { name: "next", log });
  await settle();
  assert.deepEqual(log, []);
  first[Symbol.dispose]();
  await huge.taken;
  await settle();
  assert.deepEqual(log, ["huge"]);
  huge.lease[Symbol.dispose]();
  await next.taken;
});

Deno.test("BodyBytes lets one body at a time grow past the bound, so that two never wait for each other", async () => {
  const { bodies } = bounded(100);
  const [one, two] = [bodies.lease(HERE), bodies.lease(HERE)];
  one.grow(50);
  two.grow(50);
  const log: string[] = [];
  const outside = taking(bodies, 10, { name: "outside", log });
  // One passes the bound and goes on as it needs, though others wait.
  assert.equal(one.grow(50), undefined);
  const grown = Promise.resolve(two.grow(50)).then(() => log.push("two"));
  assert.equal(one.grow(50), undefined);
  await settle();
  assert.deepEqual(log, []);
  one[Symbol.dispose]();
  await grown;
  two[Symbol.dispose]();
  await outside.taken;
  assert.deepEqual(log, ["two", "outside"]);
});

Deno.test("BodyBytes lets go who leaves, and lets in who comes behind", async () => {
  const { bodies } = bounded(100);
  const first = bodies.lease(HERE);
  first.grow(60);
  const gone = new AbortController();
  const left = taking(bodies, 80, { signal: gone.signal });
  const behind = taking(bodies, 40);
  gone.abort(new Error("left"));
  await assert.rejects(left.taken, /left/);
  await behind.taken;
  assert.deepEqual([bodies.held, bodies.waiting], [100, 0]);
  const never = taking(bodies, 1, { signal: gone.signal });
  await assert.rejects(never.taken, /left/);
});

Deno.test("BodyBytes refuses who has waited too long, and says what to do", async () => {
  const { bodies, late } = bounded(100);
  bodies.lease(HERE).grow(100);
  const waits = taking(bodies, 1);
  for (const run of late) run();
  await assert.rejects(waits.taken, {
    name: "BodiesBusy",
    message: /SVC_INFLIGHT_BODY_BYTES/,
  });
  assert.deepEqual([bodies.held, bodies.waiting, late.size], [100, 0, 0]);
});

Deno.test("a lease gives back once, however often it is disposed, and what comes after that too", async () => {
  const { bodies } = bounded(100);
  const [first, second] = [bodies.lease(HERE), bodies.lease(HERE)];
  first.grow(80);
  const late = second.grow(80);
  second[Symbol.dispose]();
  first.keep(90);
  assert.equal(bodies.held, 80);
  first.keep(30);
  assert.equal(bodies.held, 30);
  for (let i = 0; i < 2; i++) first[Symbol.dispose]();
  await late;
  assert.deepEqual([bodies.held, bodies.waiting], [0, 0]);
});

Deno.test("BodyBytes never holds more than the bound and one body, and every body gets through", async () => {
  const LIMIT = 100;
  await fc.assert(fc.asyncProperty(
    fc.array(
      fc.record({
        chunks: fc.array(fc.integer({ min: 1, max: 60 }), {
          minLength: 1,
          maxLength: 5,
        }),
        kept: fc.integer({ min: 0, max: 60 }),
        turns: fc.integer({ min: 0, max: 3 }),
        leaves: fc.boolean(),
      }),
      { maxLength: 12 },
    ),
    async (requests) => {
      const { bodies } = bounded(LIMIT);
      const largest = Math.max(
        0,
        ...requests.map(({ chunks }) => chunks.reduce((a, b) => a + b)),
      );
      let served = 0;
      let left = 0;
      await Promise.all(requests.map(async (request) => {
        const gone = new AbortController();
        const lease = bodies.lease(gone.signal);
        try {
          for (const chunk of request.chunks) {
            const taken = lease.grow(chunk);
            if (taken && request.leaves) gone.abort(new Error("left"));
            await taken;
            assert.ok(bodies.held <= LIMIT + largest);
          }
          for (let i = 0; i < request.turns; i++) await settle();
          lease.keep(request.kept);
          await settle();
          served++;
        } catch (error) {
          if (!(error instanceof Error && error.message === "left")) {
            throw error;
          }
          left++;
        } finally {
          lease[Symbol.dispose]();
        }
      }));
      assert.equal(served + left, requests.length);
      const stayed = requests.filter(({ leaves }) => !leaves).length;
      assert.ok(served >= stayed);
      assert.deepEqual([bodies.held, bodies.waiting], [0, 0]);
    },
  ));
});
