import assert from "node:assert/strict";
import { CallsInFlight } from "../../src/proxy/calls_in_flight.ts";

const peer = { address: "127.0.0.1" };

Deno.test("CallsUnderWay.begin aborts with the request's own signal, until the call is recorded", () => {
  const calls = new CallsInFlight();
  const request = new AbortController();
  const first = calls.begin(request, {});
  const second = calls.begin(request, { peer });
  second.recorded();
  const reason = new Error("gone");
  request.abort(reason);
  assert.equal(first.signal.reason, reason);
  assert.equal(second.signal.aborted, false);
  assert.equal(calls.begin(request, {}).signal.aborted, true);
});

Deno.test("CallsUnderWay.begin aborts when the server notices that the client left", () => {
  let leave = () => {};
  const { signal } = new CallsInFlight().begin(new Request("http://x"), {
    peer,
    onLeave: (listener) => leave = listener,
  });
  assert.equal(signal.aborted, false);
  leave();
  assert.equal(signal.reason.name, "AbortError");
});

Deno.test("CallsInFlight is idle while every call is recorded", () => {
  const calls = new CallsInFlight();
  assert.equal(calls.isIdle, true);
  const { recorded } = calls.begin(new Request("http://x"), {});
  assert.equal(calls.isIdle, false);
  recorded();
  assert.equal(calls.isIdle, true);
});

Deno.test("CallsUnderWay.counted resolves after the records that wait for their count", async () => {
  const calls = new CallsInFlight();
  const steps: string[] = [];
  const count = Promise.withResolvers<void>();
  calls.waitFor(count.promise.then(() => void steps.push("record")));
  const report = calls.counted().then(() => void steps.push("report"));
  count.resolve();
  await report;
  assert.deepEqual(steps, ["record", "report"]);
});

Deno.test("CallsUnderWay.cutOff waits for a call that is recorded some turns later", async () => {
  const calls = new CallsInFlight();
  const { signal, recorded } = calls.begin(new Request("http://x"), {});
  const steps: string[] = [];
  signal.addEventListener("abort", async () => {
    for (let turn = 0; turn < 5; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    calls.waitFor(Promise.resolve().then(() => void steps.push("record")));
    recorded();
  });
  await calls.cutOff(60_000);
  steps.push("stopped");
  assert.equal(signal.reason.name, "AbortError");
  assert.deepEqual(steps, ["record", "stopped"]);
});

Deno.test("CallsUnderWay.cutOff gives up on a call that is never recorded", async () => {
  const calls = new CallsInFlight();
  calls.begin(new Request("http://x"), {});
  await calls.cutOff(1);
  assert.equal(calls.isIdle, false);
});
