/** `svc wrap` as a user starts it, with an agent that is a script. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { within } from "../hang.ts";
import { cacheOfRuntime, freePort } from "./proxy_process.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

/** Where wraps of one test take place. */
export interface WrapPlace {
  /** Home directory; the workspace and the project are in it. */
  readonly home: string;
  /** A port that nobody listens on. */
  readonly port: number;
  /** Environment of the wraps. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts `svc` with these arguments in the project's directory. */
  start(args: readonly string[], env?: Record<string, string>): WrapProcess;
  /** The same on a terminal of 33 lines and 99 columns. */
  startOnTerminal(args: readonly string[]): WrapProcess;
  /** What the proxy on the port says of itself; `undefined` where there is none. */
  health(): Promise<{ readonly config: { readonly pid: number } } | undefined>;
  /** Names of the files of wraps in the workspace. */
  leases(): Promise<string[]>;
}

/** A wrap that runs. */
export interface WrapProcess {
  readonly pid: number;
  /** Types on its terminal, or into its standard input. */
  type(text: string): Promise<void>;
  /** Resolves when it has written something like that. */
  saw(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: Deno.Signal): void;
  /** Its exit code and all that it wrote. */
  ended(): Promise<{ readonly code: number; readonly text: string }>;
}

/**
 * Runs a test with agents `claude` and `cline` that are a shell script, and ends all that the test has started.
 *
 * @param agent The script.
 */
export async function withAgent(
  agent: string,
  test: (place: WrapPlace) => Promise<void>,
): Promise<void> {
  const home = await Deno.realPath(await Deno.makeTempDir());
  const running: WrapProcess[] = [];
  const port = freePort();
  const place = await placeOf({ home, port, agent }, running);
  try {
    await test(place);
  } finally {
    for (const each of running) each.kill("SIGKILL");
    await Promise.all(running.map((each) => each.ended().catch(() => {})));
    const pid = (await place.health())?.config.pid;
    if (pid !== undefined) Deno.kill(pid, "SIGKILL");
    await Deno.remove(home, { recursive: true });
  }
}

async function placeOf(
  { home, port, agent }: {
    readonly home: string;
    readonly port: number;
    readonly agent: string;
  },
  running: WrapProcess[],
): Promise<WrapPlace> {
  const project = join(home, "my project");
  const bin = join(home, "bin");
  await Deno.mkdir(project);
  await Deno.mkdir(bin);
  for (const name of ["claude", "cline"]) {
    const script = `#!/bin/sh\n${agent}\n`;
    await Deno.writeTextFile(join(bin, name), script, { mode: 0o755 });
  }
  const env = {
    ...cacheOfRuntime(),
    HOME: home,
    PATH: `${bin}:/usr/bin:/bin`,
    NO_COLOR: "1",
    TERM: "xterm",
    SVC_PORT: String(port),
    // Nothing but this machine is asked.
    MSG_TARGET_API_URL: "http://127.0.0.1:9",
    CHAT_TARGET_API_URL: "http://127.0.0.1:9",
  };
  const words = (args: readonly string[]) => [
    ...[Deno.execPath(), "run", "-A", "--no-prompt", "--no-check", MAIN],
    ...args,
  ];
  const start = (
    command: readonly string[],
    more: Record<string, string> = {},
  ) => {
    const process = startProcess(command, { ...env, ...more }, project);
    running.push(process);
    return process;
  };
  return {
    home,
    port,
    env,
    start: (args, more) => start(words(args), more),
    startOnTerminal: (args) => {
      const line = words(args).map((word) => `'${word}'`).join(" ");
      const command = `stty rows 33 cols 99; exec ${line}`;
      return start([
        "script",
        "--quiet",
        "--return",
        "-c",
        command,
        "/dev/null",
      ]);
    },
    async health() {
      try {
        const response = await fetch(`http://127.0.0.1:${port}/health`);
        return await response.json();
      } catch (error) {
        if (error instanceof TypeError) return undefined;
        throw error;
      }
    },
    async leases() {
      const names: string[] = [];
      for await (const { name } of Deno.readDir(join(home, ".svc/wraps"))) {
        if (name !== ".lock") names.push(name);
      }
      return names.sort();
    },
  };
}

function startProcess(
  [program, ...args]: readonly string[],
  env: Record<string, string>,
  cwd: string,
): WrapProcess {
  const child = new Deno.Command(program!, {
    args,
    env,
    cwd,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  let change = Promise.withResolvers<void>();
  const changed = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const part of stream) {
      text += decoder.decode(part, { stream: true });
      changed();
    }
  };
  const all = Promise.all([
    child.status,
    read(child.stdout),
    read(child.stderr),
  ]).then(([{ code }]) => ({ code, text }));
  let isOver = false;
  void all.finally(() => {
    isOver = true;
    changed();
  });
  const input = child.stdin.getWriter();
  input.closed.catch(() => {});
  return {
    pid: child.pid,
    type: (typed) => input.write(new TextEncoder().encode(typed)),
    async saw(pattern) {
      for (;;) {
        const match = pattern.exec(text);
        if (match !== null) return match;
        if (isOver) assert.fail(`No ${pattern} in: ${text}`);
        await within(change.promise, () => `${pattern} in: ${text}`);
      }
    },
    kill(signal) {
      if (!isOver) child.kill(signal);
    },
    async ended() {
      await input.close().catch(() => {});
      return await within(all, () => `the end after: ${text}`);
    },
  };
}
