import assert from "node:assert/strict";
import { startDirectory } from "../../src/cli/start_directory.ts";

const env = { INIT_CWD: "/home/a/src" };

Deno.test("startDirectory is where the user was when a task runs in the program's directory", () => {
  assert.equal(startDirectory(env, "/opt/svc", "/opt/svc"), "/home/a/src");
});

Deno.test("startDirectory is the current directory anywhere else", () => {
  assert.equal(startDirectory({}, "/opt/svc", "/opt/svc"), "/opt/svc");
  assert.equal(startDirectory(env, "/home/b", "/opt/svc"), "/home/b");
  assert.equal(startDirectory(env, "/home/b", undefined), "/home/b");
});
