import assert from "node:assert/strict";
import { join } from "node:path";
import { eventFile, eventPaths } from "../../src/mcp/event_file.ts";

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
  const [aside, path] = eventPaths(workspace);
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

Deno.test("eventPaths names the file that was put aside first", () => {
  const path = join(import.meta.dirname!, "session_stats.jsonl");
  assert.deepEqual(eventPaths(import.meta.dirname!), [`${path}.1`, path]);
});
