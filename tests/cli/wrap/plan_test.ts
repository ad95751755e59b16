import assert from "node:assert/strict";
import { CliFailure, systemError } from "../../../src/cli/failure.ts";
import { planWrap } from "../../../src/cli/wrap/plan.ts";
import { WRAP_CLAUDE } from "../../../src/cli/wrap/claude.ts";
import { WRAP_AIDER } from "../../../src/cli/wrap/registry.ts";
import { WRAP_VIBE } from "../../../src/cli/wrap/opencode.ts";
import { WRAP_CODEX } from "../../../src/cli/wrap/codex.ts";
import { fakeFiles, fakeIo } from "../fake_io.ts";
import { join } from "node:path";
import { Leases } from "../../../src/cli/wrap/leases.ts";
import { fakeSystem } from "./fake_system.ts";
import { portOwner, socketsIn } from "../../../src/cli/wrap/port_owner.ts";
import { freePort } from "../../e2e/proxy_process.ts";

function plan(
  env: Record<string, string> = {},
  { flags = {}, cwd = "/work/my shop", large = false, agent = WRAP_CLAUDE } =
    {},
) {
  const io = fakeIo({ env: { HOME: "/home/a", ...env }, cwd });
  return planWrap(io, { agent, args: ["-p"], flags, large });
}

Deno.test("planWrap names the project by the directory, and none in the root", async () => {
  const address = async (cwd: string) =>
    (await plan({}, { cwd })).env["ANTHROPIC_BASE_URL"];
  assert.equal(
    await address("/work/my shop"),
    "http://127.0.0.1:8787/p/my%20shop",
  );
  assert.equal(await address("/"), "http://127.0.0.1:8787");
});

Deno.test("planWrap makes an address of the user the upstream of the proxy", async () => {
  const address = "https://gw.example/a";
  const { wish } = await plan({ ANTHROPIC_BASE_URL: address });
  assert.equal(wish.config.upstreams.messages, address);
  assert.deepEqual(wish.variables, { MSG_TARGET_API_URL: address });
});

Deno.test("planWrap refuses to choose between two upstreams, and names both", async () => {
  const env = {
    ANTHROPIC_BASE_URL: "https://gw.example/secret",
    MSG_TARGET_API_URL: "https://other.example",
  };
  await assert.rejects(plan(env), (error: unknown) => {
    assert.ok(error instanceof CliFailure);
    assert.equal(
      error.message,
      "Cannot choose between two upstreams: MSG_TARGET_API_URL is https://other.example, ANTHROPIC_BASE_URL in the environment is https://gw.example. Take one of them out",
    );
    return true;
  });
});

Deno.test("planWrap gives the chat upstream of the command line to the proxy", async () => {
  const url = "http://127.0.0.1:11434";
  const { wish, args } = await plan({}, {
    flags: { "chat-api-url": url, port: "9000" },
    agent: WRAP_CODEX,
  });
  assert.equal(wish.config.upstreams.chat, url);
  assert.equal(wish.variables["CHAT_TARGET_API_URL"], url);
  assert.equal(wish.config.port, 9000);
  assert.equal(args.at(-1), "-p");
});

Deno.test("planWrap keeps requests to the proxy from a proxy of the network", async () => {
  assert.equal((await plan()).env["NO_PROXY"], undefined);
  const routed = { https_proxy: "http://p:1", NO_PROXY: "a.example" };
  assert.equal((await plan(routed)).env["NO_PROXY"], "a.example,127.0.0.1");
});

Deno.test("planWrap makes places absolute for a proxy that starts elsewhere", async () => {
  const { wish } = await plan({
    SVC_WORKSPACE_DIR: "ws",
    SVC_CONFIG_DIR: "/c",
  });
  assert.deepEqual(wish.variables, {
    SVC_WORKSPACE_DIR: "/work/my shop/ws",
    SVC_CONFIG_DIR: "/c",
  });
});

Deno.test("planWrap takes the large model of SVC_1M_MODEL", async () => {
  const model = async (large: boolean) =>
    (await plan({ SVC_1M_MODEL: "opus" }, { large })).env["ANTHROPIC_MODEL"];
  assert.deepEqual([await model(true), await model(false)], [
    "opus[1m]",
    undefined,
  ]);
});

Deno.test("planWrap lets a setting win over the agent's own default upstream", async () => {
  const chat = async (env: Record<string, string>) => {
    const { wish, adopted } = await plan(env, { agent: WRAP_VIBE });
    return [wish.config.upstreams.chat, adopted.length];
  };
  assert.deepEqual(await chat({}), ["https://api.mistral.ai", 1]);
  const given = { CHAT_TARGET_API_URL: "https://gw.example" };
  assert.deepEqual(await chat(given), ["https://gw.example", 0]);
});

Deno.test("planWrap refuses two addresses of an agent for one upstream", async () => {
  const env = {
    OPENAI_API_BASE: "https://a.example/v1",
    OPENAI_BASE_URL: "https://b.example/v1",
  };
  await assert.rejects(
    plan(env, { agent: WRAP_AIDER }),
    /OPENAI_API_BASE in the environment is https:\/\/a\.example, OPENAI_BASE_URL/,
  );
});

Deno.test("planWrap refuses a port that nobody can know", async () => {
  await assert.rejects(plan({ SVC_PORT: "0" }), /give one with --port/);
});

const DIRECTORY = "/home/a/.svc/wraps";

function world() {
  const files = fakeFiles();
  const system = fakeSystem();
  const leases = new Leases(
    { env: { HOME: "/home/a" }, cwd: "/", files },
    system,
  );
  return { files, system, leases };
}

Deno.test("Leases count the other agents on a port, and remove what ended ones left", async () => {
  const { files, system, leases } = world();
  await leases.take(8787, "claude");
  const path = (name: string) => join(DIRECTORY, name);
  for (
    const name of ["8787-1.lease", "8787-2.lease", "878-3.lease", "8787.proxy"]
  ) {
    files.texts.set(path(name), "{}");
  }
  system.held.add(path("8787-1.lease"));
  assert.equal(await leases.count(8787), 1);
  assert.ok(!files.texts.has(path("8787-2.lease")));
  assert.ok(files.texts.has(path("878-3.lease")));
});

Deno.test("Leases remember the proxy that a wrap started, and take nothing else for one", async () => {
  const { files, leases } = world();
  assert.equal(await leases.started(8787), undefined);
  await leases.remember(8787, { pid: 5 });
  assert.deepEqual(await leases.started(8787), { pid: 5 });
  await leases.remember(8787, { pid: 6 });
  assert.deepEqual(await leases.started(8787), { pid: 6 });
  await leases.remember(8787, undefined);
  assert.equal(await leases.started(8787), undefined);
  for (const text of ["", "[]", '{"pid":"5"}']) {
    files.texts.set(join(DIRECTORY, "8787.proxy"), text);
    assert.equal(await leases.started(8787), undefined);
  }
});

Deno.test("Leases wait for another wrap longer than for a lock, but not for what the work meets", async () => {
  const { files, system } = world();
  let tries = 0;
  const busy = {
    ...files,
    alone<T>(_path: string, work: () => Promise<T>): Promise<T> {
      tries++;
      return tries < 4 ? Promise.reject(systemError("EBUSY", "held")) : work();
    },
  };
  const env = { HOME: "/home/a" };
  const leases = new Leases({ env, cwd: "/", files: busy }, system);
  assert.equal(await leases.alone(() => Promise.resolve(1)), 1);
  assert.equal(tries, 4);
  const fails = () => Promise.reject(systemError("EBUSY", "mine"));
  await assert.rejects(leases.alone(fails), /mine/);
  assert.equal(tries, 5);
});

Deno.test("Leases know the port of another wrap that runs an agent, and remove what a killed one left", async () => {
  const { files, system, leases } = world();
  const path = (name: string) => join(DIRECTORY, name);
  files.texts.set(path("9000-1.lease"), '{"agent":"cline","pid":1}');
  assert.equal(await leases.portOf("cline"), undefined);
  system.held.add(path("9000-1.lease"));
  assert.equal(await leases.portOf("cline"), 9000);
  assert.equal(await leases.portOf("claude"), undefined);
  files.texts.set(path("8787-2.lease"), "{}");
  files.texts.set(path("8787-2.config.yaml"), "apiKey: k");
  await leases.count(8787);
  assert.deepEqual([...files.texts.keys()], [path("9000-1.lease")]);
});

const TABLE =
  `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2253 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0
   1: 0100007F:2253 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0
   2: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0
`;

Deno.test("socketsIn gives the sockets that listen on a port", () => {
  assert.deepEqual(socketsIn(TABLE, 8787), ["socket:[4711]"]);
  assert.deepEqual(socketsIn(TABLE, 80), []);
});

Deno.test({
  name: "portOwner names the process that listens, on Linux",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const port = freePort();
    assert.equal(await portOwner(port), undefined);
    using _listener = Deno.listen({ hostname: "127.0.0.1", port });
    assert.equal((await portOwner(port))?.pid, Deno.pid);
  },
});
