import assert from "node:assert/strict";
import { type AskProxyParts, proxyAsker } from "../../src/mcp/ask_proxy.ts";

const HASH = "f".repeat(24);
const BODY = {
  hash: HASH,
  original_content: "there",
  original_tokens: 10,
  original_item_count: 4,
  compressed_item_count: 2,
  tool_name: "Bash",
  retrieval_count: 3,
};

/** Asks a proxy that answers like `post`; what went wrong is in `failures`. */
function world(
  post: AskProxyParts["post"],
  proxy = "http://127.0.0.1:8787",
) {
  const failures: string[] = [];
  const ask = proxyAsker({
    proxy: new URL(proxy),
    post,
    onFailure: (reason) => void failures.push(reason),
  });
  return { ask, failures };
}

Deno.test("proxyAsker posts the arguments and reads the original", async () => {
  const posts: [string, unknown][] = [];
  const { ask } = world((url, json) => {
    posts.push([url.href, JSON.parse(json)]);
    return Promise.resolve(Response.json(BODY));
  });
  assert.deepEqual(await ask({ hash: HASH, query: "a" }), {
    hash: HASH,
    original_content: "there",
    original_item_count: 4,
    compressed_item_count: 2,
    retrieval_count: 3,
    tokens: 10,
  });
  assert.deepEqual(posts, [
    ["http://127.0.0.1:8787/v1/retrieve", { hash: HASH, query: "a" }],
  ]);
});

Deno.test("proxyAsker keeps a path prefix of the proxy", async () => {
  const urls: string[] = [];
  const { ask } = world((url) => {
    urls.push(url.href);
    return Promise.resolve(Response.json(BODY));
  }, "http://localhost:9/p/web/");
  await ask({ hash: HASH });
  assert.deepEqual(urls, ["http://localhost:9/p/web/v1/retrieve"]);
});

Deno.test("proxyAsker takes the part and its own tokens", async () => {
  const body = { ...BODY, part: "lines 1-2 of 4", part_tokens: 5 };
  const { ask } = world(() => Promise.resolve(Response.json(body)));
  const answer = await ask({ hash: HASH, lines: "1-2" });
  assert.ok(typeof answer === "object");
  assert.equal(answer.part, "lines 1-2 of 4");
  assert.equal(answer.tokens, 5);
});

Deno.test("proxyAsker says why a part is not there, and nothing about other refusals", async () => {
  const refuse = (status: number) => () =>
    Promise.resolve(Response.json({ detail: "no line 9" }, { status }));
  const wanted = { hash: HASH, lines: "9" };
  assert.equal(await world(refuse(400)).ask(wanted), "no line 9");
  assert.equal(await world(refuse(400)).ask({ hash: HASH }), undefined);
  const { ask, failures } = world(refuse(404));
  assert.equal(await ask(wanted), undefined);
  assert.deepEqual(failures, ["status 404"]);
});

Deno.test("proxyAsker takes strange answers and no answer for nothing", async () => {
  const answers: AskProxyParts["post"][] = [
    () => Promise.resolve(new Response("<html>")),
    () => Promise.resolve(Response.json(null)),
    () => Promise.resolve(Response.json({ hash: HASH })),
    () => Promise.resolve(Response.json({ detail: 5 }, { status: 400 })),
    () => Promise.reject(new Error("ECONNREFUSED")),
    () => Promise.reject("odd"),
  ];
  for (const post of answers) {
    assert.equal(await world(post).ask({ hash: HASH, path: "a" }), undefined);
  }
});

Deno.test("proxyAsker gives every question a signal that ends it", async () => {
  const { ask } = world((_, __, signal) => {
    assert.equal(signal.aborted, false);
    return Promise.resolve(Response.json(BODY));
  });
  assert.ok(await ask({ hash: HASH }));
});
