import assert from "node:assert/strict";
import {
  checkPort,
  checkProxy,
  checkVersion,
} from "../../../src/cli/doctor/proxy_checks.ts";
import { foundIn, HEALTH } from "./world.ts";

Deno.test("checkProxy passes for a healthy proxy, with its uptime", async () => {
  const found = await foundIn({ answers: { "/health": HEALTH } });
  const { status, summary } = checkProxy(found);
  assert.equal(status, "pass");
  assert.equal(summary, "answers at http://127.0.0.1:8787, up for 2 h");
  assert.equal(checkPort(found).status, "pass");
});

Deno.test("checkProxy names the parts that are not healthy", async () => {
  const checks = {
    ...HEALTH.checks,
    ledger: { status: "unhealthy", backend: "sqlite" },
  };
  const health = { ...HEALTH, status: "unhealthy", checks };
  const { status, summary } = checkProxy(
    await foundIn({ answers: { "/health": health } }),
  );
  assert.equal(status, "warn");
  assert.match(summary, /not healthy: ledger$/);
});

Deno.test("checkProxy and checkPort fail without one, and tell why", async () => {
  const closed = await foundIn();
  assert.equal(checkProxy(closed).status, "fail");
  assert.match(checkProxy(closed).hint ?? "", /^start it: svc proxy/);
  assert.equal(checkPort(closed).status, "skip");
  const other = await foundIn({ answers: { "/health": "hi" } });
  assert.equal(checkProxy(other).status, "fail");
  assert.match(checkProxy(other).hint ?? "", /another program has the port/);
  assert.equal(checkPort(other).status, "fail");
  assert.match(checkPort(other).summary, /another program: .* answers 200/);
  const accepts = () => Promise.resolve(true);
  const silent = checkPort(await foundIn({ machine: { accepts } }));
  assert.equal(silent.status, "fail");
  assert.match(silent.summary, /answers no HTTP within 2 s/);
});

Deno.test("checkVersion warns of a proxy of another version", async () => {
  const same = await foundIn({ answers: { "/health": HEALTH } });
  assert.equal(checkVersion(same).status, "pass");
  const old = { ...HEALTH, version: "0.0.1" };
  const { status, summary } = checkVersion(
    await foundIn({ answers: { "/health": old } }),
  );
  assert.equal(status, "warn");
  assert.match(summary, /^the proxy is 0\.0\.1, this program /);
  assert.equal(checkVersion(await foundIn()).status, "skip");
});
