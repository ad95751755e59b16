import assert from "node:assert/strict";
import { openCcrChannel } from "../../src/ccr/channel.ts";
import { Writer } from "../../src/writer/writer.ts";

Deno.test("openCcrChannel speaks of the store when it fails", async () => {
  const spawn = () => {
    throw new Error("no threads");
  };
  const events: string[] = [];
  const channel = openCcrChannel(new Writer({ spawn }), {
    path: "",
    ttlMs: 1,
    maxBytes: 1,
    log: (_, event) => events.push(event),
  });
  channel.start();
  assert.deepEqual(events, ["ccr_store_writer_failed"]);
  await channel[Symbol.asyncDispose]();
  await assert.rejects(
    channel.run({ type: "write", batch: { now: 0 } }),
    /Cannot write to the CCR store: it is closed/,
  );
});
