/** What reaches no provider: starts of clients, browsers, requests that name nobody. */
import assert from "node:assert/strict";
import { printed } from "./bodies.ts";
import { rawExchange } from "./raw.ts";
import {
  bodyFor,
  GENERATIONS,
  OTHERS,
  type Place,
  post,
  PREVIEWS,
  replies,
  withApp,
} from "./world.ts";
import { startUpstream } from "../e2e/upstream.ts";

const BODY = bodyFor(GENERATIONS[0]!, printed("x"), 1);
/** A browser's cookie for 127.0.0.1, of whatever application set it. */
const COOKIE = { cookie: "session=another-application" };

/** Asks as it is written here: `fetch` would add fields, and refuse some. */
async function ask(
  { url }: Place,
  line: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const head = Object.entries({ host: new URL(url).host, ...fields })
    .map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const text = await rawExchange(
    url,
    `${line} HTTP/1.1\r\n${head}connection: close\r\n\r\n`,
  );
  return { status: Number(text.slice(9, 12)), text };
}

const contacts = ({ upstream }: Place) =>
  upstream.received.map(({ method, path }) => `${method} ${path}`);

Deno.test("the start of Claude Code and of a browser contacts no provider", () =>
  withApp(replies(), async (place) => {
    const credential = { "x-api-key": "sk-ant-1", "anthropic-version": "1" };
    for (const path of ["/", "/p/shop", "/p/shop/"]) {
      for (const fields of [{}, credential, COOKIE]) {
        assert.equal((await ask(place, `HEAD ${path}`, fields)).status, 200);
      }
      const browser = {
        ...COOKIE,
        "sec-fetch-mode": "navigate",
        "sec-fetch-site": "none",
        "sec-fetch-dest": "document",
      };
      const first = await ask(place, `GET ${path}`, browser);
      assert.equal(first.status, 302);
      const page = await fetch(`${place.url}${path}`);
      assert.match(page.url, /\/dashboard$/);
      assert.match(await page.text(), /<title>svc/);
    }
    for (const project of ["", "/p/shop"]) {
      for (const fields of [{}, credential, COOKIE]) {
        const line = `GET ${project}/favicon.ico`;
        const icon = await ask(place, line, fields);
        assert.equal(icon.status, 200);
        assert.match(icon.text, /image\/svg\+xml/);
      }
      const head = await ask(place, `HEAD ${project}/favicon.ico`, credential);
      assert.equal(head.status, 200);
      for (
        const path of ["/robots.txt", "/foo", "/v1/foo"]
      ) {
        const line = `GET ${project}${path}`;
        assert.equal((await ask(place, line)).status, 404, line);
        assert.equal((await ask(place, line, COOKIE)).status, 403, line);
      }
      const none = { "content-length": "0" };
      const post = await ask(place, `POST ${project}/v1/files`, none);
      assert.equal(post.status, 404);
    }
    // Own paths with a mistake in them.
    for (const path of ["/stats/", "/Stats", "//stats", "/.well-known/x"]) {
      const { status } = await ask(place, `GET ${path}`, credential);
      assert.equal(status, 404, path);
    }
    assert.deepEqual(contacts(place), []);
  }));

Deno.test("on no route is anything forwarded that has a cookie, loads a page or comes from a page of another origin", () =>
  withApp(replies(), async (place) => {
    const routes = [
      ...[...GENERATIONS, ...PREVIEWS].map(({ path }) => ["POST", path]),
      ...OTHERS.map(([method, path]) => [method, path]),
      ["GET", "/v9/unknown"],
      ["OPTIONS", "/v1/messages"],
    ] as const;
    for (const [method, path] of routes) {
      for (
        const fields of [
          COOKIE,
          { "sec-fetch-mode": "navigate" },
          { "sec-fetch-site": "cross-site" },
          { origin: "http://evil.example" },
          { origin: "null" },
          { origin: "http://127.0.0.1:3000" },
        ] as Record<string, string>[]
      ) {
        const { status, text } = await ask(place, `${method} ${path}`, {
          authorization: "Bearer sk-1",
          "content-length": "0",
          ...fields,
        });
        assert.equal(status, 403, `${method} ${path}`);
        assert.match(text, /"message":"Cannot forward /);
        assert.doesNotMatch(text, /access-control-allow/i);
      }
    }
    assert.deepEqual(contacts(place), []);
  }));

Deno.test("a page whose name was pointed at this machine spends no credential of the operator's", () =>
  withApp(replies(), async (place) => {
    // As browsers send it over http: without Origin and Sec-Fetch-Site.
    const { port } = new URL(place.url);
    for (const line of ["GET /v1/models", "GET /v1/files", "HEAD /v1/models"]) {
      const rebound = { host: `rebound.example:${port}` };
      assert.equal((await ask(place, line, rebound)).status, 403, line);
      const own = { host: `host.docker.internal:${port}` };
      assert.equal((await ask(place, line, own)).status, 200, line);
    }
    assert.equal(place.upstream.received.length, 3);
  }, {
    env: { CHAT_TARGET_API_HEADERS: '{"authorization":"Bearer own"}' },
  }));

Deno.test("a page cannot spend the budget at an upstream of its own, and a listed one can send and read", async () => {
  await using foreign = startUpstream(() =>
    Response.json({}, { headers: { "access-control-allow-origin": "*" } })
  );
  const listed = "http://localhost:3000";
  await withApp(replies(), async (place) => {
    const send = (origin: string) =>
      post(place, "/v1/messages", {
        body: BODY,
        headers: { origin, "x-svc-base-url": foreign.url },
      });
    const refused = await send("http://evil.example");
    assert.equal(refused.status, 403);
    const { type, error } = await refused.json();
    assert.equal(type, "error");
    assert.match(error.message, /SVC_ALLOWED_ORIGINS=http:\/\/evil\.example/);
    assert.equal(foreign.received.length, 0);
    const taken = await send(listed);
    assert.equal(taken.status, 200);
    await taken.bytes();
    const allowed = taken.headers.get("access-control-allow-origin");
    assert.equal(allowed, listed);
    const preflight = await ask(place, "OPTIONS /v1/messages", {
      origin: listed,
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-api-key",
    });
    assert.equal(preflight.status, 204);
    assert.match(preflight.text, /access-control-allow-headers: x-api-key/i);
    assert.equal(foreign.received.length, 1);
    assert.deepEqual(contacts(place), []);
    const client = await post(place, "/v1/messages", {
      body: BODY,
      headers: { "x-svc-base-url": foreign.url },
    });
    await client.bytes();
    assert.equal(client.headers.get("access-control-allow-origin"), null);
  }, {
    env: { SVC_ALLOWED_BASE_URLS: foreign.url, SVC_ALLOWED_ORIGINS: listed },
  });
});

Deno.test("a path that is not known goes to the provider that the request names, and to nobody else", async () => {
  await using messages = startUpstream(() =>
    Response.json({ from: "messages" })
  );
  await using chat = startUpstream(() => Response.json({ from: "chat" }));
  await withApp(replies(), async (place) => {
    const goesTo = async (
      path: string,
      headers: Record<string, string> = {},
    ) => {
      const response = await fetch(place.url + path, { headers });
      const { from, error } = await response.json();
      assert.equal(response.status, from ? 200 : 404, path);
      if (!from) assert.match(error.message, /^Cannot forward GET /);
      return from;
    };
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const version = { "anthropic-version": "2023-06-01" };
    assert.equal(await goesTo("/x", bearer("sk-ant-1")), "messages");
    assert.equal(await goesTo("/x", bearer("sk-1")), "chat");
    assert.equal(await goesTo("/v1/models", version), "messages");
    assert.equal(await goesTo("/v1/models", bearer("t")), "chat");
    assert.equal(await goesTo("/v1/models"), undefined);
    assert.equal(await goesTo("/x", bearer("t")), undefined);
    const chosen = { ...bearer("t"), "x-svc-base-url": chat.url };
    assert.equal(await goesTo("/x", chosen), "chat");
    const refused = { ...bearer("t"), "x-svc-base-url": "http://10.0.0.1" };
    assert.equal(await goesTo("/x", refused), undefined);
    assert.deepEqual(contacts(place), []);
  }, {
    env: {
      MSG_TARGET_API_URL: messages.url,
      CHAT_TARGET_API_URL: chat.url,
      SVC_ALLOWED_BASE_URLS: "127.0.0.1",
    },
  });
});

Deno.test("a path without /v1 is answered with the whole path and the base URL to set", async () => {
  await withApp(replies(), async (place) => {
    for (const path of ["/messages", "/chat/completions", "/responses"]) {
      const response = await post(place, `/p/shop${path}`, "{}");
      assert.equal(response.status, 404);
      const { message } = (await response.json()).error;
      assert.ok(message.includes(`/v1${path};`), message);
      assert.ok(message.endsWith(`${place.url}/p/shop/v1`), message);
    }
    assert.deepEqual(contacts(place), []);
  });
  // An upstream with a path of its own may serve it.
  await withApp(replies(), async (place) => {
    await (await post(place, "/chat/completions", "{}")).bytes();
    assert.deepEqual(contacts(place), ["POST /v1/chat/completions"]);
  }, { base: "/v1" });
});
