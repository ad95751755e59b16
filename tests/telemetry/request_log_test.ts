import assert from "node:assert/strict";
import fc from "fast-check";
import { join } from "node:path";
import { AppendFile, openRequestLog } from "../../src/telemetry/request_log.ts";
import { CANARY, filesIn, keepingLog, linesIn, RECORD } from "./log_samples.ts";
import { inTempDir } from "../temp_dir.ts";

Deno.test("openRequestLog writes the facts of each request as a line", () =>
  inTempDir(async (directory) => {
    const { log, logged } = keepingLog();
    const path = join(directory, "r.jsonl");
    const requests = openRequestLog({ path, log });
    assert.deepEqual(await filesIn(directory), {});
    requests.record(RECORD);
    requests.record({
      ...RECORD,
      id: "second",
      usage: {},
      ttfbMs: undefined,
      cost: undefined,
      prefix: undefined,
      blocks: [],
    });
    await requests.close();
    const files = await filesIn(directory);
    assert.deepEqual(Object.keys(files), ["r.jsonl"]);
    assert.equal(files["r.jsonl"]!.mode, 0o600);
    const [first, second] = linesIn(files["r.jsonl"]!.text);
    assert.equal(first!.timestamp, "2026-03-15T10:30:00.000Z");
    assert.equal(first!.tokens_saved, 400);
    assert.equal(first!.savings_percent, 40);
    assert.equal(first!.nano_usd, 1000);
    assert.deepEqual(first!.prefix, {
      verdict: "extended",
      previous_bytes: 100,
      equal_bytes: 100,
      first_difference: "",
    });
    assert.deepEqual(first!.blocks, [{
      entry: "e1",
      message_index: 2,
      tool: "Bash",
      kind: "log",
      outcome: "elided",
      strategy: "log",
      reason: "",
      bytes: 4000,
      tokens_before: 900,
      tokens_after: 500,
    }]);
    assert(!("request_messages" in first!));
    assert.equal(second!.request_id, "second");
    for (const name of ["output_tokens", "ttfb_ms", "nano_usd", "prefix"]) {
      assert.equal(second![name], null);
    }
    assert.deepEqual(logged, []);
  }));

Deno.test("openRequestLog puts the texts of a request behind its facts when they are kept", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "r.jsonl");
    const texts = {
      request_messages: '[{"n":1.0}]',
      compressed_messages: "[ ]",
      response_content: null,
    };
    const requests = openRequestLog({
      path,
      log: () => {},
      texts: (id) => id === RECORD.id ? texts : undefined,
    });
    requests.record(RECORD);
    requests.record({ ...RECORD, id: "other" });
    await requests.close();
    const text = await Deno.readTextFile(path);
    const [first, second] = linesIn(text);
    assert(
      text.includes(
        '"request_messages":[{"n":1.0}],"compressed_messages":[ ],"response_content":null}\n',
      ),
    );
    assert.deepEqual(first!.request_messages, [{ n: 1 }]);
    assert(!("request_messages" in second!));
  }));

Deno.test("openRequestLog says once that it cannot write, and at the end how many lines are lost", () =>
  inTempDir(async (directory) => {
    const { log, logged } = keepingLog();
    const requests = openRequestLog({ path: directory, log });
    for (let i = 0; i < 3; i++) requests.record(RECORD);
    await requests.close();
    assert.deepEqual(
      logged.map(([level, event, fields]) => [level, event, fields?.count]),
      [
        ["warn", "request_log_unavailable", undefined],
        ["warn", "request_log_lines_lost", 3],
      ],
    );
  }));

Deno.test("openRequestLog masks credentials in names that clients choose", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "r.jsonl");
    const requests = openRequestLog({ path, log: () => {} });
    const secrets: string[] = [];
    fc.assert(fc.property(CANARY, ({ text, secret }) => {
      secrets.push(secret);
      requests.record({
        ...RECORD,
        model: text,
        project: text,
        stack: text,
        agent: text,
        upstream: text,
        blocks: [{ ...RECORD.blocks[0]!, toolName: text }],
        prefix: { ...RECORD.prefix!, firstDifference: `/${text}` },
      });
    }));
    await requests.close();
    const written = await Deno.readTextFile(path);
    assert.equal(linesIn(written).length, secrets.length);
    for (const secret of secrets) assert(!written.includes(secret));
  }));

Deno.test({
  name:
    "openRequestLog closes in time, and says what is lost, where a pipe has no reader",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inTempDir(async (directory) => {
      const { log, logged } = keepingLog();
      const path = join(directory, "pipe");
      await new Deno.Command("mkfifo", { args: [path] }).output();
      const requests = openRequestLog({
        path,
        log,
        later(_, run) {
          queueMicrotask(run);
          return () => {};
        },
      });
      requests.record(RECORD);
      requests.record(RECORD);
      await requests.close();
      assert.deepEqual(logged, [
        ["warn", "request_log_lines_lost", { path, count: 2 }],
      ]);
      // Lets the writer go.
      const text = await Deno.readTextFile(path);
      assert.equal(linesIn(text).length, 2);
      await requests.close();
    }),
});

function open(path: string, maxWaiting = 1e6) {
  const failures: string[] = [];
  const onFailure = (reason: string) => void failures.push(reason);
  return { file: new AppendFile({ path, maxWaiting, onFailure }), failures };
}

Deno.test("AppendFile keeps the lines of two writers whole and each one's in order", () =>
  inTempDir(async (directory) => {
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
  }));

Deno.test("AppendFile appends to what is there and leaves its permissions alone", () =>
  inTempDir(async (directory) => {
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
  }));

Deno.test("AppendFile makes the file anew when it was moved away", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "a");
    const { file } = open(path);
    file.append("1\n");
    await file.flush();
    await Deno.rename(path, `${path}.old`);
    file.append("2\n");
    await file.flush();
    assert.equal(await Deno.readTextFile(path), "2\n");
  }));

Deno.test("AppendFile drops and counts what is too much to wait, and takes lines again afterwards", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "a");
    const { file } = open(path, 100);
    for (let i = 0; i < 10; i++) file.append(`${"x".repeat(29)}\n`);
    assert.equal(file.dropped, 7);
    await file.flush();
    file.append("last\n");
    await file.flush();
    assert.equal((await Deno.readTextFile(path)).length, 3 * 30 + 5);
  }));

Deno.test("AppendFile says once that it cannot write, counts what is lost, and goes on when it can", () =>
  inTempDir(async (directory) => {
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
  }));
