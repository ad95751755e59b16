import assert from "node:assert/strict";
import {
  clientSettings,
  type SvcClientOptions,
} from "../../../src/sdk/client/options.ts";
import {
  jsonText,
  type Outgoing,
  Transport,
} from "../../../src/sdk/client/transport.ts";
import {
  ConfigurationError,
  SvcAuthError,
  SvcCompressError,
  SvcConnectionError,
  SvcError,
  ValidationError,
} from "../../../src/sdk/errors.ts";
import { collectStream } from "../../../src/sdk/sse.ts";
import { type FakeAnswer, fakeProxy, refusal } from "./fake_proxy.ts";

const GET: Outgoing = { method: "GET", path: "/x?query=secret" };

function transportTo(
  answers: readonly FakeAnswer[],
  options: SvcClientOptions = {},
) {
  const { fetch, sent } = fakeProxy(...answers);
  const settings = clientSettings(
    { baseUrl: "http://proxy.test/", ...options, fetch },
    () => undefined,
  );
  return { transport: new Transport(settings), sent };
}

/** The error of a GET that is answered so. */
async function errorOf(
  answer: FakeAnswer,
  options: SvcClientOptions = {},
): Promise<SvcError> {
  const { transport } = transportTo([answer], options);
  try {
    await transport.json(GET);
  } catch (error) {
    assert(error instanceof SvcError);
    assert(!error.message.includes("secret"));
    return error;
  }
  throw new Error("no error");
}

Deno.test("Transport sends to the base URL with our own fields, and JSON only where there is a body", async () => {
  const { transport, sent } = transportTo([new Response("{}")], {
    apiKey: "key",
    proxyToken: "token",
    stack: "mine",
  });
  await transport.json(GET);
  await transport.json({ method: "POST", path: "/y", json: "[1]" });
  assert.equal(sent[0]!.url, "http://proxy.test/x?query=secret");
  assert.deepEqual(Object.fromEntries(sent[0]!.headers), {
    authorization: "Bearer key",
    "x-svc-proxy-token": "token",
    "x-svc-stack": "mine",
  });
  assert.deepEqual(sent[1]!.body, [1]);
  assert.equal(sent[1]!.headers.get("content-type"), "application/json");
  assert.equal(sent[1]!.init.redirect, "manual");
});

Deno.test("Transport sends its own key only where no provider's is", async () => {
  const { transport, sent } = transportTo([new Response("{}")], {
    apiKey: "own",
  });
  for (const name of ["Authorization", "X-Api-Key", "api-key", "x-other"]) {
    await transport.json({ ...GET, headers: { [name]: "provider" } });
  }
  const keys = sent.map(({ headers }) => headers.get("authorization"));
  assert.deepEqual(keys, ["provider", null, null, "Bearer own"]);
});

Deno.test("Transport maps an error by its status and slug, with what the answer tells", async () => {
  const error = {
    type: "rate_limit_error",
    message: "Slow down",
    code: "busy",
    param: "model",
    details: { limit: 3 },
  };
  const headers = { "retry-after": "7", "request-id": "r1" };
  const mapped = await errorOf(
    Response.json({ error }, { status: 429, headers }),
  );
  assert(mapped instanceof SvcCompressError);
  assert.equal(mapped.message, "Slow down");
  assert.deepEqual(mapped.details, {
    statusCode: 429,
    errorType: "rate_limit_error",
    limit: 3,
    code: "busy",
    param: "model",
    path: "/x",
    requestId: "r1",
    retryAfter: "7",
  });
  assert((await errorOf(refusal(401, "x"))) instanceof SvcAuthError);
  assert(
    (await errorOf(refusal(400, "validation_error"))) instanceof
      ValidationError,
  );
});

Deno.test("Transport reads every shape in which errors are told, and bodies that tell nothing", async () => {
  const shapes: readonly (readonly [string, string])[] = [
    ['{"detail":"Not Found"}', "Not Found"],
    ['{"error":"unauthorized"}', "unauthorized"],
    ['{"message":"Gone"}', "Gone"],
    ['{"detail":[{"msg":"Cannot use format"}]}', "Cannot use format"],
    ["<html>", "HTTP 404"],
    ["", "HTTP 404"],
    ["null", "HTTP 404"],
    ['{"error":{}}', "HTTP 404"],
  ];
  for (const [body, message] of shapes) {
    const error = await errorOf(new Response(body, { status: 404 }));
    assert(error instanceof SvcCompressError);
    assert.equal(error.message, message);
    assert.equal(error.errorType, "unknown");
  }
});

Deno.test("Transport says who cannot be reached, why, and what to do", async () => {
  const refused = new TypeError("fetch failed", {
    cause: new Error("ECONNREFUSED"),
  });
  const error = await errorOf(refused);
  assert(error instanceof SvcConnectionError);
  assert.match(error.message, /http:\/\/proxy\.test\/x: fetch failed: ECONN/);
  assert.match(error.message, /svc proxy/);
  assert.equal(error.cause, refused);
  assert.deepEqual(error.details, {
    baseUrl: "http://proxy.test",
    path: "/x",
  });
});

Deno.test("Transport gives up a proxy that does not answer, or does not finish its answer, in time", async () => {
  const never = new Promise<never>(() => {});
  const silent = () => never;
  const endless = () => new Response(new ReadableStream({ pull: () => never }));
  for (const answer of [silent, endless]) {
    const error = await errorOf(answer, { timeout: 1 });
    assert(error instanceof SvcConnectionError);
    assert.match(error.message, /no answer in 1 ms/);
    assert.equal(error.details.timeoutMs, 1);
  }
});

Deno.test("Transport says so when the answer is not JSON", async () => {
  const error = await errorOf(new Response("<html>"));
  assert(error instanceof SvcConnectionError);
  assert.match(error.message, /something else than svc/);
});

Deno.test("Transport follows no redirection, which would carry keys to another host", async () => {
  const headers = { location: "http://evil.test" };
  const error = await errorOf(new Response("", { status: 302, headers }));
  assert(error instanceof ConfigurationError);
  assert.match(error.message, /baseUrl/);
});

Deno.test("Transport rejects with the reason of the caller's signal, and passes it on", async () => {
  const reason = new Error("enough");
  const stop = new AbortController();
  const { transport, sent } = transportTo([
    () => {
      stop.abort(reason);
      return new Promise<never>(() => {});
    },
  ]);
  const call = transport.json({ ...GET, signal: stop.signal });
  await assert.rejects(call, (thrown) => thrown === reason);
  assert.equal(sent[0]!.init.signal?.aborted, true);
});

/** A stream that ends after `chunks` in this way. */
function streamOf(chunks: readonly string[], end: "close" | "hang" | Error) {
  const left = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const never = new Promise<void>(() => {});
  return new Response(
    new ReadableStream({
      pull(controller) {
        const next = left.shift();
        if (next) controller.enqueue(next);
        else if (end === "close") controller.close();
        else if (end === "hang") return never;
        else controller.error(end);
      },
    }),
  );
}

const EVENTS = ["data: 1\n\n", "data: 2\n\n"];

Deno.test("Transport gives the events of a stream, which may last longer than its wait for each", async () => {
  const { transport } = transportTo([() => streamOf(EVENTS, "close")]);
  const events = await transport.events<number>(GET);
  assert.deepEqual(await collectStream(events), [1, 2]);
});

Deno.test("Transport tells a stream that breaks off or stands still as a failed connection", async () => {
  for (const end of ["hang", new TypeError("reset")] as const) {
    const { transport } = transportTo([() => streamOf(EVENTS, end)], {
      timeout: 20,
    });
    const events = await transport.events<number>(GET);
    assert.equal((await events.next()).value, 1);
    await assert.rejects(collectStream(events), SvcConnectionError);
  }
});

Deno.test("Transport ends a stream with the reason of the caller's signal", async () => {
  const { transport } = transportTo([() => streamOf(EVENTS, "hang")]);
  const stop = new AbortController();
  const events = await transport.events({ ...GET, signal: stop.signal });
  await events.next();
  const reason = new Error("enough");
  stop.abort(reason);
  await assert.rejects(collectStream(events), (thrown) => thrown === reason);
});

Deno.test("Transport hangs up when the reader of a stream leaves", async () => {
  const { transport, sent } = transportTo([() => streamOf(EVENTS, "hang")]);
  for await (const event of await transport.events(GET)) {
    assert.equal(event, 1);
    break;
  }
  assert.equal(sent[0]!.init.signal?.aborted, true);
});

Deno.test("Transport tells a refused stream like any other answer", async () => {
  const { transport } = transportTo([refusal(503, "overloaded_error")]);
  await assert.rejects(transport.events(GET), SvcCompressError);
});

Deno.test("jsonText writes what JSON carries, and says so when it carries a value not at all", () => {
  assert.equal(jsonText({ a: 1, b: 2n, c: undefined }), '{"a":1,"b":"2"}');
  const circle: { inner?: unknown } = {};
  circle.inner = circle;
  assert.throws(() => jsonText(circle), ValidationError);
});

Deno.test("Transport never repeats a header that cannot be sent", async () => {
  const { transport, sent } = transportTo([new Response("{}")]);
  const headers = { Authorization: "Bearer secret\nkey" };
  await assert.rejects(transport.json({ ...GET, headers }), (error) => {
    assert(error instanceof ConfigurationError);
    assert.match(error.message, /the header Authorization: it holds/);
    assert.doesNotMatch(
      `${error.message}${error.stack}${JSON.stringify(error.details)}`,
      /secret/,
    );
    return true;
  });
  assert.equal(sent.length, 0);
});

Deno.test("Transport keeps what a server refuses out of the error's facts", async () => {
  const fault = { type: "missing", loc: ["body", "x"], msg: "Required" };
  const detail = [{ ...fault, input: "secret", ctx: { given: "secret" } }];
  const answer = new Response(JSON.stringify({ detail }), { status: 422 });
  const { message, details } = await errorOf(answer);
  assert.equal(message, "Required");
  assert.deepEqual(details.detail, [fault]);
});

Deno.test("Transport takes no answer for one of svc that is JSON but no object", async () => {
  for (const text of ["null", "3", '"x"', "[]"]) {
    const error = await errorOf(new Response(text));
    assert(error instanceof SvcConnectionError);
    assert.match(error.message, /it is not a JSON object; does something else/);
  }
});
