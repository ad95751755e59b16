import assert from "node:assert/strict";
import { join } from "node:path";
import { denoFiles } from "../../../src/cli/deno_files.ts";
import { keepAgent } from "../../../src/cli/edits/keep.ts";
import { CLINE } from "../../../src/cli/edits/keep_rows.ts";
import { WRAP_CLINE } from "../../../src/cli/wrap/cline.ts";
import { WRAP_CONTINUE } from "../../../src/cli/wrap/continue.ts";
import { Leases } from "../../../src/cli/wrap/leases.ts";
import { planWrap } from "../../../src/cli/wrap/plan.ts";
import {
  undoDeadRuns,
  undoEndedRuns,
  writeRunFiles,
} from "../../../src/cli/wrap/run_files.ts";
import { fullAt } from "../edits/faulty_disk.ts";
import { type Home, inHome } from "../uninstall/home.ts";
import { fakeSystem } from "./fake_system.ts";

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

Deno.test("writeRunFiles edits a file for the run and undoEndedRuns gives it back, with all talk on stderr", async () => {
  await inHome(async (home) => {
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
});

Deno.test("undoDeadRuns gives back what a killed run has edited, not what a running one needs", async () => {
  await inHome(async (home) => {
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
});

Deno.test("writeRunFiles leaves a file that leads to the proxy of another run on another port", async () => {
  await inHome(async (home) => {
    await home.write({ [FILE]: TEXT });
    const { system, write } = await run(home);
    const lease = async (port: number) => {
      const path = `.svc/wraps/${port}-7.lease`;
      await home.write({ [path]: '{"agent":"cline"}' });
      system.held.add(join(home.path, path));
    };
    await lease(8787);
    await write();
    system.held.clear();
    await lease(9000);
    await assert.rejects(
      write(),
      /another svc wrap cline runs, and the file leads to its proxy on port 9000\. Use that one with --port 9000/,
    );
  });
});

Deno.test("writeRunFiles leaves what was edited for good", async () => {
  await inHome(async (home) => {
    await home.write({ [FILE]: TEXT });
    const base = "http://127.0.0.1:8787";
    await keepAgent(home.io(), { agent: CLINE, base, dryRun: false });
    const { write } = await run(home);
    await assert.rejects(write(), /--keep has edited it for good/);
  });
});

Deno.test("writeRunFiles keeps the file as it was when the disk is full", async () => {
  await inHome(async (home) => {
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
});

Deno.test("writeRunFiles makes a file for the run that only the user can read, and removes it", async () => {
  await inHome(async (home) => {
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
});
