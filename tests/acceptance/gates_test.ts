import assert from "node:assert/strict";
import { resolveConfig } from "../../src/settings/resolve.ts";
import {
  type Asker,
  GUARDED,
  LOCAL,
  OWN_404,
  UNKNOWN,
  withGates,
} from "./gated_app.ts";
import { withApp } from "./world.ts";

const HASH = "0123456789abcdef01234567";

const STRANGERS: readonly Asker[] = [
  { peer: "203.0.113.9", host: "127.0.0.1:8787" },
  { peer: "192.168.1.5", host: "192.168.1.1:8787" },
  { peer: "::ffff:192.168.1.5", host: "localhost" },
  { peer: "2001:db8::1", host: "[::1]:8787" },
  { peer: undefined, host: "127.0.0.1:8787" },
  { peer: "localhost", host: "127.0.0.1:8787" },
  { peer: "127.1", host: "127.0.0.1:8787" },
  { peer: "127.0.0.1", host: undefined },
  { peer: "127.0.0.1", host: "" },
  { peer: "127.0.0.1", host: "evil.example" },
  { peer: "127.0.0.1", host: "127.0.0.1.evil.com" },
  { peer: "127.0.0.1", host: "localhost.evil.com:8787" },
  { peer: "127.0.0.1", host: "evil.com@127.0.0.1" },
  { peer: "127.0.0.1", host: "[::1" },
  { peer: "127.0.0.1", host: "::1" },
  { peer: "127.0.0.1", host: "[::1]evil.com" },
  { peer: "127.0.0.1", host: "127.0.0.1:8787:80" },
  { peer: "127.0.0.1", host: "127.0.0.1:99999" },
  { peer: "127.0.0.1", host: "0.0.0.0:8787" },
  { peer: "127.0.0.1", host: "0x7f.1" },
  {
    peer: "203.0.113.9",
    host: "127.0.0.1:8787",
    fields: { "x-forwarded-for": "127.0.0.1", "x-forwarded-host": "localhost" },
  },
];

Deno.test("56: every guarded route answers strangers exactly like a route that is not there", async () => {
  await withGates({}, async (ask, sent) => {
    for (const asker of STRANGERS) {
      for (const [method, path] of GUARDED) {
        const guarded = await ask(method, path, asker);
        const unknown = await ask(method, UNKNOWN, asker);
        const what = `${method} ${path} for ${JSON.stringify(asker)}`;
        assert.equal(guarded.status, 404, what);
        assert.deepEqual([...guarded.headers], [...unknown.headers], what);
        const text = await guarded.text();
        assert.equal(text, await unknown.text(), what);
        if (method !== "HEAD") assert.equal(text, OWN_404);
      }
    }
    assert.equal(sent.length, 0);
  });
});

Deno.test("58: guarded routes answer this machine in every spelling of its name", async () => {
  await withGates({}, async (ask) => {
    for (
      const asker of [
        { peer: "127.0.0.1", host: "LOCALHOST:8787" },
        { peer: "::1", host: "[::1]:8787" },
        { peer: "::ffff:127.0.0.1", host: "127.0.0.1:8787" },
        { peer: "::ffff:7f00:1", host: "localhost" },
        { peer: "127.8.9.10", host: "127.0.0.1" },
      ]
    ) {
      for (const [method, path] of GUARDED) {
        const response = await ask(method, path, asker);
        const text = await response.text();
        assert.notEqual(text, OWN_404, `${method} ${path} for ${asker.peer}`);
      }
    }
  });
});

Deno.test("57: guarded routes refuse pages of other origins, also of this machine, before they do anything", async () => {
  await withGates({}, async (ask) => {
    for (
      const fields of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: "http://127.0.0.1:3000" },
        { origin: "http://localhost:8787" },
        { origin: "https://127.0.0.1:8787" },
        { origin: "http://127.0.0.1:8787.evil.example" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
      ] as Record<string, string>[]
    ) {
      for (const [method, path] of GUARDED) {
        const response = await ask(method, path, { ...LOCAL, fields });
        await response.body?.cancel();
        const what = `${method} ${path} with ${JSON.stringify(fields)}`;
        assert.equal(response.status, 403, what);
      }
    }
    const own = { origin: "http://127.0.0.1:8787" };
    for (const fields of [{}, own] as Record<string, string>[]) {
      const asker = { ...LOCAL, fields };
      assert.equal((await ask("POST", "/cache/clear", asker)).status, 200);
    }
  });
});

Deno.test("57: a page of another origin empties no cache", async () => {
  const body = JSON.stringify({
    model: "m",
    temperature: 0,
    messages: [{ role: "user", content: "hello" }],
  });
  await withApp(
    (_, n) => Response.json({ choices: [], n }),
    async ({ url, upstream }) => {
      const chat = async () => {
        const response = await fetch(`${url}/v1/chat/completions`, {
          method: "POST",
          body,
        });
        await response.bytes();
        return response.headers.get("x-svc-cached");
      };
      const clear = async (fields: Record<string, string>) => {
        const init = { method: "POST", headers: fields };
        const response = await fetch(`${url}/cache/clear`, init);
        await response.bytes();
        return response.status;
      };
      assert.equal(await chat(), null);
      assert.equal(await chat(), "true");
      assert.equal(await clear({ origin: "https://evil.example" }), 403);
      assert.equal(await clear({ origin: "null" }), 403);
      assert.equal(await chat(), "true");
      assert.equal(await clear({}), 200);
      assert.equal(await chat(), null);
      assert.equal(upstream.received.length, 2);
    },
  );
});

Deno.test("a gateway on this machine makes its clients what they are", async () => {
  const env = {
    SVC_PROXY_TRUSTED_GATEWAY_CIDRS: "127.0.0.1, 10.0.0.0/24",
  };
  await withGates(env, async (ask) => {
    const answers = async (peer: string, fields: Record<string, string>) => {
      const asker = { peer, host: LOCAL.host, fields };
      const response = await ask("GET", `/v1/retrieve/${HASH}`, asker);
      return await response.text() !== OWN_404;
    };
    assert.equal(await answers("127.0.0.1", {}), true);
    for (
      const forwarded of [
        "203.0.113.9",
        "127.0.0.1, 203.0.113.9",
        "nonsense",
        "",
      ]
    ) {
      const fields = { "x-forwarded-for": forwarded };
      assert.equal(await answers("127.0.0.1", fields), false, forwarded);
    }
    const local = { "x-forwarded-for": "127.0.0.1" };
    assert.equal(await answers("10.0.0.5", local), true);
    assert.equal(
      await answers("10.0.0.5", { ...local, "x-forwarded-host": "svc.lan" }),
      false,
    );
    assert.equal(await answers("10.0.1.5", local), false);
  });
});

Deno.test("67: only trusted callers learn from the open routes which models and providers are in use", async () => {
  const env = {
    SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS: "10.1.0.0/16,fd00::/8",
  };
  await withGates(env, async (ask) => {
    const asker = { ...LOCAL, fields: { "content-type": "application/json" } };
    const message = await ask("POST", "/v1/messages", asker);
    await message.bytes();
    const seen = async (peer: string, host: string) => {
      const texts: string[] = [];
      for (const path of ["/stats", "/metrics", "/health"]) {
        const response = await ask("GET", path, { peer, host });
        assert.equal(response.status, 200);
        texts.push(await response.text());
      }
      return /"by_(provider|model|tool)"|"per_model"|(provider|model)="/.test(
        texts.join("\n"),
      );
    };
    assert.equal(await seen("127.0.0.1", "127.0.0.1:8787"), true);
    assert.equal(await seen("10.1.2.3", "10.1.0.1:8787"), true);
    assert.equal(await seen("::ffff:10.1.2.3", "10.1.0.1"), true);
    assert.equal(await seen("fd00::7", "[fd00::1]:8787"), true);
    assert.equal(await seen("10.2.0.3", "10.1.0.1:8787"), false);
    assert.equal(await seen("203.0.113.9", "127.0.0.1:8787"), false);
    // A page that rebinds its name to this machine.
    assert.equal(await seen("127.0.0.1", "evil.example"), false);
    assert.equal(await seen("10.1.2.3", "evil.example"), false);
    assert.equal(await seen("10.1.2.3", "10.1.0.1.evil.example"), false);
  });
});

for (
  const name of [
    "SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS",
    "SVC_PROXY_TRUSTED_GATEWAY_CIDRS",
  ]
) {
  Deno.test(`65: ${name} with a malformed item fails the start and names the item`, () => {
    for (
      const item of [
        "10.0.0.0/33",
        "10.0.0/8",
        "300.1.1.1",
        "10.0.0.0/8/8",
        "10.0.0.0/",
        "fd00::/129",
        "fd00:::1",
        "localhost",
        "*",
        "10.0.0.0/-1",
      ]
    ) {
      assert.throws(
        () => resolveConfig({ env: { [name]: `10.0.0.0/8, ${item}` } }),
        (error: unknown) =>
          error instanceof RangeError && error.message.includes(name) &&
          error.message.includes(JSON.stringify(item)),
        item,
      );
    }
  });
}
