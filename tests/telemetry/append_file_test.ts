import assert from "node:assert/strict";
import { join } from "node:path";
import { AppendFile } from "../../src/telemetry/append_file.ts";
import { filesIn, inDirectory, linesIn } from "./log_samples.ts";

function open(path: string, maxWaiting = 1e6) {
  const failures: string[] = [];
  const onFailure = (reason: string) => void failures.push(reason);
  return { file: new AppendFile({ path, maxWaiting, onFailure }), failures };
}

Deno.test("AppendFile keeps the lines of two writers whole and each one's in order", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "below", "requests.jsonl");
    const writers = [open(path), open(path)];
    for (let i = 0; i < 500; i++) {
      for (const [writer, { file }] of writers.entries()) {
        file.append(`${JSON.stringify({ writer, i, text: "x".repeat(i) })}\n`);
      }
      if (i % 100 === 0) await writers[0]!.file.flush();
    }
    await Promise.all(writers.map(({ file }) => file.flush()));
    const { mode, text } = (await filesIn(directory))["below/requests.jsonl"]!;
    assert.equal(mode, 0o600);
    const lines = linesIn(text);
    for (const writer of [0, 1]) {
      const own = lines.filter((line) => line.writer === writer);
      assert.deepEqual(own.map(({ i }) => i), [...Array(500).keys()]);
    }
  });
});

Deno.test("AppendFile appends to what is there and leaves its permissions alone", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "a");
    await Deno.writeTextFile(path, "0\n");
    await Deno.chmod(path, 0o640);
    const { file } = open(path);
    file.append("1\n");
    await file.flush();
    assert.deepEqual((await filesIn(directory)).a, {
      mode: 0o640,
      text: "0\n1\n",
    });
  });
});

Deno.test("AppendFile makes the file anew when it was moved away", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "a");
    const { file } = open(path);
    file.append("1\n");
    await file.flush();
    await Deno.rename(path, `${path}.old`);
    file.append("2\n");
    await file.flush();
    assert.equal(await Deno.readTextFile(path), "2\n");
  });
});

Deno.test("AppendFile drops and counts what is too much to wait, and takes lines again afterwards", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "a");
    const { file } = open(path, 100);
    for (let i = 0; i < 10; i++) file.append(`${"x".repeat(29)}\n`);
    assert.equal(file.dropped, 7);
    await file.flush();
    file.append("last\n");
    await file.flush();
    assert.equal((await Deno.readTextFile(path)).length, 3 * 30 + 5);
  });
});

Deno.test("AppendFile says once that it cannot write, counts what is lost, and goes on when it can", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "a");
    await Deno.mkdir(path);
    const { file, failures } = open(path);
    for (let i = 0; i < 3; i++) {
      file.append("lost\n");
      await file.flush();
    }
    assert.deepEqual([file.dropped, failures.length], [3, 1]);
    await Deno.remove(path);
    file.append("kept\n");
    await file.flush();
    assert.equal(await Deno.readTextFile(path), "kept\n");
  });
});
