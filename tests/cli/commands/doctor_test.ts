import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { HEALTH, worldOf, type WorldParts } from "../doctor/world.ts";
import {
  type Check,
  doctorJson,
  doctorText,
  exitCodeOf,
  runDoctor,
} from "../../../src/cli/commands/doctor.ts";
import { thisMachine } from "../../../src/cli/doctor/machine.ts";
import { fakeIo } from "../fake_io.ts";
import { inWorkspace, openFile, REQUESTS, SUNDAY } from "../savings/ledger.ts";
import {
  failed,
  passed,
  skipped,
  warned,
} from "../../../src/cli/doctor/found.ts";

Deno.test("svc doctor asks the port that it is told, and ends with what it found", async () => {
  const asked: string[] = [];
  const { io } = worldOf({
    io: {
      ask(url) {
        asked.push(url.href);
        return Promise.resolve({ status: 404, text: "no" });
      },
    },
  });
  assert.equal(await runCli(["doctor", "--port", "9000", "--json"], io), 2);
  assert.deepEqual(asked, ["http://127.0.0.1:9000/health"]);
  const { exit_code, checks } = JSON.parse(io.out());
  assert.equal(exit_code, 2);
  assert.equal(checks[2].status, "fail");
});

Deno.test("svc doctor refuses what is no port", async () => {
  for (const port of ["0", "65536", "x", "1.5"]) {
    const { io } = worldOf();
    assert.equal(await runCli(["doctor", "--port", port], io), 2);
    assert.match(io.err(), /Give a port/);
  }
});

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

const OK: Check = { id: "one", ...passed("fine", "not shown") };
const SKIP: Check = { id: "two", ...skipped("nothing", "not shown") };
const WARN: Check = { id: "three", ...warned("hm", "do this") };
const FAIL: Check = { id: "four", ...failed("bad\n\x1b[2J") };

Deno.test("exitCodeOf is that of the worst", () => {
  assert.equal(exitCodeOf([]), 0);
  assert.equal(exitCodeOf([OK, SKIP]), 0);
  assert.equal(exitCodeOf([OK, WARN]), 1);
  assert.equal(exitCodeOf([FAIL, WARN]), 2);
});

Deno.test("doctorText has a line per check, with what to do below, and nothing that a terminal obeys", () => {
  assert.equal(
    doctorText([OK, SKIP, WARN, FAIL], 80),
    `pass  one    fine
skip  two    nothing
warn  three  hm
             do this
fail  four   bad ␛[2J

1 passed, 1 warning, 1 failed, 1 skipped
`,
  );
});

Deno.test("doctorJson has a shape that programs can rely on", () => {
  assert.deepEqual(JSON.parse(doctorJson([OK, WARN])), {
    checks: [
      {
        id: "one",
        status: "pass",
        summary: "fine",
        hint: "not shown",
        details: {},
      },
      {
        id: "three",
        status: "warn",
        summary: "hm",
        hint: "do this",
        details: {},
      },
    ],
    status: "warn",
    exit_code: 1,
  });
});

const CODEX = "/home/a/.codex/config.toml";
const OPENCODE = "/home/a/.config/opencode/opencode.json";
const answers = { "/health": HEALTH, "/stats": {} };

Deno.test("fixAgents points agents without a base URL to the proxy, and leaves those that have one", async () => {
  const own =
    'model_provider = "x"\n[model_providers.x]\nbase_url = "https://x.example"\n';
  const { io, machine } = worldOf({
    answers,
    texts: { [CODEX]: own, [OPENCODE]: "{}" },
  });
  await runDoctor({ json: true, fix: true, port: 9001 }, io, machine);
  assert.equal(await io.files.read(CODEX), own);
  assert.match(await io.files.read(OPENCODE) ?? "", /127\.0\.0\.1:9001\/v1/);
  const { checks } = JSON.parse(io.out());
  const status = (name: string) =>
    checks.find(({ id }: { id: string }) => id === name).status;
  assert.equal(status("opencode"), "pass");
  assert.equal(status("codex"), "warn");
  assert.match(io.err(), /OpenCode: .* leads to http/);
});

Deno.test("fixAgents changes nothing while no proxy answers, or nothing is to be fixed", async () => {
  const texts = { [CODEX]: "" };
  const down = worldOf({ texts });
  await runDoctor({ json: false, fix: true }, down.io, down.machine);
  assert.equal(await down.io.files.read(CODEX), "");
  assert.match(down.io.err(), /^Nothing was fixed: no proxy answers/);
  const none = worldOf({ answers });
  await runDoctor({ json: false, fix: true }, none.io, none.machine);
  assert.match(none.io.err(), /^There is nothing that --fix can fix/);
});
