import assert from "node:assert/strict";
import { buildInfo, versionLine } from "../src/build_info.ts";
import { VERSION } from "../src/version.ts";

const MAIN = new URL("../main.ts", import.meta.url);

/** The program as a user starts it, with a workspace of its own. */
function program(args: readonly string[], workspace: string): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", "--no-check", MAIN.href, ...args],
    env: { SVC_WORKSPACE_DIR: workspace, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

async function withWorkspace(
  use: (path: string) => Promise<void>,
): Promise<void> {
  const path = await Deno.makeTempDir();
  try {
    await use(path);
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

/** Reads lines until one matches; the rest stays unread. */
async function firstMatch(
  lines: ReadableStreamDefaultReader<string>,
  pattern: RegExp,
): Promise<RegExpExecArray> {
  let text = "";
  while (true) {
    const { value, done } = await lines.read();
    text += value ?? "";
    const match = pattern.exec(text);
    if (match) return match;
    if (done) assert.fail(`no ${pattern} in: ${text}`);
  }
}

Deno.test("main.ts prints the version and ends with 0", async () => {
  await withWorkspace(async (path) => {
    const { code, stdout } = await program(["--version"], path).output();
    assert.equal(code, 0);
    assert.equal(
      new TextDecoder().decode(stdout),
      `${versionLine(buildInfo())}\n`,
    );
  });
});

Deno.test("main.ts ends with 2 on an unknown flag", async () => {
  await withWorkspace(async (path) => {
    const { code, stdout } = await program(["proxy", "--prot"], path).output();
    assert.equal(code, 2);
    assert.equal(stdout.length, 0);
  });
});

Deno.test("main.ts runs the proxy until SIGTERM and ends with 0; a second one on its port ends with 1", async () => {
  await withWorkspace(async (path) => {
    await using child = program(["proxy", "--port", "0"], path).spawn();
    const lines = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
    const [, url, port] = await firstMatch(
      lines,
      /listens on (http:\/\/127\.0\.0\.1:(\d+))/,
    );
    const health = await fetch(`${url}/health`);
    assert.equal(health.status, 200);
    assert.equal((await health.json()).version, VERSION);

    const second = await program(["proxy", "--port", port!], path).output();
    assert.equal(second.code, 1);
    assert.match(new TextDecoder().decode(second.stderr), new RegExp(port!));

    child.kill("SIGTERM");
    const said = new Response(child.stdout).bytes();
    while (!(await lines.read()).done);
    assert.equal((await child.status).code, 0);
    assert.equal((await said).length, 0);
  });
});

Deno.test("main.ts compresses a file to stdout and says the numbers on stderr", async () => {
  await withWorkspace(async (path) => {
    const file = `${path}/short.txt`;
    await Deno.writeTextFile(file, "one line, no break at its end");
    const { code, stdout, stderr } = await program(["compress", file], path)
      .output();
    assert.equal(code, 0);
    assert.equal(
      new TextDecoder().decode(stdout),
      "one line, no break at its end",
    );
    assert.match(
      new TextDecoder().decode(stderr),
      /^\d+ -> \d+ tokens \(0 % saved, skipped: [\w ,]+\)\n$/,
    );
  });
});
