/** The figures of `svc perf` as CSV, and single requests for programs. @module */
import { csvText, type CsvValue } from "../../core/csv.ts";
import type { PerfReport } from "./collect.ts";
import { requestFacts } from "../../core/inspected.ts";
import type { LoggedRequest } from "../../core/ledger_reader.ts";
import { safeJson } from "../words.ts";
import { endingOf } from "./figures.ts";

/** One figure. */
type Row = Readonly<
  Record<"section" | "name" | "metric" | "value", CsvValue>
>;

/** Sections of which each row has a name. */
const NAMES: Readonly<Record<string, string>> = {
  models: "model",
  compressors: "strategy",
  left_alone: "reason",
};

/** One figure per line: section, name of the row where there are several, metric, value. */
export function perfRows(report: PerfReport): Row[] {
  const { hours, since, ...sections } = report;
  return [
    ...rowsOf("span", "", { hours, since }),
    ...Object.entries(sections).flatMap(([section, value]) =>
      sectionRows(section, value)
    ),
  ];
}

type Section = Omit<PerfReport, "hours" | "since">[
  keyof Omit<PerfReport, "hours" | "since">
];

function sectionRows(section: string, value: Section): Row[] {
  if (typeof value === "number") {
    return [{ section, name: "", metric: section, value }];
  }
  if (!Array.isArray(value)) return rowsOf(section, "", value);
  const key = NAMES[section];
  return value.flatMap((row: string | object, i) => {
    if (key === undefined || typeof row === "string") {
      return [{ section, name: `${i + 1}`, metric: "text", value: `${row}` }];
    }
    const { [key]: name, ...figures } = row as Record<string, unknown>;
    return rowsOf(section, String(name), figures);
  });
}

/** Figures in figures are named by both: `requests.p50`. */
function rowsOf(section: string, name: string, figures: object): Row[] {
  return Object.entries(figures).flatMap(([metric, value]): Row[] => {
    if (typeof value === "object" && value !== null) {
      return rowsOf(section, name, prefixed(metric, value));
    }
    return [{ section, name, metric, value: value as CsvValue }];
  });
}

function prefixed(prefix: string, figures: object): object {
  return Object.fromEntries(
    Object.entries(figures).map(([key, value]) => [`${prefix}.${key}`, value]),
  );
}

/** A request as one line of JSON. */
export function rawJson(request: LoggedRequest): string {
  return `${safeJson(rawFacts(request))}\n`;
}

/** Columns of a request. */
const RAW_COLUMNS = [
  ...["timestamp", "request_id", "provider", "upstream", "model"],
  ...["project", "agent", "conversation", "status", "ending"],
  ...["tokens_before", "tokens_after", "tokens_saved"],
  ...["input", "cache_read", "cache_write", "output"],
  ...["cost_usd", "cost_basis", "overhead_ms", "ttfb_ms", "latency_ms"],
  ...["strategies", "retrievals"],
] as const;

/** A request as one line of CSV; the header for `undefined`. */
export function rawCsv(request: LoggedRequest | undefined): string {
  if (request === undefined) return csvText(RAW_COLUMNS, []);
  const { usage, strategies, ...facts } = rawFacts(request);
  const row = { ...facts, ...usage, strategies: strategies.join(" ") };
  const text = csvText(RAW_COLUMNS, [row]);
  return text.slice(RAW_HEADER_LENGTH);
}

const RAW_HEADER_LENGTH = csvText(RAW_COLUMNS, []).length;

function rawFacts(request: LoggedRequest) {
  const { prefix, ...facts } = requestFacts(request);
  return {
    ...facts,
    ending: endingOf(request),
    prefix: prefix?.verdict ?? null,
  };
}
