import assert from "node:assert/strict";
import { clientSignal } from "../../src/proxy/client_signal.ts";

const peer = { address: "127.0.0.1" };

Deno.test("clientSignal aborts with the request's own signal, until it is forgotten", () => {
  const request = new AbortController();
  const { controller } = clientSignal({ signal: request.signal }, undefined);
  const second = clientSignal({ signal: request.signal }, { peer });
  second.forget();
  const reason = new Error("gone");
  request.abort(reason);
  assert.equal(controller.signal.reason, reason);
  assert.equal(second.controller.signal.aborted, false);
  const late = clientSignal({ signal: request.signal }, undefined);
  assert.equal(late.controller.signal.aborted, true);
});

Deno.test("clientSignal aborts when the server notices that the client left", () => {
  let leave = () => {};
  const { controller } = clientSignal(new Request("http://x"), {
    peer,
    onLeave: (listener) => leave = listener,
  });
  assert.equal(controller.signal.aborted, false);
  leave();
  assert.equal(controller.signal.reason.name, "AbortError");
});
