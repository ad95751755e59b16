import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import {
  type RangeAsked,
  resetStats,
  snapshots,
  stats,
  statsConversations,
  statsHistory,
  statsRange,
} from "../../../src/proxy/handlers/stats.ts";
import { parseNetworks } from "../../../src/settings/network_list.ts";

const app = new Hono<ProxyEnv>().get(
  "/stats",
  stats({
    report: () => ({ total: 1, models: ["m"] }),
    withhold: ({ total }) => ({ total }),
    trust: { gateways: [], clients: parseNetworks("SVC_X", "10.1.0.0/16") },
  }),
);

async function get(address: string, host: string): Promise<unknown> {
  const response = await app.request("/stats", { headers: { host } }, {
    peer: { address },
  });
  assert.equal(response.status, 200);
  return await response.json();
}

Deno.test("stats shows the whole report to a local caller", async () => {
  assert.deepEqual(await get("127.0.0.1", "localhost"), {
    total: 1,
    models: ["m"],
  });
});

Deno.test("stats withholds fields from a remote peer and from a foreign Host", async () => {
  assert.deepEqual(await get("192.0.2.1", "localhost"), { total: 1 });
  assert.deepEqual(await get("127.0.0.1", "evil.example"), { total: 1 });
});

Deno.test("stats shows the whole report to a trusted network, unless a name leads there", async () => {
  const whole = { total: 1, models: ["m"] };
  assert.deepEqual(await get("10.1.2.3", "10.1.0.1:8787"), whole);
  assert.deepEqual(await get("10.1.2.3", "evil.example"), { total: 1 });
});

Deno.test("stats asks for a report that may be old with ?cached=1 only", async () => {
  const asked: boolean[] = [];
  const polled = new Hono<ProxyEnv>().get(
    "/stats",
    stats({
      report: (mayBeOld) => {
        asked.push(mayBeOld);
        return {};
      },
      withhold: (report) => report,
    }),
  );
  for (const query of ["", "?cached=1", "?cached=true", "?cached=0"]) {
    await polled.request(`/stats${query}`, { headers: { host: "localhost" } }, {
      peer: { address: "127.0.0.1" },
    });
  }
  assert.deepEqual(asked, [false, true, true, false]);
});

/** Reports that are numbered, and a clock that is set. */
function numbered(make = (n: number) => n) {
  let made = 0;
  const clock = { time: 0, monotonic: () => clock.time };
  return { clock, kept: snapshots(() => make(++made), clock) };
}

Deno.test("snapshots give a report of up to five seconds ago to those who poll", async () => {
  const { clock, kept } = numbered();
  assert.equal(await kept.report(true), 1);
  clock.time = 5000;
  assert.equal(await kept.report(true), 1);
  assert.equal(await kept.report(false), 2);
  clock.time = 10_000;
  assert.equal(await kept.report(true), 2);
  clock.time = 10_001;
  assert.equal(await kept.report(true), 3);
});

Deno.test("snapshots forget what they have, and what failed", async () => {
  const { kept } = numbered((n) => {
    if (n === 2) throw new Error("no");
    return n;
  });
  assert.equal(await kept.report(true), 1);
  kept.forget();
  await assert.rejects(kept.report(true), /no/);
  assert.equal(await kept.report(true), 3);
});

Deno.test("snapshots make one report for all who ask at the same time", async () => {
  const { kept } = numbered();
  assert.deepEqual(
    await Promise.all([kept.report(true), kept.report(true)]),
    [1, 1],
  );
});

Deno.test("resetStats resets, and says so once it is done", async () => {
  const steps: string[] = [];
  const app = new Hono<ProxyEnv>().post(
    "/stats/reset",
    resetStats(async () => {
      await Promise.resolve();
      steps.push("reset");
    }),
  );
  const response = await app.request("/stats/reset", { method: "POST" });
  assert.deepEqual(steps, ["reset"]);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { status: "reset" });
});

const conversations = new Hono<ProxyEnv>().get(
  "/stats-conversations",
  statsConversations((query) => ({ query })),
);

async function getConversations(query: string): Promise<Response> {
  return await conversations.request(`/stats-conversations${query}`);
}

Deno.test("statsConversations asks for 50 of all time, or for what the query says", async () => {
  const response = await getConversations("");
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.deepEqual(await response.json(), {
    query: { from: 0, until: Number.MAX_SAFE_INTEGER, limit: 50 },
  });
  const asked = await getConversations(
    "?from=1&until=9&limit=1000&after=5.c0ffee.x",
  );
  assert.deepEqual(await asked.json(), {
    query: {
      from: 1,
      until: 9,
      limit: 100,
      after: { lastAt: 5, id: "c0ffee.x" },
    },
  });
});

Deno.test("statsConversations refuses values that it cannot use, all of them at once", async () => {
  const response = await getConversations(
    "?from=-1&until=soon&limit=0&after=c0ffee",
  );
  assert.equal(response.status, 422);
  const { detail } = await response.json();
  assert.deepEqual(
    detail.map(({ loc }: { loc: string[] }) => loc[1]),
    ["from", "until", "limit", "after"],
  );
  assert.match(detail[2].msg, /from 1 on; at most 100/);
  const long = await getConversations(`?from=${"x".repeat(999)}`);
  const [{ msg }] = (await long.json()).detail;
  assert.ok(msg.length < 200, "no long value is given back");
});

const history = new Hono<ProxyEnv>().get(
  "/stats-history",
  statsHistory({
    json: (mode) => ({ mode, path: "/w" }),
    csv: (series) => `timestamp\r\n${series}\r\n`,
    withhold: ({ mode }) => ({ mode }),
  }),
);

async function getHistory(
  query: string,
  address = "127.0.0.1",
): Promise<Response> {
  return await history.request(`/stats-history${query}`, {
    headers: { host: "localhost" },
  }, { peer: { address } });
}

Deno.test("statsHistory answers with compact JSON unless asked otherwise", async () => {
  assert.deepEqual(await (await getHistory("")).json(), {
    mode: "compact",
    path: "/w",
  });
  for (const mode of ["compact", "full", "none"]) {
    const response = await getHistory(`?format=json&history_mode=${mode}`);
    assert.deepEqual(await response.json(), { mode, path: "/w" });
  }
});

Deno.test("statsHistory withholds fields from strangers", async () => {
  const response = await getHistory("", "192.0.2.1");
  assert.deepEqual(await response.json(), { mode: "compact" });
});

Deno.test("statsHistory gives each series as a CSV file of its own name", async () => {
  for (const series of ["history", "hourly", "daily", "weekly", "monthly"]) {
    const response = await getHistory(`?format=csv&series=${series}`);
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
  const plain = await getHistory("?format=csv");
  assert.equal(await plain.text(), "timestamp\r\nhistory\r\n");
});

Deno.test("statsHistory refuses values that it does not know with 422, all of them at once", async () => {
  const response = await getHistory("?format=xml&series=yearly&history_mode=");
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

const range = new Hono<ProxyEnv>().get(
  "/stats-range",
  statsRange<{ readonly asked?: RangeAsked }>({
    report: (asked) => ({ asked }),
    withhold: () => ({}),
  }),
);

async function getRange(
  query: string,
  address = "127.0.0.1",
): Promise<Response> {
  return await range.request(`/stats-range${query}`, {
    headers: { host: "localhost" },
  }, { peer: { address } });
}

Deno.test("statsRange passes the edges on, and the table that is asked for", async () => {
  const response = await getRange("?edges=0,5,1700000000000&by=tool");
  assert.deepEqual(await response.json(), {
    asked: { edges: [0, 5, 1_700_000_000_000], by: "tool" },
  });
  assert.equal(response.headers.get("cache-control"), "no-store");
  const most = Array.from({ length: 401 }, (_, i) => i).join();
  assert.equal((await getRange(`?edges=${most}`)).status, 200);
});

Deno.test("statsRange withholds fields from strangers", async () => {
  const response = await getRange("?edges=1,2", "192.0.2.1");
  assert.deepEqual(await response.json(), {});
});

Deno.test("statsRange refuses edges that do not ascend, too many of them, and unknown tables", async () => {
  const many = Array.from({ length: 402 }, (_, i) => i).join();
  for (
    const edges of ["", "1", "2,1", "1,1", "1,x", "-1,2", "1.5,2", ",1,2", many]
  ) {
    const response = await getRange(`?edges=${edges}`);
    assert.equal(response.status, 422, edges);
    const [{ loc, msg }] = (await response.json()).detail;
    assert.deepEqual(loc, ["query", "edges"]);
    assert.match(msg, /^Cannot use edges=.*must be 2 to 401 ascending times/);
  }
  for (const by of ["", "conversation", "toString"]) {
    const { detail } = await (await getRange(`?edges=2,1&by=${by}`)).json();
    assert.deepEqual(
      detail.map(({ loc }: { loc: string[] }) => loc[1]),
      ["edges", "by"],
    );
    const alone = await getRange(`?edges=1,2&by=${by}`);
    assert.equal(alone.status, 422, by);
    const [{ loc }] = (await alone.json()).detail;
    assert.deepEqual(loc, ["query", "by"]);
  }
});
