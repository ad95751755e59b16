/** The store under load: several processes, sudden ends, many originals. @module */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { CcrStore } from "../../src/core/store.ts";
import { makeConversations } from "../../src/ccr/conversations.ts";
import { linesOf } from "../../src/cli/streams.ts";
import { openSqliteStore } from "../../src/ccr/sqlite_store.ts";
import { BUSY_NOW, busyEntries, type BusyReport } from "./busy_writer.ts";
import {
  blockOf,
  conversationOf,
  entryOf,
  eventOf,
  formOf,
} from "./samples.ts";
import { costRatio } from "../cpu_time.ts";

const PROGRAM = new URL("./busy_writer.ts", import.meta.url).pathname;
const now = BUSY_NOW;

function open(place: string): Promise<CcrStore> {
  return openSqliteStore({
    path: `${place}/store.db`,
    ttlSeconds: 3600,
    clock: { now: () => now, monotonic: () => now },
    log: () => {},
    version: "1.2.3",
  });
}

/** Runs one program; kills it after `killAfter` of its writes. Returns the writes that it said were done, and its report. */
async function runWriter(
  place: string,
  name: string,
  { writes, killAfter = Infinity }: { writes: number; killAfter?: number },
): Promise<{ done: readonly number[]; report: BusyReport | undefined }> {
  const path = `${place}/store.db`;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--no-prompt",
      PROGRAM,
      path,
      name,
      `${writes}`,
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const done: number[] = [];
  let report: BusyReport | undefined;
  for await (const line of linesOf(child.stdout)) {
    if (line.startsWith("{")) report = JSON.parse(line);
    else done.push(Number(line));
    if (done.length === killAfter) child.kill("SIGKILL");
  }
  await child.status;
  return { done, report };
}

/** Fails unless everything that these writes put into the store is there. */
function assertThere(
  store: CcrStore,
  name: string,
  done: readonly number[],
): void {
  for (const i of done) {
    for (const entry of busyEntries(name, i)) {
      assert.deepEqual(store.entry(entry.key, now), entry, `${name} ${i}`);
    }
  }
  const blocks = done.map((i) => blockOf(`${name} ${i}`));
  assert.equal(store.forms(blocks).size, new Set(done).size);
}

/** Fails unless the file is sound and its sums are right. */
function assertSound(place: string): void {
  using db = new DatabaseSync(`${place}/store.db`, { timeout: 5000 });
  const [check] = db.prepare("PRAGMA integrity_check").all();
  assert.deepEqual({ ...check }, { integrity_check: "ok" });
  const counted = db.prepare(
    `SELECT count(*) AS entries, sum(bytes) AS bytes,
      sum(length(original)) AS real, sum(form_tokens) AS tokens FROM entries`,
  ).get()!;
  const totals = db.prepare("SELECT * FROM totals").get()!;
  assert.equal(counted["entries"], totals["entries"]);
  assert.equal(counted["bytes"], totals["bytes"]);
  assert.equal(counted["bytes"], counted["real"]);
  assert.equal(counted["tokens"], totals["form_tokens"]);
}

Deno.test("openSqliteStore loses nothing that was written when its processes are killed at any moment", async () => {
  const place = await Deno.makeTempDir();
  const all = new Map<string, readonly number[]>();
  const rounds = Array.from({ length: 6 }, (_, round) => round);
  for (const round of rounds) {
    const names = ["a", "b"].map((name) => `${name}${round}`);
    await Promise.all(names.map(async (name) => {
      const killAfter = 1 + Math.floor(Math.random() * 60);
      const { done, report } = await runWriter(place, name, {
        writes: 1e6,
        killAfter,
      });
      assert.equal(report, undefined);
      assert.ok(done.length >= killAfter);
      all.set(name, done);
    }));
    await using store = await open(place);
    for (const [name, done] of all) assertThere(store, name, done);
  }
  assertSound(place);
  await Deno.remove(place, { recursive: true });
});

Deno.test("openSqliteStore shared by three busy processes refuses at most, and keeps the rest", async () => {
  const place = await Deno.makeTempDir();
  const names = ["a", "b", "c"];
  const writes = 200;
  const runs = await Promise.all(
    names.map((name) => runWriter(place, name, { writes })),
  );
  await using store = await open(place);
  runs.forEach(({ done, report }, i) => {
    assert.ok(report, "it ended by itself");
    assert.deepEqual(report.logged, []);
    assert.equal(report.missed, 0);
    assert.deepEqual(
      report.refused.filter((reason) => !/database is locked/.test(reason)),
      [],
    );
    assert.equal(done.length + report.refused.length, writes);
    assert.ok(done.length > writes / 2, `${report.refused.length} refused`);
    assertThere(store, names[i]!, done);
  });
  assertSound(place);
  await Deno.remove(place, { recursive: true });
});

/** Characters of an original in the comparison of sizes. */
const FILLER = "x".repeat(20_000);

/** A store of `count` originals of 20 kB, 100 in each conversation, every one asked for once. */
async function filled(place: string, count: number): Promise<CcrStore> {
  const store = await open(place);
  for (let i = 0; i < count; i += 100) {
    const texts = Array.from(
      { length: Math.min(100, count) },
      (_, k) => `${i + k} ${FILLER}`,
    );
    const at = now - count + i;
    const entries = texts.map((text) => entryOf(text, at));
    await store.write({
      now: at,
      conversation: conversationOf(`${i / 100}`),
      entries,
      forms: new Map(entries.map(({ key }, k) => [
        blockOf(`${i + k}`),
        formOf("x".repeat(500), { entry: key }),
      ])),
      retrievals: [{ anchor: `call_${i}`, format: "f", data: "x" }],
      asked: texts.map((text) => eventOf(text, at)),
    });
  }
  return store;
}

/** What one request asks of the store. Each returns a promise or nothing. */
function requestsOn(store: CcrStore): Record<string, (i: number) => unknown> {
  const options = {
    clock: { now: () => now, monotonic: () => now },
    ttlSeconds: 3600,
    log: () => {},
  };
  const conversations = makeConversations(store, options);
  const conversation = conversationOf("0");
  const blocks = Array.from({ length: 50 }, (_, i) => blockOf(`${i % 10}`));
  const own = Array.from(
    { length: 10 },
    (_, i) => entryOf(`${i} ${FILLER}`, now).key,
  );
  const names = Array.from({ length: 50 }, (_, i) => `other_${i}`);
  return {
    forms: () => store.forms(blocks),
    stale: () => conversations.stale(conversation, own, now),
    open: () => conversations.open(conversation),
    adopt: () => conversations.adopt(conversation, () => names),
    full: () => store.full(),
    stats: () => store.stats(),
    count: () => store.retrievalCount(own[0]!),
    write: (i) =>
      store.write({
        now,
        conversation,
        entries: [0, 1, 2].map((k) => entryOf(`new ${i} ${k} ${FILLER}`, now)),
      }),
  };
}

Deno.test("openSqliteStore asks no more CPU time of a request with 10,000 originals than with 10", async () => {
  const [few, many] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  {
    await using small = await filled(few, 10);
    await using large = await filled(many, 10_000);
    assert.equal(large.stats().entries, 10_000);
    const [onSmall, onLarge] = [requestsOn(small), requestsOn(large)];
    let i = 0;
    for (const [name, request] of Object.entries(onLarge)) {
      const ratio = await costRatio({
        work: () => request(i++),
        base: () => onSmall[name]!(i++),
      }, 3);
      assert.ok(ratio <= 3, `${name}: ${ratio} times the CPU time`);
    }
  }
  await Deno.remove(few, { recursive: true });
  await Deno.remove(many, { recursive: true });
});
