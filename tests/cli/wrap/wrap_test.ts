import assert from "node:assert/strict";
import { join } from "node:path";
import { denoFiles } from "../../../src/cli/deno_files.ts";
import { WRAP_CLAUDE } from "../../../src/cli/wrap/claude.ts";
import { WRAP_CLINE } from "../../../src/cli/wrap/cline.ts";
import { planWrap } from "../../../src/cli/wrap/plan.ts";
import { runWrapped } from "../../../src/cli/wrap/wrap.ts";
import { fakeIo } from "../fake_io.ts";
import { inHome } from "../uninstall/home.ts";
import { fakeSystem } from "./fake_system.ts";
import { askedProxy } from "./running.ts";

async function plan(io = fakeIo({ ask: askedProxy(() => 5) })) {
  const request = { agent: WRAP_CLAUDE, args: ["-p"], flags: {}, large: false };
  return { io, plan: await planWrap(io, request) };
}

Deno.test("runWrapped starts the agent with its arguments, and gives its exit code", async () => {
  const { io, plan: planned } = await plan();
  const system = fakeSystem();
  const runAgent: typeof system.runAgent = async (program) => {
    await system.runAgent(program);
    return 9;
  };
  const parts = { system: { ...system, runAgent }, useProxy: true };
  assert.equal(await runWrapped(io, planned, parts), 9);
  const [{ command, env, cwd } = assert.fail()] = system.ran;
  assert.deepEqual(command, ["/bin/claude", "-p"]);
  assert.equal(env["HOME"], "/home/a");
  assert.equal(cwd, "/project");
  assert.equal(system.held.size, 0);
});

Deno.test("runWrapped looks for no proxy where it is told so", async () => {
  const { io, plan: planned } = await plan(fakeIo());
  const system = fakeSystem({ isFree: () => false });
  assert.equal(await runWrapped(io, planned, { system, useProxy: false }), 0);
  assert.equal(io.err(), "");
});

Deno.test("runWrapped marks an agent as running also where it looks for no proxy", async () => {
  const { io, plan: planned } = await plan(fakeIo());
  const system = fakeSystem();
  let heldWhileItRuns = 0;
  const runAgent = () => {
    heldWhileItRuns = system.held.size;
    return Promise.resolve(0);
  };
  const parts = { system: { ...system, runAgent }, useProxy: false };
  await runWrapped(io, planned, parts);
  assert.equal(heldWhileItRuns, 1);
  assert.equal(system.held.size, 0);
});

Deno.test("runWrapped leaves the proxy also when the agent cannot be started", async () => {
  const { io, plan: planned } = await plan();
  const system = fakeSystem({
    runAgent: () => Promise.reject(new Error("no")),
  });
  await assert.rejects(
    runWrapped(io, planned, { system, useProxy: true }),
    /no/,
  );
  assert.equal(system.held.size, 0);
});

Deno.test("runWrapped names an address of the user that it replaces", async () => {
  const { io, plan: planned } = await plan(fakeIo({
    env: { HOME: "/home/a", ANTHROPIC_BASE_URL: "https://gw.example" },
  }));
  await runWrapped(io, planned, { system: fakeSystem(), useProxy: false });
  assert.match(
    io.err(),
    /svc: messages requests go to https:\/\/gw\.example, the address of ANTHROPIC_BASE_URL in the environment\n/,
  );
});

Deno.test("runWrapped gives a file back when another run ends between two steps of its own end", async () => {
  const file = ".cline/data/settings/providers.json";
  const text =
    '{"lastUsedProvider":"anthropic","providers":{"anthropic":{"settings":{}}}}';
  await inHome(async (home) => {
    await home.write({ [file]: text });
    const ask = askedProxy(() => 5);
    const shared = fakeSystem();
    const hold: typeof shared.hold = async (path, mark) => {
      await Deno.writeTextFile(path, mark);
      const { release } = await shared.hold(path, mark);
      return {
        async release() {
          await Deno.remove(path);
          await release();
        },
      };
    };
    const start = async (
      pid: number,
      runAgent: () => Promise<number>,
      files = denoFiles(),
    ) => {
      const io = home.io({ ask, files });
      const request = { agent: WRAP_CLINE, args: [], flags: {}, large: false };
      const plan = await planWrap(io, request);
      const system = { ...shared, pid, runAgent, hold };
      return await runWrapped(io, plan, { system, useProxy: true });
    };
    const secondRuns = Promise.withResolvers<void>();
    const secondMayEnd = Promise.withResolvers<number>();
    const second = start(2, () => {
      secondRuns.resolve();
      return secondMayEnd.promise;
    });
    await secondRuns.promise;
    const { alone, ...others } = denoFiles();
    let stepsOfTheEnd: number | undefined;
    const first = start(1, () => {
      stepsOfTheEnd = 0;
      return Promise.resolve(0);
    }, {
      ...others,
      async alone(path, work) {
        const isStep = stepsOfTheEnd !== undefined && path.includes("wraps");
        if (isStep && ++stepsOfTheEnd! === 2) {
          secondMayEnd.resolve(0);
          await second;
        }
        return await alone(path, work);
      },
    });
    assert.equal(await first, 0);
    secondMayEnd.resolve(0);
    assert.equal(await second, 0);
    assert.equal(shared.held.size, 0);
    assert.equal(await Deno.readTextFile(join(home.path, file)), text);
  });
});
