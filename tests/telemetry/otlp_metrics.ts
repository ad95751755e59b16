/** A strict reader of OTLP/HTTP JSON metrics. */
import assert from "node:assert/strict";
import { attributesOf, fieldsOf, listOf } from "./export_samples.ts";

/** One series. */
export interface Point {
  readonly attributes: Record<string, unknown>;
  /** Of a sum. */
  readonly value: number | undefined;
  /** Of a histogram. */
  readonly count: number | undefined;
  readonly sum: number | undefined;
  readonly bounds: readonly unknown[] | undefined;
}

/** One metric. */
export interface Metric {
  readonly unit: unknown;
  readonly kind: "sum" | "histogram";
  /** 1 is delta, 2 is cumulative. */
  readonly temporality: unknown;
  readonly points: readonly Point[];
}

/** One export. */
export interface Export {
  readonly resource: Record<string, unknown>;
  readonly scope: Record<string, unknown>;
  readonly metrics: ReadonlyMap<string, Metric>;
}

/** Reads an ExportMetricsServiceRequest; throws on any field that the protocol does not have. */
export function readMetrics(text: string): Export {
  const [resourceMetrics, ...more] = listOf(
    fieldsOf(JSON.parse(text), ["resourceMetrics"]).resourceMetrics,
  );
  assert.equal(more.length, 0);
  const { resource, scopeMetrics } = fieldsOf(resourceMetrics, [
    "resource",
    "scopeMetrics",
    "schemaUrl",
  ]);
  const [only, ...others] = listOf(scopeMetrics);
  assert.equal(others.length, 0);
  const { scope, metrics } = fieldsOf(only, ["scope", "metrics", "schemaUrl"]);
  const named = listOf(metrics).map(readMetric);
  const names = named.map(([name]) => name);
  assert.equal(new Set(names).size, names.length, "a metric stands twice");
  return {
    resource: attributesOf(
      fieldsOf(resource, ["attributes", "droppedAttributesCount"]).attributes,
    ),
    scope: fieldsOf(scope, ["name", "version", "attributes"]),
    metrics: new Map(named),
  };
}

function readMetric(value: unknown): readonly [string, Metric] {
  const { name, unit, sum, histogram } = fieldsOf(value, [
    "name",
    "description",
    "unit",
    "sum",
    "histogram",
  ]);
  assert(typeof name === "string" && /^[a-z][a-z0-9_.]*$/.test(name));
  assert((sum === undefined) !== (histogram === undefined));
  const data = fieldsOf(sum ?? histogram, [
    "aggregationTemporality",
    "dataPoints",
    ...sum === undefined ? [] : ["isMonotonic"],
  ]);
  if (sum !== undefined) assert.equal(data.isMonotonic, true);
  return [name, {
    unit,
    kind: sum === undefined ? "histogram" : "sum",
    temporality: data.aggregationTemporality,
    points: listOf(data.dataPoints).map(
      sum === undefined ? readHistogramPoint : readNumberPoint,
    ),
  }];
}

const TIMES = ["startTimeUnixNano", "timeUnixNano"];

function readNumberPoint(value: unknown): Point {
  const point = fieldsOf(value, [
    ...["attributes", "asInt", "asDouble", "flags"],
    ...TIMES,
  ]);
  checkTimes(point);
  const number = Number(point.asInt ?? point.asDouble);
  assert(number >= 0, "a monotonic sum is not below zero");
  return {
    attributes: attributesOf(point.attributes),
    value: number,
    count: undefined,
    sum: undefined,
    bounds: undefined,
  };
}

function readHistogramPoint(value: unknown): Point {
  const point = fieldsOf(value, [
    ...["attributes", "count", "sum", "min", "max", "flags"],
    ...["bucketCounts", "explicitBounds", ...TIMES],
  ]);
  checkTimes(point);
  const counts = listOf(point.bucketCounts).map(Number);
  const bounds = listOf(point.explicitBounds);
  assert.equal(counts.length, bounds.length + 1);
  assert.equal(counts.reduce((a, b) => a + b, 0), Number(point.count));
  return {
    attributes: attributesOf(point.attributes),
    value: undefined,
    count: Number(point.count),
    sum: Number(point.sum),
    bounds,
  };
}

function checkTimes(point: Record<string, unknown>): void {
  for (const name of TIMES) {
    assert(/^\d{19}$/.test(String(point[name])), `${name} is no time`);
    assert.equal(typeof point[name], "string");
  }
}
