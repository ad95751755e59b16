import type { McpEvent } from "../../src/mcp/parts.ts";
import {
  eventTotals,
  makeSessionStats,
  putAside,
} from "../../src/mcp/session_stats.ts";
import { join } from "node:path";
import assert from "node:assert/strict";
import { tempDir } from "../temp_dir.ts";

const MAX_FILE_BYTES = 1_000_000;
const COMPRESS: McpEvent = {
  type: "compress",
  tokensBefore: 100,
  tokensAfter: 30,
  hash: "abc",
};
const RETRIEVE: McpEvent = { ...COMPRESS, type: "retrieve", tokensAfter: 20 };

/** A process with a workspace of its own, which goes with the block. */
async function world() {
  const place = await tempDir();
  const workspace = join(place.path, "a", "b");
  const path = join(workspace, "session_stats.jsonl");
  const failures: unknown[] = [];
  const process = (session: string) =>
    makeSessionStats({
      session,
      pid: 42,
      now: () => 1000,
      workspace,
      onFailure: (error) => void failures.push(error),
    });
  return {
    ...{ workspace, path, aside: `${path}.1`, failures, process },
    ...process("s1"),
    read: (name: string) => Deno.readTextFile(name),
    append: (text: string) => Deno.writeTextFile(path, text, { append: true }),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

Deno.test("makeSessionStats adds up what the tools did, also where nothing may be written", () => {
  const { record, totals } = makeSessionStats({
    ...{ session: "s1", pid: 42, now: () => 1, workspace: undefined },
    onFailure: () => assert.fail("nothing is written"),
  });
  [COMPRESS, COMPRESS, RETRIEVE].forEach(record);
  assert.deepEqual(totals(), {
    compressions: 2,
    retrievals: 1,
    tokens_saved: 140,
    tokens_retrieved: 20,
  });
});

Deno.test("makeSessionStats writes one line per event, into a file for its owner only", async () => {
  await using at = await world();
  await assert.rejects(Deno.stat(at.workspace), Deno.errors.NotFound);
  at.record(COMPRESS);
  at.record(RETRIEVE);
  const [first, ...others] = (await at.read(at.path)).split("\n");
  assert.deepEqual(JSON.parse(first!), {
    type: "compress",
    at: 1000,
    tool: "headroom_compress",
    tokens_before: 100,
    tokens_after: 30,
    hash: "abc",
    session: "s1",
    pid: 42,
  });
  assert.deepEqual([others.length, others.at(-1)], [2, ""]);
  if (Deno.build.os !== "windows") {
    assert.equal((await Deno.stat(at.path)).mode! & 0o777, 0o600);
  }
});

Deno.test("makeSessionStats puts a file aside that has grown too long, over what was put aside before", async () => {
  await using at = await world();
  at.record(COMPRESS);
  for (const letter of ["x", "y"]) {
    await at.append(letter.repeat(MAX_FILE_BYTES));
    at.record(RETRIEVE);
    assert.ok((await at.read(at.aside)).endsWith(letter));
    assert.equal((await at.read(at.path)).split("\n").length, 2);
  }
});

Deno.test("putAside leaves what was put aside when another process was first", async () => {
  await using at = await world();
  at.record(COMPRESS);
  await at.append("x".repeat(MAX_FILE_BYTES));
  // Both have seen that the file is too long by now.
  putAside(at.workspace, "a");
  putAside(at.workspace, "b");
  at.record(RETRIEVE);
  putAside(at.workspace, "b");
  at.record(COMPRESS);
  assert.ok((await at.read(at.aside)).endsWith("x"));
  assert.match(await at.read(at.path), /^{"type":"retr.*\n{"type":"comp.*\n$/);
  const names = await Array.fromAsync(Deno.readDir(at.workspace));
  assert.equal(names.length, 2);
});

Deno.test("makeSessionStats reports one failure, writes no more and counts on", async () => {
  await using at = await world();
  await Deno.mkdir(at.path, { recursive: true });
  at.record(COMPRESS);
  await Deno.remove(at.path);
  at.record(COMPRESS);
  assert.equal(at.failures.length, 1);
  assert.equal(at.totals().compressions, 2);
  await assert.rejects(Deno.stat(at.path), Deno.errors.NotFound);
});

Deno.test("eventTotals adds up what several processes wrote, in both files", async () => {
  await using at = await world();
  const count = async () => (await eventTotals(at.workspace)).compressions;
  assert.equal(await count(), 0);
  [COMPRESS, RETRIEVE, COMPRESS].forEach(at.record);
  assert.deepEqual(await eventTotals(at.workspace), at.totals());
  const other = at.process("s2");
  for (let i = 0; i < 1000; i++) other.record(COMPRESS);
  assert.equal(await count(), 1002, "more than one chunk");
  await Deno.rename(at.path, at.aside);
  at.record(COMPRESS);
  assert.equal(await count(), 1003);
  await Deno.remove(at.aside);
  assert.equal(await count(), 1);
});

Deno.test("eventTotals passes over what is no event, however long", async () => {
  await using at = await world();
  at.record(COMPRESS);
  const line = (at: unknown, type = "compress") =>
    JSON.stringify({ type, at, tokens_before: 9, tokens_after: 4 });
  const odd = [line(6).slice(0, -3), line("7"), line(8, "x"), "null", "[]", ""];
  await at.append(`${odd.join("\n")}\n${"x".repeat(200_000)}\n`);
  at.record(RETRIEVE);
  const begun = line(9);
  await at.append(begun.slice(0, 20));
  assert.deepEqual(await eventTotals(at.workspace), at.totals());
  await at.append(`${begun.slice(20)}\n`);
  assert.equal((await eventTotals(at.workspace)).compressions, 2);
});
