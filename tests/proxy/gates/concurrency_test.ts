import assert from "node:assert/strict";
import fc from "fast-check";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import {
  limitConcurrency,
  makeInFlight,
} from "../../../src/proxy/gates/concurrency.ts";

const peer = { address: "127.0.0.1" };

/** An app with `limit` places whose `/wait` answers when told to. */
function open(limit: number) {
  const answers: ((response: Response) => void)[] = [];
  const app = new Hono<ProxyEnv>();
  app.use("*", limitConcurrency(makeInFlight(limit)));
  app.get("/health", (c) => c.text("well"));
  app.get(
    "/wait",
    () => new Promise<Response>((answer) => answers.push(answer)),
  );
  app.get("/empty", () => new Response(null, { status: 204 }));
  app.get("/bug", () => {
    throw new Error("bug");
  });
  app.onError(() => new Response("bug", { status: 500 }));
  const ask = async (path: string, completed?: Promise<void>) =>
    await app.request(path, {}, completed ? { peer, completed } : { peer });
  return { ask, answers };
}

Deno.test("makeInFlight gives as many places as there are, and each back once", async () => {
  const places = makeInFlight(2);
  const first = await places.enter();
  const second = await places.enter();
  assert.ok(first && second);
  assert.equal(await places.enter(), undefined);
  first();
  first();
  assert.ok(await places.enter());
  assert.equal(await places.enter(), undefined);
});

Deno.test("makeInFlight never has more than its limit inside, whatever comes and goes", async () => {
  await fc.assert(fc.asyncProperty(
    fc.integer({ min: 1, max: 5 }),
    fc.array(fc.nat(9), { maxLength: 60 }),
    async (limit, steps) => {
      const places = makeInFlight(limit);
      const inside: (() => void)[] = [];
      for (const step of steps) {
        if (step < 5) inside.splice(step, 1)[0]?.();
        else {
          const leave = await places.enter();
          assert.equal(leave === undefined, inside.length >= limit);
          if (leave) inside.push(leave);
        }
        assert.ok(inside.length <= limit);
      }
    },
  ));
});

Deno.test("limitConcurrency answers 503 with retry-after when all places are taken, but tells about health", async () => {
  const { ask, answers } = open(1);
  const waiting = ask("/wait");
  const refused = await ask("/empty");
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get("retry-after"), "1");
  const { type, error } = await refused.json();
  assert.equal(type, "error");
  assert.equal(error.type, "overloaded_error");
  assert.equal(error.code, 503);
  assert.equal(await (await ask("/health")).text(), "well");
  answers[0]?.(new Response(null));
  await waiting;
  assert.equal((await ask("/empty")).status, 204);
});

Deno.test("limitConcurrency keeps the place until the server has sent the response", async () => {
  const { ask } = open(1);
  const sent = Promise.withResolvers<void>();
  assert.equal((await ask("/empty", sent.promise)).status, 204);
  assert.equal((await ask("/empty")).status, 503);
  sent.resolve();
  await sent.promise;
  assert.equal((await ask("/empty")).status, 204);
});

Deno.test("limitConcurrency without a server gives the place back at the end of the body, also of a broken or abandoned one", async () => {
  const { ask, answers } = open(1);
  const bodies: ((c: ReadableStreamDefaultController) => void)[] = [
    (c) => c.close(),
    (c) => c.error(new Error("broken")),
    () => {},
  ];
  for (const [i, end] of bodies.entries()) {
    let controller!: ReadableStreamDefaultController;
    const waiting = ask("/wait");
    await Promise.resolve();
    while (answers.length <= i) await Promise.resolve();
    answers[i]?.(
      new Response(
        new ReadableStream({ start: (given) => void (controller = given) }),
        { status: 201, headers: { "x-a": "1" } },
      ),
    );
    const response = await waiting;
    assert.equal(response.status, 201);
    assert.equal(response.headers.get("x-a"), "1");
    assert.equal((await ask("/empty")).status, 503);
    end(controller);
    if (i === 2) await response.body?.cancel();
    else await response.text().catch(() => {});
    assert.equal((await ask("/empty")).status, 204);
  }
});

Deno.test("limitConcurrency gives the place of a handler that threw back", async () => {
  const { ask } = open(1);
  for (let i = 0; i < 3; i++) {
    const response = await ask("/bug");
    assert.equal(response.status, 500);
    await response.text();
  }
});
