import assert from "node:assert/strict";
import { withValue } from "../../../src/cli/agents/plan.ts";
import {
  checkDeployments,
  checkEdits,
  checkMcp,
  checkShell,
} from "../../../src/cli/doctor/setup_checks.ts";
import { fileOf, foundIn, HEALTH, type WorldParts } from "./world.ts";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import {
  checkPort,
  checkProxy,
  checkVersion,
  checkWorkspace,
} from "../../../src/cli/doctor/proxy_checks.ts";

const check = async (env: Record<string, string>) =>
  checkShell(await foundIn({ env }));
const HERE = "http://localhost:8787";

Deno.test("checkShell passes when all base URLs lead to the proxy", async () => {
  const both = { ANTHROPIC_BASE_URL: HERE, OPENAI_BASE_URL: `${HERE}/v1` };
  const { status, summary } = await check(both);
  assert.equal(status, "pass");
  assert.match(summary, /^ANTHROPIC_BASE_URL, OPENAI_BASE_URL point to/);
});

Deno.test("checkShell skips a shell without any, and says how to route it", async () => {
  const { status, hint } = await check({});
  assert.equal(status, "skip");
  assert.match(hint ?? "", /^export ANTHROPIC_BASE_URL=http:.*:8787 OPENAI/);
});

Deno.test("checkShell says the worst", async () => {
  const past = { ANTHROPIC_BASE_URL: "https://x.example/secret" };
  assert.equal((await check(past)).status, "warn");
  const wrong = { ...past, OPENAI_BASE_URL: "no url" };
  assert.equal((await check(wrong)).status, "fail");
  assert(!JSON.stringify(await check(wrong)).includes("secret"));
  const doubled = { ANTHROPIC_BASE_URL: `${HERE}/v1` };
  assert.equal((await check(doubled)).status, "fail");
});

const FILE = "/home/a/.claude.json";
const mcpCheckCheck = async (parts: WorldParts) =>
  await checkMcp(await foundIn(parts));
const { claude } = AGENTS;
const entry = (command: string) =>
  withValue(claude, "", claude.valueOf({ command: [command, "mcp"], env: {} }));

Deno.test("checkMcp passes when an agent has the server and its program is there", async () => {
  const { status, summary } = await mcpCheckCheck({
    texts: { [FILE]: entry("/opt/svc") },
    files: { "/opt/svc": fileOf() },
  });
  assert.equal(status, "pass");
  assert.equal(summary, "registered with Claude Code");
});

Deno.test("checkMcp warns of a program that is gone, and of a file that cannot be read", async () => {
  const gone = await mcpCheckCheck({ texts: { [FILE]: entry("/opt/svc") } });
  assert.equal(gone.status, "warn");
  assert.match(gone.summary, /program \/opt\/svc is gone \(\/home/);
  const broken = await mcpCheckCheck({ texts: { [FILE]: "{" } });
  assert.equal(broken.status, "warn");
});

Deno.test("checkMcp skips where nothing is registered: the proxy needs no server", async () => {
  assert.equal(
    (await mcpCheckCheck({ texts: { [FILE]: "{}" } })).status,
    "skip",
  );
  assert.equal((await mcpCheckCheck({})).status, "skip");
});

Deno.test("checkEdits passes where no edit was interrupted", async () => {
  const texts = { "/home/a/.svc/edits/wrap-claude.json": "{}" };
  const { status } = await checkEdits(await foundIn({ texts }));
  assert.equal(status, "pass");
});

Deno.test("checkEdits warns of an edit that was interrupted, and says what finishes it", async () => {
  const texts = { "/home/a/.svc/edits/wrap-claude.next": "{}" };
  const verdict = await checkEdits(await foundIn({ texts }));
  assert.equal(verdict.status, "warn");
  assert.match(verdict.summary, /wrap-claude\.next/);
  assert.match(verdict.hint ?? "", /svc unwrap --all/);
});

const MANIFEST =
  '{"profile": "work", "platform": "linux", "scope": "user", "port": 9000}';
const INSTALLED = {
  "/home/a/.svc/edits/install-work.json": "{}",
  "/home/a/.svc/deploy/work/manifest.json": MANIFEST,
};

async function deploymentCheckCheck(parts: WorldParts) {
  return await checkDeployments(await foundIn(parts));
}

Deno.test("checkDeployments skips where no service is installed", async () => {
  assert.equal((await deploymentCheckCheck({})).status, "skip");
});

Deno.test("checkDeployments warns of a service that does not run, and passes for one that does", async () => {
  const idle = await deploymentCheckCheck({ texts: INSTALLED });
  assert.equal(idle.status, "warn");
  assert.match(idle.summary, /work/);
  const running = await deploymentCheckCheck({
    texts: INSTALLED,
    answers: {
      "/health": { ...HEALTH, deployment: { profile: "work" } },
      "/stats": {},
    },
  });
  assert.deepEqual([running.status, running.summary], [
    "pass",
    "running: work",
  ]);
});

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
