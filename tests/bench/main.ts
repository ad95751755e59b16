/** All benchmarks; writes BENCHMARKS.md. Usage: `deno task bench`, on a machine that does nothing else. */
import { JsonCursor } from "../../src/bytes/json_scan.ts";
import { splice } from "../../src/bytes/splice.ts";
import { CONTENT } from "../../src/compressors/registry.ts";
import { openTokenCounter } from "../../src/tokens/counter.ts";
import {
  jsonRows,
  prose,
  searchResults,
  serviceLog,
  unifiedDiff,
} from "./corpus.ts";
import { latencyReport } from "./latency.ts";
import { figure, percentile, table, times } from "./measure.ts";

const SAMPLES = {
  json: jsonRows,
  log: serviceLog,
  search_results: searchResults,
  diff: unifiedDiff,
} as const;
const SIZES = [20_000, 200_000, 1_000_000];

function speed(text: string, work: (text: string) => unknown): string {
  const runs = text.length > 500_000 ? 15 : 60;
  const samples = times(() => work(text), { runs, warm: runs });
  return figure(text.length / 1e6 / (percentile(samples, 0.5) / 1000), 0);
}

function compressors(): string {
  const rows = Object.entries(SAMPLES).map(([kind, make]) => {
    const { compressor } = CONTENT[kind as keyof typeof CONTENT];
    const compress = (text: string) =>
      compressor.compress(text, {
        query: "why did the job fail",
        mayElide: true,
        countTokens: (part) => Math.ceil(part.length / 4),
      });
    return [
      `${kind} (${compressor.id})`,
      ...SIZES.map((bytes) => speed(make(bytes), compress)),
    ];
  });
  return table(["compressor", "20 KB", "200 KB", "1 MB"], rows);
}

async function counting(): Promise<string> {
  const started = performance.now();
  const counter = await openTokenCounter();
  counter.count("x", "gpt-5");
  const loadMs = performance.now() - started;
  const rows = Object.entries({ ...SAMPLES, prose }).map(([kind, make]) => {
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
  "## Compressors",
  "",
  "Megabytes of text per second, recognition and token counting not included.",
  "",
  compressors(),
  "",
  "## Token counting",
  "",
  await counting(),
  "",
  "## Bodies",
  "",
  scanning(),
  "",
].join("\n");
await Deno.writeTextFile(
  new URL("../../BENCHMARKS.md", import.meta.url),
  report,
);
// deno-lint-ignore no-console
console.log(report);
