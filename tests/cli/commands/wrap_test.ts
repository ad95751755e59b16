import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo, refused } from "../fake_io.ts";
import { inHome } from "../uninstall/home.ts";
import { join } from "node:path";
import { denoFiles } from "../../../src/cli/files.ts";
import { WRAP_CLAUDE } from "../../../src/cli/wrap/claude.ts";
import { WRAP_CLINE } from "../../../src/cli/wrap/by_file.ts";
import {
  environmentLines,
  planWrap,
  quoted,
  showPlan,
} from "../../../src/cli/wrap/plan.ts";
import { runWrapped } from "../../../src/cli/commands/wrap.ts";
import { fakeSystem } from "../wrap/fake_system.ts";
import { askedProxy } from "../wrap/running.ts";
import { WRAP_CODEX } from "../../../src/cli/wrap/codex.ts";
import { WRAP_OPENCODE } from "../../../src/cli/wrap/opencode.ts";

Deno.test("defineWrap ends with 2 without an agent, with an unknown one, and with options that make no sense", async () => {
  const cases = {
    "--keep": /missing required argument 'agent'/,
    "emacs": /'emacs' is invalid.*claude, codex, opencode/,
    "claude --port x": /Give a port from 1 to 65535/,
    "claude --keep -- -p": /arguments for the agent with --keep/,
    "claude --keep --print-env": /--keep with --print-env/,
    "codex --1m": /--1m with codex: only claude has it/,
    "claude -p x": /unknown option '-p'/,
  };
  for (const [words, said] of Object.entries(cases)) {
    await refused(`wrap ${words}`, fakeIo(), [2, said]);
  }
});

Deno.test("defineWrap keeps no agent pointed to the proxy whose address is in the environment", async () => {
  await inHome(async (home) => {
    const io = home.io({
      env: { HOME: home.path, ANTHROPIC_BASE_URL: "http://127.0.0.1:4000/a" },
    });
    assert.equal(await runCli(["wrap", "claude", "--keep"], io), 1);
    assert.match(
      io.err(),
      /ANTHROPIC_BASE_URL in the environment is http:\/\/127\.0\.0\.1:4000\. Take it out; if requests are to go there, make it the upstream of svc proxy/,
    );
    assert.deepEqual(await home.all(), []);
  });
});

Deno.test("defineWrap keeps no agent pointed to another program", async () => {
  await inHome(async (home) => {
    const ask = () => Promise.resolve({ status: 200, text: "hi" });
    const io = home.io({ ask });
    assert.equal(await runCli(["wrap", "claude", "--keep"], io), 1);
    assert.match(io.err(), /port 8787/);
    assert.deepEqual(await home.all(), []);
  });
});

Deno.test("defineWrap edits the agent's file with the port of the proxy, and svc unwrap gives it back", async () => {
  await inHome(async (home) => {
    const file = ".claude/settings.json";
    const before = '{\r\n\t"model": "opus", // mine\r\n}';
    await home.write({ [file]: before });
    const read = () => Deno.readTextFile(join(home.path, file));
    const wrap = ["wrap", "claude", "--keep", "--port", "9001"];
    const facts = { anthropic_api_url: "https://gw.example" };
    const ask = askedProxy(() => 5, facts);
    assert.equal(await runCli([...wrap, "--dry-run"], home.io({ ask })), 0);
    assert.equal(await read(), before);
    assert.equal(await runCli(wrap, home.io({ ask })), 0);
    assert.match(await read(), /"http:\/\/127\.0\.0\.1:9001"/);
    assert.equal(await runCli(["unwrap", "claude"], home.io()), 0);
    assert.equal(await read(), before);
  });
});

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

Deno.test("showPlan shows the proxy, the variables without secrets, and the command", async () => {
  const io = fakeIo({
    env: {
      HOME: "/home/a",
      OPENCODE_CONFIG_CONTENT:
        '{"provider":{"openai":{"options":{"apiKey":"k3y"}}}}',
    },
  });
  const request = {
    agent: WRAP_OPENCODE,
    args: ["run"],
    flags: {},
    large: false,
  };
  await showPlan(io, await planWrap(io, request), fakeSystem());
  assert.equal(
    io.out(),
    [
      "would start a proxy: http://127.0.0.1:8787",
      "  messages requests go to https://api.anthropic.com",
      "  chat requests go to https://api.openai.com",
      "would set OPENCODE_CONFIG_CONTENT=…",
      "would run opencode run",
      "",
    ].join("\n"),
  );
});

Deno.test("environmentLines have a function where the agent needs arguments", async () => {
  const io = fakeIo();
  const request = { agent: WRAP_CODEX, args: [], flags: {}, large: false };
  const [line = "", ...more] = environmentLines(await planWrap(io, request));
  assert.deepEqual(more, []);
  assert.match(
    line,
    /^codex\(\) \{ command codex -c 'openai_base_url=".*\/v1"' "\$@"; \}$/,
  );
});

Deno.test("quoted gives a word that a shell reads as it was", async () => {
  for (const word of ["plain", "two words", "it's", "$HOME", "", "a\nb"]) {
    const { stdout } = await new Deno.Command("/bin/sh", {
      args: ["-c", `printf %s ${quoted(word)}`],
    }).output();
    assert.equal(new TextDecoder().decode(stdout), word);
  }
});
