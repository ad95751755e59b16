import assert from "node:assert/strict";
import { openApp } from "../src/app.ts";
import { resolveConfig } from "../src/settings/resolve.ts";

const clock = { now: () => 0, monotonic: () => 0 };

/** An app whose upstreams are a function. */
async function open(env: Record<string, string>, logged: string[] = []) {
  const sent: Request[] = [];
  const app = await openApp(
    resolveConfig({ env: { HOME: "/nowhere", ...env } }),
    {
      clock,
      send: (input, init) => {
        sent.push(new Request(input, init));
        return Promise.resolve(Response.json({ ok: true }));
      },
      log: (_, event) => void logged.push(event),
    },
  );
  const ask = (path: string, init: RequestInit = {}, address = "127.0.0.1") =>
    app.fetch(
      new Request(`http://127.0.0.1:8787${path}`, {
        ...init,
        headers: { host: "127.0.0.1:8787", ...init.headers },
      }),
      { peer: { address } },
    );
  return { app, ask, sent };
}

Deno.test("openApp sends Google's own calls to Google, path and query as they came", async () => {
  const { app, ask, sent } = await open({
    SVC_STATELESS: "true",
    CHAT_TARGET_API_URL: "http://chat.test",
    CHAT_TARGET_API_HEADERS: '{"x-operator":"secret"}',
  });
  const paths = [
    "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse&key=AIza",
    "/v1beta/models?key=AIza",
  ];
  for (const path of paths) {
    await (await ask(path, { method: "POST", body: "{}" })).bytes();
  }
  await (await ask("/v1beta/cachedContents", {
    headers: { "x-goog-api-key": "AIza" },
  })).bytes();
  const google = "https://generativelanguage.googleapis.com";
  assert.deepEqual(sent.map(({ url }) => url), [
    ...paths.map((path) => google + path),
    `${google}/v1beta/cachedContents`,
  ]);
  assert.ok(sent.every(({ headers }) => !headers.has("x-operator")));
  await app.close();
});

Deno.test("openApp falls back to memory with one warning per file that cannot be used", async () => {
  const logged: string[] = [];
  const file = await Deno.makeTempFile();
  const { app, ask } = await open({ SVC_WORKSPACE_DIR: file }, logged);
  assert.deepEqual(logged, ["ccr_store_unavailable", "ledger_unavailable"]);
  const health = await (await ask("/health")).json();
  assert.equal(health.checks.ccr_store.backend, "memory");
  await app.close();
  await Deno.remove(file);
});
