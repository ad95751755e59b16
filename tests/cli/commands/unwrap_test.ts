import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { keepAgent } from "../../../src/cli/edits/keep.ts";
import { KEEPABLE } from "../../../src/cli/edits/keep_rows.ts";
import { runCli } from "../../../src/cli/run.ts";
import { denoSystem } from "../../../src/cli/wrap/system.ts";
import { fakeIo } from "../fake_io.ts";
import { unwrapAll } from "../../../src/cli/commands/unwrap.ts";
import { type Home, inHome } from "../uninstall/home.ts";

async function run(args: string[]) {
  const io = fakeIo();
  const exitCode = await runCli(["unwrap", ...args], io);
  return { exitCode, out: io.out(), err: io.err() };
}

Deno.test("defineUnwrap unwraps the named agents or all, and nothing else", async () => {
  const cases: [string[], RegExp][] = [
    [["claude", "codex"], /^Claude Code: nothing.*\nCodex: nothing.*\n$/],
    [["--all"], /^Claude.*\nCodex.*\nOpenCode.*\nCline.*\nOpenClaw.*\n$/],
    [["--all", "--dry-run"], /^Claude.*\n(.*\n){3}OpenClaw.*\n$/],
  ];
  for (const [args, said] of cases) {
    const { exitCode, out } = await run(args);
    assert.equal(exitCode, 0);
    assert.match(out, said);
  }
});

Deno.test("defineUnwrap leaves a file that a running agent needs", async () => {
  await inHome(async (home) => {
    const agent = KEEPABLE.claude;
    const base = "http://127.0.0.1:8787";
    const request = { agent, base, dryRun: false, forRun: true } as const;
    await keepAgent(home.io(), request);
    const lease = join(home.path, ".svc/wraps/8787-7.lease");
    await Deno.mkdir(dirname(lease), { recursive: true });
    const held = await denoSystem().hold(lease, '{"agent":"claude"}');
    const io = home.io();
    assert.equal(await runCli(["unwrap", "--all"], io), 1);
    assert.match(io.err(), /svc wrap claude runs and needs the file/);
    assert.match(io.out(), /^Codex: nothing to give back/);
    await held.release();
    const later = home.io();
    assert.equal(await runCli(["unwrap", "claude"], later), 0);
    assert.match(later.out(), /was removed: svc made it/);
  });
});

Deno.test("defineUnwrap ends with 2 without an agent, with an unknown one, and with both", async () => {
  const cases: [string[], RegExp][] = [
    [
      [],
      /name agents, or all of them with --all \(claude, codex, opencode, cline, openclaw\)/,
    ],
    [["emacs"], /'emacs' is invalid.*claude, codex, opencode/],
    [["claude", "--all"], /name agents, or all/],
  ];
  for (const [args, said] of cases) {
    const { exitCode, err } = await run(args);
    assert.equal(exitCode, 2);
    assert.match(err, said);
  }
});

const BASE = "http://127.0.0.1:8787";
const ALL = Object.values(KEEPABLE);
const TEXTS = {
  ".claude/settings.json": '{"env":{"A":"1"}}',
  ".codex/config.toml": '# mine\r\nmodel_provider = "openai"',
};

async function unwrap(home: Home, dryRun = false) {
  const io = home.io();
  const exitCode = await unwrapAll(io, { agents: ALL, dryRun });
  return { exitCode, out: io.out(), err: io.err() };
}

async function keepAll(home: Home): Promise<void> {
  for (const agent of ALL) {
    await keepAgent(home.io(), { agent, base: BASE, dryRun: false });
  }
}

async function textOf(home: Home, name: string): Promise<string | undefined> {
  return await home.io().files.read(join(home.path, name));
}

Deno.test("unwrapAll gives all files back, also those that were not there, and has nothing to do the second time", async () => {
  await inHome(async (home) => {
    await home.write(TEXTS);
    await keepAll(home);
    const { exitCode, out } = await unwrap(home);
    assert.equal(exitCode, 0);
    assert.match(out, /Claude Code: .*settings\.json is as it was\n/);
    assert.match(out, /OpenCode: .*opencode\.json was removed: svc made it\n/);
    for (const [name, text] of Object.entries(TEXTS)) {
      assert.equal(await textOf(home, name), text);
    }
    assert.deepEqual(
      await home.all(),
      [...Object.keys(TEXTS), ".svc/edits/.lock"].sort(),
    );
    const again = await unwrap(home);
    assert.equal(again.exitCode, 0);
    assert.equal(again.out.match(/: nothing to give back\n/g)?.length, 3);
  });
});

Deno.test("unwrapAll makes nothing where nothing was edited", async () => {
  await inHome(async (home) => {
    assert.equal((await unwrap(home)).exitCode, 0);
    assert.deepEqual(await home.all(), []);
  });
});

Deno.test("unwrapAll shows the changes and makes none with dryRun", async () => {
  await inHome(async (home) => {
    await home.write(TEXTS);
    await keepAll(home);
    const before = await home.all();
    const { out } = await unwrap(home, true);
    assert.match(
      out,
      /^-openai_base_url = "http:.*\/v1"\r\n[^+]*^ model_provider = …/m,
    );
    assert.match(out, /\+\+\+ \/dev\/null/);
    assert.deepEqual(await home.all(), before);
  });
});

Deno.test("unwrapAll keeps what the user changed since, and says so", async () => {
  await inHome(async (home) => {
    await home.write(TEXTS);
    await keepAll(home);
    const name = ".claude/settings.json";
    const text = (await textOf(home, name))!;
    await home.write({ [name]: text.replace(BASE, "https://mine.example") });
    const { out } = await unwrap(home);
    assert.match(out, /later changes stay\n.*env\.ANTHROPIC_BASE_URL stays/);
    assert.deepEqual(JSON.parse((await textOf(home, name))!), {
      env: { A: "1", ANTHROPIC_BASE_URL: "https://mine.example" },
    });
    assert.match((await unwrap(home)).out, /Claude Code: nothing to give back/);
  });
});

Deno.test("unwrapAll leaves a file that cannot be parsed, and gives the others back", async () => {
  await inHome(async (home) => {
    await home.write(TEXTS);
    await keepAll(home);
    await home.write({ ".claude/settings.json": '{"env":' });
    const { exitCode, err } = await unwrap(home);
    assert.equal(exitCode, 1);
    assert.match(err, /^error: Cannot edit .*settings\.json:1 .*not valid/);
    assert.equal(await textOf(home, ".claude/settings.json"), '{"env":');
    const codex = ".codex/config.toml" as const;
    assert.equal(await textOf(home, codex), TEXTS[codex]);
    await home.write({ ".claude/settings.json": '{"env":{"B":"2"}}' });
    assert.equal((await unwrap(home)).exitCode, 0);
    assert.equal(
      await textOf(home, ".claude/settings.json"),
      '{"env":{"B":"2"}}',
    );
  });
});

Deno.test("unwrapAll says that a file is gone, and does not make it anew", async () => {
  await inHome(async (home) => {
    await home.write(TEXTS);
    await keepAll(home);
    await Deno.remove(join(home.path, ".codex/config.toml"));
    assert.match(
      (await unwrap(home)).out,
      /config\.toml is not there any more/,
    );
    assert.equal(await textOf(home, ".codex/config.toml"), undefined);
  });
});
