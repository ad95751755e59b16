/** Bodies and requests that nobody would write: the process stays up, and untouched bytes are the client's. */
import assert from "node:assert/strict";
import { CLIENTS, type Conversation } from "../conformance/conversation.ts";
import { LOG, ROWS } from "../e2e/agent.ts";
import { Random } from "../e2e/random.ts";
import { rawExchange } from "./raw.ts";
import {
  bodyFor,
  type ConversationRoute,
  GENERATIONS,
  type Place,
  post,
  PREVIEWS,
  replies,
  withApp,
} from "./world.ts";
import type { Received } from "../e2e/upstream.ts";

const utf8 = new TextEncoder();
const latin1 = new TextDecoder("latin1");

/** Bytes that mean something in JSON, in UTF-8 or in HTTP. */
const TELLING = [
  ...utf8.encode('{}[]",:\\/u0001eE+-. \t\r\n'),
  ...[0, 0x7f, 0x80, 0xc3, 0xed, 0xf0, 0xff],
];

/** `bytes` with one to four small wounds. */
function wounded(random: Random, bytes: Uint8Array): Uint8Array {
  let text = [...bytes];
  for (let i = 1 + random.below(4); i > 0; i--) {
    const at = random.below(text.length + 1);
    const length = random.below(random.pick([2, 20, 2000]));
    switch (random.below(5)) {
      case 0:
        text[at] = random.below(256);
        break;
      case 1:
        text.splice(at, 0, random.pick(TELLING));
        break;
      case 2:
        text.splice(at, length);
        break;
      case 3:
        text.splice(at, 0, ...text.slice(at, at + length));
        break;
      case 4:
        text = text.slice(0, at);
    }
  }
  return new Uint8Array(text);
}

const TALK: Conversation = {
  question: "why? é😀",
  steps: [
    {
      says: "I look.",
      calls: [{ id: "c1", tool: "Bash", args: { command: "x" }, result: LOG }],
    },
    {
      calls: [
        { id: "c2", tool: "fetch_rows", args: {}, result: [ROWS, "two"] },
        { id: "c3", tool: "Bash", args: {}, result: "short" },
      ],
      note: "hurry",
    },
  ],
};

/**
 * Whether `sent` is `body` with string literals replaced and our tool declared, and nothing else.
 * Only bodies that are JSON are edited: their literals can be found without reading them.
 */
function isEdited(body: Uint8Array, sent: Uint8Array): boolean {
  const from = latin1.decode(body).match(PIECE) ?? [];
  const to = latin1.decode(sent).replace(OUR_TOOL, "").match(PIECE) ?? [];
  return from.length === to.length &&
    from.every((piece, i) =>
      piece === to[i] ||
      (piece.length >= MIN_LITERAL && piece[0] === '"' && to[i]?.[0] === '"')
    );
}
/** A string literal, or what stands between two. */
const PIECE = /"(?:[^"\\]|\\.)*"|[^"]+/gs;
/** The definition, behind the last of the client's tools. */
const OUR_TOOL =
  /,\{(?:"type":"function",)?(?:"function":\{)?"name":"headroom_retrieve".*?\}(?=\s*\])/s;
/** Names and numbers are never worth a form. */
const MIN_LITERAL = 40;

/** Sends a body and gives what arrived for it. */
async function through(
  place: Place,
  path: string,
  body: Uint8Array,
): Promise<Received> {
  const before = place.upstream.received.length;
  const response = await post(place, path, body);
  await response.bytes();
  assert(response.status < 500, `${response.status} on ${path}`);
  assert.equal(place.upstream.received.length, before + 1, path);
  return place.upstream.received[before]!;
}

Deno.test("random wounds in bodies of all formats: they arrive as they came, or edited in string literals only", () =>
  withApp(replies(), async (place) => {
    const random = new Random("fuzz bodies");
    const routes: readonly ConversationRoute[] = [...GENERATIONS, ...PREVIEWS];
    let edited = 0;
    for (let i = 0; i < 300; i++) {
      const route = random.pick(routes);
      const n = random.below(TALK.steps.length + 1);
      const talk = { ...TALK, question: `${TALK.question} ${i}` };
      const body = wounded(random, bodyFor(route, talk, n));
      const { body: sent } = await through(place, route.path, body);
      if (latin1.decode(sent) === latin1.decode(body)) continue;
      edited++;
      assert(isEdited(body, sent), `${route.path}, body ${i}`);
      const spaced = sent.findIndex((byte, at) => at > 0 && byte === 0x3a);
      assert(!isEdited(body, sent.with(spaced, 0x20)), "a change goes unseen");
    }
    assert(edited > 20, `only ${edited} bodies were edited`);
    assert.equal((await fetch(`${place.url}/livez`)).status, 200);
  }, { env: { SVC_CACHE_ENABLED: "false" } }));

/** Lines of a request that are nearly right. */
const REQUEST_LINES = [
  "POST /v1/messages HTTP/1.1",
  "GET /v1/models HTTP/1.1",
  "GET / HTTP/1.0",
  "POST http://127.0.0.1/v1/messages HTTP/1.1",
  "CONNECT a.example:443 HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "GET /%00%ff/../..//v1/retrieve/x?%zz HTTP/1.1",
  "PRI * HTTP/2.0",
  "GET /\u0000 HTTP/1.1",
  "get /v1/models http/1.1",
  "POST /v1/projects/p/locations/..%2f/publishers/a/models/m:rawPredict HTTP/1.1",
  `GET /${"a".repeat(20_000)} HTTP/1.1`,
];
const FIELDS = [
  "Host: localhost",
  "Host: evil.example",
  "Host:",
  "Content-Length: 5",
  "Content-Length: 0",
  "Content-Length: -1",
  "Content-Length: 5, 6",
  "Content-Length: 99999999999999999999",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding : chunked",
  "Expect: 100-continue",
  "Connection: upgrade, close",
  "Upgrade: websocket",
  "Content-Encoding: gzip, br, zstd, deflate, gzip, gzip",
  "Content-Type: application/json",
  "Origin: null",
  "x-svc-base-url: http://[::1]:1/",
  "x-svc-mode: \u0001",
  "no colon",
  ": no name",
  " folded",
  `X-Long: ${"b".repeat(9000)}`,
  ...Array.from({ length: 3 }, (_, i) => `X-Many-${i}: ${i}`),
];
const PAYLOADS = [
  "",
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "ffffffffffffffff\r\nx",
  '5;ext="\r\n"\r\nhello\r\n',
  "GET /stats HTTP/1.1\r\nHost: localhost\r\n\r\n",
];

function request(random: Random): Uint8Array {
  const fields = Array.from(
    { length: random.below(8) },
    () => random.pick(FIELDS),
  );
  const text = [random.pick(REQUEST_LINES), ...fields, "", ""].join("\r\n") +
    random.pick(PAYLOADS);
  const bytes = utf8.encode(text);
  return random.chance(0.5) ? bytes : wounded(random, bytes);
}

/** Milliseconds that an unfinished request is left open: the server may wait for the rest. */
const TIMEOUT_MS = 250;
/** More than this is no noise of the collector. */
const GROWTH_BYTES = 200 * 1024 * 1024;

Deno.test("random requests on raw sockets: each ends, and the service answers afterwards", () =>
  withApp(replies(), async (place) => {
    const random = new Random("fuzz sockets");
    const before = Deno.memoryUsage().rss;
    for (let i = 0; i < 10; i++) {
      await Promise.all(
        Array.from(
          { length: 20 },
          () =>
            rawExchange(place.url, request(random), TIMEOUT_MS)
              .catch((error) => {
                // The server may close while we still write.
                if (!(error instanceof Error)) throw error;
              }),
        ),
      );
      const alive = await fetch(`${place.url}/livez`);
      assert.equal(alive.status, 200);
      await alive.bytes();
    }
    const growth = Deno.memoryUsage().rss - before;
    assert(growth < GROWTH_BYTES, `${growth} bytes more`);
    const [client] = CLIENTS;
    const route = GENERATIONS.find((one) => one.client === client)!;
    const body = bodyFor(route, { question: "still there?", steps: [] }, 0);
    const response = await post(place, route.path, body);
    assert.equal(response.status, 200);
    await response.bytes();
  }));
