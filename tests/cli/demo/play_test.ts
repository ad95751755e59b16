import assert from "node:assert/strict";
import { demoSteps } from "../../../src/cli/demo/conversation.ts";
import { play, type Turn } from "../../../src/cli/demo/play.ts";
import { scriptedProvider } from "../../../src/cli/demo/provider.ts";

/** Plays two steps against a stand-in for the proxy that changes bodies with `edit`. */
async function turns(edit: (body: string, n: number) => string) {
  const steps = demoSteps().slice(0, 2);
  const provider = scriptedProvider(steps);
  let n = 0;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const body = edit(await request.text(), n++);
      const inner = new Request(request.url, { method: "POST", body });
      const response = await provider.handle(inner);
      response.headers.set("x-svc-tokens-before", "10");
      return response;
    },
  );
  const played: Turn[] = [];
  const url = `http://127.0.0.1:${server.addr.port}`;
  for await (const turn of play(url, steps, provider)) played.push(turn);
  await server.shutdown();
  return played;
}

Deno.test("play sends one growing request per step and one more, and sees that the prefix held", async () => {
  const played = await turns((body) => body);
  assert.deepEqual(played.map(({ title }) => title), [
    "question",
    "service log",
    "grep",
  ]);
  for (const turn of played) {
    assert.equal(turn.bytesOut, turn.bytesIn);
    assert.equal(turn.tokensBefore, 10);
    assert.equal(turn.prefixHeld, true);
    assert.equal(turn.retrievals, 0);
  }
});

Deno.test("play counts the bytes of every round that a request took", async () => {
  const steps = demoSteps().slice(0, 1);
  const provider = scriptedProvider(steps);
  const rounds = ["ä", "1234"];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      await request.body?.cancel();
      const send = (body: string) =>
        provider.handle(new Request(request.url, { method: "POST", body }));
      await send(rounds[0]!);
      return await send(rounds[1]!);
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  const turn = (await play(url, steps, provider).next()).value as Turn;
  await server.shutdown();
  assert.equal(turn.bytesOut, 6);
  assert.equal(turn.retrievals, 1);
});

Deno.test("play notices a prefix that broke", async () => {
  const played = await turns((body, n) =>
    n === 2 ? body.replace("failed", "FAILED") : body
  );
  assert.deepEqual(played.map(({ prefixHeld }) => prefixHeld), [
    true,
    true,
    false,
  ]);
});

Deno.test("play stops when the proxy answers with an error", async () => {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("no", { status: 503 }),
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  const first = play(url, [], scriptedProvider([])).next();
  await assert.rejects(first, /answered 503/);
  await server.shutdown();
});
