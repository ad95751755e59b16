import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";
import {
  runFeatures,
  runGet,
  runList,
} from "../../../src/cli/commands/config.ts";
import { MASK } from "../../../src/settings/fields.ts";
import { ROWS } from "../../../src/settings/registry.ts";
import { memoryFiles, PATH, textsWith } from "../config/memory_file.ts";
import { tempDir } from "../../temp_dir.ts";

/** Runs commands with a directory of their own. */
async function withWorkspace(
  use: (
    run: (...args: string[]) => Promise<{ code: number; out: string }>,
    path: string,
  ) => Promise<void>,
): Promise<void> {
  await using temp = await tempDir();
  const directory = temp.path;
  await use(async (...args) => {
    const io = fakeIo({ env: { SVC_WORKSPACE_DIR: directory } });
    const code = await runCli(["config", ...args], io);
    return { code, out: io.out() };
  }, `${directory}/settings.json`);
}

Deno.test("svc config sets, gets, lists and takes out settings of a file that only its owner reads", () =>
  withWorkspace(async (run, path) => {
    assert.deepEqual(await run("path"), { code: 0, out: `${path}\n` });
    assert.equal((await run("set", "rpm", "60")).code, 0);
    assert.equal(await Deno.readTextFile(path), '{\n  "rpm": 60\n}\n');
    if (Deno.build.os !== "windows") {
      assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    }
    assert.deepEqual(await run("get", "SVC_RPM"), { code: 0, out: "60\n" });
    assert.match((await run("list")).out, /^rpm +60 +file$/m);
    assert.equal(JSON.parse((await run("list", "--json")).out).path, path);
    assert.equal((await run("unset", "rpm")).code, 0);
    assert.equal(await Deno.readTextFile(path), "{}\n");
  }));

Deno.test("svc config ends with 2 for what makes no sense", () =>
  withWorkspace(async (run) => {
    for (
      const args of [
        ["set", "rpm", "often"],
        ["set", "rpm"],
        ["get", "wat"],
        ["set", "tpm", "5"],
        ["unset"],
        ["wat"],
      ]
    ) assert.equal((await run(...args)).code, 2, args.join(" "));
  }));

const STORED = { rpm: 5, proxy_token: "hunter2hunter2hunter2" };
const ENV = {
  COLUMNS: "120",
  HOME: "/home/a",
  SVC_CHAT_TARGET_API_URL: "http://a.example",
  SVC_HTTP_PROXY: "http://u:hunter2@p:1",
};

function rig() {
  return { io: fakeIo({ env: ENV }), open: memoryFiles(textsWith(STORED)) };
}

async function list(all: boolean) {
  const { io, open } = rig();
  await runList({ all, json: false }, io, open);
  return io.out();
}

Deno.test("runList prints every setting with its value and where it comes from, secrets masked", async () => {
  const text = await list(false);
  assert.match(text, /^SETTING +VALUE +FROM\n/);
  assert.match(text, /^rpm +5 +file$/m);
  assert.match(text, /^mode +cache +default$/m);
  assert.match(
    text,
    /^openai_base_url +http:\/\/a\.example +shell: SVC_CHAT_TARGET_API_URL$/m,
  );
  assert.match(text, new RegExp(`^proxy_token +${MASK} +file$`, "m"));
  assert.doesNotMatch(text, /hunter2|^tpm/m);
});

Deno.test("runList prints what is not in this version when asked", async () => {
  const text = await list(true);
  assert.match(text, /^memory_top_k +10 +not in this version$/m);
  assert.equal(text.trim().split("\n").length, ROWS.length + 1);
});

Deno.test("runList prints JSON for programs, secrets masked", async () => {
  const { io, open } = rig();
  await runList({ all: false, json: true }, io, open);
  const { path, settings } = JSON.parse(io.out());
  assert.equal(path, PATH);
  const of = (key: string) =>
    settings.find((one: { key: string }) => one.key === key);
  assert.equal(of("rpm").value, 5);
  assert.equal(of("rpm").source, "file");
  assert.equal(of("openai_base_url").given_as, "SVC_CHAT_TARGET_API_URL");
  assert.equal(of("rpm").given_as, "rpm");
  assert.equal(of("mode").given_as, null);
  assert.equal(of("beacon").persisted, false);
  assert.equal(of("tpm"), undefined);
  assert.doesNotMatch(io.out(), /hunter2/);
});

Deno.test("runList keeps a long value to one line", async () => {
  const { io } = rig();
  const stored = { tool_policy: "a=never, ".repeat(20) + "\nb=never" };
  const open = memoryFiles(textsWith(stored));
  await runList({ all: false, json: false }, io, open);
  const line = io.out().split("\n").find((one) => /^tool_policy/.test(one));
  assert.match(line!, /… +file$/);
});

Deno.test("runGet prints the value alone on stdout, and where it comes from on stderr", async () => {
  const get = async (name: string, json = false) => {
    const { io, open } = rig();
    await runGet({ name, json }, io, open);
    return [io.out(), io.err()];
  };
  assert.deepEqual(await get("SVC_RPM"), [
    "5\n",
    "rpm comes from the settings file, as rpm\n",
  ]);
  assert.deepEqual(await get("budget"), [
    "-\n",
    "budget comes from the default\n",
  ]);
  assert.deepEqual(await get("http_proxy"), [
    `${MASK}\n`,
    "http_proxy comes from the variable SVC_HTTP_PROXY\n",
  ]);
  const [out] = await get("rpm", true);
  assert.equal(JSON.parse(out!).minimum, 1);
  await assert.rejects(get("wat"), { exitCode: 2 });
  await assert.rejects(get("tpm"), { exitCode: 2 });
});

Deno.test("runFeatures prints every feature with its channel, its state and the setting that decides", async () => {
  const env = { ...ENV, SVC_FEATURES: "wat", SVC_DISABLE_FEATURES: "ccr" };
  const run = async (json: boolean) => {
    const io = fakeIo({ env });
    await runFeatures({ json }, io, memoryFiles(textsWith(STORED)));
    return io.out();
  };
  const text = await run(false);
  assert.match(text, /^FEATURE +CHANNEL +STATE +WHY\n/);
  assert.match(text, /^ccr +stable +off +SVC_DISABLE_FEATURES \(shell\)$/m);
  assert.match(text, /^intercept_tool_results +canary +off +default$/m);
  assert.match(text, /^kompress +canary +not in this version +-$/m);
  const { features } = JSON.parse(await run(true));
  assert.deepEqual(
    features.find(({ name }: { name: string }) => name === "compression"),
    {
      name: "compression",
      channel: "stable",
      state: "on",
      why: "default",
      settings: ["SVC_OPTIMIZE"],
    },
  );
});

Deno.test("runFeatures ends with 2 where no proxy would start", () =>
  withWorkspace(async (run) => {
    assert.equal((await run("features")).code, 0);
    const io = fakeIo({ env: { ...ENV, SVC_PORT: "x" } });
    assert.equal(await runCli(["config", "features"], io), 2);
  }));
