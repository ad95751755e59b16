/** The figures of `svc perf` for people. @module */
import type { PerfReport } from "./collect.ts";
import { type Column, tableText } from "../table.ts";
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
import type { Spread, TimeSpread, TokenFigures } from "./report.ts";

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
    modelTable(report, width),
    compressorTable(report, width),
    aloneTable(report, width),
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
  const rows: (readonly [string, string])[] = [
    ["Tokens", tokensText(tokens)],
    ["Prompt caches", cacheText(report.cache)],
    [
      "Throughput",
      `${
        manyText(report.busiest_minute_requests, "request")
      } in the busiest minute${speedText(speed)}`,
    ],
  ];
  const { count, requests, tokens: sizes } = conversations;
  if (count > 0) {
    rows.push([
      "Conversations",
      `${countText(count)}; requests ${sizesText(requests)}; tokens ${
        sizesText(sizes)
      }`,
    ]);
  }
  return rows.map(([name, text]) =>
    `${wrapText(`${name.padEnd(15)}${text}`, width, " ".repeat(15))}\n`
  ).join("");
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

/** Columns of figures; what is most wanted has the lowest rank. */
function figure(heading: string, rank?: number): Column {
  return { heading, right: true, ...rank !== undefined && { rank } };
}

const TIME_COLUMNS: readonly Column[] = [
  { heading: "TIME" },
  figure("P50"),
  figure("P90", 2),
  figure("P95", 3),
  figure("P99", 4),
  figure("MAX", 1),
  figure("OVER 500 MS", 5),
];

function timeTable(report: PerfReport, width: number): string {
  if (report.overhead_ms.count === 0) return "";
  const row = (name: string, spread: TimeSpread) => [
    name,
    ...[spread.p50, spread.p90, spread.p95, spread.p99, spread.max]
      .map((ms) => ms === null ? "-" : msText(ms)),
    countText(spread.over_500_ms),
  ];
  return tableText(
    TIME_COLUMNS,
    [
      row("added by svc", report.overhead_ms),
      row("to the first byte", report.ttfb_ms),
      row("to the last byte", report.latency_ms),
    ],
    width,
  );
}

const MODEL_COLUMNS: readonly Column[] = [
  { heading: "MODEL", least: 9, good: 17 },
  figure("REQUESTS", 2),
  figure("BEFORE"),
  figure("AFTER", 4),
  figure("SAVED"),
  figure("OUTPUT", 5),
  figure("COST", 1),
  figure("P50", 3),
];

function modelTable({ models }: PerfReport, width: number): string {
  if (models.length === 0) return "";
  return tableText(
    MODEL_COLUMNS,
    models.map((row) => [
      nameText(row.model),
      countText(row.requests),
      countText(row.tokens_before),
      countText(row.tokens_after),
      savedShare(row),
      countText(row.output_tokens),
      costText(row.cost_usd, row.unpriced_requests),
      row.latency_p50_ms === null ? "-" : msText(row.latency_p50_ms),
    ]),
    width,
  );
}

function costText(usd: number | null, unpriced: number): string {
  if (usd === null) return "?";
  const known = moneyText(usd * NANO);
  return unpriced === 0 ? known : `${known} + ?`;
}

const COMPRESSOR_COLUMNS: readonly Column[] = [
  { heading: "SHORTENED", least: 8, good: 16 },
  figure("RESULTS", 2),
  figure("BEFORE"),
  figure("AFTER", 3),
  figure("SAVED"),
  figure("RETRIEVED", 1),
];

function compressorTable({ compressors }: PerfReport, width: number): string {
  if (compressors.length === 0) return "";
  return tableText(
    COMPRESSOR_COLUMNS,
    compressors.map((row) => [
      ruleText(row.strategy),
      countText(row.results),
      countText(row.tokens_before),
      countText(row.tokens_after),
      savedShare(row),
      row.elided === 0 || row.asked_for === null
        ? "-"
        : `${countText(row.asked_for)} of ${countText(row.elided)}`,
    ]),
    width,
  );
}

function aloneTable(
  { left_alone: alone }: PerfReport,
  width: number,
): string {
  if (alone.length === 0) return "";
  const shown = alone.slice(0, MAX_REASONS);
  return tableText(
    [{ heading: "SKIPPED", least: 12 }, figure("RESULTS"), figure("SIZE")],
    shown.map(({ reason, results, bytes }) => [
      reasonText(reason),
      countText(results),
      sizeText(bytes),
    ]),
    width,
  );
}

function adviceLines({ recommendations }: PerfReport, width: number): string {
  if (recommendations.length === 0) return "";
  const lines = recommendations.map((text) =>
    `${wrapText(`- ${text}`, width, "  ")}\n`
  );
  return `What to do:\n${lines.join("")}`;
}
