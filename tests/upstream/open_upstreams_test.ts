import assert from "node:assert/strict";
import { isIP } from "node:net";
import type { UpstreamResolver } from "../../src/core/upstream.ts";
import type { AppIo } from "../../src/core/app_io.ts";
import {
  openUpstreams,
  systemLookup,
} from "../../src/upstream/open_upstreams.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import type { TextValues } from "../../src/settings/row.ts";
import { callTo, responseOf } from "./replies.ts";
import { AUTHORITY } from "./servers.ts";

const IO: AppIo = {
  clock: { now: () => 0, monotonic: () => 0 },
  send: () => assert.fail("nothing is sent"),
  log: () => {},
};

/** Opens upstreams for as long as `use` takes. */
async function opened(
  env: TextValues,
  use: (upstreams: Awaited<ReturnType<typeof openUpstreams>>) => unknown,
  io: Partial<AppIo> = {},
) {
  const config = resolveConfig({ env: { SVC_STATELESS: "1", ...env } });
  const upstreams = await openUpstreams(config, { ...IO, ...io });
  try {
    await use(upstreams);
  } finally {
    upstreams.close();
  }
}

const asked = (headers: HeadersInit = {}) =>
  new Request("http://proxy/v1/x", { headers });

Deno.test("openUpstreams gives each family the base that is configured for it, and the operator's fields", () =>
  opened({
    MSG_TARGET_API_URL: "http://messages.test",
    CHAT_TARGET_API_URL: "http://chat.test",
    VERTEX_TARGET_API_URL: "http://vertex.test",
    FOUNDRY_TARGET_API_URL: "http://foundry.test",
    MSG_TARGET_API_HEADERS: '{"X-Team":"a"}',
    SVC_UPSTREAM_ALLOWED_HOSTS: "messages.test",
  }, async ({ resolver }) => {
    for (const family of ["messages", "chat", "vertex", "foundry"] as const) {
      const { base } = await resolver.resolve(asked(), { family });
      assert.equal(base.href, `http://${family}.test/`);
    }
    const wanted = { family: "messages" } as const;
    const { extraHeaders } = await resolver.resolve(asked(), wanted);
    assert.deepEqual(extraHeaders, [["x-team", "a"]]);
  }));

Deno.test("openUpstreams sends vertex traffic to its region, and foundry traffic with messages, unless told otherwise", () =>
  opened({ MSG_TARGET_API_URL: "http://m.test" }, async ({ resolver }) => {
    const vertex = await resolver.resolve(asked(), {
      family: "vertex",
      region: "europe-west1",
    });
    assert.match(vertex.base.host, /^europe-west1-/);
    const foundry = await resolver.resolve(asked(), { family: "foundry" });
    assert.equal(foundry.base.host, "m.test");
  }));

Deno.test("openUpstreams looks the hosts up that clients choose, and lets them have private ones that are allowed", async () => {
  const lookup = () => Promise.resolve(["10.0.0.1"]);
  const choose = (resolver: UpstreamResolver) =>
    resolver.resolve(asked({ "x-svc-base-url": "http://box.test" }), {
      family: "chat",
    });
  await opened({}, async ({ resolver }) => {
    const { ignoredOverride } = await choose(resolver);
    assert.ok(ignoredOverride);
  }, { lookup });
  await opened({ SVC_ALLOWED_BASE_URLS: "box.test" }, async ({ resolver }) => {
    const { base, ignoredOverride } = await choose(resolver);
    assert.equal(base.host, "box.test");
    assert.equal(ignoredOverride, undefined);
  }, { lookup });
});

Deno.test("openUpstreams sends through the transport: as often as configured", async () => {
  for (const attempts of [1, 3]) {
    let sent = 0;
    await opened(
      {
        SVC_RETRY_MAX_ATTEMPTS: `${attempts}`,
        SVC_RETRY_BASE_DELAY_MS: "0",
      },
      async ({ send }) => {
        const response = responseOf(
          await send(
            callTo("http://127.0.0.1:1/", {
              method: "POST",
              body: new Uint8Array(),
            }),
          ),
        );
        assert.equal(response.status, 529);
        await response.body?.cancel();
      },
      {
        send() {
          sent++;
          return Promise.resolve(new Response(null, { status: 529 }));
        },
      },
    );
    assert.equal(sent, attempts);
  }
});

Deno.test("openUpstreams takes a file of authorities, and refuses one that is not there or holds none", async () => {
  const withFile = (text: string | undefined) =>
    opened({ SVC_CA_FILE: "/ca.pem" }, () => {}, {
      readText: (path) => Promise.resolve(path === "/ca.pem" ? text : ""),
    });
  await withFile(AUTHORITY);
  const use = 'Cannot use SVC_CA_FILE="/ca.pem":';
  const must = "it must be a PEM file of certificate authorities";
  await assert.rejects(withFile(undefined), {
    name: "RangeError",
    message: `${use} the file is not there; ${must}`,
  });
  const denied = () => Promise.reject(new Error("permission denied"));
  await assert.rejects(
    opened({ SVC_CA_FILE: "/ca.pem" }, () => {}, { readText: denied }),
    { name: "RangeError", message: `${use} permission denied; ${must}` },
  );
  await assert.rejects(withFile("-----BEGIN PRIVATE KEY-----"), {
    name: "RangeError",
    message: `${use} it holds no certificate; ${must}`,
  });
});

Deno.test("systemLookup gives IP literals of a name in the hosts file", async () => {
  const found = await systemLookup("localhost");
  assert.ok(found.length > 0);
  assert.ok(found.every((address) => isIP(address) !== 0), found.join());
});

Deno.test("systemLookup gives an IP literal back", async () => {
  assert.deepEqual(await systemLookup("127.0.0.1"), ["127.0.0.1"]);
  assert.deepEqual(await systemLookup("::1"), ["::1"]);
});

Deno.test("systemLookup rejects for a name that cannot exist", async () => {
  // A label of 64 characters: nobody is asked.
  await assert.rejects(systemLookup(`${"a".repeat(64)}.example`));
});
