import assert from "node:assert/strict";
import { reachSettings } from "../../../src/cli/config/reach.ts";
import { fakeIo, refused, svc } from "../fake_io.ts";
import { configHome } from "./home.ts";

Deno.test("reachSettings reads the environment above the file", async () => {
  await using home = await configHome({ rpm: 5, budget: 1 });
  const io = home.io({ SVC_RPM: "7" });
  const { values, file } = await reachSettings(io);
  assert.equal(file.path, home.path);
  assert.deepEqual(values.stored, { SVC_RPM: "5", SVC_BUDGET: "1" });
  assert.equal(values.given.SVC_RPM?.raw, "7");
  assert.equal(values.given.SVC_BUDGET?.source, "file");
  assert.equal(io.err(), "");
});

Deno.test("reachSettings says on stderr what cannot be used, and never a secret", async () => {
  await using home = await configHome({ rpm: "often", zzz: 1 });
  const io = home.io({
    SVC_PORT: "x",
    SVC_TPM: "5",
    SVC_WAT: "1",
    SVC_PROXY_TOKEN: "hunter2",
    SVC_CCR_TTL_SECONDS: "soon",
  });
  await reachSettings(io);
  const lines = io.err().trim().split("\n");
  assert.equal(lines.length, 7);
  for (
    const part of [
      'rpm="often"',
      `zzz of ${home.path} is no setting that can be stored`,
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
  await using home = await configHome();
  await Deno.mkdir(home.path);
  const io = home.io();
  const { values } = await reachSettings(io);
  assert.deepEqual(values.stored, {});
  assert.match(io.err(), /Cannot read settings from .*: .*\(EISDIR\)/);
});

Deno.test("reachSettings stores nothing where the environment forbids files", async () => {
  await using home = await configHome({ stateless: true });
  const { store } = await reachSettings(home.io({ SVC_STATELESS: "1" }));
  assert.equal((await store.save({ rpm: 5 })).type, "unwritable");
  const { store: wished } = await reachSettings(home.io());
  assert.equal((await wished.save({ stateless: null })).type, "saved");
});

Deno.test("svc config path fails without a place", async () => {
  const io = fakeIo({ env: { SVC_SETTINGS_PATH: "/s", HOME: "/h" } });
  assert.equal(await svc("config path", io), 0);
  assert.equal(io.out(), "/s\n");
  await refused("config path", fakeIo({ env: {} }), [2, /^error: /]);
});

Deno.test("svc config set stores a value under its key, and says so", async () => {
  await using home = await configHome({ mode: "token" });
  const io = home.io();
  assert.equal(await svc("config set SVC_RPM 60", io), 0);
  assert.deepEqual(home.json(), { mode: "token", rpm: 60 });
  assert.equal(
    io.err(),
    `rpm is 60 in ${home.path} now\nA proxy that runs already would use rpm after SIGHUP, or Apply on the settings page of its dashboard\n`,
  );
  await svc("config set rpm 60", io);
  assert.match(io.err(), /rpm is 60 in .* already\n$/);
});

Deno.test("svc config set reads a secret from standard input, and never shows it", async () => {
  await using home = await configHome();
  const secret = "hunter2hunter2hunter2";
  const stdin = () => Promise.resolve(new TextEncoder().encode(`${secret}\n`));
  const io = home.io({}, { stdin });
  await svc("config set proxy_token -", io);
  assert.deepEqual(home.json(), { proxy_token: secret });
  assert.match(io.err(), /^proxy_token is set in/);
  assert.doesNotMatch(io.err(), /hunter2/);
});

Deno.test("svc config set refuses what cannot be stored, and changes nothing", async () => {
  await using home = await configHome({ rpm: 5 });
  const cases: [string, RegExp][] = [
    ["rpm often", /Cannot use rpm="often": must be an integer/],
    ["wat 1", /Cannot find a setting wat: svc config list names all of them/],
    ["modee x", /setting modee: did you mean mode\? svc config/],
    ["tpm 1", /Cannot use tpm: it is not in this version/],
    ["SVC_OFFLINE 1", /read from the environment only; set SVC_OFFLINE there/],
    ["compress_allow_remote on", /without SVC_PROXY_TOKEN/],
    ["features memory", /Feature memory .* is not in this version$/m],
  ];
  for (const [words, message] of cases) {
    await refused(`config set ${words}`, home.io(), [2, message]);
  }
  // This machine's names included.
  const open = home.io({ SVC_HOST: "0.0.0.0" });
  const line = "config set anthropic_base_url http://box:8787";
  await refused(line, open, [2, /http:\/\/box:8787/]);
  const stateless = home.io({ SVC_STATELESS: "1" });
  await refused("config set rpm 6", stateless, [1, /SVC_STATELESS/]);
  assert.deepEqual(home.json(), { rpm: 5 });
});

Deno.test("svc config set says that the environment wins", async () => {
  await using home = await configHome();
  const io = home.io({ SVC_RPM: "7" });
  await svc("config set rpm 5", io);
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

Deno.test("svc config set says how a running proxy takes it over", async () => {
  const asked: string[] = [];
  await using home = await configHome({ port: 9000 });
  const io = home.io({}, answering(home.workspace, asked));
  await svc("config set rpm 5", io);
  assert.equal(asked[0], "http://127.0.0.1:9000/health");
  assert.match(
    io.err(),
    /runs at http:\/\/127\.0\.0\.1:9000: send it SIGHUP, press Apply at \S+:9000\/dashboard#\/settings, or .* it uses rpm\n/,
  );
  await svc("config set workers 2", io);
  assert.match(io.err(), /uses workers once it is started again\n$/);
});

Deno.test("svc config set says in general what a proxy at another address would do", async () => {
  await using home = await configHome();
  const io = home.io();
  await svc("config set rpm 5", io);
  assert.doesNotMatch(io.err(), /proxy runs at/);
  await svc("config set workers 2", io);
  assert.match(
    io.err(),
    /A proxy that runs already would use workers with its next start\n$/,
  );
});

Deno.test("svc config set says when the running proxy reads another file", async () => {
  await using home = await configHome();
  const io = home.io({}, answering("/elsewhere"));
  await svc("config set rpm 5", io);
  assert.match(
    io.err(),
    /:8787 keeps its files in \/elsewhere: it does not read this file\n$/,
  );
});

Deno.test("svc config unset takes settings out under any of their names", async () => {
  await using home = await configHome({
    ...{ SVC_RPM: 5, budget: 1, mode: "token" },
  });
  const io = home.io();
  await svc("config unset rpm SVC_BUDGET", io);
  assert.deepEqual(home.json(), { mode: "token" });
  assert.match(io.err(), /^rpm, budget taken out of /);
  await svc("config unset rpm", io);
  assert.match(io.err(), /Nothing to take out: .* does not set rpm\n$/);
  await refused("config unset wat", io, [2, /setting wat/]);
});
