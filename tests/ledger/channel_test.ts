import assert from "node:assert/strict";
import { openLedgerChannel } from "../../src/ledger/channel.ts";
import { Writer } from "../../src/writer/writer.ts";

Deno.test("openLedgerChannel speaks of the ledger when it fails", async () => {
  const spawn = () => {
    throw new Error("no threads");
  };
  const events: string[] = [];
  const channel = openLedgerChannel(
    new Writer({ spawn }),
    { path: "", run: "r", process: "p", slot: undefined },
    (_, event) => events.push(event),
  );
  channel.start();
  assert.deepEqual(events, ["ledger_writer_failed"]);
  await channel[Symbol.asyncDispose]();
  await assert.rejects(
    channel.run({ now: 0, tasks: [], period: undefined }),
    /Cannot write to the ledger: it is closed/,
  );
});
