import assert from "node:assert/strict";
import type { TextValues } from "../../src/settings/row.ts";
import { rawExchange } from "../acceptance/raw.ts";
import { until } from "./proxy_process.ts";
import { type Rig, withProxy } from "./proxy.ts";

const utf8 = new TextEncoder();
/** A proxy in front of a provider that says hello. */
function withHello(
  test: (rig: Rig) => Promise<void>,
  env: TextValues = {},
): Promise<void> {
  return withProxy(() => ({ text: "hello" }), test, env);
}

const statusOf = (answer: string) =>
  Number(/^HTTP\/1\.[01] (\d{3}) /.exec(answer)?.[1] ?? NaN);
const HOST = "Host: 127.0.0.1\r\n";
const CLOSE = "Connection: close\r\n";
/** A path that is no conversation is forwarded with a credential only. */
const KEY = "X-Api-Key: k\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n";
const post = (fields: string, body = "") =>
  `POST /v1/x HTTP/1.1\r\n${HOST}${CLOSE}${KEY}${fields}\r\n${body}`;
const get = (fields: string, target = "/v1/x") =>
  `GET ${target} HTTP/1.1\r\n${CLOSE}${KEY}${fields}\r\n`;

/** Requests that another server might read otherwise, or nobody can. */
const MALFORMED: Readonly<Record<string, string>> = {
  "length and chunks": post(`Content-Length: 3\r\n${CHUNKED}`, "0\r\n\r\n"),
  "two lengths": post("Content-Length: 3\r\nContent-Length: 4\r\n", "abcd"),
  "the same length twice": post(
    "Content-Length: 3\r\nContent-Length: 3\r\n",
    "abc",
  ),
  "a list of lengths": post("Content-Length: 3, 3\r\n", "abc"),
  "a length with a sign": post("Content-Length: +3\r\n", "abc"),
  "a negative length": post("Content-Length: -3\r\n", "abc"),
  "a length in base 16": post("Content-Length: 0x3\r\n", "abc"),
  "a length beyond all numbers": post(`Content-Length: ${"9".repeat(30)}\r\n`),
  "an unknown coding": post(
    "Transfer-Encoding: xchunked\r\n",
    "3\r\nabc\r\n0\r\n\r\n",
  ),
  "a coding beside chunks": post(
    "Transfer-Encoding: gzip, chunked\r\n",
    "3\r\nabc\r\n0\r\n\r\n",
  ),
  "chunks twice": post(`${CHUNKED}${CHUNKED}`, "3\r\nabc\r\n0\r\n\r\n"),
  "chunks that are not last": post(
    "Transfer-Encoding: chunked, identity\r\n",
    "0\r\n\r\n",
  ),
  "a blank before the colon": post(
    "Transfer-Encoding : chunked\r\n",
    "0\r\n\r\n",
  ),
  "a blank before the colon of the length": post(
    "Content-Length : 3\r\n",
    "abc",
  ),
  "two hosts": get(`${HOST}Host: evil.example\r\n`),
  "a host with a blank": get("Host: a b\r\n"),
  "a list of hosts": get("Host: 127.0.0.1, evil.example\r\n"),
  "a host that is a URL": get("Host: http://127.0.0.1/\r\n"),
  "a folded field": get(`${HOST}X-A: a\r\n b\r\n`),
  "a zero byte in a value": get(`${HOST}X-A: a\0b\r\n`),
  "a zero byte in a name": get(`${HOST}X\0A: a\r\n`),
  "a carriage return in a value": get(`${HOST}X-A: a\rb\r\n`),
  "a zero byte in the target": get(HOST, "/v1/\0"),
  "two blanks before the target": get(HOST, " /v1/x"),
  "another host in the target": get(HOST, "http://evil.example/v1/x"),
  "a version of the future": `GET / HTTP/3.0\r\n${HOST}\r\n`,
  "no version": "GET /\r\n\r\n",
  "1000 fields": get(
    HOST + Array.from({ length: 1000 }, (_, i) => `x-${i}: 1\r\n`).join(""),
  ),
  "a field of 300 KB": get(`${HOST}X-A: ${"a".repeat(300_000)}\r\n`),
};

Deno.test("a malformed request is answered with 400 and never forwarded, and the proxy lives on", async () => {
  await withHello(async ({ url, provider }) => {
    for (const [name, text] of Object.entries(MALFORMED)) {
      const answer = await rawExchange(url, text);
      assert.equal(statusOf(answer), 400, `${name}: ${answer.slice(0, 200)}`);
      assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1, name);
    }
    assert.equal(provider.received.length, 0);
    assert.equal((await fetch(`${url}/livez`)).status, 200);
  });
});

/** Bodies whose chunks nobody can read: the connection ends without an answer that could be misread. */
const BAD_CHUNKS: readonly string[] = [
  "zz\r\nabc\r\n0\r\n\r\n",
  "-3\r\nabc\r\n0\r\n\r\n",
  "3\r\nabcdef\r\n0\r\n\r\n",
  "fffffffffffffffff1\r\nabc\r\n0\r\n\r\n",
  "3 \r\r\nabc\r\n0\r\n\r\n",
];

Deno.test("a body with malformed chunks reaches no upstream whole, and holds no place", async () => {
  await withHello(async ({ url, provider }) => {
    for (const path of ["/v1/messages", "/v1/chat/completions"]) {
      for (const chunks of BAD_CHUNKS) {
        for (const first of ["", "2\r\n{}\r\n"]) {
          const text = post(CHUNKED, first + chunks).replace("/v1/x", path);
          const answer = await rawExchange(url, text);
          assert.ok(!(statusOf(answer) < 400), answer);
        }
      }
    }
    assert.equal(provider.received.length, 0);
    assert.equal((await fetch(`${url}/v1/models`)).status, 200);
  }, { SVC_LIMIT_CONCURRENCY: "1" });
});

Deno.test("unusual requests that have one meaning are forwarded", async () => {
  await withHello(async ({ url, provider }) => {
    const fine = {
      "HTTP/1.0 without a host": `GET /v1/x HTTP/1.0\r\n${KEY}\r\n`,
      "line feeds only":
        "GET /v1/x HTTP/1.1\nHost: 127.0.0.1\nConnection: close\nX-Api-Key: k\n\n",
      "the host in the target": get(HOST, "http://127.0.0.1/v1/x"),
      "an unknown method": get(HOST).replace("GET", "PURGE"),
      "a chunk with an extension": post(
        CHUNKED,
        "3;x=y\r\nabc\r\n0\r\nTrailer: x\r\n\r\n",
      ),
      "100 fields": get(
        HOST + Array.from({ length: 100 }, (_, i) => `x-${i}: 1\r\n`).join(""),
      ),
      "a field of 60 KB": get(`${HOST}X-A: ${"a".repeat(60_000)}\r\n`),
    };
    for (const [name, text] of Object.entries(fine)) {
      const answer = await rawExchange(url, text);
      assert.equal(statusOf(answer), 200, `${name}: ${answer.slice(0, 300)}`);
    }
    assert.equal(provider.received.length, Object.keys(fine).length);
    for (const { path } of provider.received) assert.equal(path, "/v1/x");
  });
});

Deno.test("pipelined requests are answered in order, each by its own fields", async () => {
  await withHello(async ({ url }) => {
    const line = (host: string, last = "") =>
      `GET /v1/retrieve/stats HTTP/1.1\r\nHost: ${host}\r\n${last}\r\n`;
    const answer = await rawExchange(
      url,
      line("127.0.0.1") + line("evil.example") + line("localhost", CLOSE),
    );
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)]
      .map(([, status]) => Number(status));
    assert.deepEqual(statuses, [200, 404, 200]);
  });
});

Deno.test("a client that waits for 100 gets it, and the upstream sees no expectation", async () => {
  await withHello(async ({ url, provider }) => {
    const answer = await rawExchange(
      url,
      post("Content-Length: 3\r\nExpect: 100-continue\r\n", "abc"),
    );
    assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    const [received] = provider.received;
    assert.equal(received?.headers.get("expect"), null);
    assert.equal(new TextDecoder().decode(received?.body), "abc");
  });
});

Deno.test("HEAD has the fields and the length of GET, on own routes and forwarded ones", async () => {
  await withHello(async ({ url }) => {
    for (const path of ["/livez", "/readyz", "/metrics", "/v1/models"]) {
      const whole = await fetch(`${url}${path}`);
      const { length } = await whole.bytes();
      const answer = await rawExchange(
        url,
        get(HOST, path).replace("GET", "HEAD"),
      );
      assert.equal(statusOf(answer), 200);
      assert.ok(answer.endsWith("\r\n\r\n"), `${path}: no body`);
      const said = /^content-length: (\d+)\r$/im.exec(answer)?.[1];
      assert.equal(Number(said), length, path);
      const type = /^content-type: (.*)\r$/im.exec(answer)?.[1];
      assert.equal(type, whole.headers.get("content-type"));
    }
  });
});

Deno.test("a GET with a body is refused in words, since the runtime would lose it", async () => {
  await withHello(async ({ url, provider }) => {
    const answer = await rawExchange(
      url,
      `${get(`${HOST}Content-Length: 3\r\n`)}abc`,
    );
    assert.equal(statusOf(answer), 400);
    assert.match(answer, /with a body/);
    assert.equal(provider.received.length, 0);
  });
});

Deno.test("a client that stops in the middle of its body holds no place once it has left", async () => {
  await withHello(async ({ url }) => {
    const { hostname, port } = new URL(url);
    const connection = await Deno.connect({ hostname, port: Number(port) });
    const text = post("Content-Length: 100\r\n", "abc").replace(
      "/v1/x",
      "/v1/messages",
    );
    await connection.write(utf8.encode(text));
    try {
      await until(
        async () => await statusAt(`${url}/v1/models`) === 503,
        "the place to be taken",
      );
      assert.equal(await statusAt(`${url}/livez`), 200);
    } finally {
      connection.close();
    }
    await until(
      async () => await statusAt(`${url}/v1/models`) === 200,
      "the place to be free",
    );
  }, { SVC_LIMIT_CONCURRENCY: "1" });
});

async function statusAt(url: string): Promise<number> {
  const response = await fetch(url);
  await response.bytes();
  return response.status;
}
