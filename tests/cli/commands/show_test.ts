import assert from "node:assert/strict";
import { Command, CommanderError } from "@commander-js/extra-typings";
import { defineShow } from "../../../src/cli/commands/show.ts";
import { fakeIo } from "../fake_io.ts";
import { aloneBlock, readerOf, requestOf } from "../inspect/samples.ts";

const ROWS = [requestOf(1), requestOf(2, { blocks: [aloneBlock()] })];

/** Runs one command line on a ledger with two requests. */
async function run(...words: string[]) {
  let exitCode: number | string | undefined;
  const io = fakeIo({
    openLedger: () =>
      Promise.resolve({ reader: readerOf(ROWS), close: () => {} }),
  });
  const program = new Command("svc").exitOverride();
  program.configureOutput({ writeErr: (text) => io.stderr(text) });
  defineShow(program.command("show"), io, (code) => void (exitCode = code));
  try {
    await program.parseAsync(["show", ...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    exitCode = error.code;
  }
  return { exitCode, out: io.out(), err: io.err() };
}

Deno.test("defineShow shows the newest request, or the one that is named", async () => {
  const newest = await run();
  assert.equal(newest.exitCode, 0);
  assert.match(newest.out, /^Request 0002/);
  assert.match((await run("0001")).out, /^Request 0001/);
});

Deno.test("defineShow passes its options on", async () => {
  const { out, err } = await run("--no-diff", "--json", "--block", "1");
  const { blocks } = JSON.parse(out);
  assert.equal(blocks.length, 1);
  assert.equal("form" in blocks[0], false);
  assert.equal(err, "");
});

Deno.test("defineShow refuses a block that is no number", async () => {
  const { exitCode, err } = await run("--block", "x");
  assert.equal(exitCode, "commander.invalidArgument");
  assert.match(err, /Give a positive integer/);
});
