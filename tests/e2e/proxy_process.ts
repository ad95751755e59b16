/** The program as a user starts it: a process of its own, signals and all. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { TextValues } from "../../src/settings/row.ts";
import { HANG_MS, within } from "../hang.ts";

const MAIN = new URL("../../main.ts", import.meta.url);

/** A proxy that runs in processes of its own. */
export interface ProxyProcess extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Where its files are. */
  readonly workspace: string;
  /** All that it said so far. */
  said(): string;
  /** Resolves when it has said something like that, from `from` characters on. */
  saw(pattern: RegExp, from?: number): Promise<RegExpExecArray>;
  kill(signal: Deno.Signal): void;
  /** Resolves to the exit code. */
  ended(): Promise<number>;
}

/** How to start it. */
export interface ProxyProcessOptions {
  readonly args?: readonly string[];
  readonly env?: TextValues;
  /** Content of its settings file. */
  readonly settings?: string;
  /** Flags of the runtime. */
  readonly flags?: readonly string[];
  /** What it is permitted: flags of the runtime, all unless given. */
  readonly permissions?: readonly string[];
  /** Program and first arguments; the source, run as the options above say, unless given. */
  readonly program?: readonly string[];
  /** Whether it finds no variables but those of `env`. */
  readonly isEnvEmpty?: boolean;
  /** Whether its settings file says that any port will do, and not the command line. */
  readonly isPortStored?: boolean;
}

/** Starts `svc proxy` on a free port. */
export async function startProxyProcess(
  options: ProxyProcessOptions,
): Promise<ProxyProcess> {
  const { args = [], env = {}, settings, flags = [], isPortStored } = options;
  const { permissions = ["-A"], isEnvEmpty = false } = options;
  const workspace = await Deno.makeTempDir();
  if (settings !== undefined) {
    await Deno.writeTextFile(`${workspace}/settings.json`, settings);
  }
  const [program, ...words] = options.program ?? [
    ...[Deno.execPath(), "run", ...permissions, "--no-prompt", "--no-check"],
    ...[...flags, MAIN.href],
  ];
  const child = new Deno.Command(program!, {
    args: [
      ...words,
      ...["proxy", ...isPortStored ? [] : ["--port", "0"], ...args],
    ],
    clearEnv: isEnvEmpty,
    env: {
      ...isEnvEmpty
        ? cacheOfRuntime()
        : { SVC_WORKSPACE_DIR: workspace, NO_COLOR: "1" },
      ...env as Record<string, string>,
    },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const talk = listen(child.stderr);
  const ended = child.status.then(({ code }) => code);
  try {
    const [, url, port] = await talk.saw(/listens on (http:\/\/[\d.]+:(\d+))/);
    await talk.saw(/Ctrl-C stops it/);
    return {
      url: url!,
      port: Number(port),
      pid: child.pid,
      workspace,
      ...talk,
      kill,
      ended: () =>
        within(ended, () => `the end of the program: ${talk.said()}`),
      async [Symbol.asyncDispose]() {
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }

  function kill(signal: Deno.Signal): void {
    try {
      child.kill(signal);
    } catch (error) {
      // It has ended by itself.
      if (!(error instanceof TypeError)) ignoreGone(error);
    }
  }

  async function end(): Promise<void> {
    kill("SIGKILL");
    await ended;
    await talk.closed;
    await Deno.remove(workspace, { recursive: true });
  }
}

/** Where the runtime keeps packages: without it a program with another environment would look for them anew. */
export function cacheOfRuntime(): { readonly DENO_DIR: string } {
  const [directory] = fileURLToPath(import.meta.resolve("hono")).split("/npm/");
  return { DENO_DIR: directory! };
}

/** Resolves when `isSo` says yes. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const end = performance.now() + HANG_MS;
  while (!await isSo()) {
    if (performance.now() > end) assert.fail(`Waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A port that nobody listens on just now. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Processes that `pid` started. */
export async function childrenOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const [, state, parent] = await statOf(name);
    if (Number(parent) === pid && state !== "Z") found.push(Number(name));
  }
  return found.sort((a, b) => a - b);
}

/** Whether the process is there. */
export async function isAlive(pid: number): Promise<boolean> {
  const [, state] = await statOf(String(pid));
  return state !== undefined && state !== "Z";
}

/** Connections to `port` that the process holds. */
export async function connectionsOf(
  pid: number,
  port: number,
): Promise<number> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const table = await Deno.readTextFile(`/proc/${pid}/net/tcp`);
  const inodes = new Set(
    table.split("\n").map((line) => line.trim().split(/\s+/))
      .filter((cells) => cells[1]?.endsWith(`:${hex}`) && cells[3] === "01")
      .map((cells) => `socket:[${cells[9]}]`),
  );
  let count = 0;
  for await (const { name } of Deno.readDir(`/proc/${pid}/fd`)) {
    const target = await Deno.readLink(`/proc/${pid}/fd/${name}`)
      .catch(ignoreGone);
    if (target !== undefined && inodes.has(target)) count++;
  }
  return count;
}

/** Words of /proc/<pid>/stat after the name: name, state, parent; none when it has gone. */
async function statOf(pid: string): Promise<(string | undefined)[]> {
  const text = await Deno.readTextFile(`/proc/${pid}/stat`).catch(ignoreGone);
  if (text === undefined) return [];
  return ["", ...text.slice(text.lastIndexOf(")") + 2).split(" ")];
}

function ignoreGone(error: unknown): undefined {
  // A process that ends while it is looked at gives "No such process".
  const isGone = error instanceof Deno.errors.NotFound ||
    error instanceof Error && /os error 3\b/.test(error.message);
  if (!isGone) throw error;
}

/** Collects a text and tells those who wait for a part of it. */
function listen(stream: ReadableStream<Uint8Array>) {
  let text = "";
  let isOpen = true;
  let change = Promise.withResolvers<void>();
  const closed = (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      const part = decoder.decode(bytes, { stream: true });
      text += part;
      change.resolve();
      change = Promise.withResolvers();
    }
    isOpen = false;
    change.resolve();
  })();
  const said = () => text;
  const saw = async (pattern: RegExp, from = 0) => {
    for (;;) {
      const match = pattern.exec(text.slice(from));
      if (match) return match;
      if (!isOpen) assert.fail(`No ${pattern} in: ${text}`);
      await within(change.promise, () => `${pattern} in: ${text}`);
    }
  };
  return { said, saw, closed };
}
