import assert from "node:assert/strict";
import { join } from "node:path";
import {
  EVENT_FILE_NAME,
  eventFile,
  readEvents,
} from "../../src/mcp/event_file.ts";

Deno.test("eventFile makes its directory and file when something is written, for its owner only", async () => {
  const root = await Deno.makeTempDir();
  const workspace = join(root, "a", "b");
  const file = eventFile(workspace);
  assert.equal(file.size(), 0);
  await assert.rejects(Deno.stat(workspace), Deno.errors.NotFound);
  file.append("one\n");
  file.append("two\n");
  assert.equal(file.size(), 8);
  const path = join(workspace, EVENT_FILE_NAME);
  assert.equal(await Deno.readTextFile(path), "one\ntwo\n");
  if (Deno.build.os !== "windows") {
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  }
  await Deno.remove(root, { recursive: true });
});

Deno.test("eventFile puts itself aside over what was put aside before", async () => {
  const workspace = await Deno.makeTempDir();
  const file = eventFile(workspace);
  for (const line of ["one\n", "two\n"]) {
    file.append(line);
    file.putAside();
  }
  assert.equal(file.size(), 0);
  const path = join(workspace, `${EVENT_FILE_NAME}.1`);
  assert.equal(await Deno.readTextFile(path), "two\n");
  await Deno.remove(workspace, { recursive: true });
});

Deno.test("readEvents reads what was put aside before what came after it, and nothing where nothing is", async () => {
  const workspace = await Deno.makeTempDir();
  assert.equal((await readEvents(workspace)).trim(), "");
  const file = eventFile(workspace);
  file.append("one\n");
  assert.equal((await readEvents(workspace)).trim(), "one");
  file.putAside();
  file.append("two\n");
  assert.deepEqual((await readEvents(workspace)).match(/\w+/g), ["one", "two"]);
  await Deno.remove(workspace, { recursive: true });
});
