import assert from "node:assert/strict";
import { Command, CommanderError } from "@commander-js/extra-typings";
import { defineLog } from "../../../src/cli/commands/log.ts";
import { fakeIo } from "../fake_io.ts";
import { NOON, readerOf, requestOf } from "../inspect/samples.ts";

const ROWS = Array.from({ length: 25 }, (_, i) => requestOf(i + 1));

/** Runs one command line on a ledger with 25 requests. Returns the exit code or the parser's failure, and stdout. */
async function run(...words: string[]) {
  let exitCode: number | string | undefined;
  const io = fakeIo({
    now: () => NOON + 20_000,
    openLedger: () =>
      Promise.resolve({ reader: readerOf(ROWS), close: () => {} }),
    wait: () => Promise.resolve(io.signal()),
  });
  const program = new Command("svc").exitOverride();
  program.configureOutput({
    writeOut: (text) => io.stdout(new TextEncoder().encode(text)),
    writeErr: (text) => io.stderr(text),
  });
  defineLog(program.command("log"), io, (code) => void (exitCode = code));
  try {
    await program.parseAsync(["log", ...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    exitCode = error.code;
  }
  return { exitCode, lines: io.out().trimEnd().split("\n"), err: io.err() };
}

Deno.test("defineLog lists 20 requests, more or fewer when told", async () => {
  assert.deepEqual([(await run()).exitCode, (await run()).lines.length], [
    0,
    21,
  ]);
  assert.equal((await run("--limit", "3")).lines.length, 4);
  assert.equal((await run("--since", "1h")).lines.length, 26);
  assert.equal((await run("--since", "10s")).lines.length, 17);
  assert.equal((await run("--json", "--limit", "2")).lines.length, 2);
});

Deno.test("defineLog ends with 0 when following is stopped", async () => {
  assert.equal((await run("-f")).exitCode, 0);
});

Deno.test("defineLog refuses a limit or a time that makes no sense", async () => {
  const { exitCode, err } = await run("--since", "soon");
  assert.equal(exitCode, "commander.invalidArgument");
  assert.match(err, /Give a time, e\.g\. 30m, 2h/);
  assert.match((await run("--limit", "0")).err, /Give a positive integer/);
});
