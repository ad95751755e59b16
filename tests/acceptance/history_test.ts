/** The history over HTTP: columns, refusals, sums. */
import assert from "node:assert/strict";
import { printed } from "./bodies.ts";
import { bodyFor, GENERATIONS, post, replies, withApp } from "./world.ts";

const HOUR_MS = 3_600_000;
const [route] = GENERATIONS;
const MODELS = JSON.stringify({
  test: { pricing: { "test-model": { input: 3, output: 7 } } },
});

/** Columns, word by word: other programs read them. */
const POINT =
  "timestamp,total_tokens_saved,compression_savings_usd,total_input_tokens,total_input_cost_usd";
const ROLLUP = "timestamp,tokens_saved,compression_savings_usd_delta," +
  "total_tokens_saved,compression_savings_usd,total_input_tokens_delta," +
  "total_input_tokens,total_input_cost_usd_delta,total_input_cost_usd";

Deno.test("45 hourly, daily, weekly and monthly deltas sum up to the lifetime, in JSON and CSV; columns are fixed, other series are refused with 422", async () => {
  const time = { ms: Date.UTC(2026, 11, 30, 12) };
  const clock = { now: () => time.ms, monotonic: () => performance.now() };
  await withApp(replies(), async (place) => {
    const members = { ...route!.members, model: "test-model" };
    for (let i = 0; i < 12; i++) {
      const body = bodyFor({ ...route!, members }, printed(`n${i}`), 1);
      await (await post(place, route!.path, body)).bytes();
      time.ms += 7 * HOUR_MS;
    }
    const ask = (query: string) => fetch(`${place.url}/stats-history?${query}`);
    const { lifetime, series } = await (await ask("")).json();
    assert.equal(lifetime.requests, 12);
    assert(lifetime.total_input_cost_usd > 0);
    const wanted = [
      lifetime.tokens_saved,
      nano(lifetime.compression_savings_usd),
      lifetime.total_input_tokens,
      nano(lifetime.total_input_cost_usd),
    ];
    const steps = { hourly: 12, daily: 4, weekly: 2, monthly: 2 };
    for (const [step, count] of Object.entries(steps)) {
      const rows: Record<string, number>[] = series[step];
      assert.equal(rows.length, step === "weekly" ? 1 : count, step);
      const sum = (key: string) =>
        rows.reduce((total, row) => total + nano(row[key]!), 0);
      assert.deepEqual(
        [
          sum("tokens_saved") / 1e9,
          sum("compression_savings_usd_delta"),
          sum("total_input_tokens_delta") / 1e9,
          sum("total_input_cost_usd_delta"),
        ],
        wanted,
        step,
      );
      const csv = await ask(`format=csv&series=${step}`);
      assert.match(csv.headers.get("content-type")!, /^text\/csv/);
      const [head, ...lines] = (await csv.text()).trimEnd().split("\r\n");
      assert.equal(head, ROLLUP);
      assert.equal(lines.length, rows.length);
      const last = lines.at(-1)!.split(",").map(Number);
      assert.deepEqual(
        [last[3], nano(last[4]!), last[6], nano(last[8]!)],
        wanted,
        `${step} as CSV`,
      );
    }
    const points = await (await ask("format=csv")).text();
    assert.equal(points.split("\r\n")[0], POINT);
    for (
      const query of [
        "series=yearly",
        "format=xml",
        "history_mode=all",
        "format=csv&series=Daily",
        "series=",
      ]
    ) {
      const refused = await ask(query);
      assert.equal(refused.status, 422, query);
      const { detail } = await refused.json();
      assert.equal(detail.length, 1);
      assert.equal(detail[0].loc[0], "query");
    }
  }, { env: { SVC_MODEL_LIMITS: MODELS }, clock });
});

function nano(usd: number): number {
  return Math.round(1e9 * usd);
}
