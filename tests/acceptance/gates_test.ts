import assert from "node:assert/strict";
import {
  type Asker,
  GUARDED,
  LOCAL,
  OWN_404,
  UNKNOWN,
  withGates,
} from "./gated_app.ts";

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
