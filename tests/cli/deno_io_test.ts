import { systemCode } from "../../src/core/errors.ts";
import assert from "node:assert/strict";
import { resolve } from "node:path";
import process from "node:process";
import { denoIo } from "../../src/cli/deno_io.ts";
import { openSqliteStore } from "../../src/ccr/sqlite_store.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import { entryOf } from "../ccr/samples.ts";

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

Deno.test("denoIo takes the proxies of the environment away from the runtime, and still knows them", () => {
  Deno.env.set("HTTPS_PROXY", "http://proxy.test");
  Deno.env.set("no_proxy", "*");
  const { env } = denoIo();
  assert.equal(env.HTTPS_PROXY, "http://proxy.test");
  assert.equal(Deno.env.get("HTTPS_PROXY"), undefined);
  assert.equal(Deno.env.get("no_proxy"), undefined);
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

Deno.test("denoIo knows how this program is started, and tries such a command", async () => {
  const io = denoIo();
  const command = io.selfCommand();
  assert.deepEqual(command.slice(0, 2), [Deno.execPath(), "run"]);
  const target = { command: [Deno.execPath(), "--version"], env: {} };
  assert.match(await io.probeMcp(target) ?? "", /not that of a server/);
});

Deno.test("denoIo reads and replaces small files", async () => {
  const { files } = denoIo();
  const directory = await Deno.makeTempDir();
  const path = `${directory}/a`;
  await files.replace(path, { before: undefined, after: "x" });
  assert.equal(await files.read(path), "x");
  await Deno.remove(directory, { recursive: true });
});

Deno.test("denoIo opens the originals of a proxy, and makes no file where there is none", async () => {
  const workspace = await Deno.makeTempDir();
  const config = resolveConfig({ env: { SVC_WORKSPACE_DIR: workspace } });
  const path = `${workspace}/deeper/ccr_store.db`;
  const io = denoIo();
  assert.equal(await io.openOriginals(path, config), undefined);
  await assert.rejects(Deno.stat(`${workspace}/deeper`), Deno.errors.NotFound);

  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const parts = { ttlSeconds: 60, clock, log: () => {}, version: "1" };
  const proxy = await openSqliteStore({ path, ...parts });
  const entry = entryOf("original", Date.now());
  await proxy.write({ now: Date.now(), entries: [entry] });
  const originals = await io.openOriginals(path, config);
  assert.ok(originals);
  const found = await originals.retrieve({ hash: entry.key });
  assert.equal(found.success && found.data.original_content, "original");
  assert.equal(proxy.stats().retrievals, 1);
  assert.ok(await originals.fileBytes() > 10_000);
  assert.deepEqual(originals.clearable("all"), { entries: 1, bytes: 8 });
  await originals.clear("all");
  await originals[Symbol.asyncDispose]();
  assert.equal(proxy.stats().entries, 0);
  await proxy[Symbol.asyncDispose]();
  await Deno.remove(workspace, { recursive: true });
});

Deno.test({
  name:
    "denoIo opens without any permission, and says what keeping files would take",
  permissions: "none",
  fn() {
    const before = process.env;
    const io = denoIo();
    process.env = before;
    assert.equal(io.env.HOME, undefined);
    assert.deepEqual(io.ownNames(), []);
    const sources = resolve(import.meta.dirname!, "../../src");
    assert.deepEqual(io.missingFor("databases", "/a"), [
      `--allow-read=${sources},/a`,
      "--allow-write=/a",
    ]);
    assert.deepEqual(io.missingFor("logs", "/a"), [
      "--allow-read=/a",
      "--allow-write=/a",
    ]);
  },
});
