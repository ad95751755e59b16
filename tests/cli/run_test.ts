import assert from "node:assert/strict";
import { runCli } from "../../src/cli/run.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { VERSION } from "../../src/version.ts";
import { type FakeIo, fakeIo, systemError } from "./fake_io.ts";

/** Runs a proxy until it waits, then stops it. */
async function proxyOnce(args: string[], io: FakeIo): Promise<number> {
  const exit = runCli(["proxy", ...args], io);
  await io.listening;
  io.signal();
  return await exit;
}

Deno.test("runCli prints the version to stdout", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["--version"], io), 0);
  assert.equal(io.out(), `${VERSION}\n`);
  assert.equal(io.err(), "");
});

Deno.test("runCli prints help to stdout, examples first, for every command", async () => {
  for (
    const args of [["--help"], ["proxy", "--help"], ["compress", "-h"], [
      "demo",
      "--help",
    ], [
      "help",
      "proxy",
    ]]
  ) {
    const io = fakeIo();
    assert.equal(await runCli(args, io), 0);
    assert.match(io.out(), /^Examples:\n {2}svc /);
    assert.match(io.out(), /\nUsage: svc/);
    assert.equal(io.err(), "");
  }
});

Deno.test("runCli without a command says how it is used and ends with 2", async () => {
  const io = fakeIo();
  assert.equal(await runCli([], io), 2);
  assert.equal(io.out(), "");
  assert.match(io.err(), /Usage: svc/);
});

Deno.test("runCli names an unknown flag and the one that was meant, and ends with 2", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["proxy", "--prot", "1"], io), 2);
  assert.match(io.err(), /unknown option '--prot'\n\(Did you mean --port\?\)/);
  assert.match(io.err(), /svc proxy --help/);
  assert.deepEqual(io.configs, []);
});

Deno.test("runCli names an unknown command and the one that was meant, and ends with 2", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["prxy"], io), 2);
  assert.match(io.err(), /unknown command 'prxy'\n\(Did you mean proxy\?\)/);
});

Deno.test("runCli ends with 2 on a flag without its value and on one argument too many", async () => {
  for (
    const args of [["proxy", "--port"], ["proxy", "x"], ["compress", "a", "b"]]
  ) {
    assert.equal(await runCli(args, fakeIo()), 2, args.join(" "));
  }
});

Deno.test("runCli ends with 2 on a value that cannot be used, from a flag or a variable", async () => {
  const byFlag = fakeIo();
  assert.equal(await runCli(["proxy", "--port", "70000"], byFlag), 2);
  assert.match(byFlag.err(), /^error: Cannot use --port="70000"/);
  const byVariable = fakeIo({ env: { HOME: "/h", SVC_MODE: "audit" } });
  assert.equal(await runCli(["proxy"], byVariable), 2);
  assert.match(byVariable.err(), /^error: Cannot use SVC_MODE="audit"/);
});

Deno.test("runCli hands every flag of svc proxy to the configuration", async () => {
  const io = fakeIo();
  const args = [
    ...["--host", "::1", "--port", "9", "--mode", "token"],
    ...["--anthropic-api-url", "http://a", "--chat-api-url=http://b/"],
    ...["--no-ccr", "--stateless"],
  ];
  assert.equal(await proxyOnce(args, io), 0);
  const [config] = io.configs;
  assert.equal(config?.host, "::1");
  assert.equal(config.port, 9);
  assert.equal(config.mode, "token");
  assert.deepEqual(config.upstreams, {
    messages: "http://a",
    chat: "http://b",
  });
  assert.deepEqual(config.ccr, {
    enabled: false,
    backend: "memory",
    ttlSeconds: 1800,
  });
  assert.equal(config.lossless, false);
  assert.equal(config.paths, undefined);
});

Deno.test("runCli takes svc proxy without flags as the defaults", async () => {
  const io = fakeIo();
  assert.equal(await proxyOnce([], io), 0);
  assert.equal(io.configs[0]?.mode, "cache");
  assert.equal(io.configs[0].ccr.enabled, true);
});

Deno.test("runCli reads the remaining switches of svc proxy", async () => {
  const io = fakeIo();
  await proxyOnce(
    ["--no-optimize", "--lossless", "--msg-api-url", "http://c"],
    io,
  );
  assert.equal(io.configs[0]?.mode, "passthrough");
  assert.equal(io.configs[0].lossless, true);
  assert.equal(io.configs[0].upstreams.messages, "http://c");
});

Deno.test("runCli hands the flags of svc compress to the library", async () => {
  const io = fakeIo();
  const args = ["compress", "--lossless", "--query", "why", "--tool", "Bash"];
  assert.equal(await runCli(args, io), 0);
  assert.deepEqual(io.compressed[0]?.options, {
    lossless: true,
    query: "why",
    toolName: "Bash",
  });
});

Deno.test("runCli takes a file named like a command as a file", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["compress", "proxy"], io), 1);
  assert.equal(io.err(), "error: Cannot read proxy: there is no such file\n");
});

Deno.test("runCli reports a failure of the service by its message and ends with 1", async () => {
  const error = new ServiceError("configuration_error", "Cannot listen there");
  const io = fakeIo({ startProxy: () => Promise.reject(error) });
  assert.equal(await runCli(["proxy"], io), 1);
  assert.equal(io.err(), "error: Cannot listen there\n");
});

Deno.test("runCli reports a failure nobody foresaw with its place, and ends with 1", async () => {
  const io = fakeIo({
    openLibrary: () => Promise.reject(new Error("Bad luck")),
  });
  assert.equal(await runCli(["compress"], io), 1);
  assert.match(io.err(), /^error: Bad luck \(at .*run_test\.ts/);
});

Deno.test("runCli says nothing when the reader of stdout has gone", async () => {
  const io = fakeIo({
    stdout: () => {
      throw systemError("EPIPE");
    },
  });
  assert.equal(await runCli(["compress"], io), 1);
  assert.equal(io.err(), "");
});

Deno.test("runCli colours errors on a terminal only", async () => {
  const io = fakeIo({ stderrIsTerminal: true });
  await runCli(["compress", "nowhere"], io);
  assert.ok(io.err().startsWith("\x1b[31merror:\x1b[0m "));
});
