/** Real shells that complete command lines of svc; tests skip where one is missing. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";
import { HANG_MS } from "../../hang.ts";
import { tempDir } from "../../temp_dir.ts";

/** A script that `svc completions` made, and a directory with files to complete. */
export interface CompletedShell {
  /** Path of the script. */
  readonly script: string;
  /** Holds `build.log`, `two words.txt` and the directory `sub`. */
  readonly directory: string;
  /** Runs the shell in the directory and gives what it prints. */
  run(args: readonly string[]): Promise<string>;
}

/** Registers a test that is skipped, with one line, where there is no such shell. */
export function shellTest(
  shell: "bash" | "zsh" | "fish",
  name: string,
  check: (completed: CompletedShell) => Promise<void>,
): void {
  const isHere = hasProgram(shell);
  const title = isHere ? name : `${name} (skipped: ${shell} is not installed)`;
  Deno.test(title, { ignore: !isHere }, async () => {
    await using temp = await tempDir();
    const directory = temp.path;
    const script = join(directory, `.script.${shell}`);
    await Deno.writeTextFile(script, await scriptOf(shell));
    await Deno.writeTextFile(join(directory, "build.log"), "");
    await Deno.writeTextFile(join(directory, "two words.txt"), "");
    await Deno.mkdir(join(directory, "sub"));
    const run = (args: readonly string[]) => output(shell, args, directory);
    await check({ script, directory, run });
  });
}

/** What `svc completions` prints. */
export async function scriptOf(shell: string): Promise<string> {
  const io = fakeIo();
  assert.equal(await runCli(["completions", shell], io), 0, io.err());
  assert.equal(io.err(), "");
  return io.out();
}

function hasProgram(name: string): boolean {
  try {
    const args = ["-c", "exit 0"];
    return new Deno.Command(name, { args, stdin: "null" }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function output(
  shell: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(shell, {
    args: [...args],
    cwd,
    env: { HOME: cwd, TERM: "xterm" },
    stdin: "null",
    signal: AbortSignal.timeout(HANG_MS),
  }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout);
}
