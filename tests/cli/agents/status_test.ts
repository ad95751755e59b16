import { say } from "../../../src/cli/terminal.ts";
import assert from "node:assert/strict";
import { withValue } from "../../../src/cli/agents/plan.ts";
import { ConfigFault, type Launch } from "../../../src/cli/agents/agent.ts";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import {
  commandText,
  entryText,
  fileFailure,
  forEach,
  programOf,
  showEdit,
  toolNames,
} from "../../../src/cli/agents/report.ts";
import { CliFailure, systemError } from "../../../src/cli/failure.ts";
import { fakeFiles, fakeIo } from "../fake_io.ts";
import { installAll } from "../../../src/cli/agents/install.ts";
import { launchFor } from "../../../src/cli/agents/locate.ts";
import {
  type AgentStatus,
  reportStatus,
} from "../../../src/cli/agents/status.ts";

const { claude, opencode } = AGENTS;

Deno.test("fileFailure names file, line and reason", () => {
  const textOf = (error: unknown) => {
    const failure = fileFailure(claude, "/c", error);
    assert(failure instanceof CliFailure);
    return failure.message;
  };
  assert.equal(
    textOf(new ConfigFault("it is broken", 3)),
    "Cannot edit /c:3 of Claude Code: it is broken",
  );
  assert.equal(
    textOf(new ConfigFault("it is odd")),
    "Cannot edit /c of Claude Code: it is odd",
  );
  assert.equal(
    textOf(systemError("EACCES", "x")),
    "Cannot use /c of Claude Code: no permission (its mode, or that of its directory)",
  );
  const other = new Error("bug");
  assert.equal(fileFailure(claude, "/c", other), other);
});

Deno.test("entryText shows a program but no arguments, no values of variables or headers", () => {
  const launch = { command: ["/a b", "secret"], env: { KEY: "secret" } };
  assert.equal(entryText({ launch, value: {} }), '"/a b"');
  const value = { type: "http", url: "http://h?key=secret", headers: {} };
  assert.equal(
    entryText({ launch: undefined, value }),
    "something that is no program on this machine (type, url, headers)",
  );
});

Deno.test("commandText quotes only what needs it", () => {
  assert.equal(commandText(["/a/b.ts", "--x=1", "c d"]), '/a/b.ts --x=1 "c d"');
});

Deno.test("toolNames are the names that the agent's model sees", () => {
  assert.equal(toolNames(claude)[0], "mcp__svc__headroom_retrieve");
  assert.equal(toolNames(opencode)[0], "svc_headroom_retrieve");
});

Deno.test("say and showEdit write to stdout", () => {
  const io = fakeIo();
  say(io, "one");
  showEdit(io, claude, {
    file: "/c",
    before: '["a"]\n',
    text: '["/svc", "serve", "/w", "stdio"]\n',
    values: [{ value: { a: ["/svc", { b: "serve" }] } }, { value: "/w" }],
  });
  assert.equal(
    io.out(),
    'one\nClaude Code: would change /c\n--- /c\n+++ /c\n@@ -1,1 +1,1 @@\n-["…"]\n+["/svc", "serve", "/w", "…"]\n',
  );
});

Deno.test("programOf gives the program without arguments", () => {
  const of = (...command: string[]) => programOf({ command, env: {} });
  assert.deepEqual(of("/a b/c", "--key", "secret"), ["/a b/c"]);
  assert.deepEqual(of("npx -y x --key=secret"), ["npx"]);
  assert.deepEqual(of(), []);
});

Deno.test("forEach writes failures to stderr, goes on, and throws what nobody foresaw", async () => {
  const io = fakeIo();
  const done: number[] = [];
  const work = (n: number) => {
    done.push(n);
    return n === 1
      ? Promise.reject(new CliFailure("Cannot do it"))
      : Promise.resolve();
  };
  assert.equal(await forEach(io, [1, 2], work), 1);
  assert.deepEqual(done, [1, 2]);
  assert.equal(io.err(), "error: Cannot do it\n");
  assert.equal(await forEach(io, [2], work), 0);
  const bug = () => Promise.reject(new Error("bug"));
  await assert.rejects(forEach(io, [1], bug), /bug/);
});

/** Reports on a world where Claude Code has `launch`, Codex somebody else's server, OpenCode none. */
async function report(launch: Launch, problem?: string) {
  const files = fakeFiles();
  const { codex, claude } = AGENTS;
  files.texts.set(
    "/home/a/.codex/config.toml",
    withValue(codex, "", {
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
