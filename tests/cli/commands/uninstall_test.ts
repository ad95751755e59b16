import assert from "node:assert/strict";
import { svc } from "../fake_io.ts";
import { type Home, inHome, WORKSPACE, world } from "../uninstall/home.ts";
import { join } from "node:path";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import { installAll } from "../../../src/cli/agents/install.ts";
import { keepAgent } from "../../../src/cli/edits/keep.ts";
import { KEEPABLE } from "../../../src/cli/edits/keep_rows.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import { applyService } from "../../../src/cli/install/acts.ts";
import { describe } from "../../../src/cli/install/installed.ts";
import type { CliIo } from "../../../src/cli/io.ts";
import {
  formOf,
  runUninstall,
  thisWorld,
  type UninstallRun,
} from "../../../src/cli/commands/uninstall.ts";
import { existsSync } from "node:fs";

Deno.test("svc uninstall takes its flags, and proposes what was nearly typed", async () => {
  const all = Object.keys(WORKSPACE).length;
  const cases: readonly (readonly [string, number, RegExp, left: number])[] = [
    ["uninstall --dry-run", 0, /ledger of requests/, all],
    ["uninstall --yes", 0, /Removed /, 0],
    ["uninstall -y", 0, /Removed /, 0],
    ["uninstall --yes --keep-data", 0, /ledger of requests, --keep-data/, 8],
    ["uninstal", 2, /Did you mean uninstall\?/, all],
    ["uninstall --dryrun", 2, /Did you mean --dry-run\?/, all],
  ];
  for (const [line, exitCode, said, left] of cases) {
    await inHome(async (home) => {
      await home.write(WORKSPACE);
      const io = home.io();
      assert.equal(await svc(line, io), exitCode, io.err());
      assert.match(io.out() + io.err(), said);
      assert.equal((await home.all()).length, left, line);
    });
  }
});

const YES: UninstallRun = { yes: true, dryRun: false, keepData: false };
const ASK: UninstallRun = { ...YES, yes: false };
const DRY: UninstallRun = { ...ASK, dryRun: true };
const KEY = "0123456789abcdef".repeat(4);

const YOURS: Readonly<Record<string, string>> = {
  ".svc/notes.txt": "mine",
  ".svc/config/models.json": "{}",
  ".svc/logs/proxy.log.gz": "mine",
  "project/.svc/ccr_store.db": "of a project",
};

const PROGRAM: Readonly<Record<string, string>> = {
  [`.cache/svc/${KEY}/deno`]: "runtime",
  [`.cache/svc/${KEY}/app/main.js`]: "",
  [`.cache/svc/${KEY}/used`]: "",
  ".cache/svc/.new.a1B2c3/app/main.js": "",
  "bin/svc": "#!/bin/sh\n# svc 0.1.0 for x",
};

function answering(text: string): Partial<CliIo> {
  return {
    stdinLines: async function* () {
      yield text;
    },
  };
}

function selfExtracting({ path }: Home) {
  const file = join(path, "bin/svc");
  return world({ form: { type: "self_extracting", file } });
}

/** A proxy at the configured address. */
function answered(
  config: Record<string, unknown>,
  deployment = {},
): Partial<CliIo> {
  const health = { service: "svc-proxy", config, deployment };
  return {
    ask: ({ pathname }) =>
      Promise.resolve({
        status: 200,
        text: JSON.stringify(pathname === "/health" ? health : {}),
      }),
  };
}

Deno.test("runUninstall removes everything that svc wrote, with its directories, and nothing else", async () => {
  await inHome(async (home) => {
    await home.write({ ...WORKSPACE, ...PROGRAM, ...YOURS });
    const io = home.io();
    assert.equal(await runUninstall(YES, io, selfExtracting(home)), 0);
    assert.deepEqual(
      await home.all(),
      [
        ".cache/",
        ...Object.keys(YOURS),
        "bin/",
      ].sort(),
    );
    for (const name of [".svc/notes.txt", "models.json", "proxy.log.gz"]) {
      assert.match(io.out(), new RegExp(`This stays:[^]*${name}`));
    }
    assert.doesNotMatch(io.out(), /project/);
    assert.match(io.out(), /Removed .*\/bin\/svc\n/);
  });
});

Deno.test("runUninstall gives back what svc wrap --keep edited, and says nothing of it as staying", async () => {
  await inHome(async (home) => {
    const file = ".claude/settings.json";
    await home.write({ ...WORKSPACE, [file]: "{}" });
    const agent = KEEPABLE.claude;
    const base = "http://127.0.0.1:8787";
    await keepAgent(home.io(), { agent, base, dryRun: false });
    const dry = home.io();
    await runUninstall(DRY, dry, world());
    assert.match(dry.out(), /address in Claude Code\s+.*\/settings\.json\n/);
    assert.doesNotMatch(dry.out(), /take it out yourself|wrap-claude/);
    const io = home.io();
    assert.equal(await runUninstall(YES, io, world()), 0);
    assert.deepEqual(await home.all(), [file]);
    assert.equal(await home.io().files.read(join(home.path, file)), "{}");
  });
});

Deno.test("runUninstall leaves no workspace and no cache where all in them was its own", async () => {
  await inHome(async (home) => {
    await home.write({ ...WORKSPACE, ...PROGRAM });
    await runUninstall(YES, home.io(), selfExtracting(home));
    assert.deepEqual(await home.all(), [".cache/", "bin/"]);
  });
});

Deno.test("runUninstall lists every file with its size, and removes nothing in a dry run", async () => {
  await inHome(async (home) => {
    await home.write({ ...WORKSPACE, ...PROGRAM, ...YOURS });
    const before = await home.all();
    const io = home.io();
    assert.equal(await runUninstall(DRY, io, selfExtracting(home)), 0);
    assert.deepEqual(await home.all(), before);
    for (
      const line of [
        /originals +93 bytes\s+.*\/\.svc\/ccr_store\.db\n/,
        /ledger of requests +93 bytes/,
        /settings +2 bytes/,
        /logs +35 bytes\s+.*\/\.svc\/logs\/\*\n/,
        /unpacked program +7 bytes/,
        /unpacked in part/,
        /the program +\d+ bytes\s+.*\/bin\/svc\n/,
      ]
    ) assert.match(io.out(), line);
    assert.equal(io.err(), "");
    // A path stays whole, on a line of its own.
    for (const line of io.out().split("\n")) {
      assert(line.length <= 80 || /^ *\/\S+$/.test(line), line);
    }
  });
});

Deno.test("runUninstall keeps what cannot be made again with --keep-data, and names it", async () => {
  await inHome(async (home) => {
    await home.write(WORKSPACE);
    const io = home.io();
    const run = { ...YES, keepData: true };
    assert.equal(await runUninstall(run, io, world()), 0);
    const left = (await home.all()).join(" ");
    assert.equal(
      left,
      ".svc/ccr_store.db .svc/ccr_store.db-wal .svc/ledger.db " +
        ".svc/proxy_savings.json .svc/session_stats.jsonl " +
        ".svc/session_stats.jsonl.1 .svc/settings.json .svc/settings.json.lock",
    );
    assert.match(io.out(), /ledger\.db: ledger of requests, --keep-data/);
  });
});

Deno.test("runUninstall asks, and removes nothing unless the answer is yes", async () => {
  await inHome(async (home) => {
    await home.write(WORKSPACE);
    const before = await home.all();
    const asking = world({ canAsk: true });
    for (const answer of ["", "n", "yesterday"]) {
      const io = home.io(answering(answer));
      assert.equal(await runUninstall(ASK, io, asking), 1);
      assert.match(io.err(), /Remove it\? \[y\/N\] Nothing was removed\.\n$/);
    }
    const ended = home.io({ stdinLines: async function* () {} });
    assert.equal(await runUninstall(ASK, ended, asking), 1);
    assert.deepEqual(await home.all(), before);
    const io = home.io(answering(" Yes "));
    assert.equal(await runUninstall(ASK, io, asking), 0);
    assert.deepEqual(await home.all(), []);
  });
});

Deno.test("runUninstall ends with 2 where nobody can be asked, and says what to add", async () => {
  await inHome(async (home) => {
    await home.write(WORKSPACE);
    const io = home.io(answering("y"));
    assert.equal(await runUninstall(ASK, io, world()), 2);
    assert.match(io.err(), /Add --yes/);
    assert.equal((await home.all()).length, Object.keys(WORKSPACE).length);
  });
});

Deno.test("runUninstall has nothing to ask where svc put nothing, and says whose the sources are", async () => {
  await inHome(async (home) => {
    const io = home.io();
    assert.equal(await runUninstall(ASK, io, world({ canAsk: true })), 0);
    assert.equal(
      io.out(),
      "svc put nothing on this machine that can be removed.\n\nThis stays:\n" +
        "  /src: the sources that svc runs from, which are yours\n",
    );
    assert.deepEqual(await home.all(), []);
  });
});

Deno.test("runUninstall refuses while a proxy answers, and says how to stop it", async () => {
  await inHome(async (home) => {
    await home.write(WORKSPACE);
    const before = await home.all();
    const io = home.io(answered({ pid: 4711 }));
    await assert.rejects(runUninstall(YES, io, world()), (error) => {
      assert(error instanceof CliFailure);
      assert.equal(error.exitCode, 1);
      assert.match(error.message, /a proxy runs at http:\/\/127\.0\.0\.1:8787/);
      assert.match(error.message, /kill 4711/);
      assert.match(error.message, /Nothing was removed$/);
      return true;
    });
    assert.deepEqual(await home.all(), before);
    const dry = home.io(answered({ pid: 4711 }));
    assert.equal(await runUninstall(DRY, dry, world()), 0);
    assert.match(dry.err(), /Before that: a proxy runs at/);
  });
});

Deno.test("runUninstall refuses while a proxy on another port writes to its log, the first one or a further one", async () => {
  for (const log of ["proxy.log", "proxy-1.log"]) {
    await inHome(async (home) => {
      await home.write({ ...WORKSPACE, [`.svc/logs/${log}.lock`]: "" });
      const before = await home.all();
      const lock = join(home.path, `.svc/logs/${log}.lock`);
      using file = await Deno.open(lock, { write: true });
      await file.lock(true);
      await assert.rejects(
        runUninstall(YES, home.io(), world()),
        new RegExp(`a proxy is writing to .*/\\.svc/logs/${log}\\. Stop it`),
      );
      assert.deepEqual(await home.all(), before);
    });
  }
});

Deno.test("runUninstall refuses when a proxy was started while it asked", async () => {
  await inHome(async (home) => {
    await home.write(WORKSPACE);
    let hasAsked = false;
    const { ask } = answered({ pid: 4711 });
    const io = home.io({
      ask: async (...words) => hasAsked ? await ask!(...words) : undefined,
      stdinLines: async function* () {
        hasAsked = true;
        yield "y";
      },
    });
    await assert.rejects(
      runUninstall(ASK, io, world({ canAsk: true })),
      /a proxy runs at .* Nothing was removed/,
    );
    assert.equal((await home.all()).length, Object.keys(WORKSPACE).length);
  });
});

Deno.test("runUninstall removes no directory that has taken the place of a file while it asked", async () => {
  await inHome(async (home) => {
    await home.write({ ".svc/settings.json": "{}" });
    const settings = join(home.path, ".svc/settings.json");
    const io = home.io({
      stdinLines: async function* () {
        await Deno.remove(settings);
        await home.write({ ".svc/settings.json/mine": "" });
        yield "y";
      },
    });
    assert.equal(await runUninstall(ASK, io, world({ canAsk: true })), 1);
    assert.deepEqual(await home.all(), [".svc/settings.json/mine"]);
    assert.match(io.out(), /This stays:[^]*settings\.json: it could not be/);
  });
});

Deno.test("runUninstall does not care for another program at the proxy's port", async () => {
  await inHome(async (home) => {
    await home.write(WORKSPACE);
    const ask = () => Promise.resolve({ status: 404, text: "nginx" });
    assert.equal(await runUninstall(YES, home.io({ ask }), world()), 0);
    assert.deepEqual(await home.all(), []);
  });
});

Deno.test("runUninstall takes the MCP server out of the files of agents, which stay as they were", async () => {
  await inHome(async (home) => {
    const theirs = '{\n  "theme": "dark"\n}\n';
    await home.write({
      ".claude.json": theirs,
      ".codex/config.toml": "a = 1\n",
    });
    const io = home.io();
    const launch = { command: ["/bin/svc", "mcp", "serve"], env: {} };
    const agents = [AGENTS.claude, AGENTS.codex];
    const request = { agents, launch, force: false, dryRun: false };
    assert.equal(await installAll(io, request), 0);
    const out = home.io();
    assert.equal(await runUninstall(YES, out, world()), 0);
    assert.match(out.out(), /MCP server in Claude Code +.*\.claude\.json\n/);
    assert.match(out.out(), /MCP server in Codex +.*config\.toml\n/);
    assert.deepEqual(await home.all(), [".claude.json", ".codex/config.toml"]);
    const path = join(home.path, ".claude.json");
    assert.equal(await Deno.readTextFile(path), theirs);
  });
});

Deno.test("runUninstall removes nothing else when an agent's file cannot be mended", async () => {
  await inHome(async (home) => {
    await home.write({ ...WORKSPACE, ".codex/config.toml": "a = 1\n" });
    const launch = { command: ["/bin/svc", "mcp", "serve"], env: {} };
    const request = {
      agents: [AGENTS.codex],
      launch,
      force: false,
      dryRun: false,
    };
    await installAll(home.io(), request);
    await home.write({ ".codex/config.toml": "= broken" });
    const before = await home.all();
    const io = home.io();
    assert.equal(await runUninstall(YES, io, world()), 1);
    assert.match(io.err(), /Cannot edit .*config\.toml/);
    assert.match(io.err(), /Nothing else was removed/);
    assert.deepEqual(await home.all(), before);
  });
});

Deno.test("runUninstall refuses a record of registrations that cannot be read", async () => {
  await inHome(async (home) => {
    await home.write({ ...WORKSPACE, ".svc/mcp_installs.json": "{" });
    const before = await home.all();
    await assert.rejects(
      runUninstall(YES, home.io(), world()),
      /Cannot read .*mcp_installs\.json/,
    );
    assert.deepEqual(await home.all(), before);
  });
});

Deno.test("runUninstall names the clients that still send requests to the proxy", async () => {
  await inHome(async (home) => {
    const settings = { env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:8787" } };
    await home.write({
      ".claude/settings.json": JSON.stringify(settings),
      ".svc/update_check.json": "{}",
    });
    const OPENAI_BASE_URL = "http://localhost:8787/v1";
    const io = home.io({ env: { HOME: home.path, OPENAI_BASE_URL } });
    assert.equal(await runUninstall(YES, io, world()), 0);
    assert.match(
      io.out(),
      /still sends requests to http:\/\/127\.0\.0\.1:8787[^]*\.claude\/settings\.json\n {2}OPENAI_BASE_URL in the shell\n$/,
    );
  });
});

Deno.test(
  "runUninstall goes on after a file that cannot be removed, names it and ends with 1",
  {
    ignore: Deno.build.os !== "linux",
  },
  async () => {
    await inHome(async (home) => {
      await home.write({ ...WORKSPACE, ".local/share/x": "" });
      const file = "/proc/self/status";
      const stuck = world({ form: { type: "executable", file } });
      const io = home.io();
      assert.equal(await runUninstall(YES, io, stuck), 1);
      assert.match(
        io.out(),
        /This stays:\n {2}\/proc\/self\/status: it could not be removed: no permission; remove it yourself\n$/,
      );
      assert.deepEqual(await home.all(), [".local/share/x"]);
    });
  },
);

/** A home with a service of this user, whose proxy runs until it is stopped. */
async function withService(home: Home) {
  await home.write(WORKSPACE);
  let isRunning = false;
  const parts: Partial<CliIo> = {
    runProgram(command) {
      isRunning = !command.includes("--now") &&
        (isRunning || command.includes("start"));
      return Promise.resolve({ code: 0, text: "" });
    },
    ask: async (url, timeoutMs) =>
      isRunning
        ? await answered({ pid: 7 }, { profile: "default" })
          .ask!(url, timeoutMs)
        : undefined,
  };
  const machine = { userId: Deno.uid(), sources: undefined };
  const request = { profile: "default", scope: "user", port: 8787 } as const;
  const wanted = describe(home.io(), { ...request, platform: "linux" }, {
    machine,
  });
  const past = { past: undefined, stored: {} };
  assert.equal(await applyService(home.io(parts), wanted, past), 0);
  return { parts, isRunning: () => isRunning };
}

Deno.test("runUninstall stops a service, and removes it with the rest", async () => {
  await inHome(async (home) => {
    const { parts, isRunning } = await withService(home);
    const list = home.io(parts);
    assert.equal(await runUninstall(DRY, list, world()), 0);
    assert.match(list.out(), /service default\s+\S+svc-default\.service/);
    assert.doesNotMatch(list.out(), /install-default|deploy/);
    assert.ok(isRunning());
    const io = home.io(parts);
    assert.equal(await runUninstall(YES, io, world()), 0);
    assert.equal(isRunning(), false);
    assert.match(io.out(), /svc-default\.service is removed/);
    assert.deepEqual(await home.all(), []);
  });
});

Deno.test("runUninstall removes nothing else while a service cannot be stopped", async () => {
  await inHome(async (home) => {
    const { parts } = await withService(home);
    const runProgram = () => Promise.resolve({ code: 1, text: "denied" });
    const io = home.io({ ...parts, runProgram });
    assert.equal(await runUninstall(YES, io, world()), 1);
    assert.match(io.err(), /still answers .*denied/);
    assert.ok((await home.all()).includes(".svc/ledger.db"));
  });
});

Deno.test("formOf prefers the file that was started, then the executable, then the sources", () => {
  const file = "/bin/svc";
  const directory = "/src/svc/src/cli/uninstall";
  assert.deepEqual(formOf({ file, executable: "/x", directory }), {
    type: "self_extracting",
    file,
  });
  assert.deepEqual(formOf({ file: undefined, executable: file, directory }), {
    type: "executable",
    file,
  });
  const none = { file: undefined, executable: undefined };
  assert.deepEqual(formOf({ ...none, directory }), {
    type: "source",
    directory: "/src/svc",
  });
  assert.deepEqual(formOf({ ...none, directory: undefined }), {
    type: "source",
    directory: undefined,
  });
});

Deno.test("thisWorld knows the directory of the sources that it runs from", () => {
  const { form, userId } = thisWorld();
  assert(form.type === "source" && form.directory !== undefined);
  assert(existsSync(join(form.directory, "main.ts")));
  assert.equal(userId, Deno.uid());
});
