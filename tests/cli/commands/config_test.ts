import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";

/** Runs commands with a directory of their own. */
async function withWorkspace(
  use: (
    run: (...args: string[]) => Promise<{ code: number; out: string }>,
    path: string,
  ) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir();
  try {
    await use(async (...args) => {
      const io = fakeIo({ env: { SVC_WORKSPACE_DIR: directory } });
      const code = await runCli(["config", ...args], io);
      return { code, out: io.out() };
    }, `${directory}/settings.json`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("svc config sets, gets, lists and takes out settings of a file that only its owner reads", () =>
  withWorkspace(async (run, path) => {
    assert.deepEqual(await run("path"), { code: 0, out: `${path}\n` });
    assert.equal((await run("set", "rpm", "60")).code, 0);
    assert.equal(await Deno.readTextFile(path), '{\n  "rpm": 60\n}\n');
    if (Deno.build.os !== "windows") {
      assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    }
    assert.deepEqual(await run("get", "SVC_RPM"), { code: 0, out: "60\n" });
    assert.match((await run("list")).out, /^rpm +60 +file$/m);
    assert.equal(JSON.parse((await run("list", "--json")).out).path, path);
    assert.equal((await run("unset", "rpm")).code, 0);
    assert.equal(await Deno.readTextFile(path), "{}\n");
  }));

Deno.test("svc config ends with 2 for what makes no sense", () =>
  withWorkspace(async (run) => {
    for (
      const args of [
        ["set", "rpm", "often"],
        ["set", "rpm"],
        ["get", "wat"],
        ["set", "tpm", "5"],
        ["unset"],
        ["wat"],
      ]
    ) assert.equal((await run(...args)).code, 2, args.join(" "));
  }));
