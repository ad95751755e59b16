/** What `svc wrap` needs of the system beside what every command may do. @module */
import { systemCode } from "../../core/errors.ts";
import { orElse } from "../failure.ts";
import { portOwner } from "./port_owner.ts";
import type { TextValues } from "../../settings/row.ts";
import process from "node:process";
import { delimiter, dirname, join, resolve } from "node:path";

/** A program to start. */
export interface Launched {
  /** Absolute path of the program, and its arguments. */
  readonly command: readonly string[];
  /** Its whole environment. */
  readonly env: TextValues;
  /** Directory to start it in. */
  readonly cwd: string;
}

/** A file that marks something as in use, as long as this program runs. */
export interface HeldFile {
  /** Removes it. */
  release(): Promise<void>;
}

const IS_WINDOWS = Deno.build.os === "windows";

/** Endings of programs. */
const ENDINGS: readonly string[] = IS_WINDOWS ? [".exe", ".cmd", ""] : [""];

/** Signals that one sends to a program by name: the agent gets them too. */
const SENT: readonly Deno.Signal[] = IS_WINDOWS
  ? []
  : ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"];

/** Signals of keys: the terminal sends them to all programs on it, so that the agent has them already. */
const TYPED: readonly Deno.Signal[] = IS_WINDOWS
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGQUIT"];

/** Most characters that are kept of what a background program says. */
const MAX_SAID = 20_000;

/** This system. */
export function denoSystem() {
  return {
    /** Number of this process. */
    pid: Deno.pid,
    findProgram,
    runAgent,
    startBackground,
    askToEnd,
    isRunning,
    isFree,
    /** Who listens on a port, where the system says so. */
    ownerOf: portOwner,
    hold,
    isHeld,
  };
}

/** The system. */
export type WrapSystem = ReturnType<typeof denoSystem>;

/** Absolute path of a program in `PATH`; `undefined` where there is none. */
async function findProgram(
  name: string,
  env: TextValues,
): Promise<string | undefined> {
  const directories = (env.PATH ?? env.Path ?? "").split(delimiter);
  for (const directory of directories.filter(Boolean)) {
    for (const ending of ENDINGS) {
      const path = resolve(join(directory, name + ending));
      if (await isProgram(path)) return path;
    }
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  const info = await orElse(undefined, () => Deno.stat(path));
  return info !== undefined && info.isFile &&
    (info.mode === null || (info.mode & 0o111) !== 0);
}

/**
 * Starts a program with this terminal, and passes signals on to it. Keys such as Ctrl-C reach it from the terminal.
 * @returns Its exit code; 128 and the signal's number where one ended it.
 */
async function runAgent(launched: Launched): Promise<number> {
  // Before the agent starts, so that no key ends this program alone.
  let child: Deno.ChildProcess | undefined;
  const isOnTerminal = [Deno.stdin, Deno.stdout, Deno.stderr]
    .some((stream) => stream.isTerminal());
  const listeners = [...SENT, ...TYPED].map((signal) => {
    const isTyped = TYPED.includes(signal) && isOnTerminal;
    const listener = () => {
      if (!isTyped) signalTo(child, signal);
    };
    Deno.addSignalListener(signal, listener);
    return () => Deno.removeSignalListener(signal, listener);
  });
  try {
    child = spawn(launched, {
      ...{ stdin: "inherit", stdout: "inherit", stderr: "inherit" },
    });
    // The runtime adds 128 to the number of a signal, as shells do.
    return (await child.status).code;
  } finally {
    for (const forget of listeners) forget();
  }
}

function spawn(
  { command: [program = "", ...args], env, cwd }: Launched,
  options: Deno.CommandOptions,
): Deno.ChildProcess {
  const variables = { clearEnv: true, env: env as Record<string, string> };
  return new Deno.Command(program, { ...options, args, cwd, ...variables })
    .spawn();
}

function signalTo(
  child: Deno.ChildProcess | undefined,
  signal: Deno.Signal,
): void {
  try {
    child?.kill(signal);
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof TypeError) && !isGone(error)) throw error;
  }
}

/** Starts a program in a session of its own: no terminal and no signal of it. */
function startBackground(launched: Launched) {
  const child = spawn(launched, {
    ...{ stdin: "null", stdout: "null", stderr: "piped", detached: true },
  });
  child.unref();
  let said = "";
  let hasEnded = false;
  void child.status.then(() => hasEnded = true);
  const reader = child.stderr.getReader();
  const decoder = new TextDecoder();
  void (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      if (said.length < MAX_SAID) said += decoder.decode(value);
    }
  })().catch(() => {});
  return {
    /** Number of its process. */
    pid: child.pid,
    /** What it has said so far. */
    said: () => said,
    /** Whether it has ended. */
    hasEnded: () => hasEnded,
    /** Stops listening to it. */
    // It writes into a closed pipe from then on, which it takes.
    letGo: () => void reader.cancel().catch(() => {}),
  };
}

/** Asks a process to end; nothing happens where there is none. */
function askToEnd(pid: number): void {
  try {
    Deno.kill(pid, "SIGTERM");
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Whether a process runs. */
async function isRunning(pid: number): Promise<boolean> {
  if (Deno.build.os === "linux") {
    try {
      const text = await Deno.readTextFile(`/proc/${pid}/stat`);
      // One that has ended is there until its parent has looked.
      return text.charAt(text.lastIndexOf(")") + 2) !== "Z";
    } catch (error) {
      if (!isGone(error)) throw error;
      return false;
    }
  }
  try {
    // Sends nothing, but looks for the process.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return systemCode(error) === "EPERM";
  }
}

/** Whether an error says that there is no such process. */
function isGone(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound ||
    ["ESRCH", "ENOENT"].includes(systemCode(error) ?? "") ||
    error instanceof Error && /os error 3\b/.test(error.message);
}

/** Whether nothing listens on a port. */
function isFree(hostname: string, port: number): boolean {
  try {
    Deno.listen({ hostname, port }).close();
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/**
 * Makes a file and holds it until it is released or this program ends, however that happens.
 * @throws {Error} The system's, if it cannot be made.
 */
async function hold(path: string, text: string): Promise<HeldFile> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await Deno.open(path, {
    write: true,
    create: true,
    truncate: true,
    mode: 0o600,
  });
  try {
    await file.lock(true);
    await file.write(new TextEncoder().encode(text));
  } catch (error) {
    file.close();
    throw error;
  }
  return {
    async release() {
      file.close();
      await orElse(undefined, () => Deno.remove(path));
    },
  };
}

/** Whether a running program holds that file. */
async function isHeld(path: string): Promise<boolean> {
  try {
    using file = await Deno.open(path, { write: true });
    return !await file.tryLock(true);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return false;
  }
}
