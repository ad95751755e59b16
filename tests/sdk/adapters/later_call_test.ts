import assert from "node:assert/strict";
import { LaterCall } from "../../../src/sdk/adapters/later_call.ts";

/** A promise as the clients of providers make them: the body is read only when somebody asks. */
function call(seen: string[]) {
  return {
    then: <A, B>(
      done?: ((value: string) => A | PromiseLike<A>) | null,
      failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
    ) => {
      seen.push("parsed");
      return Promise.resolve("body").then(done, failed);
    },
    asResponse: () => Promise.resolve("response"),
    withResponse: () => Promise.resolve(["body", "response"]),
  };
}

Deno.test("LaterCall gives the result, once, after what it waits for", async () => {
  const seen: string[] = [];
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const later = new LaterCall(ready, () => {
    seen.push("called");
    return call(seen);
  });
  assert(later instanceof Promise);
  assert.deepEqual(seen, []);
  resolve();
  assert.equal(await later, "body");
  assert.equal(await later.finally(() => {}), "body");
  assert.equal(await later.then((body) => `${body}!`), "body!");
  assert.deepEqual(seen, ["called", "parsed"]);
});

Deno.test("LaterCall asks the call's own promise for the response, and reads nothing else", async () => {
  const seen: string[] = [];
  const later = new LaterCall(Promise.resolve(), () => call(seen));
  assert.equal(await later.asResponse(), "response");
  assert.deepEqual(await later.withResponse(), ["body", "response"]);
  assert.deepEqual(seen, []);
});

Deno.test("LaterCall fails as the call does, whoever asks", async () => {
  const failing = () =>
    new LaterCall(Promise.resolve(), () => Promise.reject(new Error("no")));
  await assert.rejects(failing(), /^Error: no$/);
  assert.equal(await failing().catch(() => "caught"), "caught");
  const thrown = new LaterCall(Promise.resolve(), () => {
    throw new Error("at once");
  });
  await assert.rejects(thrown.withResponse(), /at once/);
  await assert.rejects(
    new LaterCall(Promise.resolve(), () => Promise.resolve(1)).asResponse(),
    /Cannot call asResponse/,
  );
});
