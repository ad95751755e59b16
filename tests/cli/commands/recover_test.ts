import assert from "node:assert/strict";
import { join } from "node:path";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";
import { rollout, withOldHome } from "../recover/old_home.ts";

Deno.test("defineRecover prints help, examples first", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["recover", "--help"], io), 0);
  assert.match(io.out(), /^Examples:\n {2}svc recover codex/);
});

Deno.test("defineRecover ends with 2 without an agent, or with one whose homes it does not know", async () => {
  for (const args of [[], ["emacs"]]) {
    const io = fakeIo();
    assert.equal(await runCli(["recover", ...args], io), 2);
    assert.match(io.err(), /agent/);
  }
});

Deno.test("defineRecover finds the home in TMPDIR and takes it with --yes, named ones with --source and --target", async () => {
  await withOldHome(async (home) => {
    assert.equal(await runCli(["recover", "codex", "--yes"], home.io()), 0);
    assert((await home.texts())[rollout(5)]);
    const target = join(home.path, "new");
    const args = ["--source", home.source, "--target", target, "-y"];
    assert.equal(await runCli(["recover", "codex", ...args], home.io()), 0);
    assert((await Deno.stat(join(target, rollout(5)))).isFile);
  });
});
