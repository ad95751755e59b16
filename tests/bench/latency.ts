/** What the proxy adds to a request, beside a direct call and a proxy of a few lines, in one run. */
import { jsonRows, serviceLog } from "./corpus.ts";
import { firstByteReport } from "./first_byte.ts";
import { streamsReport } from "./streams.ts";
import { figure, percentile, table } from "./measure.ts";
import {
  cpuMs,
  type Programs,
  residentMb,
  spawn,
  startPrograms,
  startProxy,
} from "./programs.ts";

/** Rounds of a kind of request; the heavy kinds have fewer. */
const ROUNDS = 300;
const HEAVY_ROUNDS = 60;
/** Rounds of a light kind that are not measured: the runtime compiles the proxy's functions meanwhile. */
const WARM_ROUNDS = 300;
const HEAVY_WARM_ROUNDS = 12;
const MEMORY_REQUESTS = 1000;
/** Results of a session before the next one begins. */
const SESSION = 10;
/** Seconds that the loops that keep the cores busy go on at most. */
const BUSY_SECONDS = 120;

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
  readonly rounds: number;
  readonly begin?: readonly Uint8Array[];
  readonly request: (i: number) => Uint8Array;
  /** Whether all cores have other work meanwhile. */
  readonly isBusy?: boolean;
}

/** Sessions in which every request has a further result of `bytes`. */
function session(bytes: number): (i: number) => Uint8Array {
  let results: Result[] = [];
  return (i) => {
    if (i % SESSION === 0) results = [];
    results = [...results, result(serviceLog(bytes, i + 7))];
    return bodyOf(`session ${bytes} ${i - i % SESSION}`, results);
  };
}

function small(name: string): Omit<Case, "name"> {
  const question = `why? (${name})`;
  return {
    rounds: ROUNDS,
    begin: [bodyOf(question, [])],
    request: (i) => bodyOf(question, [result(`short ${i} `.repeat(150))]),
  };
}

/** The names of the rows. */
export const CASES: Readonly<Record<string, () => Case>> = {
  "2k": () => ({ name: "2 KB, nothing to compress", ...small("2") }),
  "3k": () => ({
    name: "session, 3 KB new tool result",
    rounds: ROUNDS,
    request: session(3_000),
  }),
  "20k": () => ({
    name: "session, 20 KB new tool result",
    rounds: ROUNDS,
    request: session(20_000),
  }),
  "2m": () => {
    const past = history(1_980_000);
    return {
      name: "2 MB, 20 KB new tool result",
      rounds: HEAVY_ROUNDS,
      begin: [bodyOf("why? (2000)", []), bodyOf("why? (2000)", past)],
      request: (i) =>
        bodyOf("why? (2000)", [...past, result(serviceLog(20_000, i + 7))]),
    };
  },
  cold: () => ({
    name: "1 MB, first request of the conversation (cold)",
    rounds: HEAVY_ROUNDS,
    request: (i) => bodyOf(`cold ${i}`, history(1_000_000)),
  }),
  busy: () => ({
    name: "2 KB, nothing to compress, all cores busy",
    ...small("busy"),
    isBusy: true,
  }),
};

const HEAD = [
  "request",
  "direct p50",
  "bare p50",
  "bare CPU",
  "reading p50",
  "reading CPU",
  "svc p50",
  "svc p99",
  "svc CPU",
  "p50, times bare",
  "CPU, times bare",
];

/** Sends the requests of one kind each way in turn: a row of the table. */
export async function measured(
  programs: Programs,
  one: Case,
): Promise<string[]> {
  for (const body of one.begin ?? []) await send(programs.proxy, body);
  const loops = Array.from(
    { length: one.isBusy ? navigator.hardwareConcurrency : 0 },
    () => spawn(["tests/bench/busy_loop.ts", `${BUSY_SECONDS}`]),
  );
  const { direct: provider, bare: least, reading: reader, proxy } = programs;
  const ways = [provider, least, reader, proxy];
  const pids = [programs.barePid, programs.readingPid, programs.pid];
  const added: number[][] = ways.map(() => []);
  const warm = one.rounds === ROUNDS ? WARM_ROUNDS : HEAVY_WARM_ROUNDS;
  let before = pids.map(cpuMs);
  for (let i = 0; i < warm + one.rounds; i++) {
    if (i === warm) before = pids.map(cpuMs);
    const body = one.request(i);
    const times = ways.map(() => 0);
    for (let turn = 0; turn < ways.length; turn++) {
      // Each way has each place in a round equally often.
      const way = (turn + i) % ways.length;
      times[way] = await send(ways[way]!, body);
    }
    if (i < warm) continue;
    const [direct = 0] = times;
    for (const [way, ms] of times.entries()) {
      added[way]!.push(way === 0 ? ms : ms - direct);
    }
  }
  const cpu = pids.map((pid, i) => (cpuMs(pid) - before[i]!) / one.rounds);
  for (const loop of loops) {
    loop.kill("SIGKILL");
    await loop.status;
  }
  const sorted = added.map((all) => all.sort((a, b) => a - b));
  const [direct = 0, bare = 0, reading = 0, svc = 0] = sorted
    .map((all) => percentile(all, 0.5));
  const [bareCpu = 0, readingCpu = 0, svcCpu = 0] = cpu;
  return [
    one.name,
    ...[direct, bare, bareCpu, reading, readingCpu].map((ms) => figure(ms)),
    ...[svc, percentile(sorted[3]!, 0.99), svcCpu].map((ms) => figure(ms)),
    figure(svc / bare, 1),
    figure(svcCpu / bareCpu, 1),
  ];
}

/** What svc and the proxy of a few lines hold before and after the same requests. */
async function memory(programs: Programs): Promise<string[][]> {
  const { proxy, bare, reading, pid, barePid, readingPid } = programs;
  const held = () =>
    [pid, barePid, readingPid].map((pid) => figure(residentMb(pid), 0));
  const idle = held();
  let results: Result[] = [];
  for (let i = 0; i < MEMORY_REQUESTS; i++) {
    if (i % 20 === 0) results = [];
    results.push(result(serviceLog(10_000, i)));
    const body = bodyOf(`conversation ${i - i % 20}`, results);
    await send(proxy, body);
    await send(bare, body);
    await send(reading, body);
  }
  return [
    ["after start", ...idle],
    [`after ${MEMORY_REQUESTS} requests of 10-200 KB`, ...held()],
  ];
}

/** Latency, start and memory as Markdown. */
export async function latencyReport(): Promise<string> {
  const starts: Pick<Programs, "readyMs" | "readyCpuMs">[] = [];
  const fresh = await startPrograms();
  const memoryRows = await memory(fresh).finally(() => fresh.stop());
  starts.push(fresh);
  const programs = await startPrograms();
  starts.push(programs);
  const rows: string[][] = [];
  let streams = "";
  let chunks = "";
  try {
    for (const one of Object.values(CASES)) {
      rows.push(await measured(programs, one()));
      // deno-lint-ignore no-console
      console.error(rows.at(-1)!.join("  "));
    }
    streams = await firstByteReport(programs);
    chunks = await streamsReport(programs);
    for (let i = 0; i < 5; i++) {
      const workspace = await Deno.makeTempDir();
      const start = await startProxy(programs.direct, workspace);
      const { child } = start;
      starts.push(start);
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(workspace, { recursive: true });
    }
  } finally {
    await programs.stop();
  }
  const ascending = (of: (start: typeof starts[number]) => number) =>
    starts.map(of).sort((a, b) => a - b);
  const ready = ascending(({ readyMs }) => readyMs);
  const readyCpu = ascending(({ readyCpuMs }) => readyCpuMs);
  return [
    "## Added latency",
    "",
    `Milliseconds on top of a direct call, and of processor time per request, of ${ROUNDS} rounds after ${WARM_ROUNDS} that are`,
    `not measured (${HEAVY_ROUNDS} after ${HEAVY_WARM_ROUNDS} for 1 and 2 MB). A round sends each request directly, through a proxy of ten lines`,
    "(bare), through one that reads bodies and passes each chunk on (reading: the least for any proxy that changes requests",
    "and looks at answers), and through svc. Client, proxies and provider are processes of one machine.",
    "",
    table(HEAD, rows),
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
    }); of processor time: median ${figure(percentile(readyCpu, 0.5), 0)} ms.`,
    "",
    "## Memory",
    "",
    table(["resident MB", "svc", "bare", "reading"], memoryRows),
  ].join("\n");
}
