import assert from "node:assert/strict";

const root = new URL("../../", import.meta.url);

/** Runs a command whose output nobody reads, as behind `| true`. */
async function unread(
  args: readonly string[],
  home: string,
): Promise<{ readonly code: number; readonly talk: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", "--quiet", "main.ts", ...args],
    cwd: root,
    env: { HOME: home, SVC_WORKSPACE_DIR: "", SVC_PORT: "1", NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  // Long before the program has started, let alone written anything.
  await child.stdout.cancel();
  const [{ code }, talk] = await Promise.all([
    child.status,
    new Response(child.stderr).text(),
  ]);
  return { code, talk };
}

Deno.test("a command whose reader has gone succeeds, and says nothing of it", async (t) => {
  const home = await Deno.makeTempDir();
  const lines = [
    ["--help"],
    ["--version"],
    ["log", "--help"],
    ["savings", "--json"],
    ["perf", "--format", "csv"],
    ["ccr", "list", "--json"],
    ["config", "list"],
    ["telemetry", "list"],
    ["doctor"],
    ["completions", "bash"],
    ["demo"],
  ];
  for (const args of lines) {
    await t.step(args.join(" "), async () => {
      const { code, talk } = await unread(args, home);
      assert.equal(code, 0, talk);
      assert.doesNotMatch(talk, /error|pipe/i);
    });
  }
  await Deno.remove(home, { recursive: true });
});
