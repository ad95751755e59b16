import { print, warn } from "../../../src/cli/terminal.ts";
import assert from "node:assert/strict";
import {
  known,
  reachSettings,
  settingsPath,
  storable,
} from "../../../src/cli/config/reach.ts";
import { systemError } from "../../../src/cli/failure.ts";
import { fakeIo } from "../fake_io.ts";
import { memoryFiles, PATH, textsWith } from "./memory_file.ts";
import { runSet, runUnset } from "../../../src/cli/config/change.ts";
import type { CliIo } from "../../../src/cli/io.ts";

const reach = (env: Record<string, string>, stored?: unknown) => {
  const io = fakeIo({ env: { HOME: "/home/a", ...env } });
  return { io, reached: reachSettings(io, memoryFiles(textsWith(stored))) };
};

Deno.test("reachSettings reads the environment above the file", async () => {
  const { io, reached } = reach({ SVC_RPM: "7" }, { rpm: 5, budget: 1 });
  const { values, file } = await reached;
  assert.equal(file.path, PATH);
  assert.deepEqual(values.stored, { SVC_RPM: "5", SVC_BUDGET: "1" });
  assert.equal(values.given.SVC_RPM?.raw, "7");
  assert.equal(values.given.SVC_BUDGET?.source, "file");
  assert.equal(io.err(), "");
});

Deno.test("reachSettings says on stderr what cannot be used, and never a secret", async () => {
  const { io, reached } = reach(
    {
      SVC_PORT: "x",
      SVC_TPM: "5",
      SVC_WAT: "1",
      SVC_PROXY_TOKEN: "hunter2",
      SVC_CCR_TTL_SECONDS: "soon",
    },
    { rpm: "often", zzz: 1 },
  );
  await reached;
  const lines = io.err().trim().split("\n");
  assert.equal(lines.length, 7);
  for (
    const part of [
      'rpm="often"',
      "zzz of /home/a/.svc/settings.json is no setting that can be stored",
      "SVC_WAT is not a setting",
      "SVC_TPM is not in this version",
      'SVC_PORT="x"',
      "a proxy would not start",
      "SVC_PROXY_TOKEN",
      "; using 1800",
    ]
  ) assert.ok(io.err().includes(part), part);
  assert.doesNotMatch(io.err(), /hunter2/);
});

Deno.test("reachSettings warns of a file that cannot be read", async () => {
  const io = fakeIo();
  const { values } = await reachSettings(io, (path) => ({
    path,
    read: () => Promise.reject(systemError("EACCES", "no")),
    update: () => Promise.resolve(),
  }));
  assert.deepEqual(values.stored, {});
  assert.match(
    io.err(),
    /Cannot read settings from .*: permission denied \(EACCES\)/,
  );
});

Deno.test("reachSettings stores nothing where the environment forbids files", async () => {
  const { store } = await reach({ SVC_STATELESS: "1" }).reached;
  assert.equal((await store.save({ rpm: 5 })).type, "unwritable");
  const { store: wished } = await reach({}, { stateless: true }).reached;
  assert.equal((await wished.save({ stateless: null })).type, "saved");
});

Deno.test("reachSettings looks whether values can be used together, this machine's names included", async () => {
  const { store } = await reach({ SVC_HOST: "0.0.0.0" }).reached;
  const saved = await store.save({ anthropic_base_url: "http://box:8787" });
  assert.equal(saved.type, "invalid");
});

Deno.test("settingsPath fails without a place", () => {
  assert.equal(
    settingsPath({ env: { SVC_SETTINGS_PATH: "/s", HOME: "/h" } }),
    "/s",
  );
  assert.throws(() => settingsPath({ env: {} }), { exitCode: 2 });
});

Deno.test("known and storable refuse names with a reason", () => {
  assert.equal(known("SVC_BEACON").env, "SVC_BEACON");
  assert.equal(storable("rpm").env, "SVC_RPM");
  assert.throws(() => known("wat"), /svc config list names all of them/);
  assert.throws(
    () => known("modee"),
    /^CliFailure: Cannot find a setting modee: did you mean mode\? svc config/,
  );
  assert.throws(() => known("tpm"), /not in this version/);
  assert.throws(() => storable("beacon"), /set SVC_BEACON there/);
});

Deno.test("warn talks on stderr, print writes to stdout", () => {
  const io = fakeIo();
  warn(io, ["A", "B"]);
  print(io, "x\n");
  assert.equal(io.err(), "Warning: A\nWarning: B\n");
  assert.equal(io.out(), "x\n");
});

function rig(stored?: unknown, parts: Partial<CliIo> = {}) {
  const texts = textsWith(stored);
  const io = fakeIo(parts);
  const open = memoryFiles(texts);
  return {
    io,
    set: (name: string, value: string) => runSet({ name, value }, io, open),
    unset: (...names: string[]) => runUnset(names, io, open),
    json: () => JSON.parse(texts.get(PATH) ?? "null"),
  };
}

Deno.test("runSet stores a value under its key, and says so", async () => {
  const { io, set, json } = rig({ mode: "token" });
  await set("SVC_RPM", "60");
  assert.deepEqual(json(), { mode: "token", rpm: 60 });
  assert.equal(
    io.err(),
    `rpm is 60 in ${PATH} now\nA proxy that runs already would use rpm after SIGHUP, or Apply on the settings page of its dashboard\n`,
  );
  await set("rpm", "60");
  assert.match(io.err(), /rpm is 60 in .* already\n$/);
});

Deno.test("runSet reads a secret from standard input, and never shows it", async () => {
  const secret = "hunter2hunter2hunter2";
  const { io, set, json } = rig(undefined, {
    stdin: () => Promise.resolve(new TextEncoder().encode(`${secret}\n`)),
  });
  await set("proxy_token", "-");
  assert.deepEqual(json(), { proxy_token: secret });
  assert.match(io.err(), /^proxy_token is set in/);
  assert.doesNotMatch(io.err(), /hunter2/);
});

Deno.test("runSet refuses what cannot be stored with exit code 2, and changes nothing", async () => {
  const { set, json } = rig({ rpm: 5 });
  const cases: [string, string, RegExp][] = [
    ["rpm", "often", /^Cannot use rpm="often": must be an integer/],
    ["wat", "1", /^Cannot find a setting wat/],
    ["tpm", "1", /^Cannot use tpm: it is not in this version/],
    [
      "SVC_OFFLINE",
      "1",
      /^Cannot store SVC_OFFLINE: it is read from the environment only/,
    ],
    ["compress_allow_remote", "on", /without SVC_PROXY_TOKEN/],
    ["features", "memory", /^Feature memory .* is not in this version$/],
  ];
  for (const [name, value, message] of cases) {
    await assert.rejects(set(name, value), { exitCode: 2, message });
  }
  assert.deepEqual(json(), { rpm: 5 });
});

Deno.test("runSet fails with exit code 1 where no file may be written", async () => {
  const { set } = rig(undefined, {
    env: { HOME: "/home/a", SVC_STATELESS: "1" },
  });
  await assert.rejects(set("rpm", "5"), { exitCode: 1 });
});

Deno.test("runSet says that the environment wins", async () => {
  const { io, set } = rig(undefined, {
    env: { HOME: "/home/a", SVC_RPM: "7" },
  });
  await set("rpm", "5");
  assert.match(io.err(), /Warning: rpm is set by SVC_RPM, which wins/);
});

/** What a proxy answers that keeps its files there. */
function answering(workspace: string, asked: string[] = []) {
  const health = { service: "svc-proxy", config: { workspace } };
  return {
    ask: (url: URL) => {
      asked.push(url.href);
      return Promise.resolve({ status: 200, text: JSON.stringify(health) });
    },
  };
}

Deno.test("runSet says how a running proxy takes it over", async () => {
  const asked: string[] = [];
  const { io, set } = rig({ port: 9000 }, answering("/home/a/.svc", asked));
  await set("rpm", "5");
  assert.equal(asked[0], "http://127.0.0.1:9000/health");
  assert.match(
    io.err(),
    /runs at http:\/\/127\.0\.0\.1:9000: send it SIGHUP, press Apply at \S+:9000\/dashboard#\/settings, or .* it uses rpm\n/,
  );
  await set("workers", "2");
  assert.match(io.err(), /uses workers once it is started again\n$/);
});

Deno.test("runSet says in general what a proxy at another address would do", async () => {
  const { io, set } = rig();
  await set("rpm", "5");
  assert.doesNotMatch(io.err(), /proxy runs at/);
  await set("workers", "2");
  assert.match(
    io.err(),
    /A proxy that runs already would use workers with its next start\n$/,
  );
});

Deno.test("runSet says when the running proxy reads another file", async () => {
  const { io, set } = rig(undefined, answering("/elsewhere"));
  await set("rpm", "5");
  assert.match(
    io.err(),
    /:8787 keeps its files in \/elsewhere: it does not read this file\n$/,
  );
});

Deno.test("runUnset takes settings out under any of their names", async () => {
  const { io, unset, json } = rig({ SVC_RPM: 5, budget: 1, mode: "token" });
  await unset("rpm", "SVC_BUDGET");
  assert.deepEqual(json(), { mode: "token" });
  assert.match(io.err(), /^rpm, budget taken out of /);
  await unset("rpm");
  assert.match(io.err(), /Nothing to take out: .* does not set rpm\n$/);
  await assert.rejects(unset("wat"), { exitCode: 2 });
});
