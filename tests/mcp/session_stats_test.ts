import type { McpEvent } from "../../src/mcp/parts.ts";
import {
  eventFile,
  eventSum,
  makeSessionStats,
} from "../../src/mcp/session_stats.ts";
import { join } from "node:path";
import assert from "node:assert/strict";

const MAX_FILE_BYTES = 1_000_000;

const COMPRESS: McpEvent = {
  type: "compress",
  tokensBefore: 100,
  tokensAfter: 30,
  hash: "abc",
};
const RETRIEVE: McpEvent = {
  type: "retrieve",
  tokensBefore: 100,
  tokensAfter: 20,
  hash: "abc",
};

type EventFile = ReturnType<typeof eventFile>;

/** A file in memory. */
function fakeFile() {
  let text = "";
  let aside = "";
  const file: EventFile = {
    size: () => text.length,
    append: (line) => void (text += line),
    putAside: () => {
      aside = text;
      text = "";
    },
  };
  return { file, text: () => text, aside: () => aside };
}

function stats(file: EventFile | undefined, failures: unknown[] = []) {
  return makeSessionStats({
    session: "s1",
    pid: 42,
    now: () => 1000,
    file,
    onFailure: (error) => void failures.push(error),
  });
}

Deno.test("makeSessionStats adds up what the tools did", () => {
  const { record, totals } = stats(undefined);
  [COMPRESS, COMPRESS, RETRIEVE].forEach(record);
  assert.deepEqual(totals(), {
    compressions: 2,
    retrievals: 1,
    tokensSaved: 140,
    tokensRetrieved: 20,
  });
});

Deno.test("makeSessionStats writes one line per event, all of it in one write", () => {
  const lines: string[] = [];
  const { file } = fakeFile();
  const { record } = stats({
    ...file,
    append: (line) => void lines.push(line),
  });
  record(COMPRESS);
  assert.deepEqual(lines.map((line) => JSON.parse(line)), [{
    type: "compress",
    at: 1000,
    tool: "headroom_compress",
    tokens_before: 100,
    tokens_after: 30,
    hash: "abc",
    session: "s1",
    pid: 42,
  }]);
  assert.ok(lines[0]!.endsWith("}\n"));
});

Deno.test("makeSessionStats puts a file aside that has grown too long", () => {
  const { file, text, aside } = fakeFile();
  file.append("x".repeat(MAX_FILE_BYTES));
  const { record } = stats(file);
  record(COMPRESS);
  assert.ok(text().length > MAX_FILE_BYTES);
  record(RETRIEVE);
  assert.ok(aside().length > MAX_FILE_BYTES);
  assert.equal(text().split("\n").length, 2);
});

Deno.test("makeSessionStats reports one failure, writes no more and counts on", () => {
  const failures: unknown[] = [];
  const { file } = fakeFile();
  let tries = 0;
  const { record, totals } = stats({
    ...file,
    append() {
      tries++;
      throw new Error("full");
    },
  }, failures);
  record(COMPRESS);
  record(COMPRESS);
  assert.equal(tries, 1);
  assert.equal(failures.length, 1);
  assert.equal(totals().compressions, 2);
});

Deno.test("eventSum adds up what makeSessionStats wrote, and passes over what is no event", async () => {
  const workspace = await Deno.makeTempDir();
  const { record, totals } = stats(eventFile(workspace, "s1"));
  [COMPRESS, RETRIEVE, COMPRESS].forEach(record);
  const line = (at: unknown, type = "compress") =>
    JSON.stringify({ type, at, tokens_before: 9, tokens_after: 4 });
  const odd = [line(6).slice(0, -3), line("7"), line(8, "x"), "null", "[]", ""];
  const path = join(workspace, "session_stats.jsonl");
  await Deno.writeTextFile(path, odd.join("\n") + "\n", { append: true });
  assert.deepEqual(await eventSum(workspace)(), totals());
  await Deno.remove(workspace, { recursive: true });
});

Deno.test("eventFile makes its directory and file when something is written, for its owner only", async () => {
  const root = await Deno.makeTempDir();
  const workspace = join(root, "a", "b");
  const file = eventFile(workspace, "s1");
  assert.equal(file.size(), 0);
  await assert.rejects(Deno.stat(workspace), Deno.errors.NotFound);
  file.append("one\n");
  file.append("two\n");
  assert.equal(file.size(), 8);
  const path = join(workspace, "session_stats.jsonl");
  assert.equal(await Deno.readTextFile(path), "one\ntwo\n");
  if (Deno.build.os !== "windows") {
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  }
  await Deno.remove(root, { recursive: true });
});

Deno.test("eventFile puts itself aside over what was put aside before", async () => {
  const workspace = await Deno.makeTempDir();
  const file = eventFile(workspace, "s1");
  for (const line of ["one\n", "two\n"]) {
    file.append(line);
    file.putAside(3);
  }
  assert.equal(file.size(), 0);
  const path = join(workspace, "session_stats.jsonl.1");
  assert.equal(await Deno.readTextFile(path), "two\n");
  await Deno.remove(workspace, { recursive: true });
});

Deno.test("eventFile leaves what was put aside when another process was first", async () => {
  const workspace = await Deno.makeTempDir();
  const path = join(workspace, "session_stats.jsonl");
  const aside = `${path}.1`;
  const [a, b] = [eventFile(workspace, "a"), eventFile(workspace, "b")];
  a.append("a long line\n");
  // Both have seen that the file is too long by now.
  a.putAside(5);
  b.putAside(5);
  assert.equal(b.size(), 0);
  a.append("one\n");
  b.putAside(5);
  b.append("two\n");
  assert.equal(await Deno.readTextFile(aside), "a long line\n");
  assert.equal(await Deno.readTextFile(path), "one\ntwo\n");
  const names = (await Array.fromAsync(Deno.readDir(workspace))).length;
  assert.equal(names, 2);
  await Deno.remove(workspace, { recursive: true });
});

/** A line that counts one compression; `at` tells it from others. */
function line(at: number, saved = 1): string {
  return JSON.stringify({
    type: "compress",
    at,
    tokens_before: 100 + saved,
    tokens_after: 100,
    session: "8f14e45f-ceea-4d2c-b2a1-5f3e8f0d9b11",
  }) + "\n";
}

function lines(from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => line(from + i)).join("");
}

async function world() {
  const workspace = await Deno.makeTempDir();
  const path = join(workspace, "session_stats.jsonl");
  const aside = `${path}.1`;
  const sum = eventSum(workspace);
  return {
    aside,
    path,
    count: async () => (await sum()).compressions,
    append: (text: string) => Deno.writeTextFile(path, text, { append: true }),
    [Symbol.asyncDispose]: () => Deno.remove(workspace, { recursive: true }),
  };
}

Deno.test("eventSum finds nothing where nothing is, and then what is appended", async () => {
  await using at = await world();
  assert.equal(await at.count(), 0);
  await at.append(lines(0, 3));
  assert.equal(await at.count(), 3);
  assert.equal(await at.count(), 3);
  await at.append(lines(3, 4000));
  assert.equal(await at.count(), 4003, "more than one chunk");
});

Deno.test("eventSum reads no line twice", async () => {
  await using at = await world();
  await at.append(lines(0, 20));
  assert.equal(await at.count(), 20);
  const text = await Deno.readTextFile(at.path);
  const spoilt = text.slice(0, 600) + "x".repeat(text.length - 601) + "\n";
  await Deno.writeTextFile(at.path, spoilt + line(20));
  assert.equal(await at.count(), 21);
});

Deno.test("eventSum counts a line when all of it is there", async () => {
  await using at = await world();
  const whole = line(1);
  await at.append(line(0) + whole.slice(0, 20));
  assert.equal(await at.count(), 1);
  await at.append(whole.slice(20));
  assert.equal(await at.count(), 2);
});

Deno.test("eventSum goes on with a file that was put aside", async () => {
  await using at = await world();
  await at.append(lines(0, 5));
  assert.equal(await at.count(), 5);
  await at.append(lines(5, 2));
  await Deno.rename(at.path, at.aside);
  await at.append(lines(7, 3));
  assert.equal(await at.count(), 10);
  await Deno.rename(at.path, at.aside);
  assert.equal(await at.count(), 3, "the older one is gone");
  await Deno.remove(at.aside);
  assert.equal(await at.count(), 0);
});

Deno.test("eventSum reads a file anew that is shorter or begins otherwise", async () => {
  await using at = await world();
  await at.append(lines(0, 9));
  assert.equal(await at.count(), 9);
  await Deno.writeTextFile(at.path, lines(0, 4));
  assert.equal(await at.count(), 4);
  await Deno.writeTextFile(at.path, lines(50, 40));
  assert.equal(await at.count(), 40);
});

Deno.test("eventSum passes over a line without an end that is no event", async () => {
  await using at = await world();
  await at.append("x".repeat(200_000));
  assert.equal(await at.count(), 0);
  await at.append("\n" + line(1));
  assert.equal(await at.count(), 1);
});

Deno.test("eventSum counts every line once when asked twice at a time", async () => {
  await using at = await world();
  await at.append(lines(0, 1000));
  assert.deepEqual(await Promise.all([at.count(), at.count()]), [1000, 1000]);
  assert.equal(await at.count(), 1000);
});
