import assert from "node:assert/strict";
import { CliFailure } from "../../src/cli/failure.ts";
import type { GivenUp, McpOptions, RunningMcp } from "../../src/cli/io.ts";
import { type McpServeFlags, serveMcp } from "../../src/cli/mcp_serve.ts";
import type { Config } from "../../src/settings/resolve.ts";
import { fakeIo } from "./fake_io.ts";

/** Runs the command; the client leaves at once. */
async function run(
  flags: McpServeFlags,
  env: Record<string, string> = {},
) {
  const started: { config: Config; options: McpOptions }[] = [];
  const io = fakeIo({
    env: { HOME: "/home/a", ...env },
    startMcp(config, options) {
      started.push({ config, options });
      return Promise.resolve<RunningMcp>({
        finished: Promise.resolve(),
        stop: () => Promise.resolve(),
      });
    },
  });
  const exitCode = await serveMcp(io, flags);
  return { io, exitCode, ...started[0]! };
}

async function proxyOf(flags: McpServeFlags, env?: Record<string, string>) {
  const { options } = await run(flags, env);
  return options.proxy?.href;
}

Deno.test("serveMcp ends with 0 when the client leaves, and says nothing on stdout", async () => {
  const { io, exitCode, config } = await run({}, { SVC_TYPO: "1" });
  assert.equal(exitCode, 0);
  assert.equal(io.out(), "");
  assert.match(io.err(), /SVC_TYPO is not a setting/);
  assert.equal(io.handlers(), 0);
  assert.equal(config.paths?.workspace, "/home/a/.svc");
});

Deno.test("serveMcp tells who starts it by hand what it waits for", async () => {
  const io = fakeIo({ stdoutIsTerminal: true });
  assert.equal(await serveMcp(io, {}), 0);
  assert.match(io.err(), /svc mcp install/);
  assert.equal(io.out(), "");
});

Deno.test("serveMcp stops the server on a stop signal", async () => {
  const finished = Promise.withResolvers<void>();
  const io = fakeIo({
    startMcp: () =>
      Promise.resolve({
        finished: finished.promise,
        stop: () => Promise.resolve(finished.resolve()),
      }),
  });
  const running = serveMcp(io, {});
  await io.listening;
  io.signal();
  assert.equal(await running, 0);
});

Deno.test("serveMcp asks the proxy of the flag, of the variable, then of this configuration", async () => {
  const SVC_PROXY_URL = "http://localhost:9001/a";
  assert.equal(await proxyOf({}), "http://127.0.0.1:8787/");
  assert.equal(
    await proxyOf({}, { SVC_PORT: "9000" }),
    "http://127.0.0.1:9000/",
  );
  assert.equal(await proxyOf({}, { SVC_PROXY_URL }), SVC_PROXY_URL);
  assert.equal(
    await proxyOf({ proxyUrl: "https://box:1/" }, { SVC_PROXY_URL }),
    "https://box:1/",
  );
  assert.equal(await proxyOf({ direct: true }, { SVC_PROXY_URL }), undefined);
});

Deno.test("serveMcp does not call the proxy's variable unknown", async () => {
  const { io } = await run({}, { SVC_PROXY_URL: "http://[::1]:1" });
  assert.equal(io.err(), "");
});

Deno.test("serveMcp refuses another machine unless the command line names it", async () => {
  for (const host of ["example.com", "10.0.0.1", "127.0.0.1.example.com"]) {
    await assert.rejects(
      run({}, { SVC_PROXY_URL: `http://${host}:8787` }),
      (error: Error) =>
        error instanceof CliFailure && error.exitCode === 2 &&
        error.message.includes(host) && error.message.includes("--proxy-url"),
    );
  }
});

Deno.test("serveMcp refuses what is no URL, and repeats no password", async () => {
  for (
    const proxyUrl of ["", "localhost:8787", "ftp://a", "http://u:hush@a:1"]
  ) {
    await assert.rejects(
      run({ proxyUrl }),
      (error: Error) =>
        error instanceof CliFailure && error.exitCode === 2 &&
        !error.message.includes("hush"),
    );
  }
});

Deno.test("serveMcp refuses a setting that cannot be used", async () => {
  await assert.rejects(
    run({}, { SVC_PORT: "soon" }),
    (error: Error) => error instanceof CliFailure && error.exitCode === 2,
  );
});

Deno.test("serveMcp says on stderr what is done, with --debug only", async () => {
  const quiet = await run({});
  assert.equal(quiet.options.debug, undefined);
  const { io, options } = await run({ debug: true });
  options.debug?.("retrieve abc");
  assert.match(io.err(), /^svc mcp: serving; proxy 127\.0\.0\.1:8787\n/);
  assert.match(io.err(), /svc mcp: retrieve abc\n$/);
});

Deno.test("serveMcp gives up what stateless and offline forbid, but the network only where it asks no proxy", async () => {
  const givenUp = async (flags: McpServeFlags, env: Record<string, string>) => {
    const calls: GivenUp[] = [];
    const io = fakeIo({
      env: { HOME: "/home/a", ...env },
      giveUp: (what) => void calls.push(what),
    });
    await serveMcp(io, flags);
    return calls;
  };
  const both = { SVC_STATELESS: "1", SVC_OFFLINE: "1" };
  assert.deepEqual(await givenUp({}, {}), [{ files: false, network: false }]);
  assert.deepEqual(await givenUp({}, both), [{ files: true, network: false }]);
  assert.deepEqual(await givenUp({ direct: true }, both), [
    { files: true, network: true },
  ]);
});
