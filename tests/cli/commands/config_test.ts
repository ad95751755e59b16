import assert from "node:assert/strict";
import { type FakeIo, refused, svc } from "../fake_io.ts";
import { MASK } from "../../../src/settings/fields.ts";
import { ROWS } from "../../../src/settings/registry.ts";
import { configHome } from "../config/home.ts";

Deno.test("svc config sets, gets, lists and takes out settings of a file that only its owner reads", async () => {
  await using home = await configHome();
  const { path } = home;
  const run = async (words: string) => {
    const io = home.io();
    assert.equal(await svc(`config ${words}`, io), 0, words);
    return io.out();
  };
  assert.equal(await run("path"), `${path}\n`);
  await run("set rpm 60");
  assert.equal(await Deno.readTextFile(path), '{\n  "rpm": 60\n}\n');
  if (Deno.build.os !== "windows") {
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  }
  assert.equal(await run("get SVC_RPM"), "60\n");
  assert.match(await run("list"), /^rpm +60 +file$/m);
  assert.equal(JSON.parse(await run("list --json")).path, path);
  await run("unset rpm");
  assert.equal(await Deno.readTextFile(path), "{}\n");
  await run("features");
});

Deno.test("svc config ends with 2 for what makes no sense", async () => {
  await using home = await configHome();
  for (
    const words of [
      ...["set rpm often", "set rpm", "get wat", "get tpm", "set tpm 5"],
      ...["unset", "wat"],
    ]
  ) await refused(`config ${words}`, home.io(), [2, /^error: /m]);
  const io = home.io({ SVC_PORT: "x" });
  await refused("config features", io, [2, /SVC_PORT="x"/]);
});

const STORED = { rpm: 5, proxy_token: "hunter2hunter2hunter2" };
const ENV = {
  COLUMNS: "120",
  SVC_CHAT_TARGET_API_URL: "http://a.example",
  SVC_HTTP_PROXY: "http://u:hunter2@p:1",
};

/** Runs one command line in a home with these settings. */
async function run(
  words: string,
  stored: unknown = STORED,
  env: Record<string, string> = {},
): Promise<FakeIo> {
  await using home = await configHome(stored);
  const io = home.io({ ...ENV, ...env });
  assert.equal(await svc(`config ${words}`, io), 0);
  return io;
}

Deno.test("svc config list prints every setting with its value and where it comes from, secrets masked", async () => {
  const text = (await run("list")).out();
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

Deno.test("svc config list prints what is not in this version when asked", async () => {
  const text = (await run("list --all")).out();
  assert.match(text, /^memory_top_k +10 +not in this version$/m);
  assert.equal(text.trim().split("\n").length, ROWS.length + 1);
});

Deno.test("svc config list prints JSON for programs, secrets masked", async () => {
  const out = (await run("list --json")).out();
  const { settings } = JSON.parse(out);
  const of = (key: string) =>
    settings.find((one: { key: string }) => one.key === key);
  assert.equal(of("rpm").value, 5);
  assert.equal(of("rpm").source, "file");
  assert.equal(of("openai_base_url").given_as, "SVC_CHAT_TARGET_API_URL");
  assert.equal(of("rpm").given_as, "rpm");
  assert.equal(of("mode").given_as, null);
  assert.equal(of("beacon").persisted, false);
  assert.equal(of("tpm"), undefined);
  assert.doesNotMatch(out, /hunter2/);
});

Deno.test("svc config list keeps a long value to one line", async () => {
  const stored = { tool_policy: "a=never, ".repeat(20) + "\nb=never" };
  const io = await run("list", stored);
  const line = io.out().split("\n").find((one) => /^tool_policy/.test(one));
  assert.match(line!, /… +file$/);
});

Deno.test("svc config get prints the value alone on stdout, and where it comes from on stderr", async () => {
  const get = async (name: string) => {
    const io = await run(`get ${name}`);
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
  const [out] = await get("rpm --json");
  assert.equal(JSON.parse(out!).minimum, 1);
});

Deno.test("svc config features prints every feature with its channel, its state and the setting that decides", async () => {
  const env = { SVC_FEATURES: "wat", SVC_DISABLE_FEATURES: "ccr" };
  const text = (await run("features", STORED, env)).out();
  assert.match(text, /^FEATURE +CHANNEL +STATE +WHY\n/);
  assert.match(text, /^ccr +stable +off +SVC_DISABLE_FEATURES \(shell\)$/m);
  assert.match(text, /^intercept_tool_results +canary +off +default$/m);
  assert.match(text, /^kompress +canary +not in this version +-$/m);
  const { features } = JSON.parse(
    (await run("features --json", STORED, env)).out(),
  );
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
