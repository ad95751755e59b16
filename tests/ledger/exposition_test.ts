import assert from "node:assert/strict";
import {
  byName,
  counter,
  familyText,
  gauge,
  histogramText,
  summaryText,
} from "../../src/ledger/exposition.ts";
import { parseMetrics } from "./strict_metrics.ts";

Deno.test("familyText escapes quotes and back-slashes in labels", () => {
  const text = familyText(
    byName("by_model", "Requests", { model: { 'a"b\\c d': 1, "{}=,": 2 } }),
  );
  assert.equal(
    text,
    "# HELP svc_by_model Requests\n# TYPE svc_by_model counter\n" +
      'svc_by_model{model="a\\"b\\\\c d"} 1\nsvc_by_model{model="{}=,"} 2\n',
  );
  assert.equal(parseMetrics(text).size, 2);
});

Deno.test("familyText writes no control character into a label", () => {
  const name =
    "a\u0000b\tc\nd\r\u001b[31m\u007f\u0085\u009b\u2028\u202e\ud800é😀";
  const text = familyText(
    byName("by_agent", "Requests", { agent: { [name]: 1 } }),
  );
  const [sample] = text.split("\n").slice(2);
  assert.equal(
    sample,
    `svc_by_agent{agent="a${"\ufffd"}b${"\ufffd"}c${"\ufffd"}d${
      "\ufffd".repeat(2)
    }[31m${"\ufffd".repeat(6)}é😀"} 1`,
  );
  assert.equal(parseMetrics(text).size, 1);
});

Deno.test("a family without samples is left out, one value needs no labels", () => {
  assert.equal(familyText(byName("x", "Y", { model: undefined })), "");
  assert.equal(familyText(counter("x", "Y", [])), "");
  assert.equal(
    familyText(gauge("x", "Y", -1.5)),
    "# HELP svc_x Y\n# TYPE svc_x gauge\nsvc_x -1.5\n",
  );
});

Deno.test("summaryText has sum, count and extremes of their own", () => {
  const text = summaryText({
    name: "x_ms",
    help: "Y",
    sum: 5.5,
    count: 2,
    min: 1,
    max: 4.5,
  });
  assert.deepEqual([...parseMetrics(text)], [
    ["svc_x_ms_sum", 5.5],
    ["svc_x_ms_count", 2],
    ["svc_x_ms_min", 1],
    ["svc_x_ms_max", 4.5],
  ]);
});

Deno.test("histogramText ends with a bucket for all samples", () => {
  const text = histogramText({
    name: "x",
    help: "Y",
    buckets: [[0.0005, 1], [5, 3]],
    count: 4,
    sum: 9,
  });
  assert.deepEqual([...parseMetrics(text)], [
    ['svc_x_bucket{le="0.0005"}', 1],
    ['svc_x_bucket{le="5"}', 3],
    ['svc_x_bucket{le="+Inf"}', 4],
    ["svc_x_sum", 9],
    ["svc_x_count", 4],
  ]);
});
