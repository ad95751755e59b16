import assert from "node:assert/strict";
import { systemError } from "../../../src/cli/failure.ts";
import {
  joinProxy,
  keepProxy,
  undoDeadRuns,
  undoEndedRuns,
  writeRunFiles,
} from "../../../src/cli/wrap/shared_proxy.ts";
import { fakeFiles, fakeIo, fakeSettings } from "../fake_io.ts";
import { type FakeSystem, fakeSystem } from "./fake_system.ts";
import { askedProxy } from "./running.ts";
import { join } from "node:path";
import { denoFiles } from "../../../src/cli/files.ts";
import { keepAgent } from "../../../src/cli/edits/keep.ts";
import { CLINE } from "../../../src/cli/edits/keep_rows.ts";
import { WRAP_CLINE, WRAP_CONTINUE } from "../../../src/cli/wrap/by_file.ts";
import { Leases } from "../../../src/cli/wrap/leases.ts";
import { planWrap } from "../../../src/cli/wrap/plan.ts";
import { fullAt } from "../edits/faulty_disk.ts";
import { type Home, test } from "../uninstall/home.ts";

const wish = {
  config: fakeSettings().config,
  upstreams: ["messages"] as const,
  variables: {},
  command: "svc wrap claude",
};
const RECORD = "/home/a/.svc/wraps/8787.proxy";

/** A proxy runs from its first start until it is asked to end. */
function world(pid: number | undefined = undefined) {
  const system: FakeSystem = fakeSystem();
  const running = () =>
    system.started.length > 0 && !system.ended.includes(7) ? 7 : pid;
  const io = fakeIo({ ask: askedProxy(running), files: fakeFiles() });
  const join = (me: FakeSystem = system) =>
    joinProxy(io, wish, { system: me, agent: "claude" });
  return { system, io, join };
}

Deno.test("joinProxy starts a proxy and ends it at the end", async () => {
  const { system, io, join } = world();
  const proxy = await join();
  assert.equal(system.started.length, 1);
  assert.equal(await io.files.read(RECORD), '{"pid":7}');
  assert.match(io.err(), /^svc: started a proxy at .*, log in .*proxy\.log\n$/);
  await proxy.leave();
  assert.deepEqual(system.ended, [7]);
  assert.equal(await io.files.read(RECORD), undefined);
  assert.equal(system.held.size, 0);
});

Deno.test("joinProxy leaves a proxy that somebody else started, or that took the place of its own", async () => {
  const { system, join } = world(5);
  await (await join()).leave();
  assert.deepEqual([system.started, system.ended], [[], []]);
  const other = world();
  const proxy = await other.join();
  other.system.ended.push(7);
  const changed = { ...other.io, ask: askedProxy(() => 8) };
  const later = await joinProxy(changed, wish, {
    system: { ...other.system, pid: 101 },
    agent: "codex",
  });
  await later.leave();
  await proxy.leave();
  assert.deepEqual(other.system.ended, [7]);
});

Deno.test("joinProxy keeps no lease when no proxy can be used", async () => {
  const { io, system } = world();
  const taken = { ...system, isFree: () => false };
  await assert.rejects(
    joinProxy(io, wish, { system: taken, agent: "claude" }),
    /Cannot use port 8787/,
  );
  assert.equal(system.held.size, 0);
});

Deno.test("joinProxy ends what it started where it cannot write", async () => {
  for (const code of ["EROFS", "ENOSPC"]) {
    const { io, system } = world();
    const alone = () => Promise.reject(systemError(code, "no"));
    const unwritable = { ...io, files: { ...io.files, alone } };
    const proxy = await joinProxy(unwritable, wish, {
      system,
      agent: "claude",
    });
    assert.ok(io.err().includes(`wraps (${code}). This agent does not share`));
    await proxy.leave();
    assert.deepEqual(system.ended, [7]);
  }
});

Deno.test("keepProxy starts a proxy that no wrap ends", async () => {
  const { system, io, join } = world();
  await keepProxy(io, wish, system);
  await (await join()).leave();
  assert.deepEqual([system.started.length, system.ended], [1, []]);
});

Deno.test("joinProxy starts a proxy anew that a wrap of another version left", async () => {
  const system = fakeSystem();
  const old = askedProxy(
    () => system.ended.includes(5) ? undefined : 5,
    {},
    "0",
  );
  const now = askedProxy(() => system.ended.includes(7) ? undefined : 7);
  const io = fakeIo({
    ask: (...args) => (system.started.length > 0 ? now : old)(...args),
    files: fakeFiles(new Map([[RECORD, '{"pid":5}']])),
  });
  const proxy = await joinProxy(io, wish, { system, agent: "claude" });
  assert.deepEqual([system.ended, system.started.length], [[5], 1]);
  await proxy.leave();
  assert.deepEqual(system.ended, [5, 7]);
});

const FILE = ".cline/data/settings/providers.json";
const TEXT =
  '{"lastUsedProvider":"anthropic","providers":{"anthropic":{"settings":{}}}}';

async function run(home: Home, { agent = WRAP_CLINE, parts = {} } = {}) {
  const io = home.io(parts);
  const request = { agent, args: [], flags: {}, large: false };
  const plan = await planWrap(io, request);
  const system = fakeSystem();
  const leases = new Leases(io, system);
  return { io, system, leases, write: () => writeRunFiles(io, plan, leases) };
}

test("writeRunFiles edits a file for the run and undoEndedRuns gives it back, with all talk on stderr", async (home) => {
  await home.write({ [FILE]: TEXT });
  const { io, leases, write } = await run(home);
  await write();
  const read = () => io.files.read(join(home.path, FILE));
  assert.match((await read())!, /"baseUrl": ?"http:\/\/127\.0\.0\.1:8787/);
  await undoEndedRuns(io, leases);
  assert.equal(await read(), TEXT);
  assert.equal(io.out(), "");
  assert.match(io.err(), /^svc: Cline: .* leads to .*\nsvc: .* as it was\n$/);
});

test("undoDeadRuns gives back what a killed run has edited, not what a running one needs", async (home) => {
  await home.write({ [FILE]: TEXT });
  const { io, leases, system, write } = await run(home);
  await write();
  const read = () => io.files.read(join(home.path, FILE));
  const other = join(home.path, ".svc/wraps/9000-7.lease");
  await home.write({ ".svc/wraps/9000-7.lease": '{"agent":"cline"}' });
  system.held.add(other);
  await undoDeadRuns(io, leases);
  assert.notEqual(await read(), TEXT);
  system.held.delete(other);
  await undoDeadRuns(io, leases);
  assert.equal(await read(), TEXT);
});

test("writeRunFiles leaves a file that a run on another port has edited, not one where a run has only begun", async (home) => {
  await home.write({ [FILE]: TEXT });
  const { system, write } = await run(home);
  const lease = async (port: number) => {
    const path = `.svc/wraps/${port}-7.lease`;
    await home.write({ [path]: '{"agent":"cline"}' });
    system.held.add(join(home.path, path));
  };
  await lease(9000);
  await write();
  await assert.rejects(
    write(),
    /another svc wrap cline runs, and the file leads to its proxy on port 9000\. Use that one with --port 9000/,
  );
});

test("writeRunFiles leaves what was edited for good", async (home) => {
  await home.write({ [FILE]: TEXT });
  const base = "http://127.0.0.1:8787";
  await keepAgent(home.io(), { agent: CLINE, base, dryRun: false });
  const { write } = await run(home);
  await assert.rejects(write(), /--keep has edited it for good/);
});

test("writeRunFiles keeps the file as it was when the disk is full", async (home) => {
  await home.write({ [FILE]: TEXT });
  for (const write of [1, 2]) {
    const files = denoFiles(fullAt(write));
    const parts = { files };
    await assert.rejects(
      (await run(home, { parts })).write(),
      /no space left on device\. The file is as it was$/,
    );
    assert.equal(await files.read(join(home.path, FILE)), TEXT);
  }
});

test("writeRunFiles makes a file for the run that only the user can read, and removes it", async (home) => {
  await home.write({
    ".continue/config.yaml": "models:\n  - provider: openai\n",
  });
  const { io, write } = await run(home, { agent: WRAP_CONTINUE });
  const { args: [option, path = ""], remove } = await write();
  assert.equal(option, "--config");
  assert.match((await io.files.read(path))!, /apiBase: http/);
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  await remove();
  assert.equal(await io.files.exists(path), false);
});
