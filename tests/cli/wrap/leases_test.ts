import assert from "node:assert/strict";
import { join } from "node:path";
import { systemError } from "../../../src/cli/failure.ts";
import { Leases } from "../../../src/cli/wrap/leases.ts";
import { fakeFiles } from "../fake_io.ts";
import { fakeSystem } from "./fake_system.ts";

const DIRECTORY = "/home/a/.svc/wraps";

function world() {
  const files = fakeFiles();
  const system = fakeSystem();
  const leases = new Leases(
    { env: { HOME: "/home/a" }, cwd: "/", files },
    system,
  );
  return { files, system, leases };
}

Deno.test("Leases count the other agents on a port, and remove what ended ones left", async () => {
  const { files, system, leases } = world();
  await leases.take(8787, "claude");
  const path = (name: string) => join(DIRECTORY, name);
  for (
    const name of ["8787-1.lease", "8787-2.lease", "878-3.lease", "8787.proxy"]
  ) {
    files.texts.set(path(name), "{}");
  }
  system.held.add(path("8787-1.lease"));
  assert.equal(await leases.count(8787), 1);
  assert.ok(!files.texts.has(path("8787-2.lease")));
  assert.ok(files.texts.has(path("878-3.lease")));
});

Deno.test("Leases remember the proxy that a wrap started, and take nothing else for one", async () => {
  const { files, leases } = world();
  assert.equal(await leases.started(8787), undefined);
  await leases.remember(8787, { pid: 5 });
  assert.deepEqual(await leases.started(8787), { pid: 5 });
  await leases.remember(8787, { pid: 6 });
  assert.deepEqual(await leases.started(8787), { pid: 6 });
  await leases.remember(8787, undefined);
  assert.equal(await leases.started(8787), undefined);
  for (const text of ["", "[]", '{"pid":"5"}']) {
    files.texts.set(join(DIRECTORY, "8787.proxy"), text);
    assert.equal(await leases.started(8787), undefined);
  }
});

Deno.test("Leases wait for another wrap longer than for a lock, but not for what the work meets", async () => {
  const { files, system } = world();
  let tries = 0;
  const busy = {
    ...files,
    alone<T>(_path: string, work: () => Promise<T>): Promise<T> {
      tries++;
      return tries < 4 ? Promise.reject(systemError("EBUSY", "held")) : work();
    },
  };
  const env = { HOME: "/home/a" };
  const leases = new Leases({ env, cwd: "/", files: busy }, system);
  assert.equal(await leases.alone(() => Promise.resolve(1)), 1);
  assert.equal(tries, 4);
  const fails = () => Promise.reject(systemError("EBUSY", "mine"));
  await assert.rejects(leases.alone(fails), /mine/);
  assert.equal(tries, 5);
});

Deno.test("Leases know the port of another wrap that runs an agent, and remove what a killed one left", async () => {
  const { files, system, leases } = world();
  const path = (name: string) => join(DIRECTORY, name);
  files.texts.set(path("9000-1.lease"), '{"agent":"cline","pid":1}');
  assert.equal(await leases.portOf("cline"), undefined);
  system.held.add(path("9000-1.lease"));
  assert.equal(await leases.portOf("cline"), 9000);
  assert.equal(await leases.portOf("claude"), undefined);
  files.texts.set(path("8787-2.lease"), "{}");
  files.texts.set(path("8787-2.config.yaml"), "apiKey: k");
  await leases.count(8787);
  assert.deepEqual([...files.texts.keys()], [path("9000-1.lease")]);
});
