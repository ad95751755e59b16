import assert from "node:assert/strict";
import { aloneBlock, blockOf, requestOf } from "../inspect/samples.ts";
import { perfReport } from "../../../src/cli/perf/collect.ts";
import { perfRows, rawCsv, rawJson } from "../../../src/cli/perf/rows.ts";

Deno.test("perfRows has one figure per row, and the same rows for programs to rely on", () => {
  const report = perfReport(
    [
      requestOf(1, {
        nanoUsd: undefined,
        blocks: [blockOf(), aloneBlock()],
      }),
    ],
    { hours: 24, since: 0 },
    undefined,
  );
  const lines = perfRows(report).map((row) => Object.values(row).join(","));
  for (
    const line of [
      "span,,hours,24",
      "span,,since,1970-01-01T00:00:00.000Z",
      "requests,,total,1",
      "tokens,,savings_percent,79.91",
      "models,model-1,cost_usd,",
      "models,model-1,unpriced_requests,1",
      "cache,,first_5_hit_percent,",
      "overhead_ms,,p95,1.94",
      "latency_ms,,over_500_ms,1",
      "busiest_minute_requests,,busiest_minute_requests,1",
      "conversations,,requests.p50,1",
      "compressors,log,asked_for,",
      "left_alone,file_read,bytes,1234",
    ]
  ) assert(lines.includes(line), line);
  assert(
    lines.some((line) => /^recommendations,1,text,No price/.test(line)),
  );
});

Deno.test("rawCsv has a line per request below its header", () => {
  const header = rawCsv(undefined);
  const line = rawCsv(requestOf(1, { model: 'a,"b', ttfbMs: undefined }));
  assert.equal(header.split(",").length, 24);
  assert.match(header, /^timestamp,request_id,.*,strategies,retrievals\r\n$/);
  assert.match(
    line,
    /,messages,api.example.com,"a,""b",default,claude-cli,c0ffee,200,answered,84120,16900,67220,12,15000,1988,420,0.0123456,measured,1.94,,2310.4,log search_results,0\r\n$/,
  );
});

Deno.test("rawJson is one line that a terminal can show", () => {
  const line = rawJson(requestOf(1, { model: "a\x9b2J" }));
  assert.equal(line.indexOf("\n"), line.length - 1);
  assert(!line.includes("\x9b"));
  const { model, ending, prefix } = JSON.parse(line);
  assert.deepEqual([model, ending, prefix], [
    "a\x9b2J",
    "answered",
    "extended",
  ]);
});
