import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";

Deno.test("svc completions prints a script with all commands, and nothing else", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const io = fakeIo();
    assert.equal(await runCli(["completions", shell], io), 0);
    assert.equal(io.err(), "");
    for (const word of ["proxy", "doctor", "uninstall", "opencode", "budget"]) {
      assert.match(io.out(), new RegExp(word), `${shell}: ${word}`);
    }
    // Only the program itself starts that one.
    assert.doesNotMatch(io.out(), /proxy-worker/);
  }
});

Deno.test("svc completions says on a terminal that a script belongs in a file", async () => {
  const io = fakeIo({ stdoutIsTerminal: true });
  assert.equal(await runCli(["completions", "fish"], io), 0);
  assert.match(io.err(), /in a file: svc completions --help/);
});

Deno.test("svc completions names the shells when none or another is given", async () => {
  for (const args of [[], ["powershell"]]) {
    const io = fakeIo();
    assert.equal(await runCli(["completions", ...args], io), 2);
    assert.match(io.err(), /bash\|zsh\|fish/);
    assert.match(io.err(), /svc completions --help/);
    assert.equal(io.out(), "");
  }
});

Deno.test("svc completions is proposed to who types nearly that", async () => {
  for (const word of ["completion", "completoins"]) {
    const io = fakeIo();
    assert.equal(await runCli([word, "bash"], io), 2);
    assert.match(io.err(), /Did you mean completions\?/, word);
  }
});

Deno.test("svc completions --help says where each script goes", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["completions", "--help"], io), 0);
  for (const place of ["bash-completion", ".zfunc/_svc", "svc.fish"]) {
    assert(io.out().includes(place), place);
  }
});
