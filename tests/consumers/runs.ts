/** Programs that a consumer runs, and whether this machine has them. */
import assert from "node:assert/strict";
import { HANG_MS } from "../hang.ts";

/** What to run, and where. */
export interface Run {
  /** Program and arguments. */
  readonly command: readonly [string, ...string[]];
  /** Folder. */
  readonly cwd: URL;
  /** Whether it must print nothing to standard error. */
  readonly isQuiet?: boolean;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program that must succeed; gives what it printed. */
export async function run(
  { command, cwd, env = {}, isQuiet = false }: Run,
): Promise<string> {
  const [program, ...args] = command;
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    signal: AbortSignal.timeout(HANG_MS),
  }).output();
  const said = new TextDecoder().decode(stdout);
  const errors = new TextDecoder().decode(stderr);
  assert(success, `${command.join(" ")} failed\n${said}\n${errors}`);
  if (isQuiet) assert.equal(errors, "", command.join(" "));
  return said;
}

/** Says in one line that a test cannot be run here, if it cannot: its programs are missing. */
export async function lacks(...programs: readonly string[]): Promise<boolean> {
  for (const program of programs) {
    try {
      await new Deno.Command(program, {
        args: ["--version"],
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).output();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      // deno-lint-ignore no-console
      console.log(`skipped: ${program} is not on this machine`);
      return true;
    }
  }
  return false;
}
