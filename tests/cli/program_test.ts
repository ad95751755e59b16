import assert from "node:assert/strict";
import {
  onHangUp,
  runProgram,
  selfCommand,
  startDirectory,
  withoutEchoes,
} from "../../src/cli/program.ts";
import type { StopSignal } from "../../src/cli/io.ts";

const source = {
  execPath: "/opt/deno",
  standalone: false,
  mainModule: "file:///home/a%20b/main.ts",
};

Deno.test("selfCommand runs the main file with the same runtime, by absolute paths", () => {
  assert.deepEqual(selfCommand(source), [
    "/opt/deno",
    "run",
    "-A",
    "--no-prompt",
    "--v8-flags=--max-semi-space-size=4",
    "/home/a b/main.ts",
  ]);
});

Deno.test("selfCommand keeps an address that is no file, and is the file itself when compiled", () => {
  const mainModule = "https://example.com/main.ts";
  assert.equal(selfCommand({ ...source, mainModule }).at(-1), mainModule);
  assert.deepEqual(
    selfCommand({ ...source, execPath: "/opt/svc", standalone: true }),
    ["/opt/svc"],
  );
});

Deno.test("selfCommand is the self-extracting file, not what it unpacked", () => {
  const execPath = "/home/a/.cache/svc/1/deno";
  assert.deepEqual(
    selfCommand({ ...source, execPath, file: "/home/a/.local/bin/svc" }),
    ["/home/a/.local/bin/svc"],
  );
});

const env = { INIT_CWD: "/home/a/src" };

Deno.test("startDirectory is where the user was when a task runs in the program's directory", () => {
  assert.equal(startDirectory(env, "/opt/svc", "/opt/svc"), "/home/a/src");
});

Deno.test("startDirectory is the current directory anywhere else", () => {
  assert.equal(startDirectory({}, "/opt/svc", "/opt/svc"), "/opt/svc");
  assert.equal(startDirectory(env, "/home/b", "/opt/svc"), "/home/b");
  assert.equal(startDirectory(env, "/home/b", undefined), "/home/b");
});

Deno.test("runProgram gives the exit code and all that a program wrote", async () => {
  const script = "console.log('out'); console.error('err'); Deno.exit(3)";
  const command = [Deno.execPath(), "eval", "--quiet", script];
  const result = await runProgram(command);
  assert.deepEqual(result, { code: 3, text: "out\nerr\n" });
});

Deno.test("runProgram gives nothing for a program that is not there", async () => {
  assert.equal(await runProgram(["svc-no-such-program"]), undefined);
});

/** Signals that get through, of those at these milliseconds. */
function heard(signals: readonly (readonly [number, StopSignal])[]): number[] {
  let now = 0;
  const times: number[] = [];
  const hear = withoutEchoes(() => times.push(now), () => now);
  for (const [at, signal] of signals) {
    now = at;
    hear(signal);
  }
  return times;
}

Deno.test("withoutEchoes takes two arrivals of one key press as one", () => {
  assert.deepEqual(heard([[0, "SIGINT"], [12, "SIGINT"]]), [0]);
  assert.deepEqual(heard([[0, "SIGTERM"], [12, "SIGTERM"]]), [0]);
});

Deno.test("withoutEchoes hears two real signals, also after many echoes", () => {
  assert.deepEqual(heard([[0, "SIGTERM"], [299, "SIGTERM"]]), [0, 299]);
  assert.deepEqual(heard([[0, "SIGINT"], [300, "SIGINT"]]), [0, 300]);
  const steps = [0, 200, 400, 600].map((at) => [at, "SIGINT"] as const);
  assert.deepEqual(heard(steps), [0, 400]);
});

Deno.test("withoutEchoes takes another signal for no echo", () => {
  assert.deepEqual(heard([[0, "SIGINT"], [1, "SIGTERM"]]), [0, 1]);
});

Deno.test({
  name: "onHangUp calls its handler on SIGHUP until it is taken back",
  ignore: Deno.build.os === "windows",
  async fn() {
    const came = Promise.withResolvers<void>();
    // A signal listener alone does not keep the event loop going.
    const alive = setInterval(() => {}, 1000);
    const takeBack = onHangUp(came.resolve);
    Deno.kill(Deno.pid, "SIGHUP");
    await came.promise;
    takeBack();
    clearInterval(alive);
  },
});
