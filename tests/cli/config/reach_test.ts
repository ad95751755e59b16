import assert from "node:assert/strict";
import {
  known,
  print,
  reachSettings,
  settingsPath,
  storable,
  warn,
} from "../../../src/cli/config/reach.ts";
import { systemError } from "../../../src/cli/failure.ts";
import { fakeIo } from "../fake_io.ts";
import { memoryFiles, PATH, textsWith } from "./memory_file.ts";

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
  print("x\n", io);
  assert.equal(io.err(), "Warning: A\nWarning: B\n");
  assert.equal(io.out(), "x\n");
});
