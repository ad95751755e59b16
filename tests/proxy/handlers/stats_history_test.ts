import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { statsHistory } from "../../../src/proxy/handlers/stats_history.ts";

const app = new Hono<ProxyEnv>().get(
  "/stats-history",
  statsHistory({
    json: (mode) => ({ mode, path: "/w" }),
    csv: (series) => `timestamp\r\n${series}\r\n`,
    withhold: ({ mode }) => ({ mode }),
  }),
);

async function get(query: string, address = "127.0.0.1"): Promise<Response> {
  return await app.request(`/stats-history${query}`, {
    headers: { host: "localhost" },
  }, { peer: { address } });
}

Deno.test("statsHistory answers with compact JSON unless asked otherwise", async () => {
  assert.deepEqual(await (await get("")).json(), {
    mode: "compact",
    path: "/w",
  });
  for (const mode of ["compact", "full", "none"]) {
    const response = await get(`?format=json&history_mode=${mode}`);
    assert.deepEqual(await response.json(), { mode, path: "/w" });
  }
});

Deno.test("statsHistory withholds fields from strangers", async () => {
  const response = await get("", "192.0.2.1");
  assert.deepEqual(await response.json(), { mode: "compact" });
});

Deno.test("statsHistory gives each series as a CSV file of its own name", async () => {
  for (const series of ["history", "hourly", "daily", "weekly", "monthly"]) {
    const response = await get(`?format=csv&series=${series}`);
    assert.equal(
      response.headers.get("content-type"),
      "text/csv; charset=utf-8",
    );
    assert.equal(
      response.headers.get("content-disposition"),
      `attachment; filename="svc-stats-history-${series}.csv"`,
    );
    assert.equal(await response.text(), `timestamp\r\n${series}\r\n`);
  }
  const plain = await get("?format=csv");
  assert.equal(await plain.text(), "timestamp\r\nhistory\r\n");
});

Deno.test("statsHistory refuses values that it does not know with 422, all of them at once", async () => {
  const response = await get("?format=xml&series=yearly&history_mode=");
  assert.equal(response.status, 422);
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.deepEqual(await response.json(), {
    detail: [
      {
        loc: ["query", "format"],
        msg: 'Cannot use format="xml": must be json or csv',
        type: "enum",
      },
      {
        loc: ["query", "series"],
        msg:
          'Cannot use series="yearly": must be history, hourly, daily, weekly or monthly',
        type: "enum",
      },
      {
        loc: ["query", "history_mode"],
        msg: 'Cannot use history_mode="": must be compact, full or none',
        type: "enum",
      },
    ],
  });
});
