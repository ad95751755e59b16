/** Running a program for what it makes. @module */

/** One run. */
export interface ProgramRun {
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Where it runs; this process's directory when not given. */
  readonly cwd?: string;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A program ended with another code than 0. */
export class ProgramFailure extends Error {
  /** What it said on stderr, without colours. */
  readonly said: string;

  /** Keeps the program's own words in the message. */
  constructor(run: ProgramRun, code: number, said: string) {
    super(`${run.command.join(" ")} ended with ${code}: ${said.trim()}`);
    this.said = said;
  }
}

/**
 * Runs a program to its end.
 *
 * @returns What it wrote to stdout.
 * @throws {ProgramFailure} If it ends with another code than 0.
 */
export async function runProgram(run: ProgramRun): Promise<string> {
  const [program, ...args] = run.command;
  const { code, stdout, stderr } = await new Deno.Command(program!, {
    args,
    ...run.cwd !== undefined && { cwd: run.cwd },
    env: { NO_COLOR: "1", ...run.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  if (code !== 0) throw new ProgramFailure(run, code, decoder.decode(stderr));
  return decoder.decode(stdout);
}
