import assert from "node:assert/strict";
import { Command, CommanderError } from "@commander-js/extra-typings";
import { defineCcr } from "../../../src/cli/commands/ccr.ts";
import { ccrKey } from "../../../src/ccr/key.ts";
import type { CliIo } from "../../../src/cli/io.ts";
import { originalsScene } from "../originals/kept_originals.ts";

/** Runs one command line. Returns the exit code, or the failure of the parser. */
async function run(words: string, io: CliIo): Promise<number | string> {
  let exitCode: number | undefined;
  const program = new Command("svc").exitOverride();
  program.configureOutput({
    writeOut: (text) => io.stdout(new TextEncoder().encode(text)),
    writeErr: (text) => io.stderr(text),
  });
  defineCcr(program.command("ccr"), io, (code) => void (exitCode = code));
  try {
    await program.parseAsync(["ccr", ...words.split(" ")], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.code;
    throw error;
  }
  assert.notEqual(exitCode, undefined, "it said that it was done");
  return exitCode!;
}

Deno.test("defineCcr lists, 20 originals unless told otherwise", async () => {
  const texts = Array.from({ length: 25 }, (_, i) => `${i}`);
  for (const [words, count] of [["list", 20], ["list --limit 3", 3]] as const) {
    const { io, keep } = originalsScene();
    await keep(...texts);
    assert.equal(await run(words, io), 0);
    assert.equal(io.out().split("\n").length, 1 + count + 1);
  }
  const { io, keep } = originalsScene();
  await keep("a");
  await run("list --json", io);
  assert.equal(JSON.parse(io.out()).length, 1);
});

Deno.test("defineCcr refuses a limit that is no positive integer", async () => {
  for (const limit of ["0", "-1", "x", "1.5", "1e3", "99999999999999999999"]) {
    const { io } = originalsScene();
    const refused = await run(`list --limit ${limit}`, io);
    assert.equal(refused, "commander.invalidArgument");
    assert.match(io.err(), /Give a positive integer/);
  }
});

Deno.test("defineCcr shows an original or a part of it", async () => {
  const text = "one\ntwo\nthree";
  const key = ccrKey(text);
  const outputs: string[] = [];
  for (const words of ["", " --lines 2", " --query three", " --json"]) {
    const { io, keep } = originalsScene();
    await keep(text);
    assert.equal(await run(`show ${key}${words}`, io), 0);
    outputs.push(io.out());
  }
  assert.equal(outputs[0], text);
  assert.match(outputs[1]!, /^two\n?$/);
  assert.match(outputs[2]!, /three/);
  assert.equal(JSON.parse(outputs[3]!).original_content, text);
});

Deno.test("defineCcr gives figures and clears", async () => {
  const { io, store, keep } = originalsScene();
  await keep("a");
  assert.equal(await run("stats", io), 0);
  assert.match(io.out(), /^Database {3}/);
  assert.equal(await run("clear --dry-run", io), 0);
  assert.equal(store.stats().entries, 1);
  assert.equal(await run("clear --all", io), 0);
  assert.equal(store.stats().entries, 0);
  const json = originalsScene().io;
  await run("stats --json", json);
  assert.equal(JSON.parse(json.out()).entries, 0);
});

Deno.test("defineCcr has a help page with examples for every subcommand", async () => {
  for (const name of ["list", "show", "stats", "clear"]) {
    const { io } = originalsScene();
    assert.equal(await run(`${name} --help`, io), "commander.helpDisplayed");
    assert.match(io.out(), new RegExp(`^Examples:\n {2}svc ccr ${name}`));
  }
});

Deno.test("defineCcr wants a hash, one of its subcommands, and nothing else", async () => {
  const { io } = originalsScene();
  assert.equal(await run("show", io), "commander.missingArgument");
  assert.equal(await run("bogus", io), "commander.unknownCommand");
  assert.equal(await run("list x", io), "commander.excessArguments");
  assert.equal(await run("clear --everything", io), "commander.unknownOption");
});
