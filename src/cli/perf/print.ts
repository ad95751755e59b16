/** The figures of `svc perf` for people. @module */
import type { PerfReport } from "./collect.ts";
import { type Cells, factsText, figure, tableOf } from "../table.ts";
import {
  countText,
  manyText,
  moneyText,
  msText,
  nameText,
  reasonText,
  ruleText,
  savedText,
  shareText,
  sizeText,
} from "../words.ts";
import { wrapText } from "../terminal.ts";
import type { Spread, TimeSpread, TokenFigures } from "./figures.ts";

/** Nano-dollars in a dollar. */
const NANO = 1e9;
/** Reasons that are shown. */
const MAX_REASONS = 5;

/** The report as text; of requests there must be at least one. @param width Columns of the terminal that a line may have. */
export function perfText(
  report: PerfReport,
  path: string,
  width: number,
): string {
  return [
    wrapText(headLine(report, path), width),
    factLines(report, width),
    timeTable(report, width),
    tableOf(MODEL_COLUMNS, report.models, width),
    tableOf(COMPRESSOR_COLUMNS, report.compressors, width),
    tableOf(ALONE_COLUMNS, report.left_alone.slice(0, MAX_REASONS), width),
    adviceLines(report, width),
  ].filter((part) => part !== "").join("\n");
}

function headLine({ hours, requests }: PerfReport, path: string): string {
  const { total, answered, ...others } = requests;
  const rest = Object.entries(others).filter(([, count]) => count > 0)
    .map(([name, count]) => `, ${countText(count)} ${ENDINGS[name] ?? name}`);
  const span = hours === null ? "" : ` of the last ${hours} h`;
  return `${manyText(total, "request")}${span} in ${path}: ${
    countText(answered)
  } answered by a model${rest.join("")}\n`;
}

const ENDINGS: Readonly<Record<string, string>> = {
  other: "answered otherwise",
  client_errors: "refused by a provider",
  cached: "from the response cache",
  refused: "refused here",
};

function factLines(report: PerfReport, width: number): string {
  const { tokens, conversations, output_tokens_per_second: speed } = report;
  const { count, requests, tokens: sizes } = conversations;
  return factsText([
    ["Tokens", tokensText(tokens)],
    ["Prompt caches", cacheText(report.cache)],
    [
      "Throughput",
      `${
        manyText(report.busiest_minute_requests, "request")
      } in the busiest minute${speedText(speed)}`,
    ],
    [
      "Conversations",
      count === 0
        ? ""
        : `${countText(count)}; requests ${sizesText(requests)}; tokens ${
          sizesText(sizes)
        }`,
    ],
  ], { width });
}

function tokensText(tokens: TokenFigures): string {
  return `${countText(tokens.tokens_before)} -> ${
    countText(tokens.tokens_after)
  } (${savedText(tokens.tokens_saved, tokens.tokens_before)})`;
}

function savedShare(tokens: TokenFigures): string {
  return shareText(tokens.tokens_saved, tokens.tokens_before);
}

function cacheText(cache: PerfReport["cache"]): string {
  if (cache.hit_percent === null) return "the providers reported no tokens";
  const { first_5_hit_percent: first, last_5_hit_percent: last } = cache;
  const trend = first === null
    ? ""
    : `; in ${
      manyText(cache.long_conversations, "conversation")
    } of ten or more requests: ${first} % in the first five requests, ${last} % in the last five`;
  return `${cache.hit_percent} % read (${
    countText(cache.read_tokens)
  } tokens), ${countText(cache.write_tokens)} written, ${
    countText(cache.input_tokens)
  } not cached${trend}`;
}

function speedText({ count, p50, p90 }: Spread): string {
  if (count === 0) return "";
  return `; streams: p50 ${round(p50)}, p90 ${round(p90)} tokens/s`;
}

function sizesText({ p50, p90, max }: Spread): string {
  return `p50 ${round(p50)}, p90 ${round(p90)}, max ${round(max)}`;
}

function round(value: number | null): string {
  return value === null ? "-" : countText(Math.round(value));
}

function timeText(ms: number | null): string {
  return ms === null ? "-" : msText(ms);
}

type NamedTime = readonly [name: string, spread: TimeSpread];

const TIME_COLUMNS: readonly Cells<NamedTime>[] = [
  { heading: "TIME", cell: ([name]) => name },
  figure("P50", ([, { p50 }]) => timeText(p50)),
  figure("P90", ([, { p90 }]) => timeText(p90), 2),
  figure("P95", ([, { p95 }]) => timeText(p95), 3),
  figure("P99", ([, { p99 }]) => timeText(p99), 4),
  figure("MAX", ([, { max }]) => timeText(max), 1),
  figure("OVER 500 MS", ([, spread]) => countText(spread.over_500_ms), 5),
];

function timeTable(report: PerfReport, width: number): string {
  if (report.overhead_ms.count === 0) return "";
  return tableOf(TIME_COLUMNS, [
    ["added by svc", report.overhead_ms],
    ["to the first byte", report.ttfb_ms],
    ["to the last byte", report.latency_ms],
  ], width);
}

const MODEL_COLUMNS: readonly Cells<PerfReport["models"][number]>[] = [
  { heading: "MODEL", least: 9, good: 17, cell: (row) => nameText(row.model) },
  figure("REQUESTS", (row) => countText(row.requests), 2),
  figure("BEFORE", (row) => countText(row.tokens_before)),
  figure("AFTER", (row) => countText(row.tokens_after), 4),
  figure("SAVED", savedShare),
  figure("OUTPUT", (row) => countText(row.output_tokens), 5),
  figure("COST", (row) => costText(row.cost_usd, row.unpriced_requests), 1),
  figure("P50", (row) => timeText(row.latency_p50_ms), 3),
];

function costText(usd: number | null, unpriced: number): string {
  if (usd === null) return "?";
  const known = moneyText(usd * NANO);
  return unpriced === 0 ? known : `${known} + ?`;
}

type Compressor = PerfReport["compressors"][number];

const COMPRESSOR_COLUMNS: readonly Cells<Compressor>[] = [
  {
    ...{ heading: "SHORTENED", least: 8, good: 16 },
    cell: (row) => ruleText(row.strategy),
  },
  figure("RESULTS", (row) => countText(row.results), 2),
  figure("BEFORE", (row) => countText(row.tokens_before)),
  figure("AFTER", (row) => countText(row.tokens_after), 3),
  figure("SAVED", savedShare),
  figure("RETRIEVED", retrievedText, 1),
];

function retrievedText({ elided, asked_for: asked }: Compressor): string {
  return elided === 0 || asked === null
    ? "-"
    : `${countText(asked)} of ${countText(elided)}`;
}

const ALONE_COLUMNS: readonly Cells<PerfReport["left_alone"][number]>[] = [
  { heading: "SKIPPED", least: 12, cell: ({ reason }) => reasonText(reason) },
  figure("RESULTS", ({ results }) => countText(results)),
  figure("SIZE", ({ bytes }) => sizeText(bytes)),
];

function adviceLines({ recommendations }: PerfReport, width: number): string {
  if (recommendations.length === 0) return "";
  const lines = recommendations.map((text) =>
    `${wrapText(`- ${text}`, width, "  ")}\n`
  );
  return `What to do:\n${lines.join("")}`;
}
