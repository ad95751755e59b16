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
import { bodyFor, GENERATING, OTHERS, PREVIEWS, withApp } from "./world.ts";

const TOKEN = "a-token-of-some-length";

Deno.test("SVC_PROXY_TOKEN closes every route to other machines but those about health", async () => {
  await withGates({ SVC_PROXY_TOKEN: TOKEN }, async (ask, sent) => {
    const remote = { peer: "203.0.113.9", host: "svc.lan:8787" };
    const paths = [
      ...GUARDED,
      ...GENERATING.map(({ path }) => ["POST", path] as const),
      ["GET", "/stats"],
      ["GET", "/metrics"],
      ["GET", "/v1/models"],
      ["GET", UNKNOWN],
      ["POST", "/health"],
    ] as const;
    for (const [method, path] of paths) {
      for (
        const asker of [remote, { peer: "127.0.0.1", host: "evil.example" }]
      ) {
        const response = await ask(method, path, asker);
        await response.body?.cancel();
        assert.equal(response.status, 401, `${method} ${path}`);
      }
    }
    assert.equal(sent.length, 0);
    for (const path of ["/health", "/healthz", "/livez", "/readyz"]) {
      for (const method of ["GET", "HEAD"]) {
        const response = await ask(method, path, remote);
        await response.body?.cancel();
        assert.equal(response.status, 200, `${method} ${path}`);
      }
    }
    assert.equal(sent.length, 0, "questions about health are never forwarded");
    const fields = { "x-svc-proxy-token": TOKEN };
    const paid = { ...fields, authorization: "Bearer key" };
    assert.equal(
      (await ask("GET", "/v1/models", { ...remote, fields: paid })).status,
      200,
    );
    const guarded = await ask("GET", "/mcp", { ...remote, fields });
    assert.equal(
      await guarded.text(),
      OWN_404,
      "the token opens no local route",
    );
    const local = await ask("GET", "/stats", LOCAL);
    assert.equal(local.status, 200);
  });
});

Deno.test("SVC_COMPRESS_ALLOW_REMOTE opens /v1/compress to holders of the token, and to no page", async () => {
  const env = { SVC_PROXY_TOKEN: TOKEN, SVC_COMPRESS_ALLOW_REMOTE: "1" };
  await withGates(env, async (ask) => {
    const remote = { peer: "203.0.113.9", host: "svc.lan:8787" };
    const fields = { "x-svc-proxy-token": TOKEN };
    const compress = async (asker: Asker) => {
      const response = await ask("POST", "/v1/compress", asker);
      await response.body?.cancel();
      return response.status;
    };
    assert.equal(await compress({ ...remote, fields }), 400, "an empty body");
    assert.equal(await compress(remote), 401);
    assert.equal(await compress(LOCAL), 400);
    assert.equal(
      await compress({
        ...remote,
        fields: { ...fields, origin: "https://evil.example" },
      }),
      403,
    );
    const other = await ask("POST", "/v1/retrieve", { ...remote, fields });
    assert.equal(await other.text(), OWN_404);
  });
  assert.throws(
    () => resolveConfig({ env: { SVC_COMPRESS_ALLOW_REMOTE: "1" } }),
    /SVC_PROXY_TOKEN/,
  );
});

for (const strip of ["enabled", "disabled"]) {
  Deno.test(`the proxy's token reaches no upstream, on any route, with SVC_STRIP_INTERNAL_HEADERS=${strip}`, async () => {
    await withApp(
      () => Response.json({ usage: {} }),
      async ({ url, upstream }) => {
        const conversation = { question: "hello", steps: [] };
        const requests = [
          ...[...GENERATING, ...PREVIEWS].map((route) =>
            ["POST", route.path, bodyFor(route, conversation, 0)] as const
          ),
          ...OTHERS.map(([method, path]) => [method, path, undefined] as const),
        ];
        for (const [method, path, body] of requests) {
          for (
            const fields of [
              { "x-svc-proxy-token": TOKEN, authorization: "Bearer provider" },
              { authorization: `Bearer ${TOKEN}`, "x-api-key": "provider" },
            ] as Record<string, string>[]
          ) {
            const response = await fetch(`${url}${path}`, {
              method,
              headers: fields,
              ...body === undefined ? {} : { body: body as BodyInit },
            });
            await response.bytes();
          }
        }
        assert.ok(upstream.received.length >= requests.length * 2);
        for (const { path, headers, text } of upstream.received) {
          const all = JSON.stringify([...headers]) + text;
          assert.ok(!all.includes(TOKEN), path);
          assert.match(all, /provider/, path);
        }
      },
      {
        env: { SVC_PROXY_TOKEN: TOKEN, SVC_STRIP_INTERNAL_HEADERS: strip },
      },
    );
  });
}
