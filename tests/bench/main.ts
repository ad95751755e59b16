/** All benchmarks; writes BENCHMARKS.md. Usage: `deno task bench`, on a machine that does nothing else. */
import { JsonCursor } from "../../src/bytes/json_scan.ts";
import { splice } from "../../src/bytes/splice.ts";
import { CONTENT } from "../../src/compressors/registry.ts";
import { openTokenCounter } from "../../src/tokens/counter.ts";
import type { ContentKind } from "../../src/core/detector.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import { openRouter } from "../../src/compute/open_router.ts";
import { ToolEditor } from "../../src/pipeline/added_tools.ts";
import { pinnedText } from "../../src/pipeline/pinned.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { MCP_TOOLS } from "../e2e/many_tools.ts";
import { jobOf } from "../pipeline/jobs.ts";
import { jsonRows, serviceLog } from "./corpus.ts";
import { latencyReport } from "./latency.ts";
import { libraryReport } from "./library.ts";
import { figure, percentile, table, times } from "./measure.ts";
import { oneFileReport } from "./one_file.ts";
import { SAMPLES } from "./samples.ts";
import { sectionIn } from "../quality/section.ts";

const SIZES = [20_000, 200_000, 1_000_000];

function speed(text: string, work: (text: string) => unknown): string {
  const runs = text.length > 500_000 ? 15 : 60;
  const samples = times(() => work(text), { runs, warm: runs });
  return figure(text.length / 1e6 / (percentile(samples, 0.5) / 1000), 0);
}

const KINDS = Object.keys(CONTENT) as ContentKind[];

/** Slow kinds are not measured at sizes that nobody waits for. */
const LARGEST: Partial<Record<ContentKind, number>> = { source_code: 200_000 };

function compressors(): string {
  const rows = [];
  for (const kind of KINDS) {
    const { compressor } = CONTENT[kind];
    const compress = (text: string) =>
      compressor.compress(text, {
        query: "why did the job fail",
        mayElide: true,
        countTokens: (part) => Math.ceil(part.length / 4),
        compressPart: () => ({ type: "unchanged", reason: "not_asked" }),
      });
    compress(SAMPLES[kind](2_000));
    rows.push([
      `${kind} (${compressor.id})`,
      ...SIZES.map((bytes) =>
        bytes > (LARGEST[kind] ?? bytes)
          ? "-"
          : speed(SAMPLES[kind](bytes), compress)
      ),
    ]);
  }
  return table(["compressor", "20 KB", "200 KB", "1 MB"], rows);
}

/** Recognition, parts, counting, sealing: what a block costs in the worker. */
async function wholeWay(): Promise<string> {
  const { decide } = await openRouter();
  const rows = [];
  for (const kind of KINDS) {
    const cells = [];
    for (const bytes of [2_000, 20_000, 200_000]) {
      const runs = bytes > 100_000 ? 10 : 40;
      const samples: number[] = [];
      for (let i = 0; i < 2 * runs; i++) {
        // A fresh text on every run: the counter must not live on repeated ones.
        const job = jobOf(SAMPLES[kind](bytes, i + 1), {
          query: "why did the job fail",
          model: "gpt-5",
        });
        const start = performance.now();
        await decide(job);
        if (i >= runs) samples.push(performance.now() - start);
      }
      samples.sort((a, b) => a - b);
      cells.push(figure(percentile(samples, 0.5)));
    }
    rows.push([kind, ...cells]);
  }
  return table(["ms per block", "2 KB", "20 KB", "200 KB"], rows);
}

async function counting(): Promise<string> {
  const started = performance.now();
  const counter = await openTokenCounter();
  counter.count("x", "gpt-5");
  const loadMs = performance.now() - started;
  const rows = Object.entries(SAMPLES).map(([kind, make]) => {
    // A fresh text on every run: a counter must not live on repeated ones.
    const texts = Array.from({ length: 80 }, (_, i) => make(20_000, i + 1));
    const samples = times(() => counter.count(texts.pop()!, "gpt-5"), {
      runs: 60,
      warm: 20,
    });
    return [kind, figure(0.02 / (percentile(samples, 0.5) / 1000), 0)];
  });
  return [
    `Loading the o200k_base table: ${figure(loadMs, 0)} ms.`,
    "",
    table(["text, fresh 20 KB pieces", "MB/s"], rows),
  ].join("\n");
}

function scanning(): string {
  const body = new TextEncoder().encode(JSON.stringify({
    messages: Array.from({ length: 100 }, (_, i) => ({
      role: "user",
      content: (i % 2 ? serviceLog : jsonRows)(20_000, i + 1),
    })),
  }));
  const megabytes = body.length / 1e6;
  const rate = (work: () => unknown) => {
    const samples = times(work, { runs: 40, warm: 20 });
    return figure(megabytes / (percentile(samples, 0.5) / 1000), 0);
  };
  const edits = Array.from({ length: 50 }, (_, i) => ({
    span: { start: i * 30_000, end: i * 30_000 + 20_000 },
    replacement: new Uint8Array(2_000),
  }));
  const parse = () => JSON.parse(new TextDecoder().decode(body));
  return table(["work on a 2 MB body", "MB/s"], [
    ["scan", rate(() => new JsonCursor(body).skip())],
    ["splice, 50 edits", rate(() => splice(body, edits))],
    ["for comparison: decode and JSON.parse", rate(parse)],
  ]);
}

/** Marks 30 definitions that are loaded on demand: once per tool array, then from memory. */
function definitions(): string {
  const body = new TextEncoder().encode(JSON.stringify({
    model: "claude-sonnet-4-5",
    tools: MCP_TOOLS,
    messages: [{ role: "user", content: "q" }],
  }));
  const scan = messagesFormat.scan(body);
  const { definition, deferral } = messagesFormat.retrieval;
  const pinned = pinnedText({
    definitions: [definition, deferral!.searchDefinition],
    resident: [],
  })!;
  const edit = (editor: ToolEditor) =>
    editor.edits(body, scan, { pinned, deferral });
  const known = new ToolEditor(ccrKey);
  const cell = (work: () => unknown) =>
    figure(percentile(times(work, { runs: 200, warm: 50 }), 0.5), 3);
  return table(["30 tool definitions, 40 KB", "ms"], [
    ["a tool array that is new", cell(() => edit(new ToolEditor(ccrKey)))],
    ["the same again", cell(() => edit(known))],
  ]);
}

// First of all: later the process has memory to spare.
const file = new URL("../../BENCHMARKS.md", import.meta.url);
const quality = sectionIn(await Deno.readTextFile(file));
const machine =
  `${navigator.hardwareConcurrency} cores, ${Deno.build.os} ${Deno.build.arch}, Deno ${Deno.version.deno}`;
const report = [
  "# Benchmarks",
  "",
  "Written by `deno task bench` on a machine that does nothing else. Figures of one",
  `run on ${machine}; compare them within the run, not between machines.`,
  "",
  await latencyReport(),
  "",
  await oneFileReport(),
  "",
  await libraryReport(),
  "",
  "## Compressors",
  "",
  "Megabytes of text per second, recognition and token counting not included; of wrapped",
  "and mixed texts without the work on their parts, of numbered ones without that on their lines.",
  "",
  compressors(),
  "",
  "Whole blocks, recognition and token counting included.",
  "",
  await wholeWay(),
  "",
  "",
  "## Token counting",
  "",
  await counting(),
  "",
  "## Bodies",
  "",
  scanning(),
  "",
  definitions(),
  "",
  ...quality === "" ? [] : [quality, ""],
].join("\n");
await Deno.writeTextFile(file, report);
// deno-lint-ignore no-console
console.log(report);
