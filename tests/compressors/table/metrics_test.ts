import assert from "node:assert/strict";
import fc from "fast-check";
import { tableKind } from "../../../src/compressors/table/kind.ts";
import { cellText } from "../../../src/compressors/table/layout.ts";
import { findMetrics } from "../../../src/compressors/table/metrics.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { assertLinear } from "../../cpu_time.ts";
import { contextOf } from "./samples.ts";

const found = (text: string) => findMetrics(indexLines(text));
const { compressor } = entryOf(tableKind);

/** Samples of a metric, `others` in place of some values. */
function family(name: string, others: Record<number, string> = {}): string[] {
  return [
    `# HELP ${name} What it counts.`,
    `# TYPE ${name} gauge`,
    ...Array.from(
      { length: 120 },
      (_, i) =>
        `${name}{pod="api-${i}",zone="eu-${i % 3}"} ${
          others[i] ?? 10 + i * 31 % 31
        }`,
    ),
  ];
}

Deno.test("findMetrics cuts samples into their labels and values, one table per metric", () => {
  const tables = found([
    "# HELP pause Seconds of a pause.",
    "# TYPE pause summary",
    'pause{quantile="0"} 4.9e-05',
    'pause{quantile="0.5", pod="a \\"b\\", {c}",} NaN 1700000000000',
    'pause{pod="d"} +Inf # {trace="e"} 1.0',
    "pause_count 5",
    "",
    "go:threads -8",
  ].join("\n"));
  const rows = tables.map((table) =>
    [...table.states.keys()].map((row) =>
      Array.from(
        { length: table.columns },
        (_, column) => cellText(table, row, column),
      )
    )
  );
  assert.deepEqual(rows, [
    [["", "", ""], ["", "", ""], ["pause", 'quantile="0"', "4.9e-05"]],
    [["pause", 'quantile="0.5"', 'pod="a \\"b\\", {c}"', "NaN"]],
    [["pause", 'pod="d"', "+Inf"]],
    [["pause_count", "5"]],
    [["go:threads", "-8"]],
  ]);
});

Deno.test("findMetrics finds none in other texts", () => {
  const others = [
    "",
    "a 1\nb 2\nc 3",
    'a{b="c"} 1\nsomething else',
    "# HELP x y\nport = 80",
    "# a comment\nlisten 80\nworkers 4",
    'a{b="c"\n'.repeat(9),
  ];
  for (const text of others) assert.deepEqual(found(text), [], text);
  fc.assert(fc.property(fc.string(), (text) => void found(text)));
});

Deno.test("tableKind keeps samples of metrics that are unlike all others", () => {
  const ones = Object.fromEntries(
    Array.from({ length: 120 }, (_, i) => [i, "1"]),
  );
  const text = [
    ...family("queue_lag", { 57: "NaN" }),
    ...family("open_fds", { 44: "1.048575e+06" }),
    ...family("lease_holders", { ...ones, 17: "2" }),
    ...family("up", { ...ones, 83: "0" }),
  ].join("\n");
  const outcome = compressor.compress(text, contextOf(true));
  assert(outcome.type === "elided", outcome.type);
  const facts = [
    'queue_lag{pod="api-57",zone="eu-0"} NaN',
    'open_fds{pod="api-44",zone="eu-2"} 1.048575e+06',
    'lease_holders{pod="api-17",zone="eu-2"} 2',
    'up{pod="api-83",zone="eu-2"} 0',
    "# TYPE up gauge",
  ];
  for (const fact of facts) assert.ok(outcome.text.includes(fact), fact);
  assert.ok(outcome.text.length < text.length / 4, outcome.text);
});

Deno.test("findMetrics takes time in proportion to a text", async () => {
  const labels = 'b="\\"c",'.repeat(200);
  for (const part of ['a{b="c"} 1\n', "# HELP a b\n", `a{${labels}} 1\n`]) {
    await assertLinear(part, {
      make: (size) => `# TYPE a gauge\n${part.repeat(size)}`,
      work: found,
      sizes: [200, 5_000],
    });
  }
});
