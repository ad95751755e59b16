import assert from "node:assert/strict";
import { foundIn, HEALTH } from "./world.ts";

const UP = { "/health": HEALTH, "/stats": { cost: { a: 1 } } };

Deno.test("gather finds a proxy on the port of the settings, or on the one it is told", async () => {
  const { proxy, settings } = await foundIn({ answers: UP });
  assert.equal(proxy.state, "up");
  assert.equal(proxy.url, "http://127.0.0.1:8787");
  assert.deepEqual(proxy.stats, { cost: { a: 1 } });
  assert.equal(settings.problem, undefined);
  const other = await foundIn({ answers: UP, port: 9000 });
  assert.equal(other.proxy.url, "http://127.0.0.1:9000");
  const any = await foundIn({ env: { SVC_HOST: "::", SVC_PORT: "9001" } });
  assert.equal(any.proxy.url, "http://127.0.0.1:9001");
  const six = await foundIn({ env: { SVC_HOST: "::1" } });
  assert.equal(six.proxy.url, "http://[::1]:8787");
});

Deno.test("gather tells a free port from a silent program and from another one", async () => {
  assert.equal((await foundIn()).proxy.state, "closed");
  const accepts = () => Promise.resolve(true);
  const silent = await foundIn({ machine: { accepts } });
  assert.equal(silent.proxy.state, "silent");
  for (const body of ["hello", "[]", "{}", { service: "other" }]) {
    const { proxy } = await foundIn({ answers: { "/health": body } });
    assert.deepEqual([proxy.state, proxy.status], ["other", 200]);
    assert.deepEqual(proxy.health, {});
  }
});

Deno.test("gather keeps the places of files when the settings cannot be used", async () => {
  const { settings, ledger } = await foundIn({
    env: { SVC_MODE: "nonsense", SVC_WORKSPACE_DIR: "/ws" },
  });
  assert.match(settings.problem ?? "", /SVC_MODE="nonsense"/);
  assert.equal(settings.config.paths?.workspace, "/ws");
  assert.deepEqual(ledger, { state: "missing", path: "/ws/ledger.db" });
  const homeless = await foundIn({ env: { SVC_MODE: "nonsense", HOME: "" } });
  assert.equal(homeless.settings.config.paths, undefined);
  assert.equal(homeless.ledger.state, "off");
});

Deno.test("gather opens the ledger, and says why it cannot", async () => {
  const open = await foundIn({ requests: [] });
  assert.equal(open.ledger.state, "open");
  open.close();
  const openLedger = () => Promise.reject(new Error("no database"));
  const { ledger } = await foundIn({ io: { openLedger } });
  assert.deepEqual(ledger, {
    state: "broken",
    path: "/home/a/.svc/ledger.db",
    reason: "no database",
  });
});
