import assert from "node:assert/strict";
import { CliFailure } from "../../../src/cli/failure.ts";
import { runClear } from "../../../src/cli/originals/clear.ts";
import { conversationOf, entryOf } from "../../ccr/samples.ts";
import { emptyWorld, originalsScene } from "./kept_originals.ts";

Deno.test("runClear removes what no conversation uses, and says how much", async () => {
  const { io, store, clock, keep } = originalsScene();
  await keep("a", "b");
  clock.pass(31 * 60_000);
  const now = clock.now();
  const conversation = conversationOf("c");
  await store.write({ now, conversation, entries: [entryOf("c", now)] });
  await runClear({ all: false, dryRun: false }, io);
  assert.equal(store.stats().entries, 1);
  assert.equal(
    io.err(),
    "Removed 2 originals (3.00 kB) that no conversation of the last 30 minutes uses, and what was sent for them; 1 left in /home/a/.svc/ccr_store.db\n",
  );
  assert.equal(io.out(), "");
});

Deno.test("runClear removes everything only when it is told to", async () => {
  const { io, store, clock } = originalsScene();
  const now = clock.now();
  const conversation = conversationOf("c");
  await store.write({ now, conversation, entries: [entryOf("c", now)] });
  await runClear({ all: true, dryRun: false }, io);
  assert.equal(store.stats().entries, 0);
  assert.match(io.err(), /every conversation .*; 0 left in /);
});

Deno.test("runClear removes nothing in a dry run", async () => {
  const { io, store, keep } = originalsScene({
    clear: () => Promise.reject(new Error("cleared")),
    clearable: (what) => ({ entries: 1, bytes: what === "all" ? 7 : 5 }),
  });
  await keep("a");
  for (const all of [false, true]) await runClear({ all, dryRun: true }, io);
  assert.match(
    io.err(),
    /^Would remove 1 original \(5 bytes\) .*\nWould remove 1 original \(7 bytes\), every/,
  );
  assert.equal(store.stats().entries, 1);
});

Deno.test("runClear reports when the files are closed, and why nothing was removed", async () => {
  const order: string[] = [];
  const { io } = originalsScene({
    close: () => Promise.resolve(void order.push("closed")),
  });
  const stderr = () => void order.push("said");
  await runClear({ all: true, dryRun: false }, { ...io, stderr });
  assert.deepEqual(order, ["closed", "said"]);

  const failing = originalsScene({
    clear: () => Promise.reject(new Error("Cannot write to the CCR store: x")),
  });
  await assert.rejects(
    runClear({ all: true, dryRun: false }, failing.io),
    (error: CliFailure) =>
      error instanceof CliFailure && error.exitCode === 1 &&
      error.message === "Nothing was removed. Cannot write to the CCR store: x",
  );
});

Deno.test("runClear makes no database", async () => {
  const io = emptyWorld();
  await runClear({ all: true, dryRun: false }, io);
  assert.match(io.err(), /^Nothing to remove: there is no \/home/);
});
