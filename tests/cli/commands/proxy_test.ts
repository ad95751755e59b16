import assert from "node:assert/strict";
import { runProxy } from "../../../src/cli/commands/proxy.ts";
import { resolveConfig } from "../../../src/settings/resolve.ts";
import { fakeIo, fakeProxy } from "../fake_io.ts";

const config = resolveConfig({ env: { HOME: "/home/a" } });

Deno.test("runProxy says on stderr where it listens, and nothing on stdout", async () => {
  const io = fakeIo();
  const exit = runProxy(config, io);
  await io.listening;
  io.signal();
  assert.equal(await exit, 0);
  assert.match(io.err(), /listens on http:\/\/127\.0\.0\.1:4321/);
  assert.equal(io.out(), "");
});

Deno.test("runProxy waits on the first signal until the proxy has stopped, then ends with 0", async () => {
  const stopped = Promise.withResolvers<void>();
  const io = fakeIo({
    startProxy: () => Promise.resolve(fakeProxy(() => stopped.promise)),
  });
  let ended = false;
  const exit = runProxy(config, io).finally(() => ended = true);
  await io.listening;
  io.signal();
  await Promise.resolve();
  assert.equal(ended, false);
  assert.match(io.err(), /Stopping/);
  stopped.resolve();
  assert.equal(await exit, 0);
  assert.equal(io.handlers(), 0);
});

Deno.test("runProxy ends at once with 130 on the second signal", async () => {
  const io = fakeIo({
    startProxy: () => Promise.resolve(fakeProxy(() => new Promise(() => {}))),
  });
  const exit = runProxy(config, io);
  await io.listening;
  io.signal();
  io.signal();
  assert.equal(await exit, 130);
});

Deno.test("runProxy names a host that does not exist and what to do", async () => {
  const error = new Error("Failed to lookup address information: unknown");
  const io = fakeIo({ startProxy: () => Promise.reject(error) });
  await assert.rejects(runProxy({ ...config, host: "nowhere" }, io), {
    name: "CliFailure",
    exitCode: 1,
    message: /^Cannot listen on nowhere: .*--host/,
  });
});

Deno.test("runProxy passes on any other failure", async () => {
  const error = new Error("Bad luck");
  const io = fakeIo({ startProxy: () => Promise.reject(error) });
  await assert.rejects(runProxy(config, io), error);
});
