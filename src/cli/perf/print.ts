/** The figures of `svc perf` for people. @module */
import { figureTable } from "../columns.ts";
import {
  countText,
  manyText,
  moneyText,
  msText,
  savedText,
  shareText,
} from "../words.ts";
import { nameText, sizeText } from "../originals/words.ts";
import { reasonText } from "../reasons.ts";
import type {
  CacheFigures,
  PerfReport,
  TimeSpread,
  TokenFigures,
} from "./report.ts";
import type { Spread } from "./spread.ts";

/** Nano-dollars in a dollar. */
const NANO = 1e9;
/** Reasons that are shown. */
const MAX_REASONS = 5;

/** The report as text; of requests there must be at least one. */
export function perfText(report: PerfReport, path: string): string {
  return [
    headLine(report, path),
    factLines(report),
    timeTable(report),
    modelTable(report),
    compressorTable(report),
    aloneTable(report),
    adviceLines(report),
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

function factLines(report: PerfReport): string {
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
  return rows.map(([name, text]) => `${name.padEnd(15)}${text}\n`).join("");
}

function tokensText(tokens: TokenFigures): string {
  return `${countText(tokens.tokens_before)} -> ${
    countText(tokens.tokens_after)
  } (${savedText(tokens.tokens_saved, tokens.tokens_before)})`;
}

function savedShare(tokens: TokenFigures): string {
  return shareText(tokens.tokens_saved, tokens.tokens_before);
}

function cacheText(cache: CacheFigures): string {
  if (cache.hit_percent === null) return "no provider reported its tokens";
  const { first_5_hit_percent: first, last_5_hit_percent: last } = cache;
  const trend = first === null
    ? ""
    : `; in ${
      manyText(cache.long_conversations, "conversation")
    } of ten requests or more ${first} % in the first five, ${last} % in the last five`;
  return `${cache.hit_percent} % read (${
    countText(cache.read_tokens)
  } tokens), ${countText(cache.write_tokens)} written, ${
    countText(cache.input_tokens)
  } neither${trend}`;
}

function speedText({ count, p50, p90 }: Spread): string {
  if (count === 0) return "";
  return `; streams bring ${round(p50)} tokens/s (half of them at most), ${
    round(p90)
  } (nine of ten)`;
}

function sizesText({ p50, p90, max }: Spread): string {
  return `p50 ${round(p50)}, p90 ${round(p90)}, max ${round(max)}`;
}

function round(value: number | null): string {
  return value === null ? "-" : countText(Math.round(value));
}

function timeTable(report: PerfReport): string {
  if (report.overhead_ms.count === 0) return "";
  const row = (name: string, spread: TimeSpread) => [
    name,
    ...[spread.p50, spread.p90, spread.p95, spread.p99, spread.max]
      .map((ms) => ms === null ? "-" : msText(ms)),
    countText(spread.over_500_ms),
  ];
  return figureTable(
    ["TIME", "P50", "P90", "P95", "P99", "MAX", "OVER 500 MS"],
    [
      row("added by svc", report.overhead_ms),
      row("to the first byte", report.ttfb_ms),
      row("to the last byte", report.latency_ms),
    ],
  );
}

function modelTable({ models }: PerfReport): string {
  if (models.length === 0) return "";
  return figureTable(
    ["MODEL", "REQUESTS", "BEFORE", "AFTER", "SAVED", "OUTPUT", "COST", "P50"],
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
  );
}

function costText(usd: number | null, unpriced: number): string {
  if (usd === null) return "?";
  const known = moneyText(usd * NANO);
  return unpriced === 0 ? known : `${known} + ?`;
}

function compressorTable({ compressors }: PerfReport): string {
  if (compressors.length === 0) return "";
  return figureTable(
    ["COMPRESSOR", "RESULTS", "BEFORE", "AFTER", "SAVED", "ASKED FOR AGAIN"],
    compressors.map((row) => [
      nameText(row.strategy),
      countText(row.results),
      countText(row.tokens_before),
      countText(row.tokens_after),
      savedShare(row),
      row.elided === 0 || row.asked_for === null
        ? "-"
        : `${countText(row.asked_for)} of ${countText(row.elided)}`,
    ]),
  );
}

function aloneTable({ left_alone: alone }: PerfReport): string {
  if (alone.length === 0) return "";
  const shown = alone.slice(0, MAX_REASONS);
  return figureTable(
    ["LEFT ALONE", "RESULTS", "SIZE"],
    shown.map(({ reason, results, bytes }) => [
      reasonText(reason),
      countText(results),
      sizeText(bytes),
    ]),
  );
}

function adviceLines({ recommendations }: PerfReport): string {
  if (recommendations.length === 0) return "";
  const lines = recommendations.map((text) => `- ${text}\n`);
  return `What to do:\n${lines.join("")}`;
}
