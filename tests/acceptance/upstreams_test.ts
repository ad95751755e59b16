/** Upstreams that clients choose, and secrets of the operator. */
import assert from "node:assert/strict";
import { printed } from "./bodies.ts";
import {
  bodyFor,
  GENERATIONS,
  type Place,
  post,
  replies,
  withApp,
} from "./world.ts";
import { startUpstream } from "../e2e/upstream.ts";

const [MESSAGES, CHAT] = GENERATIONS;
const BODY = bodyFor(MESSAGES!, printed("x"), 1);

/** Sends one request with a chosen upstream, and says what became of the choice. */
async function choose(place: Place, base: string, path = "/v1/messages") {
  const response = await post(place, path, {
    body: path === "/v1/messages" ? BODY : bodyFor(CHAT!, printed("x"), 1),
    headers: { "x-svc-base-url": base, "x-api-key": "k" },
  });
  await response.bytes();
  return {
    status: response.status,
    ignored: response.headers.get("x-svc-base-url-ignored"),
  };
}

/** Names and what they resolve to, as an attacker could set them up. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "private.test": ["10.1.2.3"],
  "mixed.test": ["93.184.216.34", "192.168.0.1"],
  "mixed6.test": ["93.184.216.34", "fd00::1"],
  "nat64.test": ["64:ff9b::a9fe:a9fe"],
  "mapped.test": ["::ffff:127.0.0.1"],
};
const lookup = (host: string) => {
  if (host === "slow.test") return new Promise<string[]>(() => {});
  const found = NAMES[host];
  return found ? Promise.resolve(found) : Promise.reject(new Error("unknown"));
};

const REFUSED: readonly string[] = [
  "http://169.254.169.254",
  "http://10.0.0.1",
  "http://[::1]",
  "http://[64:ff9b::a9fe:a9fe]",
  "http://[::ffff:127.0.0.1]",
  "http://2130706433",
  "http://0177.0.0.1",
  "http://0x7f.1",
  "http://127.1",
  "http://localhost",
  "http://private.test",
  "http://mixed.test",
  "http://mixed6.test",
  "http://nat64.test",
  "http://mapped.test",
  "http://unresolvable.test",
  "http://slow.test",
  "ftp://93.184.216.34",
  "http://user:pass@private.test",
  "not a url",
];

Deno.test("59 no choice of a client reaches an address that is not public: the configured upstream gets the request, and the client is told why", async () => {
  await withApp(replies(), async (place) => {
    for (const base of REFUSED) {
      const before = place.upstream.received.length;
      const { status, ignored } = await choose(place, base);
      assert.equal(status, 200, base);
      assert.ok(ignored, base);
      assert.match(ignored, /^[a-z0-9_]+$/, base);
      assert.equal(place.upstream.received.length, before + 1, base);
      const { headers } = place.upstream.received.at(-1)!;
      assert.equal(headers.get("x-svc-base-url"), null);
    }
    const said = () =>
      place.logged.filter((event) => event === "base_url_override_refused")
        .length;
    const before = said();
    await choose(place, "http://private.test:99/other?x");
    await choose(place, "http://private.test");
    assert.equal(said(), before, "once per host");
  }, { lookup, env: { SVC_UPSTREAM_RESOLVE_TIMEOUT_S: "0.1" } });
});

Deno.test("59 an allow-listed URL permits its own origin only, a bare host every port of it", async () => {
  await using other = startUpstream(replies());
  await using third = startUpstream(replies());
  const [port, port3] = [other, third].map(({ url }) => new URL(url).port);
  await withApp(replies(), async (place) => {
    const permitted = await choose(place, other.url);
    assert.deepEqual(permitted, { status: 200, ignored: null });
    assert.equal(other.received.length, 1);
    const wrong = await choose(place, third.url);
    assert.equal(wrong.ignored, "loopback");
    for (const p of [port, port3]) {
      const base = `http://models.internal:${p}/prefix`;
      for (const path of ["/v1/messages", "/v1/chat/completions"]) {
        const { ignored } = await choose(place, base, path);
        assert.equal(ignored, null);
      }
    }
    assert.deepEqual(third.received.map(({ path }) => path), [
      "/prefix/v1/messages",
      "/prefix/v1/chat/completions",
    ]);
    assert.equal(
      third.received[0]!.headers.get("host"),
      `models.internal:${port3}`,
    );
  }, {
    // The name is in no resolver of this machine: the connection goes to what was checked.
    lookup: () => Promise.resolve(["127.0.0.1"]),
    env: { SVC_ALLOWED_BASE_URLS: `${other.url},models.internal` },
  });
});

Deno.test("60 an answer that changes between check and connection does not matter, and redirects are not followed", async () => {
  let asked = 0;
  await using other = startUpstream(() =>
    new Response(null, {
      status: 307,
      headers: { location: "http://169.254.169.254/" },
    })
  );
  const { port } = new URL(other.url);
  await withApp(replies(), async (place) => {
    const response = await fetch(`${place.url}/v1/messages`, {
      method: "POST",
      headers: { "x-svc-base-url": `http://rebinding.test:${port}` },
      body: BODY as BodyInit,
      redirect: "manual",
    });
    await response.body?.cancel();
    assert.equal(response.status, 307);
    assert.equal(asked, 1, "one look-up per request");
    assert.equal(other.received.length, 1);
  }, {
    lookup: () => {
      asked++;
      return Promise.resolve(asked === 1 ? ["127.0.0.1"] : ["10.0.0.1"]);
    },
    env: { SVC_ALLOWED_BASE_URLS: "rebinding.test" },
  });
});

Deno.test("61 the operator's secret fields reach configured and listed hosts only, and win over the client's", async () => {
  await using other = startUpstream(replies());
  const { port } = new URL(other.url);
  const env = {
    MSG_TARGET_API_HEADERS: '{"X-Team":"secret-m","x-api-key":"operator"}',
    CHAT_TARGET_API_HEADERS: '{"x-team":"secret-c"}',
    SVC_ALLOWED_BASE_URLS: "localhost,listed.test,evil.test",
    SVC_UPSTREAM_ALLOWED_HOSTS: "listed.test",
  };
  await withApp(replies(), async (place) => {
    await choose(place, "");
    const own = place.upstream.received.at(-1)!.headers;
    assert.equal(own.get("x-team"), "secret-m");
    assert.equal(own.get("x-api-key"), "operator");
    await choose(place, "", "/v1/chat/completions");
    const chat = place.upstream.received.at(-1)!.headers;
    assert.equal(chat.get("x-team"), "secret-c");
    assert.equal(chat.get("x-api-key"), "k");
    for (
      const [host, secret] of [
        ["listed.test", "secret-m"],
        ["evil.test", null],
        ["sub.listed.test", null],
        ["listed.test.evil.test", null],
      ] as const
    ) {
      const before = other.received.length;
      const { ignored } = await choose(place, `http://${host}:${port}`);
      if (other.received.length === before) {
        assert.ok(ignored, `${host} is refused`);
        continue;
      }
      const { headers } = other.received.at(-1)!;
      assert.equal(headers.get("x-team"), secret, host);
    }
    await choose(place, `http://evil.test:${port}`);
    const withheld = place.logged.filter((event) =>
      event === "upstream_extra_headers_withheld"
    );
    assert.equal(withheld.length, 1, "once per host");
  }, { env, lookup: () => Promise.resolve(["127.0.0.1"]) });
});
