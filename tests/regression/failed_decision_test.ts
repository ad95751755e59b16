/** A decision that failed is one of its process only: the block goes out as it came, and another process decides it. */
import assert from "node:assert/strict";
import { compressBody } from "../../src/pipeline/compress_body.ts";
import { bodyOf, messagesClient, talk } from "../conformance/conversation.ts";
import { harness, inputOf } from "../pipeline/harness.ts";

/** With a text with a rewrite that needs no tool. */
const body = bodyOf(messagesClient, talk("a".repeat(2000)), 1);

Deno.test("a decision that failed is in no store, and is made by the next process", async () => {
  const first = harness();
  const failed = await compressBody({
    ...first.parts,
    decide: (jobs) =>
      Promise.resolve(
        jobs.map(() => ({ type: "failed", reason: "worker_hung" })),
      ),
  }, inputOf("messages", body));
  failed.sent();
  assert.deepEqual(failed.formed, []);
  // The provider has these bytes in its cache now: this process sends them again.
  assert.equal((await first.send("messages", body)).formed.length, 0);
  const next = harness({ store: first.store });
  assert.equal((await next.send("messages", body)).formed.length, 1);
});
