import assert from "node:assert/strict";
import { ConfigFault } from "../../../src/cli/agents/agent.ts";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import {
  commandText,
  complain,
  entryText,
  fileFailure,
  programOf,
  say,
  showChange,
  toolNames,
} from "../../../src/cli/agents/report.ts";
import { CliFailure, systemError } from "../../../src/cli/failure.ts";
import { fakeIo } from "../fake_io.ts";

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

Deno.test("say and showChange write to stdout", () => {
  const io = fakeIo();
  say(io, "one");
  showChange(io, claude, {
    file: "/c",
    before: '["a"]\n',
    after: '["/svc", "serve", "/w", "stdio"]\n',
    launches: [{ command: ["/svc", "serve"], env: { X: "/w" } }],
  });
  assert.equal(
    io.out(),
    'one\nClaude Code: would change /c\n--- /c\n+++ /c\n@@ -1,1 +1,1 @@\n-["…"]\n+["/svc", "serve", "/w", "stdio"]\n',
  );
});

Deno.test("programOf gives the program without arguments", () => {
  const of = (...command: string[]) => programOf({ command, env: {} });
  assert.deepEqual(of("/a b/c", "--key", "secret"), ["/a b/c"]);
  assert.deepEqual(of("npx -y x --key=secret"), ["npx"]);
  assert.deepEqual(of(), []);
});

Deno.test("complain writes failures to stderr, and throws what nobody foresaw", () => {
  const io = fakeIo();
  complain(io, new CliFailure("Cannot do it"));
  assert.equal(io.err(), "error: Cannot do it\n");
  assert.throws(() => complain(io, new Error("bug")), /bug/);
});
