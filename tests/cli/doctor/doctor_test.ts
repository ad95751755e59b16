import assert from "node:assert/strict";
import { runDoctor } from "../../../src/cli/doctor/doctor.ts";
import { thisMachine } from "../../../src/cli/doctor/machine.ts";
import type { Check } from "../../../src/cli/doctor/report.ts";
import { fakeIo } from "../fake_io.ts";
import { inWorkspace, openFile, REQUESTS, SUNDAY } from "../savings/ledger.ts";
import { HEALTH, worldOf, type WorldParts } from "./world.ts";

const IDS = [
  "proxy",
  "version",
  "port",
  "workspace",
  "claude",
  "codex",
  "opencode",
  "shell",
  "mcp",
  "edits",
  "savings",
  "prefix",
  "budget",
  "clock",
  "originals",
  "ledger",
  "permissions",
  "settings",
  "rollout",
  "exposure",
  "egress",
  "deployments",
];

async function report(parts: WorldParts) {
  const { io, machine } = worldOf(parts);
  const exitCode = await runDoctor({ json: true }, io, machine);
  const { checks, ...rest } = JSON.parse(io.out());
  const byId = new Map<string, Check>(
    checks.map((check: Check) => [check.id, check]),
  );
  return { exitCode, byId, rest, ids: checks.map(({ id }: Check) => id) };
}

Deno.test("runDoctor makes all checks, and ends with 0 when nothing is wrong", async () => {
  const { exitCode, byId, rest, ids } = await report({
    answers: { "/health": HEALTH, "/stats": {} },
    requests: REQUESTS,
  });
  assert.deepEqual(ids, IDS);
  assert.deepEqual(rest, { status: "pass", exit_code: 0 });
  assert.equal(exitCode, 0);
  for (const { id, status } of byId.values()) {
    assert(["pass", "skip"].includes(status), id);
  }
});

Deno.test("runDoctor ends with 1 for a warning, and with 2 for a failure", async () => {
  const answers = { "/health": HEALTH };
  assert.equal((await report({ answers })).exitCode, 1);
  assert.equal((await report({ requests: REQUESTS })).exitCode, 2);
});

Deno.test("runDoctor judges no files that the proxy does not use", async () => {
  const config = { workspace: "/elsewhere", mode: "cache" };
  const { byId, exitCode } = await report({
    answers: { "/health": { ...HEALTH, config }, "/stats": {} },
    requests: REQUESTS,
    io: { openLedger: () => assert.fail("the ledger of another workspace") },
  });
  assert.equal(exitCode, 1);
  assert.equal(byId.get("workspace")?.status, "warn");
  for (const id of ["savings", "prefix", "originals", "ledger"]) {
    assert.equal(byId.get(id)?.status, "skip", id);
    assert.match(byId.get(id)!.summary, /see workspace$/);
  }
});

Deno.test("runDoctor reports a check that breaks, and goes on with the others", async () => {
  const { exitCode, byId, ids } = await report({
    requests: REQUESTS,
    io: {
      egress: () => Promise.reject(new Error("out of order")),
    },
  });
  assert.deepEqual(ids, IDS);
  assert.match(byId.get("egress")!.summary, /not be checked: out of order/);
  assert.equal(exitCode, 2);
});

Deno.test("runDoctor works without a home directory", async () => {
  const { ids, byId } = await report({ env: { HOME: "" } });
  assert.deepEqual(ids, IDS);
  assert.equal(byId.get("settings")?.status, "fail");
});

Deno.test("runDoctor looks at real files, and changes none of them", () =>
  inWorkspace(REQUESTS, async (workspace) => {
    await Deno.chmod(workspace, 0o700);
    const io = fakeIo({
      env: {
        HOME: workspace,
        SVC_WORKSPACE_DIR: workspace,
        COLUMNS: "200",
      },
      now: () => SUNDAY,
      openLedger: openFile,
    });
    const before = await Deno.readFile(`${workspace}/ledger.db`);
    await runDoctor({ json: false }, io, thisMachine());
    const text = io.out();
    assert.match(text, /\npass {2}savings .*1,200 in 4 requests/);
    assert.match(text, /\npass {2}prefix /);
    assert.match(text, /\npass {2}ledger .*ledger\.db, .*, intact, writable\n/);
    assert.match(text, /\npass {2}permissions /);
    assert.match(text, /\nskip {2}originals /);
    assert.deepEqual(await Deno.readFile(`${workspace}/ledger.db`), before);
  }));
