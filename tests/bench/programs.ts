/** The programs that are measured, each a process of its own on this machine. */

/** Programs under test. */
export interface Programs {
  /** Address of the provider. */
  readonly direct: string;
  /** Address of the proxy of a few lines. */
  readonly bare: string;
  /** Address of the one that reads bodies. */
  readonly reading: string;
  /** Address of svc. */
  readonly proxy: string;
  /** Process of the proxy of a few lines. */
  readonly barePid: number;
  /** Process of the one that reads bodies. */
  readonly readingPid: number;
  /** Process of svc. */
  readonly pid: number;
  /** Milliseconds from start to the first answer of `/readyz`. */
  readonly readyMs: number;
  /** Milliseconds of processor time until then. */
  readonly readyCpuMs: number;
  /** Ends them all. */
  stop(): Promise<void>;
}

const root = new URL("../../", import.meta.url);

/** Flags and variables of the task in deno.json, so that what is measured is what users run. */
async function taskOf(
  name: string,
): Promise<{ readonly flags: string[]; readonly env: Record<string, string> }> {
  const { tasks } = JSON.parse(
    await Deno.readTextFile(new URL("deno.json", root)),
  );
  const words: string[] = tasks[name].split(" ");
  const at = words.indexOf("deno");
  return {
    flags: words.slice(at + 2).filter((word) => word.startsWith("-")),
    env: Object.fromEntries(words.slice(0, at).map((word) => word.split("="))),
  };
}

/** Starts a program of the project. */
export function spawn(
  args: readonly string[],
  { flags = ["-A", "--no-prompt"], env = {} }: {
    readonly flags?: readonly string[];
    readonly env?: Record<string, string>;
  } = {},
): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, ...args],
    cwd: root,
    env,
    stdout: "null",
    stderr: "null",
  }).spawn();
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

async function untilUp(url: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    try {
      await (await fetch(url)).bytes();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

/** Starts svc as its task does, and waits until it is ready. */
export async function startProxy(direct: string, workspace: string) {
  const { flags, env } = await taskOf("proxy");
  const port = freePort();
  const started = performance.now();
  const child = spawn(["main.ts", "proxy", "--port", `${port}`], {
    flags,
    env: {
      ...env,
      MSG_TARGET_API_URL: direct,
      CHAT_TARGET_API_URL: direct,
      SVC_WORKSPACE_DIR: workspace,
    },
  });
  const proxy = `http://127.0.0.1:${port}`;
  await untilUp(`${proxy}/readyz`);
  const readyMs = performance.now() - started;
  return { child, proxy, readyMs, readyCpuMs: cpuMs(child.pid) };
}

/** Starts all of them. */
export async function startPrograms(): Promise<Programs> {
  const start = async (file: string, ...args: string[]) => {
    const port = freePort();
    const child = spawn([`tests/bench/${file}`, `${port}`, ...args]);
    const url = `http://127.0.0.1:${port}`;
    await untilUp(url);
    return { child, url };
  };
  const provider = await start("bench_provider.ts");
  const bare = await start("bare_proxy.ts", provider.url);
  const reading = await start("bare_proxy.ts", provider.url, "reading");
  const workspace = await Deno.makeTempDir();
  const { child, proxy, ...ready } = await startProxy(provider.url, workspace);
  return {
    direct: provider.url,
    bare: bare.url,
    reading: reading.url,
    proxy,
    barePid: bare.child.pid,
    readingPid: reading.child.pid,
    pid: child.pid,
    ...ready,
    async stop() {
      for (const { child: program } of [{ child }, bare, reading, provider]) {
        program.kill("SIGTERM");
        await program.status;
      }
      await Deno.remove(workspace, { recursive: true });
    },
  };
}

/** Megabytes of a process that are in memory. */
export function residentMb(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Milliseconds of processor time that a process has used, all its threads together; Linux counts in steps of 10. */
export function cpuMs(pid: number): number {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
