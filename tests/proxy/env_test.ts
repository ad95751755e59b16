import assert from "node:assert/strict";
import { Hono } from "hono";
import {
  bindingsOf,
  type Incoming,
  incomingOf,
  type ProxyEnv,
} from "../../src/proxy/env.ts";

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

async function incoming(path: string, headers = {}): Promise<Incoming> {
  let found: Incoming | undefined;
  const app = new Hono<ProxyEnv>().all("*", (c) => {
    found = incomingOf(c);
    return new Response();
  });
  const peer = { address: "127.0.0.1" };
  await app.request(`http://127.0.0.1${path}`, { headers }, { peer });
  assert.ok(found);
  return found;
}

Deno.test("incomingOf takes the project off the path, and keeps the rest as it was written", async () => {
  const { path, pathname, project, names, env } = await incoming(
    "/p/my%20shop/v1//messages?beta=true&x=?",
  );
  assert.equal(path, "/v1//messages?beta=true&x=?");
  assert.equal(pathname, "/v1//messages");
  assert.equal(project, "my%20shop");
  assert.equal(names.project, "my shop");
  assert.equal(env.peer?.address, "127.0.0.1");
});

Deno.test("incomingOf counts a request under the names of its fields", async () => {
  const { path, project, names } = await incoming("/v1/messages", {
    "x-svc-project": "billing",
    "user-agent": "claude-cli/2.1",
  });
  assert.deepEqual([path, project], ["/v1/messages", undefined]);
  assert.equal(names.project, "billing");
  assert.equal(names.agent, "claude-cli");
});
