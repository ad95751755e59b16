/** What the proxy adds to a request: paired with a direct call, in one run. */
import { jsonRows, serviceLog } from "./corpus.ts";
import { firstByteReport } from "./first_byte.ts";
import { streamsReport } from "./streams.ts";
import { figure, percentile, table } from "./measure.ts";

const PAIRS = 300;
const COLD_PAIRS = 40;
const MEMORY_REQUESTS = 1000;

/** Programs under test, each a process of its own. */
interface Programs {
  readonly direct: string;
  readonly proxy: string;
  readonly pid: number;
  /** Milliseconds from start to the first answer of `/readyz`. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

const root = new URL("../../", import.meta.url);

function spawn(args: readonly string[], env: Record<string, string> = {}) {
  return new Deno.Command(Deno.execPath(), {
    // As the task in deno.json runs it.
    args: [
      "run",
      "-A",
      "--no-prompt",
      "--v8-flags=--max-semi-space-size=1,--heap-growing-percent=15",
      ...args,
    ],
    cwd: root,
    env,
    stdout: "null",
    stderr: "null",
  }).spawn();
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
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

async function startProxy(direct: string, workspace: string) {
  const port = freePort();
  const started = performance.now();
  const child = spawn(["main.ts", "proxy", "--port", `${port}`], {
    MSG_TARGET_API_URL: direct,
    CHAT_TARGET_API_URL: direct,
    SVC_WORKSPACE_DIR: workspace,
  });
  const proxy = `http://127.0.0.1:${port}`;
  await untilUp(`${proxy}/readyz`);
  return { child, proxy, readyMs: performance.now() - started };
}

async function startPrograms(): Promise<Programs> {
  const port = freePort();
  const provider = spawn(["tests/bench/bench_provider.ts", `${port}`]);
  const direct = `http://127.0.0.1:${port}`;
  await untilUp(direct);
  const workspace = await Deno.makeTempDir();
  const { child, proxy, readyMs } = await startProxy(direct, workspace);
  return {
    direct,
    proxy,
    pid: child.pid,
    readyMs,
    async stop() {
      for (const program of [child, provider]) {
        program.kill("SIGTERM");
        await program.status;
      }
      await Deno.remove(workspace, { recursive: true });
    },
  };
}

interface Result {
  readonly id: string;
  readonly text: string;
}

let serial = 0;
const result = (text: string): Result => ({ id: `toolu_${serial++}`, text });

/** Tool results of 10 kB that make a history of about `bytes`. */
function history(bytes: number): readonly Result[] {
  return Array.from(
    { length: Math.round(bytes / 10_000) },
    (_, i) => result((i % 2 ? jsonRows : serviceLog)(9_600, i + 1)),
  );
}

function bodyOf(question: string, results: readonly Result[]): Uint8Array {
  const messages = [
    { role: "user", content: question },
    ...results.flatMap(({ id, text }) => [
      {
        role: "assistant",
        content: [{
          type: "tool_use",
          id,
          name: "Bash",
          input: { command: "run" },
        }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: text }],
      },
    ]),
  ];
  return new TextEncoder().encode(JSON.stringify({
    model: "claude-sonnet-5",
    max_tokens: 1000,
    tools: [{ name: "Bash", input_schema: { type: "object" } }],
    messages,
  }));
}

async function send(base: string, body: Uint8Array): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${base}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "k" },
    body: body as BodyInit,
  });
  const answer = await response.text();
  if (!response.ok) {
    throw new Error(`Bench stopped: ${response.status} ${answer}`);
  }
  return performance.now() - start;
}

/** One kind of request: how the conversation begins, and what request `i` is. */
interface Case {
  readonly name: string;
  readonly pairs: number;
  readonly begin: readonly Uint8Array[];
  readonly request: (i: number) => Uint8Array;
}

function cases(): readonly Case[] {
  const question = (name: string) => `why? (${name})`;
  const past = history(180_000);
  const long = history(1_980_000);
  return [
    {
      name: "2 KB, nothing to compress",
      pairs: PAIRS,
      begin: [bodyOf(question("2"), [])],
      request: (i) =>
        bodyOf(question("2"), [result(`short ${i} `.repeat(150))]),
    },
    {
      name: "200 KB, one new tool result of 20 KB",
      pairs: PAIRS,
      begin: [bodyOf(question("200"), []), bodyOf(question("200"), past)],
      request: (i) =>
        bodyOf(question("200"), [...past, result(serviceLog(20_000, i + 7))]),
    },
    {
      name: "2 MB, one new tool result of 2 KB",
      pairs: PAIRS,
      begin: [bodyOf(question("2000"), []), bodyOf(question("2000"), long)],
      request: (i) =>
        bodyOf(question("2000"), [...long, result(serviceLog(2_000, i + 7))]),
    },
    {
      name: "1 MB, first request of the conversation (cold)",
      pairs: COLD_PAIRS,
      begin: [],
      request: (i) => bodyOf(question(`cold ${i}`), history(1_000_000)),
    },
  ];
}

async function paired(programs: Programs, one: Case): Promise<string[]> {
  for (const body of one.begin) await send(programs.proxy, body);
  const added: number[] = [];
  const directs: number[] = [];
  const warm = Math.ceil(one.pairs / 5);
  for (let i = -warm; i < one.pairs; i++) {
    const body = one.request(i + warm);
    // The order alternates, so that neither side always has the warmer caches.
    const direct = i % 2 ? await send(programs.direct, body) : undefined;
    const through = await send(programs.proxy, body);
    const base = direct ?? await send(programs.direct, body);
    if (i < 0) continue;
    directs.push(base);
    added.push(through - base);
  }
  added.sort((a, b) => a - b);
  directs.sort((a, b) => a - b);
  return [
    one.name,
    figure(percentile(directs, 0.5)),
    figure(percentile(added, 0.5)),
    figure(percentile(added, 0.99)),
  ];
}

function residentMb(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function memory(programs: Programs): Promise<string[][]> {
  const idle = residentMb(programs.pid);
  let results: Result[] = [];
  for (let i = 0; i < MEMORY_REQUESTS; i++) {
    if (i % 20 === 0) results = [];
    results.push(result(serviceLog(10_000, i)));
    await send(programs.proxy, bodyOf(`conversation ${i - i % 20}`, results));
  }
  return [
    ["after start", figure(idle, 0)],
    [
      `after ${MEMORY_REQUESTS} requests of 10-200 KB`,
      figure(residentMb(programs.pid), 0),
    ],
  ];
}

/** Latency, start and memory as Markdown. */
export async function latencyReport(): Promise<string> {
  const ready: number[] = [];
  const fresh = await startPrograms();
  const memoryRows = await memory(fresh).finally(() => fresh.stop());
  ready.push(fresh.readyMs);
  const programs = await startPrograms();
  ready.push(programs.readyMs);
  const rows: string[][] = [];
  let streams = "";
  let chunks = "";
  try {
    for (const one of cases()) {
      rows.push(await paired(programs, one));
      // deno-lint-ignore no-console
      console.error(rows.at(-1)!.join("  "));
    }
    streams = await firstByteReport(programs);
    chunks = await streamsReport(programs);
    for (let i = 0; i < 5; i++) {
      const workspace = await Deno.makeTempDir();
      const { child, readyMs } = await startProxy(programs.direct, workspace);
      ready.push(readyMs);
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(workspace, { recursive: true });
    }
  } finally {
    await programs.stop();
  }
  ready.sort((a, b) => a - b);
  return [
    "## Added latency",
    "",
    `Milliseconds on top of a direct call, ${PAIRS} pairs each (${COLD_PAIRS} cold ones); client, proxy and provider are three processes on one machine.`,
    "",
    table(["request", "direct p50", "added p50", "added p99"], rows),
    "",
    "Streams, each way in turn:",
    "",
    streams,
    "",
    chunks,
    "",
    "## Start",
    "",
    `From the start of the process to the first answer of \`/readyz\`: median ${
      figure(percentile(ready, 0.5), 0)
    } ms of ${ready.length} starts (least ${figure(ready[0]!, 0)}, most ${
      figure(ready.at(-1)!, 0)
    }).`,
    "",
    "## Memory",
    "",
    table(["moment", "resident MB"], memoryRows),
  ].join("\n");
}
