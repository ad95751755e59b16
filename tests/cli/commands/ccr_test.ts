import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { refused, svc } from "../fake_io.ts";
import { ccrKey } from "../../../src/ccr/key.ts";
import { emptyWorld, originalsScene } from "../originals/kept_originals.ts";
import fc from "fast-check";
import { conversationOf, entryOf } from "../../ccr/samples.ts";

Deno.test("svc ccr list takes 20 originals unless told otherwise", async () => {
  const texts = Array.from({ length: 25 }, (_, i) => `${i}`);
  for (const [flags, count] of [["", 20], [" --limit 3", 3]] as const) {
    const { io, keep } = originalsScene();
    await keep(...texts);
    assert.equal(await svc(`ccr list${flags}`, io), 0);
    assert.equal(io.out().split("\n").length, 1 + count + 1);
  }
});

Deno.test("svc ccr refuses what makes no sense", async () => {
  const { io } = originalsScene();
  for (const limit of ["0", "-1", "x", "1.5", "1e3", "99999999999999999999"]) {
    await refused(`ccr list --limit ${limit}`, io, [2, /a positive integer/]);
  }
  for (const line of ["show", "bogus", "list x", "clear --everything"]) {
    await refused(`ccr ${line}`, io, [2, /^error: /m]);
  }
});

const LINES = Array.from({ length: 9 }, (_, i) => `line ${i + 1}`).join("\n");

Deno.test("svc ccr show prints an original byte for byte and counts it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", minLength: 1 }),
      async (text) => {
        const { io, store, keep } = originalsScene();
        const written: Uint8Array[] = [];
        await keep(text);
        const stdout = (bytes: Uint8Array) => void written.push(bytes);
        await svc(`ccr show ${ccrKey(text)}`, { ...io, stdout });
        assert.deepEqual(written, [new TextEncoder().encode(text)]);
        assert.equal(io.err(), "");
        const [event] = store.retrievalEvents(9);
        assert.deepEqual([event?.via, event?.part], ["cli", "full"]);
      },
    ),
    { numRuns: 20, examples: [["\ufeff\0\r\n"]] },
  );
});

Deno.test("svc ccr show prints a part, and says on stderr which", async () => {
  const { io, store, keep } = originalsScene();
  await keep(LINES);
  await svc(`ccr show ${ccrKey(LINES)} --lines 2-3`, io);
  assert.equal(io.out().trimEnd(), "line 2\nline 3");
  assert.match(io.err(), /2-3 of 9/);
  assert.equal(store.retrievalEvents(1)[0]?.part, "lines");
  await svc(`ccr show ${ccrKey(LINES)} --query 7`, io);
  assert.match(io.out(), /line 7/);
});

Deno.test("svc ccr show gives programs the answer of the retrieval tool", async () => {
  const { io, keep } = originalsScene();
  await keep("abc");
  await svc(`ccr show ${ccrKey("abc")} --json`, io);
  assert.deepEqual(JSON.parse(io.out()), {
    hash: ccrKey("abc"),
    original_content: "abc",
    original_item_count: 40,
    compressed_item_count: 8,
  });
});

Deno.test("svc ccr show takes a beginning that is unique, in any case and with hash= before it", async () => {
  const key = ccrKey("abc");
  for (const given of [key.slice(0, 6), key.toUpperCase(), `hash=${key} `]) {
    const { io, keep } = originalsScene();
    await keep("abc", "other");
    assert.equal(await runCli(["ccr", "show", given], io), 0);
    assert.equal(io.out(), "abc");
  }
});

Deno.test("svc ccr show refuses a beginning that several originals have", async () => {
  const seen = new Map<string, string>();
  let [one, two] = ["", ""];
  for (let i = 0; two === ""; i++) {
    const start = ccrKey(`${i}`).slice(0, 6);
    [one, two] = seen.has(start) ? [seen.get(start)!, `${i}`] : ["", ""];
    seen.set(start, `${i}`);
  }
  const { io, keep } = originalsScene();
  await keep(one, two);
  const line = `ccr show ${ccrKey(one).slice(0, 6)}`;
  await refused(line, io, [1, /2 begin like that .*Give more digits/]);
});

Deno.test("svc ccr show tells what it does not find from what makes no sense", async () => {
  const { io, clock, keep } = originalsScene();
  await keep(LINES);
  const key = ccrKey(LINES);
  const fails = (words: string, message: RegExp, code = 1) =>
    refused(`ccr show ${words}`, io, [code, message]);
  for (const hash of ["", "xyz", "abcde", `${key}0`, "../../etc"]) {
    await fails(hash, /must be 24 hexadecimal/, 2);
  }
  await fails(`${key} --query=`, /empty --query/, 2);
  await fails(ccrKey("x"), /no such original in \/home.*1800 seconds/);
  await fails("0123456", /begins like that/);
  await refused(`ccr show ${key}`, emptyWorld(), [1, /no such/]);
  await fails(`${key} --lines 100-200`, /100-200/);
  assert.equal(io.out(), "");
  clock.pass(1_801_000);
  await fails(key, /expired .*TTL: 1800 seconds/);
});

Deno.test("svc ccr clear removes what no conversation uses, and says how much", async () => {
  const { io, store, clock, keep } = originalsScene();
  await keep("a", "b");
  clock.pass(31 * 60_000);
  const now = clock.now();
  const conversation = conversationOf("c");
  await store.write({ now, conversation, entries: [entryOf("c", now)] });
  assert.equal(await svc("ccr clear", io), 0);
  assert.equal(store.stats().entries, 1);
  assert.equal(
    io.err(),
    "Removed 2 originals (3.00 kB) that no conversation of the last 30 minutes uses, and what was sent for them; 1 left in /home/a/.svc/ccr_store.db\n",
  );
  assert.equal(io.out(), "");
});

Deno.test("svc ccr clear removes everything only when it is told to", async () => {
  const { io, store, clock } = originalsScene();
  const now = clock.now();
  const conversation = conversationOf("c");
  await store.write({ now, conversation, entries: [entryOf("c", now)] });
  assert.equal(await svc("ccr clear --all", io), 0);
  assert.equal(store.stats().entries, 0);
  assert.match(io.err(), /every conversation .*; 0 left in /);
});

Deno.test("svc ccr clear removes nothing in a dry run", async () => {
  const { io, store, keep } = originalsScene({
    clear: () => Promise.reject(new Error("cleared")),
    clearable: (what) => ({ entries: 1, bytes: what === "all" ? 7 : 5 }),
  });
  await keep("a");
  await svc("ccr clear --dry-run", io);
  await svc("ccr clear --all --dry-run", io);
  assert.match(
    io.err(),
    /^Would remove 1 original \(5 bytes\) .*\nWould remove 1 original \(7 bytes\), every/,
  );
  assert.equal(store.stats().entries, 1);
});

Deno.test("svc ccr clear reports when the files are closed, and why nothing was removed", async () => {
  const order: string[] = [];
  const { io } = originalsScene({
    [Symbol.asyncDispose]: () => Promise.resolve(void order.push("closed")),
  });
  const stderr = () => void order.push("said");
  await svc("ccr clear --all", { ...io, stderr });
  assert.deepEqual(order, ["closed", "said"]);

  const failing = originalsScene({
    clear: () => Promise.reject(new Error("Cannot write to the CCR store: x")),
  });
  await refused("ccr clear --all", failing.io, [
    1,
    /^error: Nothing was removed\. Cannot write to the CCR store: x\n$/,
  ]);
});

Deno.test("svc ccr clear makes no database", async () => {
  const io = emptyWorld();
  assert.equal(await svc("ccr clear --all", io), 0);
  assert.match(io.err(), /^Nothing to remove: there is no \/home/);
});
