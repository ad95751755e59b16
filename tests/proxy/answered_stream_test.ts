import {
  editedStream,
  isDocument,
  isEditable,
} from "../../src/proxy/answered_stream.ts";
import assert from "node:assert/strict";
import type { StreamEdit } from "../../src/core/format.ts";
import type { Reply } from "../../src/core/upstream.ts";
import { readerOf } from "../../src/upstream/chunk_reader.ts";
import { replyOf, responseOf } from "../upstream/replies.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const NOTHING = new Uint8Array(0);

/** Holds back everything up to the next full stop, and writes it in capitals. */
function shouting(): StreamEdit {
  let held = "";
  const upTo = (end: number) => {
    const shown = held.slice(0, end);
    held = held.slice(end);
    return shown;
  };
  return {
    push(chunk) {
      held += decoder.decode(chunk);
      return utf8.encode(upTo(held.lastIndexOf(".") + 1).toUpperCase());
    },
    end: () => utf8.encode(upTo(held.length).toUpperCase()),
    rest: () => utf8.encode(upTo(held.length)),
  };
}

/** A body whose chunks the test gives as they are asked for. */
function source(chunks: readonly (string | Error)[]) {
  const state = { asked: 0, cancelled: undefined as unknown };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = chunks[state.asked++];
      if (next === undefined) controller.close();
      else if (typeof next === "string") controller.enqueue(utf8.encode(next));
      else controller.error(next);
    },
    cancel: (reason) => void (state.cancelled = reason),
  }, { highWaterMark: 0 });
  return { state, body };
}

/** All that is read of a body, and what broke it. */
async function read(reply: Reply) {
  const chunks: string[] = [];
  try {
    for await (const chunk of responseOf(reply).body!) {
      chunks.push(decoder.decode(chunk));
    }
  } catch (error) {
    return { chunks, error };
  }
  return { chunks, error: undefined };
}

Deno.test("editedStream gives what the edit gives, and passes over chunks that give nothing", async () => {
  const { body } = source(["a", "b.", "c", "d", "e.f."]);
  const response = new Response(body, {
    status: 201,
    headers: { "content-length": "9", "x-kept": "1" },
  });
  const edited = editedStream(replyOf(response), shouting());
  assert.equal(edited.status, 201);
  assert.deepEqual([...edited.headers], [["x-kept", "1"]]);
  assert.deepEqual(await read(edited), {
    chunks: ["AB.", "CDE.F."],
    error: undefined,
  });
});

Deno.test("editedStream reads no further than what it is asked for", async () => {
  const { body, state } = source(["a.", "b.", "c."]);
  const reader = readerOf(
    editedStream(replyOf(new Response(body)), shouting()).body!,
  );
  assert.equal(state.asked, 0);
  assert.equal(decoder.decode(await reader.read()), "A.");
  assert.equal(state.asked, 1);
  await reader.cancel("enough");
  assert.equal(state.cancelled, "enough");
});

Deno.test("editedStream ends with what the edit still holds", async () => {
  const { body } = source(["a.b"]);
  const edited = editedStream(replyOf(new Response(body)), shouting());
  assert.deepEqual((await read(edited)).chunks, ["A.", "B"]);
});

Deno.test("editedStream of a stream that breaks gives what was held as it came, and then the error", async () => {
  const broken = new TypeError("broke");
  for (
    const [given, chunks] of [[["a.b", broken], ["A.", "b"]], [
      ["a.", broken],
      ["A."],
    ]] as const
  ) {
    const { body } = source(given);
    const result = await read(
      editedStream(replyOf(new Response(body)), shouting()),
    );
    assert.deepEqual(result, { chunks, error: broken });
  }
});

Deno.test("isEditable is true of a stream of events that can be decoded", () => {
  const of = (headers: HeadersInit, status = 200) =>
    isEditable(replyOf(new Response(NOTHING, { status, headers })));
  assert(of({ "content-type": "text/event-stream" }));
  assert(of({ "content-type": "Text/Event-Stream; charset=utf-8" }));
  assert(of({ "content-type": "text/event-stream", "content-encoding": "br" }));
  // Who asked for a stream gets one.
  assert(isEditable(replyOf(new Response(NOTHING))));
  assert(!of({ "content-type": "application/json" }));
  assert(!of({ "content-type": "text/event-stream" }, 400));
  assert(!of({ "content-type": "text/event-stream", "content-encoding": "x" }));
  const none = { headers: { "content-type": "text/event-stream" } };
  assert(!isEditable(replyOf(new Response(null, none))));
});

Deno.test("isDocument holds for documents of JSON that can be read", () => {
  const is = (type: string | undefined, init: ResponseInit = {}) => {
    const headers = new Headers(init.headers);
    if (type !== undefined) headers.set("content-type", type);
    const body = new Response("{}").body;
    return isDocument(replyOf(new Response(body, { ...init, headers })));
  };
  assert(is("application/json; charset=utf-8"));
  assert(is("Application/JSON", { headers: { "content-encoding": "gzip" } }));
  assert(!is("application/json", { status: 400 }));
  assert(!is("application/json", { headers: { "content-encoding": "x" } }));
  assert(!is("text/event-stream"));
  assert(!is(undefined));
});
