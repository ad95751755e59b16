/** The text format that scrapers of metrics read, version 0.0.4. @module */
import { printable } from "./bounded_table.ts";

/** Labels by name; names are letters and underscores. */
export type Labels = Readonly<Record<string, string>>;

/** One value with its labels. */
export type Sample = readonly [labels: Labels, value: number];

/** A metric with all its samples. */
export interface Family {
  /** Without the prefix. */
  readonly name: string;
  /** `counter` only for what never goes down while the process runs. */
  readonly type: "counter" | "gauge";
  /** One sentence, without line feeds. */
  readonly help: string;
  /** No two with the same labels; a family without samples is left out. */
  readonly samples: readonly Sample[];
}

/** A sum and a count of durations, and their extremes as gauges. */
export interface SummaryFamily {
  /** Without the prefix. */
  readonly name: string;
  /** See {@linkcode Family}. */
  readonly help: string;
  /** Sum of all samples. */
  readonly sum: number;
  /** Number of samples. */
  readonly count: number;
  /** Smallest. */
  readonly min: number;
  /** Largest. */
  readonly max: number;
}

/** A histogram. */
export interface HistogramFamily {
  /** Without the prefix. */
  readonly name: string;
  /** See {@linkcode Family}. */
  readonly help: string;
  /** Bounds in ascending order, with the number of samples up to each. */
  readonly buckets: readonly (readonly [bound: number, count: number])[];
  /** Number of all samples. */
  readonly count: number;
  /** Sum of all samples. */
  readonly sum: number;
}

const PREFIX = "svc_";

/** A family as text; empty without samples. */
export function familyText({ name, type, help, samples }: Family): string {
  if (samples.length === 0) return "";
  return header(name, type, help) +
    samples.map(([labels, value]) => line(name, labels, value)).join("");
}

/** A summary without quantiles, and a gauge for each extreme. */
export function summaryText(family: SummaryFamily): string {
  const { name, help, sum, count, min, max } = family;
  const extreme = (word: string, long: string, value: number) =>
    header(`${name}_${word}`, "gauge", `${help}, ${long}`) +
    line(`${name}_${word}`, {}, value);
  return header(name, "summary", help) + line(`${name}_sum`, {}, sum) +
    line(`${name}_count`, {}, count) + extreme("min", "smallest", min) +
    extreme("max", "largest", max);
}

/** A histogram; its last bucket holds all samples. */
export function histogramText(family: HistogramFamily): string {
  const { name, help, buckets, count, sum } = family;
  const bounds = [...buckets, [Infinity, count] as const];
  return header(name, "histogram", help) +
    bounds.map(([bound, n]) => line(`${name}_bucket`, { le: number(bound) }, n))
      .join("") +
    line(`${name}_sum`, {}, sum) + line(`${name}_count`, {}, count);
}

function header(name: string, type: string, help: string): string {
  return `# HELP ${PREFIX}${name} ${help}\n# TYPE ${PREFIX}${name} ${type}\n`;
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) =>
    `${key}="${escaped(text)}"`
  );
  const braces = pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
  return `${PREFIX}${name}${braces} ${number(value)}\n`;
}

function number(value: number): string {
  return value === Infinity ? "+Inf" : `${value}`;
}

/** The format escapes back-slash and quote; line feeds and other control characters have no place in a label. */
function escaped(value: string): string {
  return printable(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}

/** A counter: one value without labels, or samples. */
export function counter(
  name: string,
  help: string,
  values: number | readonly Sample[],
): Family {
  return { name, type: "counter", help, samples: samplesOf(values) };
}

/** A gauge: one value without labels, or samples. */
export function gauge(
  name: string,
  help: string,
  values: number | readonly Sample[],
): Family {
  return { name, type: "gauge", help, samples: samplesOf(values) };
}

function samplesOf(values: number | readonly Sample[]): readonly Sample[] {
  return typeof values === "number" ? [[{}, values]] : values;
}

/** A counter for each name of one table, under its label; none for a table that is missing. */
export function byName(
  name: string,
  help: string,
  table: Readonly<Record<string, Readonly<Record<string, number>> | undefined>>,
): Family {
  const samples = Object.entries(table).flatMap(([label, rows = {}]) =>
    Object.entries(rows).map(([key, n]): Sample => [{ [label]: key }, n])
  );
  return counter(name, help, samples);
}
