import assert from "node:assert/strict";
import {
  checkPort,
  checkProxy,
  checkVersion,
  checkWorkspace,
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
  assert.equal(checkPort(closed).summary, "8787 is free");
  const other = await foundIn({ answers: { "/health": "hi" } });
  assert.equal(checkProxy(other).status, "fail");
  assert.match(checkProxy(other).hint ?? "", /another program has the port/);
  assert.equal(checkPort(other).status, "fail");
  assert.match(checkPort(other).summary, /another program: .* answers 200/);
  const accepts = () => Promise.resolve(true);
  const silent = checkPort(await foundIn({ machine: { accepts } }));
  assert.equal(silent.status, "fail");
  assert.match(silent.summary, /does not answer HTTP within 2 s/);
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

async function workspace(
  config: object,
  env: Readonly<Record<string, string>> = {},
) {
  const answers = { "/health": { ...HEALTH, config } };
  return checkWorkspace(await foundIn({ answers, env }));
}

Deno.test("checkWorkspace passes where proxy and shell mean the same, and names other settings", async () => {
  const { status, summary } = await workspace({ workspace: "/home/a/.svc" });
  assert.equal(status, "pass");
  assert.equal(summary, "the proxy and this shell use /home/a/.svc");
  const other = await workspace({ workspace: "/home/a/.svc", mode: "token" });
  assert.equal(other.status, "pass");
  assert.match(
    other.summary,
    /differ from those of this shell: mode=token$/,
  );
});

Deno.test("checkWorkspace warns of a proxy with another workspace, or with none", async () => {
  const other = await workspace({ workspace: "/b", pid: 7 });
  assert.equal(other.status, "warn");
  assert.match(
    other.summary,
    /^the proxy keeps its files in \/b, this shell's settings say \/home\/a\/\.svc: /,
  );
  assert.match(other.hint ?? "", /SVC_WORKSPACE_DIR=\/b svc doctor/);
  assert.equal(other.details["pid"], 7);
  const none = await workspace({ workspace: null, stateless: true });
  assert.equal(none.status, "warn");
  assert.match(none.hint ?? "", /started stateless/);
  const both = await workspace({ workspace: null }, { SVC_STATELESS: "1" });
  assert.equal(both.status, "pass");
});

Deno.test("checkWorkspace has nothing to say without a proxy, or of one that says nothing", async () => {
  assert.equal(checkWorkspace(await foundIn()).status, "skip");
  assert.notEqual((await workspace({})).status, "warn");
});
