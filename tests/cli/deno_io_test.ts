import assert from "node:assert/strict";
import { denoIo } from "../../src/cli/deno_io.ts";
import { systemCode } from "../../src/cli/failure.ts";

Deno.test("denoIo reads files and gives system codes for those that are not there", async () => {
  const io = denoIo();
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, Uint8Array.of(0, 255));
  assert.deepEqual([...await io.readFile(path, 2)], [0, 255]);
  await Deno.remove(path);
  const codeOf = (path: string) => io.readFile(path, 2).catch(systemCode);
  assert.equal(await codeOf(path), "ENOENT");
  assert.equal(await codeOf(Deno.cwd()), "EISDIR");
});

Deno.test("denoIo calls a handler on SIGTERM, once for signals that echo each other", async () => {
  let calls = 0;
  let signals = 0;
  const echoed = Promise.withResolvers<void>();
  // A signal listener alone does not keep the event loop going.
  const alive = setInterval(() => {}, 1000);
  const takeBack = denoIo().onStopSignal(() => calls++);
  const count = () => {
    if (++signals === 2) echoed.resolve();
    else Deno.kill(Deno.pid, "SIGTERM");
  };
  Deno.addSignalListener("SIGTERM", count);
  Deno.kill(Deno.pid, "SIGTERM");
  await echoed.promise;
  assert.equal(calls, 1);
  takeBack();
  Deno.removeSignalListener("SIGTERM", count);
  clearInterval(alive);
});

Deno.test("denoIo has the variables of the environment", () => {
  assert.equal(denoIo().env.PATH, Deno.env.get("PATH"));
});

Deno.test("denoIo starts paths in the current directory and knows this machine's names", () => {
  const io = denoIo();
  const { INIT_CWD } = io.env;
  assert.ok([Deno.cwd(), INIT_CWD].includes(io.cwd));
  assert.ok(io.ownNames().includes(Deno.hostname()));
  assert.ok(io.ownNames().includes("127.0.0.1"));
});

Deno.test("denoIo serves on a free port of the loopback address until it is stopped", async () => {
  const server = await denoIo().serve((request) =>
    Promise.resolve(new Response(new URL(request.url).pathname))
  );
  const url = `http://127.0.0.1:${server.port}/a`;
  assert.equal(await (await fetch(url)).text(), "/a");
  await server.stop();
  await assert.rejects(fetch(url), TypeError);
});
