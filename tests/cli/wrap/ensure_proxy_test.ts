import assert from "node:assert/strict";
import {
  findProxy,
  nextFree,
  pidOf,
  type ProxyWish,
  startProxy,
  stopProxy,
  takenFailure,
} from "../../../src/cli/wrap/ensure_proxy.ts";
import { Leases } from "../../../src/cli/wrap/leases.ts";
import { fakeFiles, fakeIo, fakeSettings } from "../fake_io.ts";
import { fakeSystem } from "./fake_system.ts";
import { askedProxy } from "./running.ts";

function wish(env: Record<string, string> = {}): ProxyWish {
  return {
    config: fakeSettings({ env: { HOME: "/home/a", ...env } }).config,
    upstreams: ["messages"],
    variables: { MSG_TARGET_API_URL: "https://gw.example" },
    command: "svc wrap claude",
  };
}

Deno.test("findProxy finds none on a free port, and a proxy with the same upstream", async () => {
  const parts = { system: fakeSystem(), leases: undefined };
  assert.deepEqual(await findProxy(fakeIo(), wish(), parts), { state: "none" });
  const io = fakeIo({
    ask: askedProxy(() => 5, { openai_api_url: "http://x" }),
  });
  assert.deepEqual(await findProxy(io, wish(), parts), { state: "usable" });
});

Deno.test("findProxy refuses a proxy with another upstream and names both", async () => {
  const io = fakeIo({ ask: askedProxy(() => 5) });
  const parts = { system: fakeSystem(), leases: undefined };
  const asked = wish({ MSG_TARGET_API_URL: "https://gw.example" });
  await assert.rejects(
    findProxy(io, { ...asked, variables: {} }, parts),
    /sends messages requests to https:\/\/api\.anthropic\.com, and https:\/\/gw\.example is wanted here.*--port 8788.*MSG_TARGET_API_URL=https:\/\/api\.anthropic\.com\)/,
  );
  // Beside the address of the user that chose it, the setting would be refused.
  await assert.rejects(findProxy(io, asked, parts), /or the same upstream$/);
});

Deno.test("findProxy refuses a port of another program", async () => {
  const parts = {
    system: fakeSystem({ isFree: (_, port) => port !== 8787 }),
    leases: undefined,
  };
  await assert.rejects(findProxy(fakeIo(), wish(), parts), /port 8788 is free/);
  const io = fakeIo({
    ask: () => Promise.resolve({ status: 200, text: "hi" }),
  });
  await assert.rejects(findProxy(io, wish(), parts), /HTTP status 200, not/);
});

Deno.test("findProxy takes a proxy of another version for outdated only if a wrap started it and nobody uses it", async () => {
  const ask = askedProxy(() => 5, {}, "0.0.1");
  const io = fakeIo({ ask, files: fakeFiles() });
  const system = fakeSystem();
  const leases = new Leases(io, system);
  const find = () => findProxy(io, wish(), { system, leases });
  const used = { state: "usable", otherVersion: "0.0.1" };
  assert.deepEqual(await find(), used);
  await leases.remember(8787, { pid: 5 });
  assert.deepEqual(await find(), { state: "outdated", pid: 5 });
  const other = new Leases(io, { ...system, pid: 101 });
  await other.take(8787, "codex");
  await io.files.replace("/home/a/.svc/wraps/8787-101.lease", {
    before: undefined,
    after: "",
  });
  assert.deepEqual(await find(), used);
});

Deno.test("startProxy starts this program in the background, and gives the process that answers", async () => {
  const system = fakeSystem();
  const io = fakeIo({
    ask: askedProxy(() => system.started.length > 0 ? 7 : undefined),
  });
  assert.equal(await startProxy(io, wish(), system), 7);
  const [{ command, env, cwd } = assert.fail()] = system.started;
  assert.deepEqual(command, [...io.selfCommand(), "proxy", "--port", "8787"]);
  assert.equal(env["MSG_TARGET_API_URL"], "https://gw.example");
  assert.equal(cwd, "/home/a");
});

Deno.test("startProxy reports what a proxy said that ended", async () => {
  const system = fakeSystem({
    startBackground: () => ({
      pid: 7,
      said: () => "error: Cannot listen\n",
      hasEnded: () => true,
      letGo() {},
    }),
  });
  await assert.rejects(
    startProxy(fakeIo(), wish(), system),
    /Cannot start a proxy at http:\/\/127\.0\.0\.1:8787: error: Cannot listen\. Its log is .*proxy\.log/,
  );
});

Deno.test("stopProxy waits until the process has gone, for a bounded time", async () => {
  const system = fakeSystem({ isRunning: () => Promise.resolve(true) });
  let waits = 0;
  await stopProxy({ wait: () => Promise.resolve(void waits++) }, 7, system);
  assert.deepEqual(system.ended, [7]);
  assert.ok(waits > 10);
});

Deno.test("pidOf has none for a proxy that does not say it", () => {
  assert.equal(pidOf({ url: "", health: {}, stats: {} }), undefined);
});

Deno.test("startProxy ends the proxy when the user stops it before it answers", async () => {
  const system = fakeSystem();
  const io = fakeIo({ wait: () => Promise.resolve(io.signal()) });
  await assert.rejects(startProxy(io, wish(), system), { exitCode: 130 });
  assert.deepEqual(system.ended, [200]);
  assert.equal(io.handlers(), 0);
});

const taken = {
  host: "127.0.0.1",
  port: 8787,
  status: undefined,
  command: "svc wrap claude",
};
const isFree = (_host: string, port: number) => port === 8789;

Deno.test("takenFailure says who has the port, what it answers, and which one is free", async () => {
  const owner = { pid: 7, name: "python3" };
  const known = { isFree, ownerOf: () => Promise.resolve(owner) };
  const { message } = await takenFailure({ ...taken, status: 404 }, known);
  assert.equal(
    message,
    "Cannot use port 8787 of 127.0.0.1: python3 (process 7) has it and answers /health with HTTP status 404, not like svc; port 8789 is free: svc wrap claude --port 8789",
  );
  const unknown = {
    isFree: () => false,
    ownerOf: () => Promise.resolve(undefined),
  };
  assert.match(
    (await takenFailure(taken, unknown)).message,
    /another program has it and does not answer like svc; give another one/,
  );
});

Deno.test("nextFree stops at the last port", () => {
  const none = { isFree: () => false };
  assert.equal(nextFree({ host: "::1", port: 65_535 }, none), undefined);
});
