import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import {
  type RangeAsked,
  statsRange,
} from "../../../src/proxy/handlers/stats_range.ts";

const app = new Hono<ProxyEnv>().get(
  "/stats-range",
  statsRange<{ readonly asked?: RangeAsked }>({
    report: (asked) => ({ asked }),
    withhold: () => ({}),
  }),
);

async function get(query: string, address = "127.0.0.1"): Promise<Response> {
  return await app.request(`/stats-range${query}`, {
    headers: { host: "localhost" },
  }, { peer: { address } });
}

Deno.test("statsRange passes the edges on, and the table that is asked for", async () => {
  const response = await get("?edges=0,5,1700000000000&by=tool");
  assert.deepEqual(await response.json(), {
    asked: { edges: [0, 5, 1_700_000_000_000], by: "tool" },
  });
  assert.equal(response.headers.get("cache-control"), "no-store");
  const most = Array.from({ length: 401 }, (_, i) => i).join();
  assert.equal((await get(`?edges=${most}`)).status, 200);
});

Deno.test("statsRange withholds fields from strangers", async () => {
  const response = await get("?edges=1,2", "192.0.2.1");
  assert.deepEqual(await response.json(), {});
});

Deno.test("statsRange refuses edges that do not ascend, too many of them, and unknown tables", async () => {
  const many = Array.from({ length: 402 }, (_, i) => i).join();
  for (
    const edges of ["", "1", "2,1", "1,1", "1,x", "-1,2", "1.5,2", ",1,2", many]
  ) {
    const response = await get(`?edges=${edges}`);
    assert.equal(response.status, 422, edges);
    const [{ loc, msg }] = (await response.json()).detail;
    assert.deepEqual(loc, ["query", "edges"]);
    assert.match(msg, /^Cannot use edges=.*must be 2 to 401 ascending times/);
  }
  for (const by of ["", "conversation", "toString"]) {
    const { detail } = await (await get(`?edges=2,1&by=${by}`)).json();
    assert.deepEqual(
      detail.map(({ loc }: { loc: string[] }) => loc[1]),
      ["edges", "by"],
    );
  }
});
