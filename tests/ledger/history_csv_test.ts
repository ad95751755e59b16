import assert from "node:assert/strict";
import type { HistorySeries } from "../../src/ledger/rollup.ts";
import { historyCsv } from "../../src/ledger/history_csv.ts";
import { readerOf, traffic } from "./traffic.ts";

/** Nano-dollars of a decimal. */
const nano = (text: string) => Math.round(Number(text) * 1e9);

Deno.test("historyCsv has the five columns of the history, one line per request that saved", async () => {
  const records = traffic(31, 120);
  const text = await historyCsv(readerOf(records), "history");
  const [header, ...lines] = text.split("\r\n");
  assert.equal(
    header,
    "timestamp,total_tokens_saved,compression_savings_usd,total_input_tokens,total_input_cost_usd",
  );
  assert.equal(lines.pop(), "");
  assert.ok(lines.length > 20 && lines.length < 120);
  assert.match(lines[0]!, /^20\d\d-\d\d-\d\dT[\d:.]+Z(,-?\d+(\.\d{1,9})?){4}$/);
});

Deno.test("historyCsv has the nine columns of a rollup, whose deltas sum up to lifetime", async () => {
  const reader = readerOf(traffic(32, 300));
  const { saved, added, savedNet, input, nanoUsd } = reader.lifetime();
  for (
    const series of ["hourly", "daily", "weekly", "monthly"] as HistorySeries[]
  ) {
    const lines = (await historyCsv(reader, series)).trimEnd().split("\r\n");
    assert.equal(
      lines.shift(),
      "timestamp,tokens_saved,compression_savings_usd_delta,total_tokens_saved,compression_savings_usd,total_input_tokens_delta,total_input_tokens,total_input_cost_usd_delta,total_input_cost_usd",
    );
    const cells = lines.map((line) => line.split(","));
    const sum = (column: number, of: (text: string) => number) =>
      cells.reduce((total, row) => total + of(row[column]!), 0);
    assert.deepEqual(
      [sum(1, Number), sum(2, nano), sum(5, Number), sum(7, nano)],
      [saved - added, savedNet, input, nanoUsd],
    );
    const last = cells.at(-1)!;
    assert.deepEqual(
      [Number(last[3]), nano(last[4]!), Number(last[6]), nano(last[8]!)],
      [saved - added, savedNet, input, nanoUsd],
    );
  }
});
