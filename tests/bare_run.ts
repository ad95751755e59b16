/** Running a program with nothing of this process but what is given. @module */

/** What to run, and with what. */
export interface BareRun {
  /** Program and arguments. */
  readonly command: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** Standard input; none unless given. */
  readonly input?: string | undefined;
}

/** How a run ended. */
export interface Ended {
  readonly code: number;
  readonly pid: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program to its end, whatever its exit code. */
export async function bareRun(
  { command, env, cwd, input = "" }: BareRun,
): Promise<Ended> {
  const [program, ...args] = command;
  const child = new Deno.Command(program!, {
    args,
    ...cwd !== undefined && { cwd },
    clearEnv: true,
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  // A program that reads nothing may have gone by then.
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return {
    code,
    pid: child.pid,
    out: decoder.decode(stdout),
    err: decoder.decode(stderr),
  };
}

/** Names in a directory, in order. */
export async function namesIn(path: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(path)) names.push(name);
  return names.sort();
}
