import { runCli } from "../../../src/cli/run.ts";
import assert from "node:assert/strict";
import { runClear, runShow } from "../../../src/cli/commands/ccr.ts";
import { ccrKey } from "../../../src/ccr/key.ts";
import type { CliIo } from "../../../src/cli/io.ts";
import { emptyWorld, originalsScene } from "../originals/kept_originals.ts";
import fc from "fast-check";
import { CliFailure } from "../../../src/cli/failure.ts";
import { conversationOf, entryOf } from "../../ccr/samples.ts";

function run(words: string, io: CliIo): Promise<number> {
  return runCli(["ccr", ...words.split(" ")], io);
}

Deno.test("svc ccr lists, 20 originals unless told otherwise", async () => {
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

Deno.test("svc ccr refuses a limit that is no positive integer", async () => {
  for (const limit of ["0", "-1", "x", "1.5", "1e3", "99999999999999999999"]) {
    const { io } = originalsScene();
    const refused = await run(`list --limit ${limit}`, io);
    assert.equal(refused, 2);
    assert.match(io.err(), /Give a positive integer/);
  }
});

Deno.test("svc ccr shows an original or a part of it", async () => {
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

Deno.test("svc ccr gives figures and clears", async () => {
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

Deno.test("svc ccr has a help page with examples for every subcommand", async () => {
  for (const name of ["list", "show", "stats", "clear"]) {
    const { io } = originalsScene();
    assert.equal(await run(`${name} --help`, io), 0);
    assert.match(io.out(), new RegExp(`^Examples:\n {2}svc ccr ${name}`));
  }
});

Deno.test("svc ccr wants a hash, one of its subcommands, and nothing else", async () => {
  const { io } = originalsScene();
  assert.equal(await run("show", io), 2);
  assert.equal(await run("bogus", io), 2);
  assert.equal(await run("list x", io), 2);
  assert.equal(await run("clear --everything", io), 2);
});

const LINES = Array.from({ length: 9 }, (_, i) => `line ${i + 1}`).join("\n");

/** Whether a run failed like this. */
function failure(exitCode: number, message: RegExp) {
  return (error: unknown) =>
    error instanceof CliFailure && error.exitCode === exitCode &&
    message.test(error.message);
}

Deno.test("runShow prints an original byte for byte and counts it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", minLength: 1 }),
      async (text) => {
        const { io, store, keep } = originalsScene();
        const written: Uint8Array[] = [];
        await keep(text);
        const stdout = (bytes: Uint8Array) => void written.push(bytes);
        await runShow(ccrKey(text), { json: false }, { ...io, stdout });
        assert.deepEqual(written, [new TextEncoder().encode(text)]);
        assert.equal(io.err(), "");
        const [event] = store.retrievalEvents(9);
        assert.deepEqual([event?.via, event?.part], ["cli", "full"]);
      },
    ),
    { numRuns: 20, examples: [["\ufeff\0\r\n"]] },
  );
});

Deno.test("runShow prints a part, and says on stderr which", async () => {
  const { io, store, keep } = originalsScene();
  await keep(LINES);
  await runShow(ccrKey(LINES), { json: false, lines: "2-3" }, io);
  assert.equal(io.out().trimEnd(), "line 2\nline 3");
  assert.match(io.err(), /2-3 of 9/);
  assert.equal(store.retrievalEvents(1)[0]?.part, "lines");
});

Deno.test("runShow gives programs the answer of the retrieval tool", async () => {
  const { io, keep } = originalsScene();
  await keep("abc");
  await runShow(ccrKey("abc"), { json: true }, io);
  assert.deepEqual(JSON.parse(io.out()), {
    hash: ccrKey("abc"),
    original_content: "abc",
    original_item_count: 40,
    compressed_item_count: 8,
  });
});

Deno.test("runShow takes a beginning that is unique, in any case and with hash= before it", async () => {
  const key = ccrKey("abc");
  for (const given of [key.slice(0, 6), key.toUpperCase(), `hash=${key} `]) {
    const { io, keep } = originalsScene();
    await keep("abc", "other");
    await runShow(given, { json: false }, io);
    assert.equal(io.out(), "abc");
  }
});

Deno.test("runShow refuses a beginning that several originals have", async () => {
  const seen = new Map<string, string>();
  let [one, two] = ["", ""];
  for (let i = 0; two === ""; i++) {
    const start = ccrKey(`${i}`).slice(0, 6);
    [one, two] = seen.has(start) ? [seen.get(start)!, `${i}`] : ["", ""];
    seen.set(start, `${i}`);
  }
  const { io, keep } = originalsScene();
  await keep(one, two);
  await assert.rejects(
    runShow(ccrKey(one).slice(0, 6), { json: false }, io),
    failure(1, /2 begin like that .*Give more digits/),
  );
});

Deno.test("runShow tells what it does not find from what makes no sense", async () => {
  const { io, clock, keep } = originalsScene();
  await keep(LINES);
  const key = ccrKey(LINES);
  const run = (hash: string, part = {}, world = io) =>
    runShow(hash, { json: false, ...part }, world);
  for (const hash of ["", "xyz", "abcde", `${key}0`, "../../etc"]) {
    await assert.rejects(run(hash), failure(2, /must be 24 hexadecimal/));
  }
  await assert.rejects(run(key, { query: "" }), failure(2, /empty --query/));
  await assert.rejects(
    run(ccrKey("x")),
    failure(1, /no such original in \/home.*1800 seconds/),
  );
  await assert.rejects(run("0123456"), failure(1, /begins like that/));
  await assert.rejects(run(key, {}, emptyWorld()), failure(1, /no such/));
  await assert.rejects(
    run(key, { lines: "100-200" }),
    failure(1, /100-200/),
  );
  assert.equal(io.out(), "");
  clock.pass(1_801_000);
  await assert.rejects(run(key), failure(1, /expired .*TTL: 1800 seconds/));
});

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
    [Symbol.asyncDispose]: () => Promise.resolve(void order.push("closed")),
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
