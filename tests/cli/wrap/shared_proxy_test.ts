import assert from "node:assert/strict";
import { systemError } from "../../../src/cli/failure.ts";
import { joinProxy, keepProxy } from "../../../src/cli/wrap/shared_proxy.ts";
import { fakeFiles, fakeIo, fakeSettings } from "../fake_io.ts";
import { type FakeSystem, fakeSystem } from "./fake_system.ts";
import { askedProxy } from "./running.ts";

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
