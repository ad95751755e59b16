import assert from "node:assert/strict";
import { Hono } from "hono";
import { bindingsOf, type ProxyEnv } from "../../src/proxy/env.ts";

/** What the handler of an app sees of `env`. */
async function seen(env?: Partial<ProxyEnv["Bindings"]>) {
  const bindings: Partial<ProxyEnv["Bindings"]>[] = [];
  const app = new Hono<ProxyEnv>().get("*", (c) => {
    bindings.push(bindingsOf(c));
    return c.body(null);
  });
  const request = new Request("http://proxy/");
  assert.equal((await app.fetch(request, env)).status, 200);
  return bindings[0]!;
}

Deno.test("bindingsOf gives what the server knows", async () => {
  const completed = Promise.resolve();
  const peer = { address: "192.0.2.1" };
  const bindings = await seen({ peer, completed });
  assert.equal(bindings.peer, peer);
  assert.equal(bindings.completed, completed);
});

Deno.test("bindingsOf gives nothing where there is no server in front", async () => {
  assert.deepEqual(await seen(), {});
});
