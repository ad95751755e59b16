import assert from "node:assert/strict";
import type { Launch } from "../../../src/cli/agents/agent.ts";
import { installAll } from "../../../src/cli/agents/install.ts";
import { launchFor } from "../../../src/cli/agents/launch.ts";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import {
  type AgentStatus,
  reportStatus,
} from "../../../src/cli/agents/status.ts";
import { fakeFiles, fakeIo } from "../fake_io.ts";

/** Reports on a world where Claude Code has `launch`, Codex somebody else's server, OpenCode none. */
async function report(launch: Launch, problem?: string) {
  const files = fakeFiles();
  const { codex, claude } = AGENTS;
  files.texts.set(
    "/home/a/.codex/config.toml",
    codex.format.set("", {
      command: "/their/svc",
      args: ["--key", "secret"],
      env: { K: "secret" },
    }),
  );
  const io = fakeIo({ files });
  const wish = { launch, force: false, dryRun: false };
  await installAll(io, { agents: [claude], ...wish });
  const probed: unknown[] = [];
  const probeMcp = (target: unknown) => {
    probed.push(target);
    return Promise.resolve(problem);
  };
  const run = async (json: boolean) => {
    const io = fakeIo({ files, probeMcp });
    return { exitCode: await reportStatus(io, json), out: io.out() };
  };
  const { exitCode, out } = await run(true);
  const all: { agents: AgentStatus[] } = JSON.parse(out);
  const text = (await run(false)).out;
  assert.doesNotMatch(out, /secret/);
  return { exitCode, agents: all.agents, text, probed };
}

const current = launchFor(fakeIo(), "http://127.0.0.1:9000");

Deno.test("reportStatus tells ours, that of others and none apart, and starts only ours", async () => {
  const { exitCode, agents, text, probed } = await report(current);
  assert.equal(exitCode, 0);
  assert.deepEqual(agents.map((a) => a.registered), [
    "by_svc",
    "by_others",
    "no",
  ]);
  assert.deepEqual(agents.map((a) => a.found), [true, true, false]);
  assert.deepEqual(agents.map((a) => a.starts), [true, null, null]);
  assert.deepEqual(agents[0]!.command, current.command);
  assert.equal(agents[0]!.outdated, null);
  assert.equal(agents[0]!.tools[0], "mcp__svc__headroom_retrieve");
  assert.deepEqual(agents[1]!.command, ["/their/svc"]);
  assert.deepEqual(probed, [current, current]);
  assert.doesNotMatch(text, /secret/);
  assert.match(
    text,
    /^Claude Code: registered \(\/home\/a\/\.claude\.json\)\n {2}starts: /,
  );
  assert.match(text, /\n {2}the program answers\n/);
  assert.match(
    text,
    /\nCodex: a server "svc" that this workspace did not register/,
  );
  assert.match(
    text,
    /\nOpenCode: not registered .* not found on this machine\)\n$/,
  );
});

Deno.test("reportStatus says what would be registered now when that differs", async () => {
  const { exitCode, agents, text } = await report({
    command: ["/old/svc", "mcp", "serve"],
    env: {},
  });
  assert.equal(exitCode, 0);
  assert.deepEqual(agents[0]!.outdated, launchFor(fakeIo(), undefined).command);
  assert.match(
    text,
    /outdated, svc mcp install would register: \/opt\/deno run/,
  );
});

Deno.test("reportStatus fails when a program that we registered does not start", async () => {
  const { exitCode, agents, text } = await report(current, "it is gone");
  assert.equal(exitCode, 1);
  assert.equal(agents[0]!.starts, false);
  assert.equal(agents[0]!.problem, "it is gone");
  assert.match(text, /the program does not start: it is gone\n/);
});

Deno.test("reportStatus reports the other agents when a file cannot be read", async () => {
  const files = fakeFiles(new Map([["/home/a/.claude.json", "{"]]));
  const io = fakeIo({ files });
  assert.equal(await reportStatus(io, true), 1);
  const { agents }: { agents: AgentStatus[] } = JSON.parse(io.out());
  assert.deepEqual(agents.map((a) => a.agent), ["codex", "opencode"]);
  assert.match(io.err(), /\.claude\.json:1/);
});
