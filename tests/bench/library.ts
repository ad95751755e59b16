/** The library in processes of its own: what importing costs, the first compression, and those after it. */
import { buildNpm } from "../../scripts/build_npm.ts";
import { jsonRows, serviceLog } from "./corpus.ts";
import { figure, percentile, table } from "./measure.ts";

const ROOT = new URL("../../", import.meta.url);

/** Processes per runtime. */
const PROCESSES = 9;

/** Conversations per process, each with other texts; the first of them loads what is needed. */
const CONVERSATIONS = 25;

/** One conversation: ten results of tools, 200 KB. */
function conversation(seed: number): unknown[] {
  return [
    { role: "user", content: `why did job ${seed} fail?` },
    ...Array.from({ length: 10 }, (_, i) => {
      const id = `toolu_${seed}_${i}`;
      const text = (i % 2 ? jsonRows : serviceLog)(20_000, 10 * seed + i + 1);
      const call = { type: "tool_use", id, name: "Bash", input: {} };
      return [
        { role: "assistant", content: [call] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: id, content: text }],
        },
      ];
    }).flat(),
  ];
}

/** What one process measured, in milliseconds. */
interface Measured {
  readonly imported: number;
  readonly first: number;
  /** Conversations whose texts were never seen. */
  readonly fresh: readonly number[];
  /** The same with one more message. */
  readonly again: readonly number[];
}

/** Runs in every runtime. The arguments: the module, and a file with the conversations. */
const PROGRAM = `
import { readFileSync } from "node:fs";
import process from "node:process";
const [, , module, file] = process.argv;
const conversations = JSON.parse(readFileSync(file, "utf8"));
const clock = () => performance.now();
let start = clock();
const { compress } = await import(module);
const imported = clock() - start;
const timed = async (messages) => {
  start = clock();
  await compress(messages, { model: "claude-sonnet-5" });
  return clock() - start;
};
const fresh = [];
const again = [];
for (const messages of conversations) {
  fresh.push(await timed(messages));
  again.push(await timed([...messages, { role: "assistant", content: "I see." }]));
}
const [first] = fresh;
console.log(JSON.stringify({ imported, first, fresh: fresh.slice(5), again: again.slice(5) }));
`;

/** A runtime, and how it is started. */
interface Runtime {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly module: URL;
}

async function measured(
  { command: [program, ...args], module }: Runtime,
  folder: URL,
): Promise<Measured> {
  const files = ["program.mjs", "conversations.json"].map((name) =>
    new URL(name, folder).pathname
  );
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args, files[0]!, module.href, files[1]!],
    cwd: ROOT,
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function rowOf(runtime: Runtime, folder: URL): Promise<string[]> {
  const runs: Measured[] = [];
  for (let i = 0; i < PROCESSES; i++) {
    runs.push(await measured(runtime, folder));
  }
  const median = (pick: (run: Measured) => readonly number[]) => {
    const samples = runs.flatMap(pick).sort((a, b) => a - b);
    return figure(percentile(samples, 0.5), 1);
  };
  return [
    runtime.name,
    median(({ imported }) => [imported]),
    median(({ first }) => [first]),
    median(({ fresh }) => fresh),
    median(({ again }) => again),
  ];
}

/** Whether Node is on this machine. */
async function hasNode(): Promise<boolean> {
  try {
    return (await new Deno.Command("node", { args: ["--version"] }).output())
      .success;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return false;
  }
}

/** Speed of the library as Markdown. */
export async function libraryReport(): Promise<string> {
  const folder = new URL(`file://${await Deno.makeTempDir()}/`);
  try {
    const conversations = Array.from(
      { length: CONVERSATIONS },
      (_, i) => conversation(i),
    );
    await Deno.writeTextFile(new URL("program.mjs", folder), PROGRAM);
    await Deno.writeTextFile(
      new URL("conversations.json", folder),
      JSON.stringify(conversations),
    );
    const runtimes: Runtime[] = [{
      name: `Deno ${Deno.version.deno}, mod.ts`,
      command: [
        Deno.execPath(),
        ...["run", "-A", "--no-prompt", "--config", "deno.json"],
      ],
      module: new URL("mod.ts", ROOT),
    }];
    if (await hasNode()) {
      const dist = new URL("npm/", folder);
      await buildNpm(dist);
      runtimes.push({
        name: "Node, the npm package",
        command: ["node"],
        module: new URL("lib/mod.js", dist),
      });
    }
    const rows: string[][] = [];
    for (const runtime of runtimes) rows.push(await rowOf(runtime, folder));
    return [
      "## Library",
      "",
      `A conversation of 200 KB with ten tool results, milliseconds, medians of ${PROCESSES} processes: \`import\`; the first`,
      "`compress()`, which loads compressors and token tables; conversations with texts that were never seen; and one that",
      "comes again with a message more.",
      "",
      table(["runtime", "import", "first", "new texts", "again"], rows),
    ].join("\n");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
