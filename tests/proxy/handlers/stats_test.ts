import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { snapshots, stats } from "../../../src/proxy/handlers/stats.ts";
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
