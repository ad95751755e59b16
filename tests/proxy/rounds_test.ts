import assert from "node:assert/strict";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import type { Meter } from "../../src/proxy/meter.ts";
import { noteUsage, usageTapOf } from "../../src/proxy/rounds.ts";
import type { RelayOutcome } from "../../src/proxy/response_tap.ts";
import { bytesOf } from "./exchange_lab.ts";

Deno.test("usageTapOf reads a response in its own content type", () => {
  const start = {
    type: "message_start",
    message: { usage: { input_tokens: 3 } },
  };
  const stream = `event: message_start\ndata: ${JSON.stringify(start)}\n\n`;
  const usageIn = (type: string) => {
    const headers = { "content-type": type };
    const tap = usageTapOf(messagesFormat, new Response(null, { headers }));
    tap.push(bytesOf(stream));
    return tap.finish().input;
  };
  assert.equal(usageIn("text/event-stream"), 3);
  assert.equal(usageIn("application/json"), undefined);
});

/** What the meter is given of an answer of 400 bytes. */
function noted(
  type: string,
  outcome: Partial<RelayOutcome>,
  status = 200,
): Parameters<Meter["used"]> {
  const used: Parameters<Meter["used"]>[] = [];
  noteUsage(
    {
      format: { streamBytesPerToken: 40 },
      meter: { used: (...given) => used.push(given) },
    },
    new Response("", { status, headers: { "content-type": type } }),
    { aborted: false, bytes: 400, usage: { output: 1 }, ...outcome },
  );
  assert.equal(used.length, 1);
  return used[0]!;
}

Deno.test("noteUsage estimates the output of an answer that broke off or did not say, and of no other", () => {
  const of = (...answer: Parameters<typeof noted>) =>
    noted(...answer)[0].outputEstimate;
  const STREAM = "text/event-stream; charset=utf-8";
  assert.equal(of(STREAM, {}), undefined);
  assert.equal(of(STREAM, { aborted: true }), 10);
  assert.equal(of(STREAM, { error: new Error("reset") }), 10);
  assert.equal(of(STREAM, { usage: {} }), 10);
  assert.equal(of("application/json", { usage: {} }), 100);
  assert.equal(of(STREAM, { usage: {}, bytes: 0 }), undefined);
  assert.equal(of("application/json", { usage: {} }, 500), undefined);
});

Deno.test("noteUsage takes an answer by its size, and no error or page for an answer", () => {
  const of = (type: string, status = 200) => noted(type, {}, status)[1];
  assert.equal(of("text/event-stream; charset=utf-8"), 10);
  assert.equal(of("application/json"), 100);
  assert.equal(of("Application/JSON; charset=utf-8"), 100);
  assert.equal(of("application/problem+json"), 100);
  for (const type of ["", "text/plain", "application/jsonp", "image/png"]) {
    assert.equal(of(type), 0, type);
  }
  assert.equal(of("application/json", 500), 0);
  assert.equal(of("text/event-stream", 404), 0);
});
