import assert from "node:assert/strict";
import {
  startWorkerProcess,
  wordsOfThisProcess,
  workerCommand,
} from "../../src/cli/workers.ts";

const otherwise = ["/opt/deno", "run", "-A", "--no-prompt", "/opt/main.ts"];

Deno.test("workerCommand keeps the flags of the runtime and drops the program's own arguments", () => {
  const runtime = ["run", "-A", "--v8-flags=--x=1,--y=2", "--config", "c.json"];
  const args = ["proxy", "--workers", "2", "run"];
  const command = workerCommand({
    words: ["deno", ...runtime, "main.ts", ...args],
    args,
    standalone: false,
    otherwise,
  });
  assert.deepEqual(command, [
    "/opt/deno",
    "run",
    "--unstable-net",
    ...runtime.slice(1),
    "main.ts",
    "proxy-worker",
  ]);
});

Deno.test("workerCommand asks for shared ports once, and not of a program of its own", () => {
  const asked = workerCommand({
    words: ["deno", "run", "-A", "--unstable-net", "main.ts"],
    args: [],
    standalone: false,
    otherwise,
  });
  assert.equal(asked.filter((word) => word === "--unstable-net").length, 1);
  const standalone = workerCommand({
    words: ["./svc", "proxy"],
    args: ["proxy"],
    standalone: true,
    otherwise: ["/opt/svc"],
  });
  assert.deepEqual(standalone, ["/opt/svc", "proxy-worker"]);
});

Deno.test("workerCommand uses the usual command where the words are not known, or are not ours", () => {
  const expected = [
    ...["/opt/deno", "run", "--unstable-net", "-A", "--no-prompt"],
    ...["/opt/main.ts", "proxy-worker"],
  ];
  const args = ["proxy"];
  for (const words of [undefined, [], ["other", "words"]]) {
    const program = { words, args, standalone: false, otherwise };
    assert.deepEqual(workerCommand(program), expected);
  }
});

Deno.test({
  name: "wordsOfThisProcess ends with the arguments",
  ignore: Deno.build.os !== "linux",
  fn() {
    const words = wordsOfThisProcess()!;
    assert.ok(words.length > Deno.args.length);
    assert.deepEqual(words.slice(words.length - Deno.args.length), Deno.args);
  },
});

/** Says what it was told, and ends at the end of its input. */
const ECHO =
  `for await (const part of Deno.stdin.readable) { await Deno.stdout.write(new TextEncoder().encode('noise\\n{"type":"reloaded","later":["' + JSON.parse(new TextDecoder().decode(part)).type + '"]}\\n')); break; } Deno.exit(3);`;

Deno.test("startWorkerProcess talks with a process, and says how it ended", async () => {
  const worker = startWorkerProcess([Deno.execPath(), "eval", ECHO]);
  worker.send({ type: "stop" });
  const messages = await Array.fromAsync(worker.messages);
  assert.deepEqual(messages, [{ type: "reloaded", later: ["stop"] }]);
  assert.deepEqual(await worker.ended, { code: 3, signal: undefined });
  worker.send({ type: "stop" });
  worker.kill();
});

Deno.test("startWorkerProcess ends a process at once when asked", async () => {
  const worker = startWorkerProcess([Deno.execPath(), "eval", ECHO]);
  worker.kill();
  assert.equal((await worker.ended).signal, "SIGKILL");
  assert.deepEqual(await Array.fromAsync(worker.messages), []);
});
