import assert from "node:assert/strict";
import type { RetrievedMiss } from "../../src/core/retrieved.ts";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import { untouched } from "../../src/pipeline/compressed_body.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { messagesDialect } from "../conformance/retrieval_dialects.ts";
import { ask, Lab, turns } from "../conformance/retrieval_lab.ts";
import {
  BARE,
  betas,
  bytesOf,
  callOf,
  chatCall,
  exchanged,
  ok,
  PLAIN,
  refusesUsage,
  TOOL,
} from "./exchange_lab.ts";

const ASKING = turns("a", [ask("r1")], [{ text: "Two." }]);

Deno.test("exchange sends further rounds with what was sent before and the fields that were taken", async () => {
  const body = bytesOf(
    '{"messages":[{"role":"user","content":"q"}],"tools":[]}',
  );
  const call: CompressedBody = {
    ...untouched(body, messagesFormat.scan(body), "test"),
    declaration: { ...TOOL, begins: false },
  };
  const lab = new Lab(messagesDialect, { streaming: false });
  const missing: RetrievedMiss = {
    success: false,
    data: { error: "e", hash: "h", status: "missing", ttl_seconds: 1 },
  };
  for (const isTaken of [true, false]) {
    const rounds = [...ASKING];
    const all: (string | null)[] = [];
    const { answer, text, sent } = await exchanged(({ betas }) => {
      all.push(betas);
      return betas === null || isTaken
        ? lab.answer(rounds.shift()!)
        : new Response("bad", { status: 400 });
    }, {
      call,
      betas: betas("a"),
      read: { wire: body, decoded: undefined, encoding: undefined },
    }, () => Promise.resolve({ retrieved: missing, event: undefined }));
    assert.equal(answer.isTapped, true);
    assert.match(text, /Two\./);
    assert.deepEqual(all, isTaken ? ["a", "a"] : ["a", null, null]);
    const further = sent.at(-1)!;
    assert.ok(
      further.startsWith('{"messages":[{"role":"user","content":"q"},'),
    );
    assert.match(further, /"tool_result"/);
  }
});

Deno.test("exchange takes usage that the client did not ask for out of a stream, and out of nothing else", async () => {
  const choice = '"choices":[{"index":0,"delta":{"content":"a"}}]';
  const usage = '"usage":{"prompt_tokens":3,"completion_tokens":1}';
  const stream =
    `data: {${choice},"usage":null}\n\ndata: {"choices":[],${usage}}\n\ndata: [DONE]\n\n`;
  const answer = (type: string, status = 200) => () =>
    new Response(stream, { status, headers: { "content-type": type } });
  const SSE = "text/event-stream";
  const hidden = await exchanged(answer(SSE), chatCall());
  assert.equal(hidden.text, `data: {${choice}}\n\ndata: [DONE]\n\n`);
  assert.equal(hidden.answer.isTapped, true);
  const { call } = chatCall();
  for (
    const shown of [
      await exchanged(answer(SSE), {
        ...chatCall({ usageRequest: undefined }),
      }),
      await exchanged(answer("application/json"), chatCall()),
      await exchanged(answer(SSE, 500), chatCall()),
      // It was sent without it.
      await exchanged(
        ({ text }) =>
          text === BARE ? answer(SSE)() : refusesUsage(400)({
            text,
            betas: null,
          }),
        { ...chatCall(), call },
      ),
    ]
  ) {
    assert.equal(shown.text, stream);
    assert.equal(shown.answer.isTapped, false);
  }
});

Deno.test("exchange sends a body as it came on the wire, and one that was edited without its encoding", async () => {
  const wire = bytesOf("encoded");
  const read = { wire, decoded: PLAIN, encoding: "gzip" };
  const asItCame = await exchanged(ok, { read, call: callOf("plain") });
  assert.deepEqual(asItCame.sent, ["encoded"]);
  assert.deepEqual(asItCame.encodings, ["gzip"]);
  const edited = await exchanged(ok, { read });
  assert.deepEqual(edited.sent, ["edited"]);
  assert.deepEqual(edited.encodings, [null]);
});
