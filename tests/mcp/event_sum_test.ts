import assert from "node:assert/strict";
import { eventPaths } from "../../src/mcp/event_file.ts";
import { eventSum } from "../../src/mcp/event_sum.ts";

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
  const [aside, path] = eventPaths(workspace);
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
